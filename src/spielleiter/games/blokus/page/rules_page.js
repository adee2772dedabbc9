// The rules to look at: touches, the first piece, turns, points, and all pieces in all forms. The
// examples are made from the rules.
import { h, icon, put, s } from "/static/js/dom.js";
import { t } from "/static/js/i18n.js";
import { colorChip } from "./chips.js";
import { Board, crosses, outline, piece } from "./draw.js";
import { FINISHED, LIES, SEASONS, STARTS, TOUCHES } from "./examples.js";
import { pieceCards } from "./piece_cards.js";
import { COLORS } from "./pieces.js";
import "./rules_words.js";

/** @typedef {import("/static/js/types.js").GameInfo} GameInfo */
/**
 * @typedef {{ startRule: keyof typeof STARTS, rounds: number, endsWhenFinished: boolean }} Season
 */

/**
 * Fill the page of rules.
 * @param {HTMLElement} element @param {GameInfo} game
 */
export function rules(element, game) {
  const known = /** @type {Record<string, any>} */ (SEASONS);
  /** @type {Season} */
  const season = known[game.id] ?? Object.values(known)[0];
  put(
    element,
    h("header", {}, h("h1", {}, t(game.title)), h("p", { class: "lead" }, t("rules.lead"))),
    part("touch", h("p", { class: "how" }, t("rules.touch.lead")), touches()),
    h(
      "div",
      { class: "pair" },
      part("first", firstPiece(season)),
      part("turns", turns(season), order()),
    ),
    part("score", points(), finished()),
    part("pieces", pieceCards()),
  );
}

/** A part with its title. @param {string} name @param {...(Element | null)} children */
const part = (name, ...children) =>
  h("section", { class: "part" }, h("h2", { id: name }, t(`rules.${name}`)), children);

const touches = () =>
  h(
    "div",
    { class: "do" },
    TOUCHES.map((one, n) => {
      const isAllowed = one.rule === null;
      return h(
        "figure",
        { class: "card" },
        scene(one),
        h(
          "figcaption",
          {},
          h(
            "span",
            { class: `verdict ${isAllowed ? "ok" : "no"}` },
            icon(isAllowed ? "check" : "close"),
            t(isAllowed ? "rules.ok" : "rules.no"),
          ),
          t(`rules.touch.${n + 1}`),
        ),
      );
    }),
  );

/**
 * A part of a board with a piece that lies there and one that is to be put beside it.
 * @param {typeof TOUCHES[number]} one
 */
function scene({ cells, color, rule }) {
  const grid = `${Array.from({ length: 9 }, (_, n) => `M${n} 0V7`).join("")}${Array.from({ length: 8 }, (_, n) => `M0 ${n}H8`).join("")}`;
  const at = new Set(LIES.map(String));
  const wrong = rule === "OBSTRUCTED" ? cells.filter((cell) => at.has(String(cell))) : [];
  const edges = rule === "TOUCHES_SAME_COLOR" ? sharedEdges(cells) : [];
  return s(
    "svg",
    { viewBox: "-.1 -.1 8.2 7.2", "aria-hidden": "true" },
    s("rect", { width: 8, height: 7, class: "b-back" }),
    s("path", { d: grid, class: "b-grid" }),
    piece(LIES, 0),
    s(
      "g",
      { class: `ghost ${rule ? "no" : "yes"}` },
      s("path", { d: outline(cells, -0.03), class: "under" }),
      s("g", { class: "shade" }, piece(cells, color)),
      s("path", { d: outline(cells, -0.03), class: "rim" }),
      crosses(wrong),
    ),
    edges.map((d) => s("path", { d, class: "touch-edge" })),
    rule
      ? []
      : cornersOf(cells, color).map(([cx, cy]) => s("circle", { cx, cy, r: 0.3, class: "spot" })),
  );
}

