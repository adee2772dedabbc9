// Moves in notation, read and written.
import { FORMS, LETTERS, PIECES, ROTATIONS } from "./pieces.js";

const MOVE = /^([BYRG]):(?:(skip)|([A-Z_]+)@(-?\d+),(-?\d+)(?:\/([A-Z]+))?(\+f)?)$/i;

/**
 * A piece, how often it is turned (0 to 3), whether it is flipped (0 or 1), and the top left corner of
 * the box around it.
 * @typedef {{ p: number, r: number, f: number, x: number, y: number }} Placement
 */

/**
 * A move that was read. A skip has no piece and covers nothing.
 * @typedef {object} ReadMove
 * @property {number} color
 * @property {number | null} piece
 * @property {{ cells: number[][], width: number, height: number } | null} form
 * @property {number[][]} cells squares on the board
 * @property {Placement | null} placement
 */

/** Read a move. @param {string} text @returns {ReadMove | null} */
export function readMove(text) {
  const found = MOVE.exec(text);
  if (!found) return null;
  const color = LETTERS.indexOf(found[1].toUpperCase());
  if (found[2]) return { color, piece: null, form: null, cells: [], placement: null };
  const p = PIECES.indexOf(found[3].toUpperCase());
  const r = ROTATIONS.indexOf((found[6] ?? "NONE").toUpperCase());
  if (p < 0 || r < 0) return null;
  const f = found[7] ? 1 : 0;
  const placement = { p, r, f, x: Number(found[4]), y: Number(found[5]) };
  return { color, piece: p, form: FORMS[p][r][f], cells: cellsOf(placement), placement };
}

/** Write a move. @param {number} color @param {Placement} placement */
export function writeMove(color, { p, r, f, x, y }) {
  const turned = r ? `/${ROTATIONS[r]}` : "";
  return `${LETTERS[color]}:${PIECES[p]}@${x},${y}${turned}${f ? "+f" : ""}`;
}

/** Return the squares that a piece covers. @param {Placement} placement @returns {number[][]} */
export function cellsOf({ p, r, f, x, y }) {
  return FORMS[p][r][f].cells.map(([dx, dy]) => [x + dx, y + dy]);
}
