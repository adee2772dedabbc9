// Where replay files are dropped or chosen. They can be dropped anywhere else, too.
import { h, put } from "../dom.js";
import { t } from "../i18n.js";
import { openFile } from "../replay_files.js";

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
  return { element, redraw };
}
