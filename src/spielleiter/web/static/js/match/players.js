// Both players with what they have, and a short strip of them for phones.
import { h, put } from "../dom.js";
import { seconds, t } from "../i18n.js";
import { seatClock } from "./clock.js";

/** @typedef {import("../types.js").Match} Match */
/** @typedef {import("../types.js").GameModule} GameModule */
/** @typedef {import("../types.js").GameInfo} GameInfo */

/** The cards of both players and the strip. */
export class Players {
  /** @param {GameModule} module @param {GameInfo | undefined} game */
  constructor(module, game) {
    this.module = module;
    this.game = game;
    this.cards = h("section", { class: "players", tabindex: 0 });
    this.strip = h("section", { class: "strip" });
    /** @type {((running: number | null) => void)[]} */
    this.ticks = [];
    /** @type {HTMLElement[]} */
    this.stripTimes = [];
  }

  /** @param {Match} match @param {number} index */
  show(match, index) {
    const view = match.positions[index];
    const sides = this.module.sides(match, index);
    const clocks = view.scores.map((_, seat) => seatClock(match, index, seat));
    this.cards.setAttribute("aria-label", t("m.players"));
    this.ticks = clocks.map(({ tick }) => tick);
    put(
      this.cards,
      view.scores.map((_, seat) =>
        h(
          "article",
          { class: `card player p${seat} ${view.seat === seat ? "on" : ""}` },
          this.who(match, index, seat),
          clocks[seat].element,
          sides[seat],
        ),
      ),
    );
    this.showStrip(match, index);
  }

  /** @param {Match} match @param {number} index @param {number} seat */
  who(match, index, seat) {
    const name = this.game?.seats[seat];
    return h(
      "div",
      { class: "who" },
      this.module.chip(seat),
      h(
        "div",
        {},
        h("strong", { title: match.names[seat] }, match.names[seat]),
        h("small", {}, name ? t(name) : t("who.player", { n: seat + 1 })),
      ),
      this.score(match, index, seat),
    );
  }

  /** @param {Match} match @param {number} index @param {number} seat */
  score(match, index, seat) {
    const counted = this.game?.scores[0];
    const what = counted ? t(counted) : t("points");
    return h(
      "output",
      { "aria-label": `${match.names[seat]}: ${what}`, title: what },
      match.positions[index].scores[seat][0],
    );
  }

  /** @param {Match} match @param {number} index */
  showStrip(match, index) {
    const view = match.positions[index];
    this.stripTimes = view.scores.map((_, seat) => {
      const last = match.moves.slice(0, index).findLast((move) => move.seat === seat);
      return h("small", {}, seconds(last?.seconds));
    });
    put(
      this.strip,
      view.scores.map((_, seat) =>
        h(
          "div",
          { class: view.seat === seat ? "on" : "" },
          this.module.chip(seat),
          h("span", {}, h("strong", {}, match.names[seat]), this.stripTimes[seat]),
          this.score(match, index, seat),
        ),
      ),
    );
  }

  /** Show the time that runs. @param {{ seat: number, seconds: number } | null} running */
  tick(running) {
    this.ticks.forEach((tick, seat) => tick(running?.seat === seat ? running.seconds : null));
    if (running && this.stripTimes[running.seat]) {
      this.stripTimes[running.seat].textContent = seconds(Math.round(running.seconds * 10) / 10);
    }
  }
}
