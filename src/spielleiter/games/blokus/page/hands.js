// Hands as pictures. Every piece has its place for the whole match, so nothing moves when one is
// placed.
import { s } from "/static/js/dom.js";
import { outline, pieceOfPath } from "./draw.js";
import { FORMS, PIECES } from "./pieces.js";

/**
 * @typedef {{ name: string, there: string, gone: string }} Slot outlines of a piece that is there, and that is gone
 */

// Pieces with their rotation, row by row. The widest row has 23 squares.
/** @type {[string, number][][]} */
const ROWS = [
  [
    ["PENTO_T", 0],
    ["PENTO_V", 0],
    ["PENTO_Z", 0],
    ["PENTO_W", 0],
    ["PENTO_R", 0],
    ["PENTO_X", 0],
  ],
  [
    ["PENTO_L", 1],
    ["PENTO_S", 0],
    ["PENTO_Y", 1],
    ["PENTO_P", 1],
    ["PENTO_U", 0],
  ],
  [
    ["TETRO_L", 1],
    ["TETRO_T", 0],
    ["TETRO_Z", 0],
    ["TETRO_O", 0],
    ["TRIO_L", 0],
    ["TRIO_I", 1],
    ["MONO", 0],
  ],
  [
    ["PENTO_I", 1],
    ["TETRO_I", 1],
    ["DOMINO", 0],
  ],
];
const WIDTH = 23;
const BETWEEN_ROWS = 0.8;

/** @returns {{ slots: Slot[], height: number }} */
function layOut() {
  /** @type {Slot[]} */
  const slots = [];
  let top = 0;
  for (const row of ROWS) {
    let left = 0;
    let height = 0;
    for (const [name, rotation] of row) {
      const form = FORMS[PIECES.indexOf(name)][rotation][0];
      const cells = form.cells.map((/** @type {number[]} */ [x, y]) => [x + left, y + top]);
      slots.push({ name, there: outline(cells), gone: outline(cells, 0.12, 0.1) });
      left += form.width + 1;
      height = Math.max(height, form.height);
    }
    top += height + BETWEEN_ROWS;
  }
  return { slots, height: top - BETWEEN_ROWS };
}
const { slots: SLOTS, height: HEIGHT } = layOut();

/**
 * Draw a hand. What has been placed stays as an empty outline.
 * @param {string[]} hand names of the pieces @param {number} color @param {string} label
 */
export function handPicture(hand, color, label) {
  const box = `-.2 -.2 ${WIDTH + 0.4} ${HEIGHT + 0.4}`;
  const there = SLOTS.map((slot) => (hand.includes(slot.name) ? slot.there : ""));
  const gone = SLOTS.map((slot) => (hand.includes(slot.name) ? "" : slot.gone));
  return s(
    "svg",
    { viewBox: box, class: "handpic", role: "img", "aria-label": label },
    s("path", { d: gone.join(""), class: "gone" }),
    pieceOfPath(there.join(""), color),
  );
}
