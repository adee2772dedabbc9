// How a match of this game is shown. Playing it by hand and its rules are in modules of their own.
import { h } from "/static/js/dom.js";
import { t } from "/static/js/i18n.js";
import { colorChip } from "./chips.js";
import { Board, shape } from "./draw.js";
import { handPicture } from "./hands.js";
import { readMove } from "./moves.js";
import { COLORS, LETTERS, PIECES, SHORT } from "./pieces.js";
import { words } from "./words.js";

/** @typedef {import("/static/js/types.js").View} View */
/** @typedef {import("/static/js/types.js").Match} Match */

export { words };
export const styles = ["view.css", "by_hand.css", "rules_page.css"].map(
  (name) => new URL(name, import.meta.url).href,
);

/** @type {import("/static/js/types.js").GameModule["curves"]} */
export const curves = [];

/** @param {import("/static/js/types.js").BoardOptions} options */
export const board = (options) => new Board(options);

/**
 * Play by hand. What that needs is loaded when somebody does.
 * @param {import("/static/js/types.js").Table} table
 */
export const hand = async (table) => (await import("./by_hand.js")).hand(table);

/**
 * Show the rules. What that needs is loaded when somebody looks.
 * @param {HTMLElement} element @param {import("/static/js/types.js").GameInfo} game
 */
export const rules = async (element, game) =>
  (await import("./rules_page.js")).rules(element, game);

/** The colours of a seat, with their letters. @param {number} seat */
export function chip(seat) {
  const colors = seat === 0 ? [0, 2] : [1, 3];
  return h(
    "span",
    { class: "chip", "aria-hidden": "true" },
    colors.map((color) => h("i", { class: `k${color}` }, LETTERS[color])),
  );
}

/** Say who moves next. @param {View} view */
export const mover = (view) => (view.color ? t(view.color) : "");

/** Say what is particular about the start. @param {View} view */
export const opening = (view) => t("blokus.begin", { piece: view.start_piece });

/** Say in words where everything lies, for those who listen. @param {View} view */
export const spoken = (view) =>
  view.colors.map((/** @type {any} */ one) => `${t(one.name)} ${one.score}`).join(", ");

/** @param {View} _view @param {string} move */
export function describe(_view, move) {
  const found = readMove(move);
  if (!found) return { chip: h("span"), picture: null, short: move, full: move };
  const color = t(COLORS[found.color]);
  const chip = colorChip(found.color);
  if (found.piece === null || !found.form) {
    return { chip, picture: null, short: t("blokus.skip"), full: t("blokus.skipped", { color }) };
  }
  const name = PIECES[found.piece];
  return {
    chip,
    picture: shape(found.form, found.color),
    short: move.slice(2).replace(name, SHORT[found.piece]),
    full: t("blokus.placed", { color, piece: name, at: move.slice(2 + name.length + 1) }),
  };
}

/** @param {Match} match @param {number} index */
export function sides(match, index) {
  const { colors } = match.positions[index];
  return [0, 1].map((seat) =>
    h(
      "div",
      { class: "hands" },
      colors.map((/** @type {any} */ one, /** @type {number} */ n) =>
        one.seat === seat ? handBox(one, n) : null,
      ),
    ),
  );
}

/** @param {any} one a colour of the view @param {number} color */
function handBox(one, color) {
  const left = one.hand.length;
  const state = !left
    ? t("blokus.all")
    : one.in_play
      ? t("blokus.left", { n: left })
      : t("blokus.out");
  const names = one.hand.map((/** @type {string} */ name) => SHORT[PIECES.indexOf(name)]);
  return h(
    "div",
    { class: `handbox ${one.in_play ? "" : "out"}` },
    h("div", { class: "hand-head" }, colorChip(color), h("span", {}, state), h("b", {}, one.score)),
    handPicture(one.hand, color, `${t(one.name)}: ${names.join(" ")}`),
  );
}
