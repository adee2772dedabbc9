// What playing by hand draws on the track: fields in reach with their prices, and the way to the
// target.
import { put, s } from "/static/js/dom.js";
import { follow, mine, movesTo } from "./walking.js";

/** @typedef {import("/static/js/types.js").View} View */

/**
 * Mark every field and draw prices and way.
 * @param {import("./track.js").Track} track @param {View} view @param {string[]} moves
 * @param {number | null} aimed
 */
export function showCourse(track, view, moves, aimed) {
  const reach = view.board.map((/** @type {string} */ _, /** @type {number} */ n) =>
    movesTo(view, moves, n),
  );
  const stands = view.hares.map((/** @type {any} */ hare) => hare.field);
  track.nodes.forEach((node, n) => {
    const isNear = reach[n].length > 0;
    node.classList.toggle("can", isNear);
    node.classList.toggle("dim", !isNear && !stands.includes(n));
    node.classList.toggle("aim", n === aimed);
  });
  put(
    track.lights,
    reach.map((/** @type {string[]} */ ways, /** @type {number} */ n) =>
      ways.length
        ? priceTag(track, n, follow(view, ways[0])[0].carrots - mine(view).carrots)
        : null,
    ),
  );
  const from = mine(view).field;
  put(
    track.arc,
    aimed === null || aimed === from ? [] : way(track, from, aimed, reach[aimed].length > 0),
  );
}

/** Show the track as it is without anybody to move. @param {import("./track.js").Track} track */
export function clearCourse(track) {
  for (const node of track.nodes) node.classList.remove("can", "dim", "aim");
  put(track.lights);
  put(track.arc);
}

/**
 * @param {import("./track.js").Track} track
 * @param {number} n
 * @param {number} gain carrots, negative for a price
 */
function priceTag(track, n, gain) {
  const [x, y] = track.at(n);
  const text = gain > 0 ? `+${gain}` : String(-gain);
  const width = 1.6 + 1.25 * text.length;
  return s(
    "g",
    {
      class: `price ${gain > 0 ? "gain" : ""}`,
      transform: `translate(${x + 5.4 - width / 2} ${y + 4.3})`,
    },
    s("rect", { x: -width / 2, y: -1.5, width, height: 2.9, rx: 1 }),
    s("text", { x: 0, y: 0.75 }, text),
  );
}

/**
 * @param {import("./track.js").Track} track
 * @param {number} from
 * @param {number} to
 * @param {boolean} isLegal
 */
function way(track, from, to, isLegal) {
  const [x1, y1] = track.at(from);
  const [x2, y2] = track.at(to);
  const top = Math.max(0, Math.min(y1, y2) - 7 - Math.abs(x2 - x1) / 14);
  const d = `M${x1} ${y1 - 4}Q${(x1 + x2) / 2} ${top} ${x2} ${y2 - 5}`;
  return s("path", { d, class: `arcline ${isLegal ? "" : "no"}` });
}
