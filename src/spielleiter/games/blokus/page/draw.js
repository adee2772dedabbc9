// Everything that is drawn of this game: pieces, the board, and what lies above and below them.
import { s } from "/static/js/dom.js";
import { readMove } from "./moves.js";
import { outline } from "./outline.js";
import { LETTERS, SIZE } from "./pieces.js";

/** @typedef {import("/static/js/types.js").View} View */
/** @typedef {import("/static/js/types.js").Extra} Extra */
/** @typedef {import("/static/js/types.js").Mark} Mark */
/** @typedef {{ cells: number[][], width: number, height: number }} Form */

export { outline };

// Marks engraved into each square: stroke, dot, diamond, two lines. Or the letters of the wire.
const MARKS = [
  { d: "M.3 .7L.7 .3", width: 0.09 },
  { d: "M.5 .5h.001", width: 0.26 },
  { d: "M.5 .3L.7 .5 .5 .7 .3 .5z", width: 0.075 },
  { d: "M.3 .4h.4M.3 .6h.4", width: 0.085 },
];
const SIDES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
];

/** Put the patterns into the document, once. They are used by every piece on the page. */
function ensurePatterns() {
  if (document.getElementById("mark0")) return;
  const patterns = MARKS.map(({ d, width }, color) =>
    s(
      "pattern",
      { id: `mark${color}`, width: 1, height: 1, patternUnits: "userSpaceOnUse" },
      s("path", { d: "M0 0H1M0 0V1", class: `m${color} pat-line` }),
      s("path", { d, class: `m${color} pat-mark`, "stroke-width": width }),
      s(
        "g",
        { class: "pat-letter" },
        s("text", { x: 0.5, y: 0.7, class: `l${color}` }, LETTERS[color]),
      ),
    ),
  );
  const hidden = { width: 0, height: 0, "aria-hidden": "true", class: "sr" };
  document.body.append(s("svg", hidden, s("defs", {}, patterns)));
}

/**
 * Draw squares of one colour as a piece.
 * @param {number[][]} cells @param {number} color @param {string} [extra] class
 */
export function piece(cells, color, extra = "") {
  return pieceOfPath(outline(cells), color, extra);
}

/**
 * Draw a piece whose outline is known.
 * @param {string} d @param {number} color @param {string} [extra] class
 */
export function pieceOfPath(d, color, extra = "") {
  ensurePatterns();
  return s(
    "g",
    { class: `piece ${extra}` },
    s("path", { d, class: `body f${color} e${color}` }),
    s("path", { d, class: "tex", fill: `url(#mark${color})` }),
  );
}

/**
 * Return the pieces on a board. They are its connected parts, because one colour never lies side by
 * side with itself, so any position of any server can be drawn.
 * @param {string[]} rows
 * @returns {{ color: number, cells: number[][] }[]}
 */
export function parts(rows) {
  const seen = new Set();
  const found = [];
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const color = LETTERS.indexOf(rows[y][x]);
      if (color >= 0 && !seen.has(y * SIZE + x))
        found.push({ color, cells: spread(rows, x, y, seen) });
    }
  }
  return found;
}

/** @param {string[]} rows @param {number} x0 @param {number} y0 @param {Set<number>} seen */
function spread(rows, x0, y0, seen) {
  const cells = [[x0, y0]];
  seen.add(y0 * SIZE + x0);
  for (const [x, y] of cells) {
    for (const [dx, dy] of SIDES) {
      const [nx, ny] = [x + dx, y + dy];
      if (rows[ny]?.[nx] !== rows[y0][x0] || seen.has(ny * SIZE + nx)) continue;
      seen.add(ny * SIZE + nx);
      cells.push([nx, ny]);
    }
  }
  return cells;
}

const GRID = Array.from({ length: SIZE - 1 }, (_, n) => `M${n + 1} 0V20M0 ${n + 1}H20`).join("");

/** A board with layers below and above its pieces, which are for light and ghosts. */
export class Board {
  /** @param {import("/static/js/types.js").BoardOptions} [options] */
  constructor({ mini = false, label = "" } = {}) {
    this.below = s("g");
    this.above = s("g");
    this.pieces = s("g");
    this.remarks = s("g");
    this.ring = s("path", { class: "ring" });
    this.shown = "";
    /** The pieces that lie on the board, by colour and squares. @type {Map<string, SVGGElement>} */
    this.lying = new Map();
    const box = mini ? "-.15 -.15 20.3 20.3" : "-.95 -.95 21.1 21.1";
    this.element = s(
      "svg",
      { viewBox: box, class: `board ${mini ? "mini" : ""}`, role: "img", "aria-label": label },
      s("rect", { width: SIZE, height: SIZE, rx: 0.12, class: "b-back" }),
      s("path", { d: GRID, class: "b-grid" }),
      this.below,
      s("rect", { width: SIZE, height: SIZE, rx: 0.12, class: "b-rim" }),
      mini ? null : coordinates(),
      this.pieces,
      this.ring,
      this.remarks,
      this.above,
    );
    this.svg = this.element;
  }

  /** Show a position. @param {View} view @param {Extra} [extra] */
  show(view, extra = {}) {
    const key = view.board.join("") + view.last_cells.join(";");
    if (key !== this.shown || extra.arrive) this.drawPieces(view, extra.arrive ?? false);
    this.shown = key;
    this.remarks.replaceChildren(
      ...(extra.marks ?? []).map(botMark),
      ...(extra.refused ? [rejected(view, extra.refused)] : []),
      ...(extra.better ? [betterPlace(extra.better)] : []),
      ...(extra.squares ?? []).map(pointed),
    );
  }

