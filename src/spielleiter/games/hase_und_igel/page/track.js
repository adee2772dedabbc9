// The track. Its fields wind over nine columns, or seven on a phone, so that it is as good as
// square.
import { s } from "/static/js/dom.js";
import { t } from "/static/js/i18n.js";
import { pawn, sign } from "./signs.js";
import { follow } from "./walking.js";

/** @typedef {import("/static/js/types.js").View} View */
/** @typedef {import("/static/js/types.js").Extra} Extra */
/** @typedef {{ columns: number, across: number, down: number, tile: number }} Plan */

/** @type {Record<string, string>} */
const LOOK = {
  START: "end",
  GOAL: "end",
  CARROT: "carrot",
  HARE: "hare",
  SALAD: "salad",
  HEDGEHOG: "hedgehog",
  POSITION_1: "pos1",
  POSITION_2: "pos2",
};
const LEGEND = ["CARROT", "HARE", "SALAD", "HEDGEHOG", "POSITION_1", "POSITION_2"];
/** @type {Plan} */
const WIDE = { columns: 9, across: 12, down: 13.6, tile: 10.6 };
/** @type {Plan} */
const NARROW = { columns: 7, across: 12, down: 12.4, tile: 10.8 };
/** @type {Plan} */
const MINI = { columns: 9, across: 11, down: 11, tile: 8.6 };
const phone = matchMedia("(max-width: 47.99rem)");

/** The track with the hares on it. Its layers are for lights and for the way of a move. */
export class Track {
  /** @param {import("/static/js/types.js").BoardOptions} [options] */
  constructor({ mini = false, label = "" } = {}) {
    this.isMini = mini;
    this.fields = s("g");
    this.lights = s("g");
    this.arc = s("g");
    this.remarks = s("g");
    this.hares = s("g", { class: "pawns" });
    this.road = s("path", { class: "road" });
    this.legend = s("g", { class: "track-legend", "aria-hidden": "true" });
    this.element = s(
      "svg",
      { class: `track ${mini ? "minitrack" : ""}`, role: "img", "aria-label": label },
      this.road,
      this.legend,
      this.fields,
      this.lights,
      this.arc,
      this.hares,
      this.remarks,
    );
    /** One group for each field, with its number in data-field. @type {SVGGElement[]} */
    this.nodes = [];
    /** Called when fields were drawn anew, because the window is another. */
    this.rebuilt = () => {};
    this.built = "";
    /** @type {{ view: View, extra: Extra } | null} */
    this.last = null;
    if (!mini) phone.addEventListener("change", () => this.again());
    this.setBox(65);
  }

  /** @returns {Plan} */
  get plan() {
    if (this.isMini) return MINI;
    return phone.matches ? NARROW : WIDE;
  }

  /** Return the middle of a field. @param {number} n @returns {[number, number]} */
  at(n) {
    const { columns, across, down } = this.plan;
    const row = Math.floor(n / columns);
    const k = n % columns;
    return [(row % 2 ? columns - 1 - k : k) * across + across / 2, row * down + 6];
  }

  /** @param {number} length */
  setBox(length) {
    const width = this.plan.columns * this.plan.across;
    const height = Math.max(...[0, length - 1].map((n) => this.at(n)[1])) + 6;
    this.element.setAttribute("viewBox", `-1 -1 ${width + 2} ${height + 2}`);
  }

  /** @param {string[]} board */
  build(board) {
    const key = `${board.join()} ${this.plan.columns} ${document.documentElement.lang}`;
    if (key === this.built) return;
    this.built = key;
    this.setBox(board.length);
    const stops = board.map((_, n) => `${n ? "L" : "M"}${this.at(n).join(" ")}`);
    this.road.setAttribute("d", stops.join(""));
    this.nodes = board.map((field, n) => this.field(field, n));
    this.fields.replaceChildren(...this.nodes);
    this.legend.replaceChildren(...(this.plan === WIDE ? this.explained(board.length) : []));
    this.rebuilt();
  }

