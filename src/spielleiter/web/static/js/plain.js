// How a game is shown that brings no page: the picture that the server draws, and moves as a list.
import { picture } from "./api.js";
import { h, put } from "./dom.js";
import { addWords, t } from "./i18n.js";

/** @typedef {import("./types.js").BoardOptions} BoardOptions */
/** @typedef {import("./types.js").Board} Board */
/** @typedef {import("./types.js").Table} Table */
/** @typedef {import("./types.js").Hand} Hand */
/** @typedef {import("./types.js").View} View */

/** @type {Record<string, import("./types.js").Words>} */
export const words = {
  "plain.begin": ["Anfang.", "Start."],
  "plain.choose": ["Wähle einen Zug.", "Choose a move."],
  "plain.move": ["Zug", "Move"],
  "plain.wait": ["Du bist nicht am Zug.", "It is not your turn."],
  "plain.place": ["Ziehen", "Move"],
};
addWords(words);

/** @type {import("./types.js").GameModule["curves"]} */
export const curves = [];
export const rules = null;
export const look = "";

/** @param {View} _view */
export const mover = (_view) => "";

/** @param {View} _view */
export const opening = (_view) => t("plain.begin");

/** @param {View} view */
export const spoken = (view) => view.position;

/** @param {BoardOptions} options @returns {Board} */
export function board({ label = "", match = "", mini = false }) {
  const element = h("img", { class: `plain ${mini ? "mini" : ""}`, alt: label, draggable: false });
  return {
    element,
    show(view, { index } = {}) {
      const which = index === undefined ? `turn=${view.turn}` : `index=${index}`;
      const address = picture(`/api/matches/${encodeURIComponent(match)}/position.svg?${which}`);
      if (element.getAttribute("src") !== address) element.src = address;
    },
  };
}

/** @param {import("./types.js").Match} match @param {number} index @returns {Element[]} */
export function sides(match, index) {
  return match.positions[index].scores.map(() => h("div"));
}

/** @param {View} _view @param {string} move @returns {import("./types.js").Described} */
export function describe(_view, move) {
  return { chip: h("span"), picture: null, short: move, full: move };
}

/** @param {number} seat @returns {Element} */
export function chip(seat) {
  return h(
    "span",
    { class: "chip plainchip", "aria-hidden": "true" },
    h("i", { class: `seat${seat}` }, seat + 1),
  );
}

/** Play by choosing from the list of legal moves. @param {Table} table @returns {Hand} */
export function hand(table) {
  const list = h("select", { id: "plain-move", size: 8 });
  const go = h("button", { class: "btn main big", type: "submit" });
  const label = h("label", { for: "plain-move" });
  const form = h("form", { class: "card pad field" }, label, list, go);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (list.value) table.place(list.value);
  });
  put(table.dock, form);
  function redraw() {
    label.textContent = t("plain.move");
    go.textContent = t("plain.place");
  }
  redraw();
  return {
    ask(_view, moves) {
      put(
        list,
        moves.map((move) => h("option", { value: move }, move)),
      );
      list.selectedIndex = 0;
      go.disabled = false;
      table.status(t("plain.choose"));
    },
    rest() {
      put(list);
      go.disabled = true;
    },
    redraw,
    keys: [],
    close: () => put(table.dock),
  };
}
