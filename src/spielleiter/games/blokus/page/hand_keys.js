// Everything that can be done by hand can be done with keys.

import { onHandKey } from "/static/js/keys.js";

/** @typedef {import("./by_hand.js").ByHand} ByHand */

/** @type {import("/static/js/types.js").Hand["keys"]} */
export const KEYS = [
  [
    "hand.key.piece",
    [
      [["1", "…", "5"], "hand.key.size"],
      [["N", "⇧N"], "hand.key.next"],
    ],
  ],
  [
    "hand.key.turn",
    [
      [["R", "⇧R"], "hand.key.rot"],
      [["F"], "hand.key.flip"],
    ],
  ],
  [
    "hand.key.put",
    [
      [["←", "↑", "↓", "→"], "hand.key.move"],
      [["⇧", "←"], "hand.key.far"],
      [["Space"], "hand.key.jump"],
      [["Enter"], "hand.key.enter"],
      [["Esc"], "hand.key.esc"],
      [["U"], "hand.key.undo"],
      [["P"], "hand.key.pass"],
    ],
  ],
  [
    "hand.key.look",
    [
      [["W"], "hand.key.where"],
      [["🖱"], "hand.key.mouse"],
    ],
  ],
];

/** @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Return what a key does, or null if it is not ours.
 * @param {ByHand} desk @param {KeyboardEvent} event @param {boolean} onButton
 * @returns {(() => void) | null}
 */
function action(desk, event, onButton) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const way = event.shiftKey ? -1 : 1;
  const digit = /^(?:Digit|Numpad)([1-5])$/.exec(event.code);
  if (key === "u") return () => desk.undo();
  if (!desk.choice) return null;
  if (digit) return () => desk.cycle(Number(digit[1]), way);
  if (key === "n") return () => desk.cycle(0, way);
  if (key === "w") return () => desk.where();
  if (key === "p") return () => desk.pass();
  if (!desk.choice.pick) return null;
  if (key in ARROWS) {
    const [dx, dy] = ARROWS[key].map((one) => one * (event.shiftKey ? 5 : 1));
    return () => desk.step(dx, dy);
  }
  if (key === "r") return () => desk.turn(way);
  if (key === "f") return () => desk.flip();
  if (key === "Escape") return () => desk.putBack();
  if (key === " " && !onButton) return () => desk.jump(way);
  if (key === "Enter" && !onButton) return () => desk.place();
  return null;
}

/**
 * Listen before the page does, so that a key has one meaning.
 * @param {ByHand} desk
 * @param {AbortSignal} signal
 */
export function listenToKeys(desk, signal) {
  onHandKey((event, onButton) => {
    const act = action(desk, event, onButton);
    if (act) desk.touch = false;
    return act;
  }, signal);
}