  /** @param {string} field @param {number} n */
  field(field, n) {
    const [x, y] = this.at(n);
    const { tile } = this.plan;
    const side = { x: -tile / 2, y: -tile / 2, width: tile, height: tile, rx: 2 };
    const picture = this.isMini ? "scale(.78)" : "translate(0 .9) scale(.74)";
    return s(
      "g",
      { class: `tf t-${LOOK[field]}`, transform: `translate(${x} ${y})`, "data-field": n },
      s("rect", { ...side, class: "tile" }),
      s("g", { transform: picture }, sign(field)),
      this.isMini ? null : s("text", { x: -4.7, y: -3.2, class: "fnum" }, n),
    );
  }

  /** The signs in words, in the room that the last row leaves. @param {number} length */
  explained(length) {
    const [end, y] = this.at(length - 1);
    const room = (end - 8) / LEGEND.length;
    return LEGEND.map((field, n) =>
      s(
        "g",
        { transform: `translate(${room * (n + 0.5)} ${y - 1})` },
        s("g", { transform: "scale(.5)" }, sign(field)),
        s("text", { x: 0, y: 5.2 }, t(`${field}.short`)),
      ),
    );
  }

  /** Show a position. @param {View} view @param {Extra} [extra] */
  show(view, extra = {}) {
    this.last = { view, extra };
    this.build(view.board);
    const isShared = view.hares[0].field === view.hares[1].field;
    if (!this.hares.childElementCount) this.hares.append(pawn(0), pawn(1));
    view.hares.forEach((/** @type {any} */ hare, /** @type {number} */ seat) => {
      const [x, y] = this.at(hare.field);
      const shift = isShared ? (seat ? 2.4 : -2.4) : 0;
      const size = this.isMini ? 1.15 : 1;
      const place = `translate(${x + shift}px, ${y - 0.6}px) scale(${size})`;
      /** @type {SVGElement} */ (this.hares.children[seat]).style.transform = place;
      this.hares.children[seat].classList.toggle("turn", view.seat === seat);
    });
    this.showRemarks(view, extra);
  }

  /** @param {View} view @param {Extra} extra */
  showRemarks(view, extra) {
    const marks = (extra.marks ?? []).filter(({ x }) => x >= 0 && x < view.board.length);
    this.remarks.replaceChildren(...marks.map((mark) => this.mark(mark)));
    const pointed = new Set((extra.squares ?? []).map(([x]) => x));
    const moved = movedHare(view, extra.before);
    const better = betterField(extra);
    this.nodes.forEach((node, n) => {
      node.classList.toggle("pointed", pointed.has(n));
      node.classList.toggle("came", n === moved?.to);
      node.classList.toggle("trail", n === moved?.from);
      node.classList.toggle("better", n === better);
    });
  }

  /** What a bot marked. The field is its x. @param {import("/static/js/types.js").Mark} mark */
  mark({ x, text, color }) {
    const [cx, cy] = this.at(x);
    const known = color && CSS.supports("color", color) ? color : "var(--ink)";
    return s(
      "g",
      {
        class: "trackmark",
        transform: `translate(${cx + 3.6} ${cy - 3.6})`,
        style: { "--mark": known },
      },
      s("title", {}, text),
      s("circle", { r: 2 }),
      s("text", { y: 0.9 }, text.slice(0, 2)),
    );
  }

  /** Draw everything anew, for another window or another language. */
  again() {
    if (this.last) this.show(this.last.view, this.last.extra);
  }
}

/**
 * Return from where to where the last move led.
 * @param {View} view
 * @param {View | null | undefined} before
 */
function movedHare(view, before) {
  if (!before || before.seat === null) return null;
  const to = view.hares[before.seat].field;
  const from = before.hares[before.seat].field;
  return { from: from === to ? -1 : from, to };
}

/** Return the field to which a better move would have led, or null. @param {Extra} extra */
function betterField({ better, before }) {
  if (!better || !before || before.seat === null) return null;
  return follow(before, better).at(-1)?.field ?? null;
}
