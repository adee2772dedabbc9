// Where the pieces of the colour on turn may lie, and why not elsewhere. The server's list of moves
// decides what is legal. The reasons are worked out here, in the order and with the names of the
// referee. Nothing here draws.
import { cellsOf, readMove, writeMove } from "./moves.js";
import { COLORS, FORMS, LETTERS, PIECES, SIZE } from "./pieces.js";

/** @typedef {import("./moves.js").Placement} Placement */

/** @typedef {{ rule: string, cells: number[][] }} Fault */

const SIDES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
];
const DIAGONALS = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
];
/** @param {number} x @param {number} y */
const inside = (x, y) => x >= 0 && y >= 0 && x < SIZE && y < SIZE;
/** @param {number} n */
const atEdge = (n) => n === 0 || n === SIZE - 1;
/**
 * Where a first piece may begin, by the rule that it breaks elsewhere.
 * @type {Record<string, (x: number, y: number) => boolean>}
 */
const START = {
  NOT_IN_CORNER: (x, y) => atEdge(x) && atEdge(y),
  NOT_ON_BORDER: (x, y) => atEdge(x) || atEdge(y),
};

/** What the player on turn may do in one position. */
export class Placing {
  /**
   * @param {import("/static/js/types.js").View} view
   * @param {string[]} moves every legal move in notation
   */
  constructor(view, moves) {
    this.turn = view.turn;
    this.color = COLORS.indexOf(view.color);
    this.letter = LETTERS[this.color];
    /** @type {string[]} */
    this.board = view.board;
    this.startPiece = PIECES.indexOf(view.start_piece);
    /** @type {string} */
    this.startRule = view.start_rule;
    /** The pieces not placed yet. @type {Set<number>} */
    this.hand = new Set(
      view.colors[this.color].hand.map((/** @type {string} */ name) => PIECES.indexOf(name)),
    );
    this.isFirst = this.hand.size === PIECES.length;
    /** Pieces that the rules let this colour choose from. @type {number[]} */
    this.playable = this.isFirst ? [this.startPiece] : [...this.hand];
    /** Legal placements by piece, in the server's order. @type {Map<number, Placement[]>} */
    this.fits = new Map();
    /** The move that places nothing, where it is allowed. @type {string | null} */
    this.skip = null;
    for (const text of moves) {
      const one = readMove(text)?.placement;
      if (!one) this.skip = text;
      else {
        const others = this.fits.get(one.p);
        if (others) others.push(one);
        else this.fits.set(one.p, [one]);
      }
    }
  }
  /** @param {number} x @param {number} y */
  own(x, y) {
    return inside(x, y) && this.board[y][x] === this.letter;
  }
  /**
   * Whether a first piece may begin here, or another one would touch a corner of its colour.
   * @param {number} x @param {number} y
   */
  opens(x, y) {
    return this.isFirst
      ? START[this.startRule](x, y)
      : DIAGONALS.some(([dx, dy]) => this.own(x + dx, y + dy));
  }
  /**
   * Whether two placements cover the same squares.
   * @param {Placement} one
   * @param {Placement} other
   */
  static same(one, other) {
    return (
      one.p === other.p &&
      one.x === other.x &&
      one.y === other.y &&
      FORMS[one.p][one.r][one.f].key === FORMS[other.p][other.r][other.f].key
    );
  }
  /**
   * The move of the server's list that covers these squares, null if there is none.
   * @param {Placement} one
   */
  legal(one) {
    const found = (this.fits.get(one.p) || []).find((move) => Placing.same(move, one));
    return found ? writeMove(this.color, found) : null;
  }
  /**
   * Why a piece may not lie there, with the squares at fault, or null.
   * @param {Placement} one
   * @returns {Fault | null}
   */
  fault(one) {
    if (this.isFirst) {
      if (one.p !== this.startPiece) return { rule: "WRONG_SHAPE", cells: [] };
    } else if (!this.hand.has(one.p)) return { rule: "DUPLICATE_SHAPE", cells: [] };
    const cells = cellsOf(one);
    /** @param {string} rule @param {(x: number, y: number) => boolean} test */
    const wrong = (rule, test) => {
      const at = cells.filter(([x, y]) => test(x, y));
      return at.length ? { rule, cells: at } : null;
    };
    const found =
      wrong("OUT_OF_BOUNDS", (x, y) => !inside(x, y)) ||
      wrong("OBSTRUCTED", (x, y) => this.board[y][x] !== ".") ||
      wrong("TOUCHES_SAME_COLOR", (x, y) => SIDES.some(([dx, dy]) => this.own(x + dx, y + dy)));
    if (found) return found;
    if (cells.some(([x, y]) => this.opens(x, y))) return null;
    return { rule: this.isFirst ? this.startRule : "NO_SHARED_CORNER", cells: [] };
  }
}
