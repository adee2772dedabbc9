// The 21 pieces and their forms, with the names and in the order of the wire. A test holds them
// against the rules.

/** @typedef {{ cells: number[][], width: number, height: number, key: string }} Form */
/** @typedef {Form & { r: number, f: number, also: number[][] }} DistinctForm */

export const SIZE = 20;
export const COLORS = ["BLUE", "YELLOW", "RED", "GREEN"];
export const LETTERS = ["B", "Y", "R", "G"];
export const ROTATIONS = ["NONE", "RIGHT", "MIRROR", "LEFT"];
/** @type {Record<string, string>} */
const DRAWINGS = {
  MONO: "#",
  DOMINO: "##",
  TRIO_L: "#./##",
  TRIO_I: "#/#/#",
  TETRO_O: "##/##",
  TETRO_T: "###/.#.",
  TETRO_I: "#/#/#/#",
  TETRO_L: "#./#./##",
  TETRO_Z: "##./.##",
  PENTO_L: "#./#./#./##",
  PENTO_T: "###/.#./.#.",
  PENTO_V: "#../#../###",
  PENTO_S: ".###/##..",
  PENTO_Z: "##./.#./.##",
  PENTO_I: "#/#/#/#/#",
  PENTO_P: "##/##/#.",
  PENTO_W: "#../##./.##",
  PENTO_U: "#.#/###",
  PENTO_R: "..#/###/.#.",
  PENTO_X: ".#./###/.#.",
  PENTO_Y: ".#/##/.#/.#",
};
export const PIECES = Object.keys(DRAWINGS);

/** @param {string} drawing @returns {number[][]} */
const squares = (drawing) =>
  drawing
    .split("/")
    .flatMap((row, y) => [...row].flatMap((mark, x) => (mark === "#" ? [[x, y]] : [])));
const BASE = PIECES.map((name) => squares(DRAWINGS[name]));
export const SIZES = BASE.map((cells) => cells.length);
/** Letter and size, such as L5, and the size alone for the two smallest. */
export const SHORT = PIECES.map((name, p) =>
  name.includes("_") ? `${name.at(-1)}${SIZES[p]}` : String(SIZES[p]),
);

/** Turn clockwise by quarters. @type {((cell: number[]) => number[])[]} */
const TURN = [([x, y]) => [x, y], ([x, y]) => [-y, x], ([x, y]) => [-x, -y], ([x, y]) => [y, -x]];

/**
 * Turn, then flip left to right, then push into the top left corner: the documented order.
 * @param {number[][]} cells @param {number} rotation @param {number} flipped
 * @returns {Form}
 */
function transform(cells, rotation, flipped) {
  const turned = cells.map(TURN[rotation]).map(([x, y]) => [flipped ? -x : x, y]);
  const left = Math.min(...turned.map(([x]) => x));
  const top = Math.min(...turned.map(([, y]) => y));
  const pushed = turned
    .map(([x, y]) => [x - left, y - top])
    .sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  return {
    cells: pushed,
    width: 1 + Math.max(...pushed.map(([x]) => x)),
    height: 1 + Math.max(...pushed.map(([, y]) => y)),
    key: pushed.join(";"),
  };
}

/** FORMS[piece][rotation][flipped]. Two spellings of one form have the same key. */
export const FORMS = BASE.map((cells) =>
  [0, 1, 2, 3].map((rotation) => [0, 1].map((flipped) => transform(cells, rotation, flipped))),
);

/**
 * The different forms of each piece, with the first spelling that gives it and the others: 91 in
 * all.
 */
export const DISTINCT = FORMS.map((rotations) => {
  /** @type {Map<string, DistinctForm>} */
  const seen = new Map();
  rotations.forEach((pair, r) =>
    pair.forEach((form, f) => {
      const same = seen.get(form.key);
      if (same) same.also.push([r, f]);
      else seen.set(form.key, { ...form, r, f, also: [] });
    }),
  );
  return [...seen.values()];
});

/** From the biggest piece to the smallest: the order of every hand on the page. */
export const ORDER = [...PIECES.keys()].sort((a, b) => SIZES[b] - SIZES[a] || a - b);
