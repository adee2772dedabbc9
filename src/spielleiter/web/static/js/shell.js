// What every page has: the bar with its menu, language, theme, marks and the help of keys.
import { info, isSaved } from "./api.js";
import { $, h, icon, put, s } from "./dom.js";
import { hasWord, t, translate } from "./i18n.js";
import { onKey } from "./keys.js";
import { takeFiles } from "./replay_files.js";
import { keep } from "./storage.js";
import { toast } from "./toast.js";

/**
 * @typedef {[string, [string[], string][]][]} Keys groups of keys: a title, and caps with a text
 */
/** @typedef {{ keys?: Keys | (() => Keys), redraw?: () => void }} Page */

/** @type {Record<string, string>} */
const NEXT_MARKS = { pattern: "letter", letter: "none", none: "pattern" };
const root = document.documentElement;

/** The sign of the house: the referee in the middle, four colours meet it at the corners. */
export function logo() {
  const corners = [
    [0, 0],
    [20, 0],
    [20, 20],
    [0, 20],
  ];
  return s(
    "svg",
    { viewBox: "0 0 30 30", "aria-hidden": "true" },
    corners.map(([x, y], n) => s("rect", { x, y, width: 10, height: 10, rx: 2, class: `f${n}` })),
    s("rect", { x: 10, y: 10, width: 10, height: 10, rx: 2, fill: "currentColor" }),
  );
}

/**
 * Build what every page has. `redraw` is called when the language changed.
 * @param {Page} page
 */
export function shell({ keys = [], redraw = () => {} } = {}) {
  const language = h("button", { class: "icon", type: "button", onclick: () => turnLanguage() });
  const help = helpDialog(() => (typeof keys === "function" ? keys() : keys));

  /** @param {string} key @param {string} value */
  function set(key, value) {
    if (key === "lang") root.lang = value;
    else root.dataset[key] = value;
    keep(key, value);
    words();
    if (key === "lang") redraw();
  }
  function words() {
    const other = root.lang === "de" ? "en" : "de";
    translate();
    language.textContent = other.toUpperCase();
    language.lang = other;
    language.setAttribute("aria-label", other === "en" ? "EN: English" : "DE: Deutsch");
  }
  const turnLanguage = () => set("lang", root.lang === "de" ? "en" : "de");
  const turnTheme = () => set("theme", root.dataset.theme === "dark" ? "light" : "dark");
  function turnMarks() {
    set("marks", NEXT_MARKS[root.dataset.marks ?? ""] ?? "pattern");
    toast(t(`marks.${root.dataset.marks}`));
  }

  fillBar([
    language,
    tool("marks", fourSquares(), turnMarks),
    tool("theme", icon("sun"), turnTheme),
    tool("help", "?", help),
  ]);
  fillFoot();
  if (!isSaved) takeFiles();
  onKey((event) => {
    const acts = { "?": help, d: turnTheme, l: turnLanguage, m: turnMarks };
    const act = acts[/** @type {keyof typeof acts} */ (event.key.toLowerCase())];
    if (!act) return;
    event.preventDefault();
    act();
  });
  words();
}

/** @param {string} label @param {Element | string} sign @param {() => void} act */
const tool = (label, sign, act) =>
  h("button", { class: "icon", type: "button", "data-label": label, onclick: act }, sign);

function fourSquares() {
  const corners = [
    [2, 2],
    [11, 2],
    [11, 11],
    [2, 11],
  ];
  return s(
    "svg",
    { viewBox: "0 0 20 20", "aria-hidden": "true" },
    corners.map(([x, y], n) => s("rect", { x, y, width: 7, height: 7, rx: 1.5, class: `f${n}` })),
  );
}

/** @param {string} href @param {string} word */
function link(href, word) {
  const isHere = href === "/" ? location.pathname === "/" : location.pathname.startsWith(href);
  return h("a", { href, "aria-current": isHere ? "page" : null, "data-t": word });
}

