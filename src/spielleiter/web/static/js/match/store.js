// A match as it is known here. Messages of the live socket change it.

/** @typedef {import("../types.js").Match} Match */
/**
 * @typedef {"all" | "position" | "asked" | "output" | "seats" | "ended" | "result" | "gone"
 *   | "mended" | "analysed"} Change
 */

/** Keeps one match and tells what changed. */
export class MatchStore {
  /** @param {Match} match @param {(change: Change, index?: number) => void} changed */
  constructor(match, changed) {
    this.match = match;
    this.changed = changed;
    /** When the player on turn was asked, by the clock of this page. */
    this.askedAt = 0;
    this.isGone = false;
    /** The match that is played instead, if there is one. @type {string | null} */
    this.next = null;
    this.noteAsked();
  }

  /** The index of the newest position. */
  get end() {
    return this.match.positions.length - 1;
  }

  get isOver() {
    return this.match.phase === "ended";
  }

  /** The seat whose time runs and for how long, or null. */
  get running() {
    const { asked, phase } = this.match;
    if (!asked || phase !== "running") return null;
    return { seat: asked.seat, seconds: (performance.now() - this.askedAt) / 1000 };
  }

  noteAsked() {
    this.askedAt = performance.now() - 1000 * (this.match.asked?.seconds ?? 0);
  }

  /**
   * Take in a message. The end is told once, whichever message brings it. Who lacks many positions
   * hears of it by the whole match, and when somebody has left, the seats come first.
   * @param {any} message
   */
  hear(message) {
    const wasOver = this.isOver;
    this.take(message);
    if (this.isOver && !wasOver) this.changed("ended");
  }

  /** @param {any} message */
  take(message) {
    switch (message.type) {
      case "match":
        return this.setMatch(message.match);
      case "position":
        return this.addPosition(message);
      case "asked":
        this.match.asked = { seat: message.seat, seconds: message.seconds };
        this.noteAsked();
        return this.changed("asked");
      case "output":
        this.addOutput(message.first, message.lines);
        return this.changed("output");
      case "seats":
        return this.setSeats(message);
      case "paused":
        this.match.phase = message.is_paused ? "paused" : "running";
        return this.changed("seats");
      case "ended":
        Object.assign(this.match, { phase: "ended", result: message.result, asked: null });
        return this.changed("result");
      case "analysis":
        return this.setAnalysis(message.analysis);
      case "gone":
        this.isGone = true;
        this.next = message.next ?? null;
        return this.changed("gone");
    }
  }

  /**
   * Take the whole match instead. What was printed after the server wrote it may be here already.
   * @param {Match} match
   */
  setMatch(match) {
    const { output, printed } = this.match;
    this.match = match;
    this.addOutput(printed - output.length, output);
    this.noteAsked();
    this.changed("all");
  }

  /**
   * Add the lines that are not there yet.
   * @param {number} first how many were printed before them
   * @param {import("../types.js").Output[]} lines
   */
  addOutput(first, lines) {
    const { match } = this;
    match.output.push(...lines.slice(Math.max(0, match.printed - first)));
    match.printed = Math.max(match.printed, first + lines.length);
  }

  /**
   * @param {{ index: number, view: import("../types.js").View, move: import("../types.js").Move | null }} message
   */
  addPosition({ index, view, move }) {
    const { positions, moves } = this.match;
    if (index > positions.length) return;
    const isNew = index === positions.length;
    positions[index] = view;
    if (index && move) moves[index - 1] = move;
    if (isNew) this.match.asked = null;
    if (isNew && this.match.phase === "waiting") this.match.phase = "running";
    this.changed(isNew ? "position" : "mended", index);
  }

  /** @param {import("../types.js").Analysis} analysis */
  setAnalysis(analysis) {
    this.match.analysis = analysis;
    this.match.evaluation = analysis.positions.map((one) => one?.points ?? null);
    this.changed("analysed");
  }

  /** @param {{ seats: import("../types.js").Seat[], phase: Match["phase"] }} message */
  setSeats({ seats, phase }) {
    this.match.seats = seats;
    this.match.names = seats.map((seat) => seat.name);
    this.match.phase = phase;
    this.changed("seats");
  }
}
