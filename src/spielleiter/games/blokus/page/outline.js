// The outline of squares that hang together, as a path with round corners. One unit is one square.

/** @typedef {[number, number]} Cell a square as x and y */
/** @typedef {{ x: number, y: number, from: number, to: number }} Corner where two ways meet */

// Ways are numbered clockwise from "to the right". The inside is always on the right hand.
const ALONG = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];
const INWARD = [
  [0, 1],
  [-1, 0],
  [0, -1],
  [1, 0],
];

/**
 * Return the edges between inside and outside, each by where it starts and its way.
 * @param {number[][]} cells
 * @returns {Map<string, [number, number, number]>} where each edge ends, and its way
 */
function edges(cells) {
  const inside = new Set(cells.map(([x, y]) => `${x},${y}`));
  /** @type {Map<string, [number, number, number]>} */
  const found = new Map();
  for (const [x, y] of cells) {
    if (!inside.has(`${x},${y - 1}`)) found.set(`${x},${y},0`, [x + 1, y, 0]);
    if (!inside.has(`${x + 1},${y}`)) found.set(`${x + 1},${y},1`, [x + 1, y + 1, 1]);
    if (!inside.has(`${x},${y + 1}`)) found.set(`${x + 1},${y + 1},2`, [x, y + 1, 2]);
    if (!inside.has(`${x - 1},${y}`)) found.set(`${x},${y + 1},3`, [x, y, 3]);
  }
  return found;
}

/**
 * Walk once around, and take the edges of this walk out of the map.
 * @param {Map<string, [number, number, number]>} open
 * @returns {Corner[]}
 */
function walk(open) {
  const [first] = open.keys();
  /** @type {Corner[]} */
  const corners = [];
  let key = first;
  do {
    const [x, y, from] = /** @type {[number, number, number]} */ (open.get(key));
    open.delete(key);
    const ways = [(from + 1) & 3, from, (from + 3) & 3];
    const leads = (/** @type {number} */ way) =>
      open.has(`${x},${y},${way}`) || `${x},${y},${way}` === first;
    const to = ways.find(leads) ?? from;
    if (to !== from) corners.push({ x, y, from, to });
    key = `${x},${y},${to}`;
  } while (key !== first);
  return corners;
}

/**
 * Return the path around squares.
 * @param {number[][]} cells
 * @param {number} [gap] how far inside of the squares it runs
 * @param {number} [radius] of the corners
 * @returns {string}
 */
export function outline(cells, gap = 0.035, radius = 0.14) {
  const open = edges(cells);
  let path = "";
  while (open.size)
    path += `${walk(open)
      .map((corner, n) => bend(corner, n, gap, radius))
      .join("")}Z`;
  return path;
}

/** @param {Corner} corner @param {number} n @param {number} gap @param {number} radius */
function bend({ x, y, from, to }, n, gap, radius) {
  const cx = x + gap * (INWARD[from][0] + INWARD[to][0]);
  const cy = y + gap * (INWARD[from][1] + INWARD[to][1]);
  const before = point(cx - ALONG[from][0] * radius, cy - ALONG[from][1] * radius);
  const after = point(cx + ALONG[to][0] * radius, cy + ALONG[to][1] * radius);
  return `${n ? "L" : "M"}${before}Q${point(cx, cy)} ${after}`;
}

/** @param {number} x @param {number} y */
const point = (x, y) => `${x.toFixed(3)} ${y.toFixed(3)}`;
