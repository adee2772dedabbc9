// The seats that this browser plays: their sockets, and the frame in which a game's hand works.
import { keepSeats, listen, post, seatsOf } from "../api.js";
import { h, icon, put } from "../dom.js";
import { t } from "../i18n.js";
import * as plain from "../plain.js";
import { toast } from "../toast.js";

/** @typedef {import("../types.js").GameModule} GameModule */
/** @typedef {import("../types.js").Board} Board */
/** @typedef {import("../types.js").Hand} Hand */
/** @typedef {import("../types.js").View} View */
/** @typedef {import("./store.js").MatchStore} MatchStore */
/** @typedef {{ index: number, view: View, moves: string[] }} Question */

/**
 * @typedef {object} Frame
 * @property {GameModule} module
 * @property {Board} board
 * @property {MatchStore} store
 * @property {import("./status.js").Status} status
 * @property {(view: View) => void} showNewest shows the position that is asked about
 * @property {() => void} changed when it begins, rests or ends
 */

/** One seat of this browser. */
class SeatLine {
  /** @param {SeatTable} table @param {number} seat @param {string} token */
  constructor(table, seat, token) {
    this.seat = seat;
    this.token = token;
    this.table = table;
    this.line = listen(`/api/seats/${encodeURIComponent(token)}`, {
      message: (message) => table.hear(this, message),
      changed: (state) => table.connection(state),
      isSeat: true,
    });
  }
}

/** All seats of this browser in one match. Two people may share one screen. */
export class SeatTable {
  /** @param {Frame} frame @param {(string | null)[]} tokens by seat */
  constructor(frame, tokens) {
    this.frame = frame;
    this.panel = h("div", { class: "panel" });
    this.dock = h("div", { class: "dock" });
    this.extras = h("div", { class: "seat-extras" });
    /** @type {Hand | null} */
    this.hand = null;
    /** @type {Question | null} */
    this.question = null;
    this.isPlaying = true;
    this.isSending = false;
    /** Whether another match is about to be played instead. */
    this.isLeaving = false;
    /** Whether the browser is on its way to that one. */
    this.isGone = false;
    /** Whether somebody looks at the course meanwhile. */
    this.isHeld = false;
    const mine = tokens.map((token, seat) => ({ token, seat })).filter(({ token }) => token);
    this.seat = mine[0]?.seat ?? 0;
    this.lines = mine.map(({ token, seat }) => new SeatLine(this, seat, String(token)));
    this.current = this.lines[0];
    this.drawExtras();
    void this.begin();
  }

  async begin() {
    const { module, board, status, store } = this.frame;
    /** @type {import("../types.js").Table} */
    const table = {
      board,
      panel: this.panel,
      dock: this.dock,
      seat: this.seat,
      names: store.match.names,
      status: (text, kind = "", title = "") => {
        if (this.isPlaying && !this.isHeld) status.say(text, kind, title || this.title());
      },
      place: (move) => this.place(move),
      undo: store.match.limit === null ? () => void this.undo() : null,
    };
    const start = module.hand ?? plain.hand;
    try {
      this.hand = await start(table);
    } catch (error) {
      console.warn("the game's own hand could not be loaded", error);
      this.hand = plain.hand(table);
    }
    this.resume();
    this.dock.classList.add("dealt");
  }

  /** The turn of the newest position that is known. */
  get turn() {
    const { match, end } = this.frame.store;
    return match.positions[end].turn;
  }

  title() {
    return this.question ? t("play.you") : "";
  }

  /** Go on where we are: asked, or waiting for the other. */
  resume() {
    if (!this.hand || !this.isPlaying || this.isHeld || this.isSending) return;
    if (this.question) {
      // The question may come before the position that it is about.
      if (this.question.view.turn > this.turn) return;
      this.frame.showNewest(this.question.view);
      this.hand.ask(this.question.view, this.question.moves);
    } else {
      this.hand.rest();
      this.sayWaiting();
    }
    this.frame.changed();
  }

  /** Let somebody look at the course, and go on later. @param {boolean} isHeld */
  hold(isHeld) {
    this.isHeld = isHeld;
    if (isHeld) this.hand?.rest();
    else this.resume();
  }

