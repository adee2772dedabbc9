// The piece in hand: which one, how it is turned, and where it hovers. Mouse, touch and keyboard
// all end here. Nothing here draws or listens.
import { FORMS, ORDER, SIZE, SIZES } from "./pieces.js";

/** @typedef {import("./moves.js").Placement} Placement */

/** @param {number} value @param {number} size */
const clamp = (value, size) => Math.max(0, Math.min(SIZE - size, value));

/** @param {{ p: number, r: number, f: number }} pick */
const formOf = ({ p, r, f }) => FORMS[p][r][f];

export class Choice {
  /** @param {import("./placing.js").Placing} placing */
  constructor(placing) {
    this.placing = placing;
    /** The piece and how it is turned. @type {{ p: number, r: number, f: number } | null} */
    this.pick = null;
    /** Where it hovers, null if nowhere yet. @type {{ x: number, y: number } | null} */
    this.ghost = null;
  }
  /** The form of the piece in hand, or of the smallest piece if there is none. */
  get form() {
    return formOf(this.pick ?? { p: 0, r: 0, f: 0 });
  }
  /** @returns {Placement | null} */
  get placement() {
    return this.pick && this.ghost ? { ...this.pick, ...this.ghost } : null;
  }
  /** The move to send, or null if there is none or it would be refused. */
  get move() {
    return this.placement && this.placing.legal(this.placement);
  }
  /** Why the piece may not lie where it hovers. */
  get fault() {
    if (!this.placement || this.move) return null;
    return this.placing.fault(this.placement) ?? { rule: "NOT_ALLOWED", cells: [] };
  }
  /** Every place of the piece in hand, however it is turned. */
  get places() {
    return (this.pick && this.placing.fits.get(this.pick.p)) ?? [];
  }
  /** Whether a place is one for the piece as it is turned now. @param {Placement} one */
  isTurnedLike(one) {
    return formOf(one).key === this.form.key;
  }
  /** Those of the places where it fits as it is turned now. */
  get here() {
    return this.places.filter((one) => this.isTurnedLike(one));
  }

  /**
   * Take a piece. It is turned so that it fits somewhere, if it fits at all.
   * @param {number} p
   * @returns {boolean} whether the rules let this colour choose it
   */
  take(p) {
    if (!this.placing.playable.includes(p)) return false;
    if (this.pick?.p !== p) this.pick = { p, r: 0, f: 0 };
    const [first] = this.places;
    if (first && !this.here.length) this.pick = { p, r: first.r, f: first.f };
    if (this.ghost) this.aim(this.ghost.x, this.ghost.y);
    return true;
  }
  drop() {
    this.pick = this.ghost = null;
  }
  /** Put the ghost where it fits, else into the middle: for those who do not point. */
  begin() {
    const [place] = this.here;
    if (this.pick) this.ghost = place ? { x: place.x, y: place.y } : { x: 8, y: 8 };
  }
  /** @param {number} x @param {number} y */
  aim(x, y) {
    if (this.pick) this.ghost = { x: clamp(x, this.form.width), y: clamp(y, this.form.height) };
  }
  /** Turn or flip around the middle. @param {number} r @param {number} f */
  reshape(r, f) {
    if (!this.pick) return;
    const before = this.form;
    this.pick = { p: this.pick.p, r, f };
    if (!this.ghost) return;
    this.aim(
      Math.round(this.ghost.x + (before.width - this.form.width) / 2),
      Math.round(this.ghost.y + (before.height - this.form.height) / 2),
    );
  }
  /**
   * Turn by a quarter, 1 is clockwise. On the wire flipping comes after turning, so a flipped piece
   * is turned the other way to look the same.
   * @param {number} way
   */
  turn(way) {
    if (this.pick) this.reshape((this.pick.r + (this.pick.f ? -way : way) + 4) % 4, this.pick.f);
  }
  flip() {
    if (this.pick) this.reshape(this.pick.r, 1 - this.pick.f);
  }
  /** Go to the nearest legal place that is not too far away. @param {number} most squares */
  snap(most) {
    const { ghost } = this;
    if (!ghost || this.move) return;
    const [near] = this.here
      .map((one) => ({ one, far: Math.hypot(one.x - ghost.x, one.y - ghost.y) }))
      .sort((a, b) => a.far - b.far);
    if (near && near.far < most) this.ghost = { x: near.one.x, y: near.one.y };
  }
  /** Go to the next place where it fits, turned as it is if there is one. @param {number} way */
  jump(way) {
    const { here, ghost } = this;
    const list = here.length ? here : this.places;
    if (!list.length) return;
    const now = list.findIndex(
      (one) => one.x === ghost?.x && one.y === ghost.y && this.isTurnedLike(one),
    );
    const to = list[next(now, way, list.length)];
    if (!here.length) this.pick = { p: to.p, r: to.r, f: to.f };
    this.ghost = { x: to.x, y: to.y };
  }
  /**
   * Take the next piece of a size, or of any size.
   * @param {number} size 0 for any @param {number} way
   * @returns {boolean} whether there is one
   */
  cycle(size, way) {
    const isMeant = (/** @type {number} */ p) =>
      this.placing.playable.includes(p) && (!size || SIZES[p] === size);
    const list = ORDER.filter(isMeant);
    if (!list.length) return false;
    return this.take(list[next(list.indexOf(this.pick?.p ?? -1), way, list.length)]);
  }
}

/**
 * Return the place after or before one in a list that goes round. Without one it begins at an end.
 * @param {number} now -1 for none @param {number} way @param {number} length
 */
function next(now, way, length) {
  if (now < 0) return way > 0 ? 0 : length - 1;
  return (now + way + length) % length;
}
