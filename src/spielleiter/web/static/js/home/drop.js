// Opening replay files: dropped anywhere on the page, or chosen.
import { upload } from "../api.js";
import { h, put } from "../dom.js";
import { number, t } from "../i18n.js";
import { toast } from "../toast.js";

const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Make the place where files are dropped.
 * @returns {{ element: HTMLElement, redraw: () => void }}
 */
export function dropZone() {
  const input = h("input", {
    type: "file",
    id: "drop-file",
    class: "sr",
    accept: ".xml,.gz,.xml.gz",
    onchange: () => {
      if (input.files?.[0]) void openFile(input.files[0]);
      input.value = "";
    },
  });
  const element = h("section", { class: "empty drop" });
  function redraw() {
    put(
      element,
      h("h2", {}, t("drop.title")),
      h("p", { class: "small" }, t("drop.text")),
      input,
      h("label", { class: "btn", for: "drop-file" }, t("drop.choose")),
    );
  }
  redraw();
  listenForFiles(element);
  return { element, redraw };
}

/** @param {HTMLElement} zone */
function listenForFiles(zone) {
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    zone.classList.add("over");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) zone.classList.remove("over");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const file = event.dataTransfer?.files[0];
    if (file) void openFile(file);
  });
}

/** Send a file to the server and go to the match in it. @param {File} file */
async function openFile(file) {
  const { name } = file;
  if (file.size > MOST_BYTES) {
    const why = t("drop.large", { n: number(file.size / 1e6) });
    toast(t("drop.failed", { name, why }), "bad");
    return;
  }
  toast(t("drop.reading", { name }));
  try {
    const { id } = await upload("/api/replays", file);
    location.href = `/match/${encodeURIComponent(id)}`;
  } catch (error) {
    toast(t("drop.failed", { name, why: /** @type {Error} */ (error).message }), "bad");
  }
}