  sayWaiting() {
    const { match, end } = this.frame.store;
    const view = match.positions[end];
    if (!view || view.seat === null || match.result) return;
    const chip = this.frame.module.chip(view.seat);
    this.frame.status.say(t("play.think", { name: match.names[view.seat] }), "", "", chip);
  }

  /** @param {SeatLine} line @param {any} message */
  hear(line, message) {
    if (message.type === "asked") {
      this.current = line;
      this.seat = line.seat;
      this.isSending = false;
      this.question = message;
      this.resume();
    } else if (message.type === "refused") this.refused(message);
    else if (message.type === "next") {
      const known = seatsOf(message.id);
      const tokens = [0, 1].map((seat) => (seat === line.seat ? message.token : known[seat]));
      this.goTo(
        message.id,
        tokens.map((token) => (token ? { token } : null)),
      );
    } else if (message.type === "taken") this.taken();
    else if (["ended", "unknown", "gone"].includes(message.type)) this.end();
  }

  /** @param {any} message */
  refused({ move, reason, cells }) {
    this.isSending = false;
    this.resume();
    if (this.hand?.refused) this.hand.refused(move, reason, cells);
    else this.frame.status.say(t("play.refused", { why: t(reason) }), "no");
  }

  /** @param {string} move */
  place(move) {
    if (!this.question || this.isSending) return;
    const sent = this.current.line.send({ type: "move", move, index: this.frame.store.end });
    if (!sent) {
      this.frame.status.say(t("play.offline"), "warn");
      return;
    }
    this.isSending = true;
    this.frame.status.say(t("play.sent"));
  }

  /** The match went on. If it was our move, we are no longer asked. */
  moved() {
    if (this.question && this.turn > this.question.view.turn) {
      this.question = null;
      this.isSending = false;
    }
    this.resume();
  }

  async undo() {
    const { match } = this.frame.store;
    this.isLeaving = true;
    try {
      const path = `/api/matches/${encodeURIComponent(match.id)}/undo`;
      const started = await post(path, {}, this.current.token);
      this.goTo(started.id, started.seats ?? []);
    } catch (error) {
      if (this.isGone) return;
      this.isLeaving = false;
      toast(/** @type {Error} */ (error).message, "bad");
    }
  }

  /**
   * Go to the match that is played instead. Whoever takes a move back is told of it twice, by the
   * answer and at the seat. Going there twice would break off the first time.
   * @param {string} id @param {({ token: string } | null)[]} seats
   */
  goTo(id, seats) {
    this.isLeaving = true;
    keepSeats(id, seats);
    if (this.isGone) return;
    this.isGone = true;
    location.href = `/match/${encodeURIComponent(id)}`;
  }

  /** @param {"open" | "lost"} state */
  connection(state) {
    if (!this.isPlaying || this.isHeld) return;
    if (state === "lost") this.frame.status.say(t("play.offline"), "warn");
    else this.resume();
  }

  taken() {
    this.end();
    const again = () => location.reload();
    const button = h("button", { class: "btn", type: "button", onclick: again }, t("play.back"));
    this.frame.status.say(t("play.taken"), "warn", "", null, button);
  }

  end() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    for (const { line } of this.lines) line.close();
    this.hand?.rest();
    this.hand?.close();
    put(this.extras);
    this.frame.changed();
  }

  /** Ask what became of our seats, because another match is played instead. */
  follow() {
    if (this.isPlaying) return; // we are told
    this.lines = this.lines.map(({ seat, token }) => new SeatLine(this, seat, token));
  }

  drawExtras() {
    const label = h("span", {}, t("play.resign"));
    const resign = h("button", { class: "btn", type: "button" }, icon("close"), label);
    let isSure = false;
    resign.addEventListener("click", () => {
      if (isSure) this.current.line.send({ type: "resign" });
      isSure = true;
      label.textContent = t("play.resign.sure");
    });
    put(this.extras, resign);
  }

  redraw() {
    if (!this.isPlaying) return;
    this.drawExtras();
    this.hand?.redraw?.();
    this.resume();
  }
}
