// The menu that saves a match or a picture of a position, and what the owner of a server may do.
import { info, isSaved, post } from "../api.js";
import { h, icon, put } from "../dom.js";
import { t } from "../i18n.js";
import { closesOutside } from "../shell.js";
import { toast } from "../toast.js";

/** @typedef {import("../types.js").Match} Match */

const PICTURE_WIDTH = 1600;

/**
 * Make the menu. It is filled when it opens, because what can be done changes.
 * @param {() => Match} match @param {() => number} index
 * @param {() => void} copyLink copies the address of the turn that is shown
 */
export function saveMenu(match, index, copyLink) {
  const list = h("div", { class: "menu-list" });
  const summary = h("summary", { class: "btn square", "data-label": "m.save" }, icon("down"));
  const menu = h("details", { class: "savemenu" }, summary, list);
  closesOutside(menu);
  menu.addEventListener("toggle", () => {
    if (menu.open) void fill(list, match(), index(), copyLink, () => (menu.open = false));
  });
  return menu;
}

/**
 * @param {HTMLElement} list
 * @param {Match} match
 * @param {number} index
 * @param {() => void} copyLink
 * @param {() => void} close
 */
async function fill(list, match, index, copyLink, close) {
  const base = `/api/matches/${encodeURIComponent(match.id)}`;
  const picture = `${base}/position.svg?index=${index}`;
  const name = fileName(match, index);
  const entry = (/** @type {string} */ word, /** @type {() => void} */ act) =>
    h("button", { type: "button", onclick: () => (close(), act()) }, t(word));
  const link = (
    /** @type {string} */ word,
    /** @type {string} */ href,
    /** @type {string} */ download,
  ) => h("a", { href, download, onclick: close }, t(word));
  const may = isSaved ? null : (await info().catch(() => null))?.may;
  const act = (/** @type {string} */ what) =>
    entry(`do.${what}`, () => {
      post(`${base}/${what}`).catch((error) => toast(error.message, "bad"));
    });
  put(
    list,
    link("save.xml", `${base}/replay.xml.gz`, ""),
    link("save.svg", picture, `${name}.svg`),
    entry("save.png", () => void savePng(picture, `${name}.png`)),
    link("save.html", `${base}/match.html`, ""),
    entry("m.link", copyLink),
    may?.do && match.source === "live" && match.phase === "running" ? act("pause") : null,
    may?.do && match.phase === "paused" ? act("continue") : null,
    may?.do && match.source === "live" && match.phase !== "ended" ? act("cancel") : null,
  );
}

/** @param {Match} match @param {number} index */
function fileName(match, index) {
  const parts = [match.game, ...match.names, String(match.positions[index]?.turn ?? 0)];
  return parts.map((part) => part.replace(/[^\p{L}\p{N}_.-]+/gu, "_").slice(0, 40)).join("_");
}

/**
 * Draw the server's picture into a bitmap and save that.
 * @param {string} address
 * @param {string} name
 */
async function savePng(address, name) {
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const canvas = h("canvas", { width: PICTURE_WIDTH });
    canvas.height =
      Math.round((PICTURE_WIDTH * picture.height) / (picture.width || 1)) || PICTURE_WIDTH;
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve));
    download(/** @type {Blob} */ (blob), name);
  } catch {
    toast(t("save.failed"), "bad");
  }
}

/** @param {Blob} blob @param {string} name */
function download(blob, name) {
  const href = URL.createObjectURL(blob);
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
