// Small signs for colours, with their letters.
import { h } from "/static/js/dom.js";
import { LETTERS } from "./pieces.js";

/** One colour with its letter. @param {number} color */
export function colorChip(color) {
  return h(
    "span",
    { class: "chip one", "aria-hidden": "true" },
    h("i", { class: `k${color}` }, LETTERS[color]),
  );
}
