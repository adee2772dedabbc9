// The clock of a seat: a bar for each of its moves, the limit as a dashed line, and the time that
// runs.
import { h, s } from "../dom.js";
import { seconds, t } from "../i18n.js";

/** @typedef {import("../types.js").Match} Match */
/** @typedef {import("../types.js").Move} Move */

const HEIGHT = 20;
const FEWEST_BARS = 20;

/**
 * Draw the clock of a seat at a position. `tick` shows time that is running.
 * @param {Match} match @param {number} index @param {number} seat
 * @returns {{ element: HTMLElement, tick: (running: number | null) => void }}
 */
export function seatClock(match, index, seat) {
  const own = match.moves.map((move, i) => ({ move, i })).filter(({ move }) => move.seat === seat);
  const current = own.findLast(({ i }) => i < index);
  const slowest = Math.max(0, ...own.map(({ move }) => move.seconds ?? 0));
  const top = match.limit ?? Math.max(slowest, 0.01);
  const width = Math.max(FEWEST_BARS, own.length + 1);
  const running = bar(own.length, 0, "running", 0);
  const bars = own.map(({ move, i }, n) => {
    const look = i >= index ? "future" : i === current?.i ? "now" : "";
    const classes = `${look} ${isLate(match, move) ? "late" : ""}`;
    return bar(n, (move.seconds ?? 0) / top, classes, move.seconds === null ? 0 : 1);
  });
  const label = match.limit === null ? t("m.time.free") : t("m.time", { s: seconds(match.limit) });
  const figure = h("b", {}, seconds(current?.move.seconds));
  const picture = s(
    "svg",
    {
      viewBox: `0 0 ${width} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": label,
    },
    bars,
    running,
    match.limit === null ? null : s("path", { d: `M0 .5H${width}`, class: "limit" }),
  );
  return {
    element: h(
      "div",
      { class: "clock", title: label },
      picture,
      h("span", {}, figure, h("small", {}, slowest ? t("m.slow", { s: seconds(slowest) }) : " ")),
    ),
    tick(value) {
      setBar(running, value === null ? 0 : value / top);
      if (value !== null) figure.textContent = seconds(Math.round(value * 10) / 10);
    },
  };
}

/** @param {Match} match @param {Move} move */
const isLate = (match, move) => match.limit !== null && (move.seconds ?? 0) > match.limit;

/**
 * @param {number} n
 * @param {number} share of the limit
 * @param {string} look
 * @param {number} least height
 */
function bar(n, share, look, least) {
  const node = s("rect", { x: n + 0.12, width: 0.76, class: `tb ${look}` });
  setBar(node, share, least);
  return node;
}

/** @param {SVGElement} node @param {number} share @param {number} [least] */
function setBar(node, share, least = 0) {
  const size = Math.max(least, Math.min(1, share) * HEIGHT);
  node.setAttribute("y", String(HEIGHT - size));
  node.setAttribute("height", String(size));
}