  /**
   * Draw the pieces, and keep those that lie already.
   * @param {View} view
   * @param {boolean} arrive
   */
  drawPieces(view, arrive) {
    const last = view.last_cells;
    const start = `${last[0]}`;
    /** @type {Map<string, SVGGElement>} */
    const lying = new Map();
    for (const { cells, color } of parts(view.board)) {
      const key = `${color} ${cells.join(" ")}`;
      const isLast = arrive && cells.some((cell) => `${cell}` === start);
      const before = isLast ? undefined : this.lying.get(key);
      lying.set(key, before ?? piece(cells, color, isLast ? "arrive" : ""));
    }
    for (const [key, node] of this.lying) if (lying.get(key) !== node) node.remove();
    for (const node of lying.values()) if (!node.parentNode) this.pieces.append(node);
    this.lying = lying;
    this.ring.setAttribute("d", last.length ? outline(last, -0.02, 0.14) : "");
  }

  /**
   * Return the square under a pointer, with fractions.
   * @param {{ clientX: number, clientY: number }} event
   */
  locate(event) {
    const matrix = this.element.getScreenCTM()?.inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [point.x, point.y];
  }
}

function coordinates() {
  return Array.from({ length: SIZE }, (_, n) => [
    s("text", { x: n + 0.5, y: -0.28, class: "b-coord" }, n),
    s("text", { x: -0.5, y: n + 0.68, class: "b-coord" }, n),
  ]);
}

/** What a bot marked, in its colour if it is one. @param {Mark} mark */
function botMark({ x, y, text, color }) {
  const known = color && CSS.supports("color", color) ? color : "var(--ink)";
  return s(
    "g",
    { class: "botmark", style: { "--mark": known } },
    s("title", {}, text),
    s("circle", { cx: x + 0.5, cy: y + 0.5, r: 0.38 }),
    s("text", { x: x + 0.5, y: y + 0.68 }, text.length > 2 ? text.slice(0, 1) : text),
  );
}

/** Where a better move would have put its piece. @param {string} move */
function betterPlace(move) {
  const found = readMove(move);
  if (!found?.cells.length) return s("g");
  const d = outline(found.cells, 0.04);
  return s(
    "g",
    { class: "better" },
    s("path", { d, class: `glow f${found.color}` }),
    s("path", { d, class: "back" }),
    s("path", { d, class: "rim" }),
  );
}

/** @param {number[]} cell */
function pointed([x, y]) {
  return s("rect", {
    x: x + 0.08,
    y: y + 0.08,
    width: 0.84,
    height: 0.84,
    rx: 0.15,
    class: "pointed",
  });
}

/**
 * The move that the referee refused: shaded, its squares at fault crossed, shared edges drawn.
 * @param {View} view @param {import("/static/js/types.js").Fault} fault
 */
function rejected(view, fault) {
  const found = readMove(fault.move);
  const cells = found ? found.cells : fault.cells;
  const color = found ? found.color : 0;
  const inside = cells.filter(([x, y]) => x >= 0 && y >= 0 && x < SIZE && y < SIZE);
  return s(
    "g",
    { class: "rejected" },
    inside.length ? s("g", { class: "shade" }, piece(inside, color)) : null,
    inside.length ? s("path", { d: outline(inside, 0), class: "rim" }) : null,
    crosses(fault.cells),
    fault.rule === "TOUCHES_SAME_COLOR" ? sharedEdges(view, inside, LETTERS[color]) : null,
  );
}

/** Cross squares out. @param {number[][]} cells */
export function crosses(cells) {
  return cells.map(([x, y]) => {
    const d = `M${x + 0.25} ${y + 0.25}l.5 .5m0 -.5l-.5 .5`;
    return [s("path", { d, class: "crossback" }), s("path", { d, class: "cross" })];
  });
}

/** @param {View} view @param {number[][]} cells @param {string} letter */
function sharedEdges(view, cells, letter) {
  const touches = (/** @type {number} */ x, /** @type {number} */ y) =>
    view.board[y]?.[x] === letter;
  return cells.flatMap(([x, y]) => [
    touches(x + 1, y) ? s("path", { d: `M${x + 1} ${y + 0.12}v.76`, class: "edge" }) : null,
    touches(x - 1, y) ? s("path", { d: `M${x} ${y + 0.12}v.76`, class: "edge" }) : null,
    touches(x, y + 1) ? s("path", { d: `M${x + 0.12} ${y + 1}h.76`, class: "edge" }) : null,
    touches(x, y - 1) ? s("path", { d: `M${x + 0.12} ${y}h.76`, class: "edge" }) : null,
  ]);
}

/**
 * A piece on its own, for hands, lists and the rules.
 * @param {Form} form @param {number} color @param {{ unit?: number, cls?: string }} [options]
 */
export function shape(form, color, { unit = 5, cls = "" } = {}) {
  const pad = 0.12;
  const width = form.width + 2 * pad;
  const height = form.height + 2 * pad;
  return s(
    "svg",
    {
      viewBox: `${-pad} ${-pad} ${width} ${height}`,
      class: `shape ${cls}`,
      "aria-hidden": "true",
      style: {
        width: `calc(${width} * var(--unit, ${unit}px))`,
        height: `calc(${height} * var(--unit, ${unit}px))`,
      },
    },
    piece(form.cells, color),
  );
}
