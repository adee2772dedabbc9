// The one line that talks: what happened, who is next, why it ended. It always has the same height.
import { h, icon, put } from "../dom.js";
import { t } from "../i18n.js";

/** @typedef {import("../types.js").Match} Match */
/** @typedef {import("../types.js").Child} Child */
/** @typedef {import("../types.js").GameModule} GameModule */

/** @type {Record<string, string>} */
const SIGNS = { end: "check", fault: "close", yes: "check", no: "close", warn: "warn" };

/** The status line. */
export class Status {
  /** @param {GameModule} module @param {(index: number) => void} jump */
  constructor(module, jump) {
    this.module = module;
    this.jump = jump;
    this.element = h("div", { class: "status", role: "status" });
  }

  /**
   * Say something.
   * @param {Child} text @param {string} [kind] end, fault, yes, no, warn or nothing
   * @param {string} [title] @param {Element | null} [sign] @param {Child} [action]
   */
  say(text, kind = "", title = "", sign = null, action = null) {
    const shown =
      sign ?? (SIGNS[kind] ? h("span", { class: "sign" }, icon(SIGNS[kind])) : h("span"));
    this.element.className = `status ${kind}`;
    put(
      this.element,
      shown,
      h("p", {}, title ? h("small", {}, title) : null, text),
      action || h("span"),
    );
  }

  /** Say what happened at a position. @param {Match} match @param {number} index */
  show(match, index) {
    const isEnd = index === match.positions.length - 1;
    if (match.result && isEnd) this.sayResult(match, index);
    else if (isEnd && index && match.notes?.length && match.phase === "ended")
      this.say(match.notes.map((note) => t(note)).join("; "), "warn", t("m.noresult"));
    else this.sayMove(match, index, isEnd);
  }

  /** @param {Match} match @param {number} index @param {boolean} isEnd */
  sayMove(match, index, isEnd) {
    const view = match.positions[index];
    const next = this.module.mover(view) || match.names[view.seat ?? 0] || "";
    let title = view.seat === null ? t("m.ended") : t("m.next", { who: next });
    if (isEnd && match.phase === "running" && view.seat !== null) {
      title = t("m.now", { who: `${next} (${match.names[view.seat]})` });
    }
    if (isEnd && match.phase === "paused") title = t("m.paused");
    if (!index) {
      this.say(this.module.opening(view), "", title, this.module.chip(0));
      return;
    }
    const move = match.moves[index - 1];
    const { chip, full } = this.module.describe(match.positions[index - 1], move.move);
    this.say(t("m.did", { n: move.turn, what: full }), "", title, chip);
  }

  /** @param {Match} match @param {number} index */
  sayResult(match, index) {
    const result = /** @type {import("../types.js").Result} */ (match.result);
    const why = this.withTurn(match, t(result.reason));
    const text = result.regular ? [`${headline(match)} `, ...why] : why;
    this.say(text, result.regular ? "end" : "fault", t("m.why"), null, this.links(match, index));
  }

  /**
   * Return a sentence in which the turn at which it ended is a link to that turn.
   * @param {Match} match @param {string} sentence
   * @returns {Child[]}
   */
  withTurn(match, sentence) {
    const { index } = /** @type {import("../types.js").Result} */ (match.result);
    const view = match.positions[index];
    const name = view ? t("turn.n", { n: view.turn }) : "";
    if (!name || !sentence.startsWith(`${name}:`)) return [sentence];
    const open = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.jump(index);
    };
    const link = h("a", { href: `#turn=${view.turn}`, onclick: open }, name);
    return [link, sentence.slice(name.length)];
  }

  /** @param {Match} match @param {number} index */
  links(match, index) {
    const { fault, index: where } = /** @type {import("../types.js").Result} */ (match.result);
    if (where !== index && where < match.positions.length) {
      const open = (/** @type {Event} */ event) => {
        event.preventDefault();
        this.jump(where);
      };
      const href = `#turn=${match.positions[where].turn}`;
      return h("a", { class: "btn", href, onclick: open }, t("m.show"));
    }
    return fault ? h("a", { class: "btn", href: `/rules/${match.game}` }, t("m.rules")) : null;
  }
}

/** @param {Match} match */
function headline(match) {
  const { winner, scores } = /** @type {import("../types.js").Result} */ (match.result);
  const [x, y] = scores.map((numbers) => numbers[0]);
  if (winner === null) return t("m.draw", { x, y });
  const order = winner === 0 ? { x, y } : { x: y, y: x };
  return t("m.wins", { a: match.names[winner], ...order });
}