/** @param {Element[]} tools */
function fillBar(tools) {
  const bar = $(".bar");
  if (!bar) return;
  if (isSaved) {
    put(
      bar,
      h("span", { class: "brand saved" }, logo(), "Spielleiter"),
      h("div", { class: "tools" }, tools),
    );
    return;
  }
  const wide = h("div", { class: "menu-list" });
  const narrow = h("div", { class: "menu-group" });
  const isHere = location.pathname.startsWith("/rules/");
  const rules = h(
    "details",
    { class: "drop-menu" },
    h(
      "summary",
      { "aria-current": isHere ? "page" : null },
      h("span", { "data-t": "rules" }),
      icon("more"),
    ),
    wide,
  );
  const menu = h(
    "details",
    { class: "menu" },
    h("summary", { class: "icon", "data-label": "menu" }, icon("menu")),
    h(
      "div",
      { class: "menu-list" },
      link("/", "home"),
      link("/results", "results"),
      narrow,
      link("/projector", "projector"),
    ),
  );
  put(
    bar,
    h("a", { class: "brand", href: "/" }, logo(), "Spielleiter"),
    h(
      "nav",
      { class: "nav", "data-label": "menu" },
      link("/", "home"),
      link("/results", "results"),
      rules,
    ),
    h("div", { class: "tools" }, tools, menu),
  );
  closesOutside(rules);
  closesOutside(menu);
  void fillRules(wide, narrow);
}

/**
 * One entry for each game that brings pages, its newest season.
 * @param {Element} wide
 * @param {Element} narrow
 */
async function fillRules(wide, narrow) {
  const offered = await info().catch(() => null);
  /** @type {Map<string, import("./types.js").GameInfo>} */
  const newest = new Map();
  for (const game of offered?.games ?? []) {
    if (!game.page) continue;
    const before = newest.get(game.page);
    if (!before || game.id === offered?.default_game) newest.set(game.page, game);
  }
  const entry = (/** @type {import("./types.js").GameInfo} */ game) =>
    h(
      "a",
      {
        href: `/rules/${game.id}`,
        "aria-current": location.pathname === `/rules/${game.id}` ? "page" : null,
      },
      t(game.title),
    );
  put(wide, [...newest.values()].map(entry));
  put(narrow, h("small", { "data-t": "rules" }), [...newest.values()].map(entry));
  translate(narrow);
}

/** @param {HTMLDetailsElement} menu */
export function closesOutside(menu) {
  addEventListener("pointerdown", (event) => {
    if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
    event.stopPropagation();
  });
}

function fillFoot() {
  const foot = $(".foot");
  if (!foot) return;
  const version = h("span");
  put(
    foot,
    h("span", { "data-t": "foot" }),
    version,
    h("a", { href: "/projector", "data-t": "projector" }),
  );
  info().then(
    (offered) => put(version, `Spielleiter ${offered.version}`),
    () => {},
  );
}

/**
 * Make a dialog with a title and a button to close it.
 * @param {string} id
 * @returns {{ dialog: HTMLDialogElement, open: (title: string, ...children: import("./types.js").Child[]) => void }}
 */
export function makeDialog(id) {
  const dialog = h("dialog", { "aria-labelledby": `${id}-title` });
  document.body.append(dialog);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return {
    dialog,
    open(title, ...children) {
      const shut = h(
        "button",
        { class: "icon", type: "button", "aria-label": t("close"), onclick: () => dialog.close() },
        icon("close"),
      );
      put(
        dialog,
        h("div", { class: "dlg-head" }, h("h2", { id: `${id}-title` }, title), shut),
        children,
      );
      if (!dialog.open) dialog.showModal();
    },
  };
}

/** @param {() => Keys} keys @returns {() => void} */
function helpDialog(keys) {
  const { dialog, open } = makeDialog("keys");
  const word = (/** @type {string} */ key) => (hasWord(key) ? t(key) : key);
  /** @type {Keys} */
  const everywhere = [
    [
      "key.page",
      [
        [["?"], "key.help"],
        [["D"], "key.theme"],
        [["L"], "key.language"],
        [["M"], "key.marks"],
      ],
    ],
  ];
  const group = (/** @type {Keys[number]} */ [title, rows]) =>
    h(
      "section",
      {},
      h("h3", {}, word(title)),
      h(
        "dl",
        {},
        rows.map(([caps, text]) => [
          h(
            "dt",
            {},
            caps.map((cap) => h("kbd", {}, cap)),
          ),
          h("dd", {}, word(text)),
        ]),
      ),
    );
  return () => {
    if (dialog.open) dialog.close();
    else open(t("help"), h("div", { class: "keys" }, [...keys(), ...everywhere].map(group)));
  };
}
