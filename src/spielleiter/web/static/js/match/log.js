// The list of moves, and beside the chosen one what its bot noted, hinted and printed.
import { h, put } from "../dom.js";
import { seconds, t } from "../i18n.js";
import { judgement, showSign, signSlot, slipAt } from "./judgement.js";

/** @typedef {import("../types.js").Match} Match */
/** @typedef {import("../types.js").Move} Move */
/** @typedef {import("../types.js").GameModule} GameModule */

/** Moves and notes. */
export class Log {
  /**
   * @param {GameModule} module @param {import("../types.js").GameInfo | undefined} game
   * @param {(index: number) => void} jump @param {Element} tools beside the heading
   */
  constructor(module, game, jump, tools) {
    this.module = module;
    this.game = game;
    this.jump = jump;
    this.heading = h("h2");
    const head = h("div", { class: "log-head" }, this.heading, tools);
    this.moves = h("ol", { class: "moves", tabindex: -1 });
    this.notes = h("div", { class: "notes", tabindex: 0, role: "region" });
    this.element = h("section", { class: "log card" }, head, this.moves, this.notes);
    this.drawn = 0;
  }

  /** Draw all moves anew, for another language or another match. @param {Match} match */
  reset(match) {
    this.drawn = 0;
    this.heading.textContent = t("m.moves");
    this.notes.setAttribute("aria-label", t("m.notes"));
    put(this.moves);
    this.add(match);
  }

  /** Add the moves that are new. @param {Match} match */
  add(match) {
    const rows = match.moves
      .slice(this.drawn)
      .map((move, n) => this.row(match, move, this.drawn + n));
    this.moves.append(...rows);
    this.drawn = match.moves.length;
  }

  /**
   * Draw one move anew, because its bot's notes have come.
   * @param {Match} match
   * @param {number} index
   */
  mend(match, index) {
    const row = this.moves.children[index - 1];
    row?.replaceWith(this.row(match, match.moves[index - 1], index - 1));
  }

  /** Show what the analysis says by now. @param {Match} match @param {number} index */
  judge(match, index) {
    for (const [i, row] of [...this.moves.children].entries()) {
      const slot = row.querySelector(".verdict");
      if (slot) showSign(slot, slipAt(match, i + 1));
    }
    this.showNotes(match, index);
  }

  /** @param {Match} match @param {Move} move @param {number} i */
  row(match, move, i) {
    const sign = signSlot();
    showSign(sign, slipAt(match, i + 1));
    const { chip, picture, short, full } = this.module.describe(match.positions[i], move.move);
    const share = Math.min(1, (move.seconds ?? 0) / (match.limit ?? 2));
    const open = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.jump(i + 1);
    };
    return h(
      "li",
      {},
      h(
        "a",
        {
          href: `#turn=${match.positions[i + 1].turn}`,
          "data-index": i + 1,
          title: `${full}\n${move.move}`,
          onclick: open,
        },
        h("span", { class: "n" }, move.turn),
        chip,
        h("span", { class: "movepic" }, picture),
        h("span", { class: "mono" }, h("span", { class: "cut" }, short), sign, this.flag(move)),
        h(
          "span",
          { class: "tbar" },
          seconds(move.seconds),
          move.seconds === null ? null : h("i", { style: { "--w": `${share * 100}%` } }),
        ),
      ),
    );
  }

  /** @param {Move} move */
  flag(move) {
    const { thoughts } = move;
    if (thoughts?.problem || thoughts?.is_fallback) {
      return h("span", { class: "slipmark", title: t("m.fallback") }, "!");
    }
    if (thoughts?.failed?.length) {
      return h("span", { class: "slipmark", title: thoughts.failed.join("\n") }, "!");
    }
    const says = thoughts?.notes.length || move.hints.length;
    return says ? h("span", { class: "says", "aria-hidden": "true" }, "›") : null;
  }

  /**
   * Point at the move that led to a position, and show what belongs to it.
   * @param {Match} match
   * @param {number} index
   */
  show(match, index) {
    this.moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = this.moves.children[index - 1];
    row?.firstElementChild?.setAttribute("aria-current", "true");
    requestAnimationFrame(() => this.reveal(row));
    this.showNotes(match, index);
  }

  /** @param {Element | undefined} row */
  reveal(row) {
    const top = row instanceof HTMLElement ? row.offsetTop - this.moves.clientHeight / 2 + 16 : 0;
    this.moves.scrollTop = top;
  }

  /** @param {Match} match @param {number} index */
  showNotes(match, index) {
    const move = index ? match.moves[index - 1] : null;
    const who = move ? t("m.notes.of", { who: match.names[move.seat], n: move.turn }) : "";
    const lines = [...fileNotes(match, index), ...thoughtLines(move), ...printed(match, index)];
    const judged = judgement(match, index, this.module, this.game);
    put(
      this.notes,
      h("h2", {}, t("m.notes"), who ? h("span", { class: "quiet small" }, ` · ${who}`) : null),
      judged,
      lines.length ? h("ul", {}, lines) : null,
      lines.length || judged.some(Boolean) ? null : h("p", { class: "quiet small" }, t("m.none")),
    );
  }
}

/** @param {Match} match @param {number} index */
function fileNotes(match, index) {
  if (index) return [];
  return (match.notes ?? []).map((note) => h("li", {}, `${t("m.file")}: ${t(note)}`));
}

/** @param {Move | null} move */
function thoughtLines(move) {
  if (!move) return [];
  const { thoughts } = move;
  return [
    thoughts?.is_fallback ? h("li", { class: "trouble" }, t("m.fallback")) : null,
    thoughts?.problem ? h("li", { class: "trouble mono" }, thoughts.problem) : null,
    ...(thoughts?.failed ?? []).map((failed) => h("li", { class: "trouble mono" }, failed)),
    ...(thoughts?.notes ?? []).map((note) => h("li", { class: "mono" }, note)),
    ...(thoughts?.marks ?? []).filter(({ text }) => text.length > 2).map(markLine),
    ...move.hints.map((hint) => h("li", { class: "mono" }, `${t("m.hint")}: ${hint}`)),
  ].filter((line) => line !== null);
}

/** @param {import("../types.js").Mark} mark */
const markLine = ({ x, y, text }) => h("li", { class: "mono" }, `${x}, ${y}: ${text}`);

/**
 * What was printed while this move was thought about, and what is printed now.
 * @param {Match} match
 * @param {number} index
 */
function printed(match, index) {
  const isNewest = index === match.positions.length - 1;
  return match.output
    .filter((line) => line.index === index - 1 || (isNewest && line.index >= index))
    .map(({ seat, stream, text }) =>
      h(
        "li",
        { class: `mono printed ${stream === "stderr" ? "err" : ""}`, title: stream },
        text.startsWith(match.names[seat] ?? "") ? "" : `${match.names[seat]}: `,
        text,
      ),
    );
}
