// What the analysis says about a move: its sign, what it lost, and what was better.
import { h } from "../dom.js";
import { number, t } from "../i18n.js";
import "./analysis_words.js";

/** @typedef {import("../types.js").Match} Match */
/** @typedef {import("../types.js").JudgedMove} JudgedMove */
/** @typedef {import("../types.js").GameModule} GameModule */
/** @typedef {import("../types.js").GameInfo} GameInfo */

/** @type {Record<string, string>} Signs as chess players write them. */
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** @param {number} share */
const percent = (share) => `${number(100 * share)} %`;

/**
 * The move that led to a position, if it lost something.
 * @param {Match} match @param {number} index @returns {JudgedMove | null}
 */
export function slipAt(match, index) {
  const move = index ? match.analysis?.moves[index - 1] : null;
  return move && move.verdict in SIGNS ? move : null;
}

/**
 * The next position after a slip, or the one before, null if there is none.
 * @param {Match} match @param {number} from @param {1 | -1} step
 */
export function nextSlip(match, from, step) {
  for (let at = from + step; at > 0 && at < match.positions.length; at += step) {
    const slip = slipAt(match, at);
    if (slip && slip.verdict !== "inaccuracy") return at;
  }
  return null;
}

/** The sign of a move in the list, empty where there is none. @returns {HTMLElement} */
export const signSlot = () => h("span", { class: "verdict" });

/** Put the right sign into its place. @param {Element} slot @param {JudgedMove | null} slip */
export function showSign(slot, slip) {
  slot.className = `verdict ${slip?.verdict ?? ""}`;
  slot.replaceChildren(
    ...(slip
      ? [
          h("span", { "aria-hidden": "true" }, SIGNS[slip.verdict]),
          h("span", { class: "sr" }, ` ${t(`a.${slip.verdict}`)}`),
        ]
      : []),
  );
}

/**
 * What is said about a position: the verdict on the move that led there, and at both ends how the
 * match went.
 * @param {Match} match @param {number} index @param {GameModule} module
 * @param {GameInfo | undefined} game
 */
export function judgement(match, index, module, game) {
  const slip = slipAt(match, index);
  const isEnd = index === 0 || index === match.positions.length - 1;
  return [
    slip ? verdictBox(match, index, slip, module, game) : null,
    isEnd ? summary(match) : null,
  ];
}

/**
 * @param {Match} match @param {number} index @param {JudgedMove} slip @param {GameModule} module
 * @param {GameInfo | undefined} game
 */
function verdictBox(match, index, slip, module, game) {
  const unit = game ? t(game.unit) : t("points");
  const lost = t("a.lost", { n: number(slip.lost, slip.lost < 10 ? 1 : 0), unit });
  const [from, to] = [slip.after.win + slip.lost_win, slip.after.win].map(percent);
  const chance = from === to ? "" : `, ${t("a.chance", { a: from, b: to })}`;
  const { chip, picture, short, full } = module.describe(match.positions[index - 1], slip.best);
  return h(
    "div",
    { class: `judged ${slip.verdict}` },
    h(
      "p",
      {},
      h("b", {}, h("span", { "aria-hidden": "true" }, `${SIGNS[slip.verdict]} `)),
      h("b", {}, t(`a.${slip.verdict}`)),
      `: ${lost}${chance}.`,
    ),
    h(
      "p",
      { class: "bettermove", title: `${full}\n${slip.best}` },
      h("span", {}, t("a.better")),
      chip,
      h("span", { class: "movepic" }, picture),
      h("span", { class: "mono" }, short),
      h("span", { class: "sr" }, full),
    ),
    slip.remark ? h("p", { class: "small" }, sentence(t(slip.remark))) : null,
  );
}

/** @param {string} text a clause */
const sentence = (text) => `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}.`;

/** @param {Match} match */
function summary(match) {
  const analysis = match.analysis;
  if (!analysis) return null;
  if (!analysis.sentences.length) return h("p", { class: "quiet small" }, t("a.partial"));
  const problems = analysis.problems.map((problem) => h("p", { class: "small" }, t(problem)));
  return h(
    "div",
    { class: "summary" },
    h("h2", {}, t("a.title")),
    analysis.sentences.map((one) => h("p", {}, t(one))),
    problems,
  );
}
