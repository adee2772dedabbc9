// The signs of fields, cards and hares, drawn in a square from -5 to 5.
import { s } from "/static/js/dom.js";

/** @typedef {[string, string][]} Paths each with its class */

/** @type {Record<string, Paths>} */
const PATHS = {
  CARROT: [
    ["M-2.6 -1.6C-2.2 -3 -.4 -3.2 .6 -2.2 1.6 -1.2 1.5 .4 .3 1.2L-3.4 4 -3.9 3.5Z", "i-orange"],
    ["M.4 -2C.6 -3.6 1.6 -4.4 2.6 -4.4M.7 -1.8C2.2 -2.6 3.6 -2.4 4.2 -1.6M.6 -2L3.6 -4", "i-leaf"],
    ["M-1.6 -.6l1 .8M-2.5 .8l.9 .8", "i-thin"],
  ],
  HARE: [
    [
      "M-1.1 -.4C-2.6 -2.4 -2.6 -4.6 -1.6 -4.7 -.6 -4.8 -.2 -2.6 -.1 -1 .2 -2.6 .8 -4.8 1.7 -4.6 " +
        "2.6 -4.4 2.4 -2.2 1 -.4 2.6 .2 3 1.6 2.6 2.8 2 4.2 -2 4.2 -2.6 2.8 -3 1.6 -2.6 .2 -1.1 -.4Z",
      "i-fur",
    ],
    ["M-1 1.3h.01M1.1 1.3h.01", "i-eye"],
    ["M-.4 2.5h.8l-.4 .5z", "i-nose"],
  ],
  SALAD: [
    [
      "M0 4C-3.4 4.2 -4.6 1.6 -3.6 .2 -4.4 -1.8 -2.6 -3.4 -1.4 -3 -.6 -4.4 1.2 -4.2 1.6 -3 " +
        "3.2 -3.4 4.4 -1.6 3.6 0 4.6 1.8 3.2 4.2 0 4Z",
      "i-green",
    ],
    ["M0 3.6V-1M0 1.6L-2 -.4M0 1L1.9 -1.2M0 2.8L-2.2 1.8M0 2.6L2.3 1.4", "i-vein"],
  ],
  HEDGEHOG: [
    [
      "M-4.2 2.4L-4 .6 -3.4 .9 -3 -1.2 -2 -.6 -1.2 -2.8 -.2 -1.8 .9 -3 1.5 -1.6 2.9 -1.6 " +
        "2.8 -.2C4 .4 4.6 1.4 4.7 2.2 4.2 2.8 3 2.8 2.4 2.6L-3.8 2.8Z",
      "i-spike",
    ],
    ["M3 .9h.01", "i-eye"],
    ["M-2.4 3.2h.6M1 3.2h.6", "i-foot"],
  ],
  AHEAD: [["M-4 0H3.6M.4 -3.2L3.6 0 .4 3.2M-4 -3.2L-.8 0 -4 3.2", "i-arrow"]],
  BACK: [["M4 0H-3.6M-.4 -3.2L-3.6 0 -.4 3.2M4 -3.2L.8 0 4 3.2", "i-arrow"]],
  SKIP: [["M-3 -3V3M3 -3V3", "i-arrow"]],
  GOAL: [
    ["M-3 4.4V-4.4", "i-pole"],
    ["M-3 -4.2H3.6L2 -2.2 3.6 -.2H-3Z", "i-flag"],
  ],
  START: [["M-2.2 -3.4L3.4 0 -2.2 3.4Z", "i-flag"]],
};

/** What each card shows. @type {Record<string, string>} */
export const CARD_SIGNS = {
  TAKE_OR_DROP_CARROTS: "CARROT",
  EAT_SALAD: "SALAD",
  HURRY_AHEAD: "AHEAD",
  FALL_BACK: "BACK",
};

/** Draw the sign of a field or card. @param {string} name */
export function sign(name) {
  if (name.startsWith("POSITION_")) return medal(name.slice(-1));
  const paths = PATHS[name] ?? PATHS.START;
  return s(
    "g",
    { class: "sign" },
    paths.map(([d, cls]) => s("path", { d, class: cls })),
  );
}

/** @param {string} text */
function medal(text) {
  return s(
    "g",
    { class: "sign" },
    s("path", { d: "M-2.4 -4.6L0 -.8 2.4 -4.6", class: "i-band" }),
    s("circle", { cx: 0, cy: 1.2, r: 3, class: "i-medal" }),
    s("text", { x: 0, y: 2.6, class: "i-num" }, text),
  );
}

/** A sign as a picture of its own. @param {string} name */
export function smallSign(name) {
  return s(
    "svg",
    { viewBox: "-5.4 -5.4 10.8 10.8", "aria-hidden": "true", class: "smallsign" },
    sign(name),
  );
}

const HARE =
  "M-1 -.6C-2.6 -3 -2.4 -5.6 -1.4 -5.7 -.4 -5.8 0 -3 0 -1.3 .2 -3 .9 -5.8 1.8 -5.5 2.8 -5.2 2.4 -2.4 " +
  "1 -.6 2.7 .1 3.2 1.7 2.8 3 2.2 4.7 -2.2 4.7 -2.8 3 -3.2 1.7 -2.7 .1 -1 -.6Z";

/** A hare in the colour of its seat: the first is red, the second blue. @param {number} seat */
export function pawn(seat) {
  return s(
    "g",
    { class: `pawn seat${seat}` },
    s("ellipse", { cx: 0, cy: 4.1, rx: 2.9, ry: 0.8, class: "pawn-shadow" }),
    s("path", { d: HARE, class: seat ? "f0" : "f2" }),
    s("text", { x: 0, y: 3.2, class: `pawn-letter ${seat ? "l0" : "l2"}` }, seat ? "B" : "R"),
  );
}
