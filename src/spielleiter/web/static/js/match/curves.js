// Curves under the board: the lead, possible moves, and what a game adds. A click jumps there.
import { h, put, s } from "../dom.js";
import { t } from "../i18n.js";
import { slipAt } from "./judgement.js";

/** @typedef {import("../types.js").Match} Match */
/** @typedef {import("../types.js").GameModule} GameModule */
/** @typedef {{ label: string, draw: (width: number) => SVGElement[] }} Lane */

const HEIGHT = 40;
const MIDDLE = HEIGHT / 2;
const LEAST_LEAD = 12;

/** @type {Record<string, number>} How high the mark of a slip is. */
const SLIPS = { inaccuracy: 5, mistake: 9, blunder: 14 };

/** A line through all values, with gaps. @param {(number | null)[]} values @param {(value: number) => number} y */
const line = (values, y) =>
  values
    .map((value, i) => {
      if (value === null) return "";
      return `${i && values[i - 1] !== null ? "L" : "M"}${i} ${y(value).toFixed(1)}`;
    })
    .join("");

/** The curves of a match. */
export class Curves {
  /** @param {GameModule} module @param {(index: number) => void} jump */
  constructor(module, jump) {
    this.module = module;
    this.jump = jump;
    this.element = h("div", { class: "lanes", "aria-hidden": "true" });
    this.needle = h("i", { class: "needle" });
    this.count = 1;
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      this.point(event);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (event.buttons) this.point(event);
    });
  }

  /** @param {PointerEvent} event */
  point(event) {
    const box = this.element.getBoundingClientRect();
    this.jump(Math.round(((event.clientX - box.left) / box.width) * this.count));
  }

  /** Draw all curves of a match. @param {Match} match */
  draw(match) {
    this.count = Math.max(1, match.positions.length - 1);
    const lanes = [leadLane(match), mobilityLane(match)];
    for (const { key, value } of this.module.curves) {
      const values = [0, 1].map((seat) => match.positions.map((view) => value(view, seat)));
      lanes.push(pairLane(t(key), values));
    }
    const shown = lanes.filter((lane) => lane !== null);
    put(
      this.element,
      shown.map((lane) => this.lane(lane)),
      this.needle,
    );
    document.documentElement.style.setProperty("--lanes", String(shown.length));
  }

  /** @param {Lane} lane */
  lane({ label, draw }) {
    const box = `0 0 ${this.count} ${HEIGHT}`;
    return h(
      "div",
      { class: "lane" },
      s("svg", { viewBox: box, preserveAspectRatio: "none" }, draw(this.count)),
      h("span", { class: "lanelabel" }, label),
    );
  }

  /** Point at a position. @param {number} index */
  mark(index) {
    this.needle.style.left = `${(index / this.count) * 100}%`;
  }
}

/**
 * Who is ahead and by how much. The mean of two neighbours is shown, because a score swings with
 * whoever moved last.
 * @param {Match} match
 * @returns {Lane}
 */
function leadLane(match) {
  const raw = match.positions.map(({ scores }) => scores[0][0] - (scores[1]?.[0] ?? 0));
  const end = raw.length - 1;
  const leads = raw.map((value, i) => (i && i < end ? (value + raw[i - 1]) / 2 : value));
  const guess = match.evaluation ?? [];
  const guessed = guess.map((value) => Math.min(60, Math.abs(value ?? 0)));
  const top = Math.max(LEAST_LEAD, ...leads.map(Math.abs), ...guessed);
  const y = (/** @type {number} */ value) =>
    MIDDLE - (MIDDLE - 2) * Math.max(-1, Math.min(1, value / top));
  const area = (/** @type {number} */ sign) => {
    const edge = leads.map((value, i) => `L${i} ${y(sign * Math.max(0, sign * value)).toFixed(1)}`);
    return `M0 ${MIDDLE}${edge.join("")}L${end} ${MIDDLE}Z`;
  };
  return {
    label: t(guess.length ? "m.lead.guess" : "m.lead"),
    draw: (width) => [
      s("path", { d: area(1), class: "area0" }),
      s("path", { d: area(-1), class: "area1" }),
      s("path", { d: `M0 ${MIDDLE}H${width}`, class: "mid" }),
      s("path", { d: line(leads, y), class: "leadline" }),
      s("path", { d: line(guess, y), class: "guess" }),
      slipMarks(match),
    ].flat(),
  };
}

/** Marks at the foot of the curve where a move lost something. @param {Match} match */
function slipMarks(match) {
  return match.positions.flatMap((_, i) => {
    const slip = slipAt(match, i);
    if (!slip) return [];
    const d = `M${i} ${HEIGHT}V${HEIGHT - SLIPS[slip.verdict]}`;
    return [s("path", { d, class: `slip ${slip.verdict}` })];
  });
}

/**
 * How many moves each seat had. While a match runs the lane is there before the numbers are.
 * @param {Match} match @returns {Lane | null}
 */
function mobilityLane(match) {
  const known = match.positions.some((view) => view.mobility?.some((count) => count !== null));
  if (!known) return match.phase === "ended" ? null : { label: t("m.mobility"), draw: () => [] };
  const values = [0, 1].map((seat) => {
    const first = match.positions.find((view) => typeof view.mobility?.[seat] === "number");
    let last = first?.mobility?.[seat] ?? 0;
    return match.positions.map((view) => (last = view.mobility?.[seat] ?? last));
  });
  return pairLane(t("m.mobility"), values);
}

/** One curve for each seat. @param {string} label @param {number[][]} values @returns {Lane} */
function pairLane(label, values) {
  const peak = Math.max(1, ...values.flat());
  const y = (/** @type {number} */ value) => HEIGHT - 3 - ((HEIGHT - 6) * value) / peak;
  return {
    label,
    draw: () => values.map((one, seat) => s("path", { d: line(one, y), class: `a${seat}` })),
  };
}
