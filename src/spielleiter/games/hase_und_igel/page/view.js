// How a match of this game is shown. Playing it by hand and its rules are in modules of their own.
import { h, s } from "/static/js/dom.js";
import { t } from "/static/js/i18n.js";
import { CARD_SIGNS, pawn, smallSign } from "./signs.js";
import { Track } from "./track.js";
import { words } from "./words.js";

/** @typedef {import("/static/js/types.js").View} View */
/** @typedef {import("/static/js/types.js").Match} Match */

export { words };
export const styles = ["view.css", "by_hand.css", "rules_page.css"].map(
  (name) => new URL(name, import.meta.url).href,
);
/** The class that gives both seats the colours of their hares. */
export const look = "red-and-blue";

/** @type {import("/static/js/types.js").GameModule["curves"]} */
export const curves = [{ key: "hare.carrots", value: (view, seat) => view.hares[seat].carrots }];

/** @param {import("/static/js/types.js").BoardOptions} options */
export const board = (options) => new Track(options);

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

/** The hare of a seat. @param {number} seat */
export function chip(seat) {
  return h(
    "span",
    { class: "chip harechip", "aria-hidden": "true" },
    s("svg", { viewBox: "-4 -6.4 8 11.6" }, pawn(seat)),
  );
}

/** @param {number} seat */
const hareName = (seat) => t(seat === 0 ? "hare.red" : "hare.blue");

/** Say who moves next. @param {View} view */
export const mover = (view) => (view.seat === null ? "" : hareName(view.seat));

/** Say what is particular about the start. */
export const opening = () => t("hare.begin");

/** Say in words where everything lies, for those who listen. @param {View} view */
export const spoken = (view) =>
  view.hares
    .map(
      (/** @type {any} */ hare, /** @type {number} */ seat) =>
        `${hareName(seat)}: ${place(view, hare.field)}, ${hare.carrots} ${t("hare.carrots")}`,
    )
    .join("; ");

/** @param {View} view @param {number} field */
const place = (view, field) => t("hare.field", { n: field, field: t(view.board[field]) });

/** @param {View} view before the move @param {string} move */
export function describe(view, move) {
  const seat = view.seat ?? 0;
  const actions = move.split(" ").map((action) => action.replace(/@.*$/, ""));
  const target = targetOf(view, seat, actions[0]);
  const told = actions.map((action) => inWords(view, seat, action, target));
  const sign = target === null ? SIGNS[actions[0][0]] : view.board[target];
  return {
    chip: chip(seat),
    picture: sign ? smallSign(sign) : null,
    short: shorten(actions, target),
    full: told.join(", "),
  };
}

/** @type {Record<string, string>} */
const SIGNS = { X: "CARROT", E: "SALAD", S: "SKIP" };

/** @param {View} view @param {number} seat @param {string} action @returns {number | null} */
function targetOf(view, seat, action) {
  const from = view.hares[seat].field;
  if (action.startsWith("A")) {
    const to = from + Number(action.slice(1));
    return to >= 0 && to < view.board.length ? to : null;
  }
  if (action !== "F") return null;
  const back = view.board.slice(0, from).lastIndexOf("HEDGEHOG");
  return back < 0 ? null : back;
}

/** @param {View} view @param {number} seat @param {string} action @param {number | null} target */
function inWords(view, seat, action, target) {
  const hare = hareName(seat);
  const n = target ?? 0;
  const field = t(view.board[n]);
  const value = Number(action.slice(1));
  switch (action[0]) {
    case "A":
      return advance(hare, value, n, field);
    case "F":
      return t("hare.retreat", { hare, n, field });
    case "X":
      return t(value > 0 ? "hare.take" : "hare.give", { hare, c: Math.abs(value) });
    case "C":
      return t("hare.card", { card: cardName(action) });
    case "E":
      return t("hare.eat", { hare });
    case "S":
      return t("hare.skip", { hare });
    default:
      return t("hare.nothing", { hare });
  }
}

/** @param {string} hare @param {number} d @param {number} n @param {string} field */
function advance(hare, d, n, field) {
  if (d === 1) return t("hare.advance.one", { hare, n, field });
  return t("hare.advance", { hare, d, n, field, c: (d * (d + 1)) / 2 });
}

/** @param {string} action such as C:TAKE_OR_DROP_CARROTS:-20 */
function cardName(action) {
  const [, card, value] = action.split(":");
  if (value !== undefined) return `${t("hare.carrots")} ${Number(value) > 0 ? "+" : ""}${value}`;
  return card in words ? t(card) : card;
}

/** @param {string[]} actions @param {number | null} target */
function shorten(actions, target) {
  return actions.map((action) => shortAction(action, target)).join(", ");
}

/** @param {string} action @param {number | null} target */
function shortAction(action, target) {
  switch (action[0]) {
    case "A":
      return `+${action.slice(1)} → ${target ?? "?"}`;
    case "F":
      return `← ${target ?? "?"}`;
    case "X":
      return `${action.slice(1).replace("-", "−")} ${t("hare.carrots")}`;
    case "C":
      return cardName(action);
    case "E":
      return t("EAT_SALAD");
    default:
      return t("hare.rests");
  }
}

/** @param {Match} match @param {number} index */
export function sides(match, index) {
  const view = match.positions[index];
  return [0, 1].map((seat) => runner(view, seat));
}

/** @param {View} view @param {number} seat */
function runner(view, seat) {
  const hare = view.hares[seat];
  const other = view.hares[1 - seat];
  const rank = hare.field > other.field ? "hare.ahead" : "hare.behind";
  return h(
    "div",
    { class: "runner" },
    h(
      "div",
      { class: "stand" },
      h("span", {}, place(view, hare.field)),
      hare.field === other.field ? null : h("span", { class: "tag" }, t(rank)),
    ),
    stock(hare),
    h(
      "div",
      { class: "cards" },
      Object.keys(CARD_SIGNS).map((card) => cardBox(card, hare.cards.includes(card))),
    ),
  );
}

/** @param {any} hare */
function stock(hare) {
  const salads = Math.max(5, hare.salads);
  return h(
    "div",
    { class: "stock" },
    h(
      "span",
      { class: "big", role: "img", "aria-label": `${hare.carrots} ${t("hare.carrots")}` },
      smallSign("CARROT"),
      hare.carrots,
    ),
    h(
      "span",
      { class: "salads", role: "img", "aria-label": `${hare.salads} ${t("hare.salads")}` },
      Array.from({ length: salads }, (_, n) => {
        const leaf = smallSign("SALAD");
        leaf.classList.toggle("eaten", n >= hare.salads);
        return leaf;
      }),
    ),
  );
}

/** @param {string} card @param {boolean} isLeft */
function cardBox(card, isLeft) {
  return h(
    "div",
    { class: `hcard ${isLeft ? "" : "used"}`, title: t(card) },
    smallSign(CARD_SIGNS[card]),
    h("span", {}, t(card)),
  );
}
