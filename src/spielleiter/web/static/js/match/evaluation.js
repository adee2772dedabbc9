// The bar beside the board that says who is likely to win, where an engine told.
import { h } from "../dom.js";
import { number, signed, t } from "../i18n.js";
import "./analysis_words.js";

/** @typedef {import("../types.js").Match} Match */

const STEEPNESS = 45;

/** Make the bar. It keeps its place for a position that was not judged. */
export function evaluationBar() {
  const share = h("i");
  const text = h("b");
  const element = h("div", { class: "evalbar", role: "img", hidden: true }, share, text);
  return {
    element,
    /** @param {Match} match @param {number} index */
    show(match, index) {
      element.hidden = match.evaluation === null;
      const points = match.evaluation?.[index] ?? null;
      share.style.height = `${50 + 50 * Math.tanh((points ?? 0) / STEEPNESS)}%`;
      text.textContent = points === null ? "" : signed(points);
      text.className = (points ?? 0) >= 0 ? "lo" : "hi";
      element.title = points === null ? "" : described(match, index, points);
      element.setAttribute("aria-label", element.title || t("m.eval"));
    },
  };
}

/** @param {Match} match @param {number} index @param {number} points */
function described(match, index, points) {
  const win = match.analysis?.positions[index]?.win;
  const lead = `${t("m.eval")}: ${signed(points, 1)}`;
  return win === undefined ? lead : `${lead}. ${t("a.win", { p: `${number(100 * win)} %` })}`;
}
