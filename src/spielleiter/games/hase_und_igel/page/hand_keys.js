// Everything that can be done by hand can be done with keys.

import { onHandKey } from "/static/js/keys.js";

/** @typedef {import("./by_hand.js").ByHand} ByHand */

/** @type {import("/static/js/types.js").Hand["keys"]} */
export const KEYS = [
  [
    "walk.go",
    [
      [["→", "←"], "walk.key.target"],
      [["⇧", "→"], "walk.key.any"],
      [["↓", "↑"], "walk.key.card"],
      [["Enter"], "walk.key.go"],
      [["1", "2"], "walk.key.other"],
      [["Esc"], "walk.key.esc"],
      [["U"], "walk.key.undo"],
    ],
  ],
];

/**
 * Return what a key does, or null if it is not ours.
 * @param {ByHand} desk @param {KeyboardEvent} event @param {boolean} onButton
 * @returns {(() => void) | null}
 */
function action(desk, event, onButton) {
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
  if (event.key.toLowerCase() === "u") return () => desk.undo();
  if (!desk.turn) return null;
  if (digit) return () => desk.act(Number(digit[1]) - 1);
  switch (event.key) {
    case "ArrowRight":
      return () => desk.next(1, event.shiftKey);
    case "ArrowLeft":
      return () => desk.next(-1, event.shiftKey);
    case "ArrowDown":
      return desk.ways.length ? () => desk.turnCards(1) : null;
    case "ArrowUp":
      return desk.ways.length ? () => desk.turnCards(-1) : null;
    case "Enter":
      return onButton || desk.aimed === null ? null : () => desk.go();
    case "Escape":
      if (desk.aimed === null) return null;
      return () => {
        desk.forget();
        desk.draw();
      };
    default:
      return null;
  }
}

/**
 * Listen before the page does, so that a key has one meaning.
 * @param {ByHand} desk
 * @param {AbortSignal} signal
 */
export function listenToKeys(desk, signal) {
  onHandKey((event, onButton) => action(desk, event, onButton), signal);
}
