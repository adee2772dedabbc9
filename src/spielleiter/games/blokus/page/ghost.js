// What playing by hand draws on the board: light where the piece fits, and the piece in hand as a
// ghost.
import { put, s } from "/static/js/dom.js";
import { crosses, outline, piece } from "./draw.js";
import { cellsOf } from "./moves.js";
import { SIZE } from "./pieces.js";

/** @typedef {import("./choice.js").Choice} Choice */

export class GhostLayer {
  /** @param {import("./draw.js").Board} board */
  constructor(board) {
    this.board = board;
    this.svg = board.svg;
    this.shone = "";
    this.lit = s("g", { class: "lit" });
    this.hover = s("g", { class: "hover" });
    board.below.append(this.lit);
    board.above.append(this.hover);
  }

  /**
   * Show light and ghost of a choice, or nothing.
   * @param {Choice | null} choice
   * @param {boolean} everything
   */
  show(choice, everything) {
    // Light stays while the ghost moves.
    const key = choice
      ? [choice.placing.turn, choice.form.key, choice.pick?.p, everything].join()
      : "";
    if (key !== this.shone) put(this.lit, choice ? light(choice, everything) : []);
    this.shone = key;
    put(this.hover, choice?.placement ? ghost(choice, cellsOf(choice.placement)) : []);
  }
  /** Say no to a click on a place that is not allowed. */
  shake() {
    const node = this.hover.firstElementChild;
    node?.classList.remove("shake");
    this.svg.getBoundingClientRect();
    node?.classList.add("shake");
  }
  /** How many pixels a square is wide. */
  get unit() {
    return this.svg.getScreenCTM()?.a ?? 1;
  }
  remove() {
    this.lit.remove();
    this.hover.remove();
  }
}

/**
 * Squares that the piece may cover as it is turned are strong, those that it could cover otherwise are
 * pale. Without a piece in hand all squares are lit on which anything fits, if that is asked for.
 * @param {Choice} choice @param {boolean} everything
 */
function light(choice, everything) {
  const { placing } = choice;
  /** @type {Map<number, boolean>} */
  const strength = new Map();
  const shine = (
    /** @type {import("./moves.js").Placement} */ one,
    /** @type {boolean} */ strong,
  ) => {
    for (const [x, y] of cellsOf(one)) {
      const key = y * SIZE + x;
      strength.set(key, strength.get(key) || strong);
    }
  };
  for (const one of choice.places) shine(one, choice.isTurnedLike(one));
  if (!choice.pick && everything) {
    for (const list of placing.fits.values()) for (const one of list) shine(one, false);
  }
  return [...strength].map(([key, strong]) => {
    const x = key % SIZE;
    const y = (key - x) / SIZE;
    const look = `f${placing.color} ${strong ? "strong" : ""}`;
    const dot = { cx: x + 0.5, cy: y + 0.5, r: 0.19, class: `f${placing.color}` };
    return [
      s("rect", { x: x + 0.06, y: y + 0.06, width: 0.88, height: 0.88, rx: 0.12, class: look }),
      placing.opens(x, y) ? s("circle", dot) : null,
    ];
  });
}

/**
 * The piece as it would lie: a solid rim if it may, else a dashed one and crosses on the squares at fault.
 * @param {Choice} choice @param {number[][]} cells
 */
function ghost(choice, cells) {
  const { fault } = choice;
  const rim = outline(cells, -0.03);
  return s(
    "g",
    { class: `ghost ${fault ? "no" : "yes"}` },
    s("path", { d: rim, class: "under" }),
    s("g", { class: "shade" }, piece(cells, choice.placing.color)),
    s("path", { d: rim, class: "rim" }),
    crosses(fault?.cells ?? []),
  );
}
