// Keeps a mistake in one part of a page from taking the rest with it.
import { h, put } from "./dom.js";
import { t } from "./i18n.js";

/**
 * Draw a part, and say in its place if that fails.
 * @param {Element} place @param {() => void} draw
 */
export function guarded(place, draw) {
  try {
    draw();
  } catch (error) {
    console.error(error);
    const why = error instanceof Error ? error.message : String(error);
    put(place, h("p", { class: "pad quiet small" }, t("part.failed", { why })));
  }
}