/** Sides at which squares lie beside the piece that lies there. @param {number[][]} cells */
function sharedEdges(cells) {
  const at = new Set(LIES.map(String));
  const has = (/** @type {number} */ x, /** @type {number} */ y) => at.has(String([x, y]));
  return cells.flatMap(([x, y]) => [
    ...(has(x + 1, y) ? [`M${x + 1} ${y + 0.1}v.8`] : []),
    ...(has(x - 1, y) ? [`M${x} ${y + 0.1}v.8`] : []),
    ...(has(x, y + 1) ? [`M${x + 0.1} ${y + 1}h.8`] : []),
    ...(has(x, y - 1) ? [`M${x + 0.1} ${y}h.8`] : []),
  ]);
}

/**
 * Corners at which squares of a piece meet the one that lies there.
 * @param {number[][]} cells
 * @param {number} color
 */
function cornersOf(cells, color) {
  if (color !== 0) return [];
  return cells.flatMap(([x, y]) =>
    LIES.filter(([a, b]) => Math.abs(a - x) === 1 && Math.abs(b - y) === 1).map(([a, b]) => [
      Math.max(a, x),
      Math.max(b, y),
    ]),
  );
}

/** @param {Season} season */
function firstPiece({ startRule }) {
  const { board: rows, marked } = STARTS[startRule];
  const board = new Board({ mini: true, label: t(`rules.first.${startRule}`) });
  board.show(/** @type {any} */ ({ board: rows, last_cells: [] }));
  board.above.append(
    ...marked.map(([x, y]) =>
      s("circle", { cx: x + 0.5, cy: y + 0.5, r: 0.26, class: "start-dot" }),
    ),
  );
  return h(
    "div",
    { class: "card shown" },
    board.element,
    h(
      "div",
      {},
      h("p", {}, t("rules.first.lead")),
      h("p", {}, h("strong", {}, t(`rules.first.${startRule}`))),
      h("p", { class: "quiet small" }, t("rules.first.dots")),
    ),
  );
}

/** @param {Season} season */
function turns({ rounds, endsWhenFinished }) {
  const sentences = [
    t("rules.turns.1"),
    t("rules.turns.2"),
    t("rules.turns.3"),
    t("rules.turns.4", { n: rounds }),
    t(endsWhenFinished ? "rules.turns.finished" : "rules.turns.goes"),
    t("rules.turns.fault"),
  ];
  return h(
    "ol",
    { class: "card facts" },
    sentences.map((text) => h("li", {}, text)),
  );
}

const order = () =>
  h(
    "p",
    { class: "order", "aria-hidden": "true" },
    [0, 1, 2, 3, 0].map((color, n) => [n ? icon("next") : null, colorChip(color)]),
  );

const points = () =>
  h(
    "div",
    { class: "scoring" },
    ["1", "15", "5"].map((n) =>
      h("div", { class: "card" }, h("b", {}, `+${n}`), t(`rules.score.${n}`)),
    ),
  );

function finished() {
  const board = new Board({ mini: true, label: t("rules.score.example") });
  board.show(/** @type {any} */ ({ board: FINISHED.board, last_cells: [] }));
  const sums = [0, 1].map((seat) => FINISHED.scores[seat] + FINISHED.scores[seat + 2]);
  return h(
    "div",
    { class: "card shown" },
    board.element,
    h(
      "div",
      {},
      h("p", {}, t("rules.score.example")),
      h(
        "table",
        { class: "sums" },
        FINISHED.scores.map((score, color) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, colorChip(color), t(COLORS[color])),
            h("td", {}, `89 − ${FINISHED.left[color]} =`),
            h("td", {}, score),
          ),
        ),
        sums.map((sum, seat) =>
          h(
            "tr",
            { class: "sum" },
            h("th", { scope: "row" }, t(`rules.seat${seat}`)),
            h("td", {}, `${FINISHED.scores[seat]} + ${FINISHED.scores[seat + 2]} =`),
            h("td", {}, h("b", {}, sum)),
            sum === Math.max(...sums)
              ? h("td", {}, h("span", { class: "tag" }, t("rules.wins")))
              : null,
          ),
        ),
      ),
    ),
  );
}
