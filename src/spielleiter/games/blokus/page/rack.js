// The hand as buttons, one for each piece, and the buttons below it. Slots keep their places for
// the whole match.
import { h, icon, put } from "/static/js/dom.js";
import { t } from "/static/js/i18n.js";
import { colorChip } from "./chips.js";
import { shape } from "./draw.js";
import { COLORS, DISTINCT, ORDER, PIECES, SHORT } from "./pieces.js";

/** @typedef {import("./choice.js").Choice} Choice */
/** @typedef {{ node: HTMLButtonElement, redraw: (word?: string) => void }} Tool */

/** The form in which a piece lies in the hand, which is its widest. @param {number} p */
const lying = (p) => DISTINCT[p].reduce((best, one) => (one.width > best.width ? one : best));

/**
 * Make a button with a picture, words and the key that does the same.
 * @param {string} key of its word @param {string} picture @param {string} cap @param {() => void} act
 * @param {string} [look]
 * @returns {Tool}
 */
export function tool(key, picture, cap, act, look = "") {
  const text = h("span", { class: "text" });
  const node = h(
    "button",
    { class: `btn ${look}`, type: "button", onclick: act },
    icon(picture),
    text,
    h("kbd", { "aria-hidden": "true", "data-cap": cap }),
  );
  function redraw(word = key) {
    text.textContent = t(word);
    node.setAttribute("aria-label", t(word));
    node.title = t(word);
  }
  return { node, redraw };
}

export class Rack {
  /**
   * @param {{ lift: (event: PointerEvent, p: number) => void, choose: (p: number) => void }} acts
   */
  constructor(acts) {
    this.acts = acts;
    this.title = h("h2");
    this.row = h("div", { class: "rack" });
    this.element = h("section", { class: "hand card" }, this.title, this.row);
    /**
     * The buttons by piece, and the key of the form that each shows.
     * @type {Map<number, { node: HTMLElement, key: string }>}
     */
    this.slots = new Map();
    this.shown = "";
  }

  /**
   * Show the hand of a colour. Without a choice nothing can be taken from it.
   * @param {number} color @param {Set<number>} hand @param {Choice | null} choice
   */
  show(color, hand, choice) {
    const key = `${color} ${[...hand].join()}`;
    if (key !== this.shown) this.build(hand);
    this.shown = key;
    put(
      this.title,
      colorChip(color),
      `${t("hand.title")}: ${t(COLORS[color])}`,
      h("small", {}, t("hand.count", { n: hand.size })),
    );
    for (const p of hand) this.update(p, color, choice);
  }
  /** @param {Set<number>} hand */
  build(hand) {
    this.slots.clear();
    put(
      this.row,
      ORDER.map((p) =>
        hand.has(p) ? this.slot(p) : h("span", { class: "slot gone", "aria-hidden": "true" }),
      ),
    );
    this.row.scrollLeft = 0;
  }
  /** @param {number} p */
  slot(p) {
    const node = h("button", { class: "slot", type: "button", "data-piece": PIECES[p] });
    node.addEventListener("pointerdown", (event) => this.acts.lift(event, p));
    // A click without a pointer comes from the keyboard or from a screen reader.
    node.addEventListener("click", (event) => {
      if (event.detail === 0) this.acts.choose(p);
    });
    this.slots.set(p, { node, key: "" });
    return node;
  }
  /** @param {number} p @param {number} color @param {Choice | null} choice */
  update(p, color, choice) {
    const slot = this.slots.get(p);
    if (!slot) return;
    const isChosen = choice?.pick?.p === p;
    const isStuck = !!choice && !choice.placing.fits.has(p);
    const form = isChosen ? choice.form : lying(p);
    if (slot.key !== form.key) put(slot.node, shape(form, color));
    slot.key = form.key;
    const { node } = slot;
    node.classList.toggle("none", isStuck);
    node.setAttribute("aria-pressed", String(isChosen));
    node.setAttribute("aria-disabled", String(!choice));
    node.setAttribute("aria-label", isStuck ? `${PIECES[p]}, ${t("hand.stuck")}` : PIECES[p]);
    node.title = `${PIECES[p]} (${SHORT[p]})`;
  }
  /** Scroll to a piece that was chosen without a pointer. @param {number} p */
  reveal(p) {
    this.slots.get(p)?.node.scrollIntoView({ block: "nearest", inline: "center" });
  }
}
