// Playing by hand: mouse, touch and keyboard end in the same few calls of one desk.
import { h, put } from "/static/js/dom.js";
import { t } from "/static/js/i18n.js";
import "./hand_words.js";
import { Choice } from "./choice.js";
import { GhostLayer } from "./ghost.js";
import { KEYS, listenToKeys } from "./hand_keys.js";
import { COLORS, PIECES } from "./pieces.js";
import { Placing } from "./placing.js";
import { lift, listenOnBoard } from "./pointer.js";
import { Rack, tool } from "./rack.js";

/** @typedef {import("/static/js/types.js").Table} Table */
/** @typedef {import("/static/js/types.js").View} View */

/** @param {string[]} names @returns {Set<number>} */
const handOf = (names) => new Set(names.map((name) => PIECES.indexOf(name)));

export class ByHand {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.board = /** @type {import("./draw.js").Board} */ (table.board);
    /** The choice in this turn, null while it is not ours. @type {Choice | null} */
    this.choice = null;
    /** The last position in which we were asked. @type {View | null} */
    this.view = null;
    this.touch = matchMedia("(pointer: coarse)").matches;
    /** Whether to show where anything fits. */
    this.everything = false;
    /** Whether skipping was asked for once. */
    this.passing = false;
    /** Whether the move of this turn is on its way. */
    this.sent = false;
    /** Whether a move was sent from here. */
    this.moved = false;
    /** The hand that is shown. */
    this.shown = { color: table.seat, hand: handOf(PIECES) };
    this.said = "";
    this.layer = new GhostLayer(this.board);
    this.layer.svg.setAttribute("tabindex", "0");
    this.layer.svg.setAttribute("role", "application");
    this.rack = new Rack({
      lift: (event, p) => lift(this, event, p),
      choose: (p) => this.choose(p, true),
    });
    this.tools = {
      left: tool("hand.left", "left", "⇧R", () => this.turn(-1)),
      right: tool("hand.right", "right", "R", () => this.turn(1)),
      flip: tool("hand.flip", "flip", "F", () => this.flip()),
      place: tool("hand.place", "check", "↵", () => this.place(), "main wide"),
      where: tool("hand.where.button", "bulb", "W", () => this.where()),
      undo: tool("hand.undo", "undo", "U", () => this.undo()),
      pass: tool("hand.pass", "skip", "P", () => this.pass()),
    };
    this.fillPage();
    this.stop = new AbortController();
    listenOnBoard(this, this.stop.signal);
    listenToKeys(this, this.stop.signal);
    this.draw();
  }
  fillPage() {
    const { left, right, flip, place, where, undo, pass } = this.tools;
    const nodes = [left, right, flip, place].map((one) => one.node);
    put(this.table.dock, this.rack.element, h("div", { class: "act" }, nodes));
    put(this.table.panel, h("div", { class: "more" }, where.node, undo.node, pass.node));
  }

  // What the match page calls

  /** @param {View} view @param {string[]} moves */
  ask(view, moves) {
    const isAgain = this.choice && this.view?.position === view.position;
    this.view = view;
    // A seat that comes back after a lost connection keeps the piece in hand.
    if (!this.choice || !isAgain) this.choice = new Choice(new Placing(view, moves));
    const { color, hand, isFirst, startPiece } = this.choice.placing;
    this.shown = { color, hand };
    this.passing = this.sent = false;
    // There is only one piece to begin with.
    if (isFirst && !isAgain) this.choice.take(startPiece);
    this.draw();
    if (isFirst) this.rack.reveal(startPiece);
  }
  rest() {
    this.showNext();
    this.choice = null;
    this.passing = this.everything = this.sent = false;
    this.draw();
  }
  /** Show the hand of the colour that this seat moves next, as far as the last position tells. */
  showNext() {
    if (!this.choice || !this.view) return;
    const { color } = this.choice.placing;
    const other = (color + 2) % 4;
    if (this.view.colors[other].in_play)
      this.shown = { color: other, hand: handOf(this.view.colors[other].hand) };
    else if (this.sent && this.choice.pick) {
      const hand = new Set(this.choice.placing.hand);
      hand.delete(this.choice.pick.p);
      this.shown = { color, hand };
    }
  }
  /** @param {import("/static/js/types.js").Text} reason */
  refused(reason) {
    this.sent = false;
    this.draw();
    this.say(t(reason), "no");
  }
  close() {
    this.stop.abort();
    this.layer.remove();
    this.layer.svg.classList.remove("aiming");
    this.layer.svg.removeAttribute("tabindex");
    this.layer.svg.setAttribute("role", "img");
    put(this.table.dock);
    put(this.table.panel);
  }

  // What a person does

  /**
   * Take a piece.
   * @param {number} p @param {boolean} [fromKeys]
   * @returns {boolean} whether it was taken
   */
  choose(p, fromKeys = false) {
    if (!this.choice || this.sent) return false;
    if (!this.choice.take(p)) {
      this.say(t("hand.notfirst", { piece: this.view?.start_piece }), "no");
      return false;
    }
    this.passing = this.everything = false;
    if (fromKeys) this.settle(this.choice);
    this.draw();
    return true;
  }
  /**
   * For those who do not point: begin where the piece fits, and go on with the board.
   * @param {Choice} choice
   */
  settle(choice) {
    if (choice.ghost) choice.snap(Infinity);
    else choice.begin();
    this.layer.svg.focus({ preventScroll: true });
    if (choice.pick) this.rack.reveal(choice.pick.p);
  }
  /** Take the next piece of a size. @param {number} size 0 for any @param {number} way */
  cycle(size, way) {
    if (!this.choice || this.sent || !this.choice.cycle(size, way)) return;
    this.passing = this.everything = false;
    this.settle(this.choice);
    this.draw();
  }
  /** @param {number} x @param {number} y */
  aim(x, y) {
    this.change((choice) => choice.aim(x, y));
  }
  /** @param {number} dx @param {number} dy */
  step(dx, dy) {
    this.change((choice) => {
      if (choice.ghost) choice.aim(choice.ghost.x + dx, choice.ghost.y + dy);
      else choice.begin();
    });
  }
  /** @param {number} way */
  turn(way) {
    this.change((choice) => choice.turn(way));
  }
  flip() {
    this.change((choice) => choice.flip());
  }
  /** @param {number} way */
  jump(way) {
    this.change((choice) => choice.jump(way));
  }
  /** A finger is not exact, so a place near by attracts. */
  snap() {
    this.change((choice) => choice.snap(1.5));
  }
  putBack() {
    this.change((choice) => choice.drop());
  }
  /** The pointer has left the board. */
  lose() {
    this.change((choice) => {
      choice.ghost = null;
    });
  }
  /** @param {(choice: Choice) => void} act */
  change(act) {
    if (!this.choice || this.sent) return;
    const { pick, ghost } = this.choice;
    act(this.choice);
    const now = this.choice;
    const isSame = pick === now.pick && ghost?.x === now.ghost?.x && ghost?.y === now.ghost?.y;
    if (!isSame) this.draw();
  }
  where() {
    if (!this.choice || this.sent) return;
    this.everything = !this.everything;
    this.passing = false;
    this.choice.drop();
    this.draw();
  }
  place() {
    const { choice } = this;
    if (!choice?.pick || this.sent) return;
    if (!choice.ghost) this.change((one) => one.begin());
    else if (choice.move) this.send(choice.move);
    else this.layer.shake();
  }
  pass() {
    const skip = this.choice?.placing.skip;
    if (!this.choice || !skip || this.sent) return;
    this.choice.drop();
    if (this.passing) this.send(skip);
    else {
      this.passing = true;
      this.everything = false;
      this.draw();
    }
  }
  /** @param {string} move */
  send(move) {
    this.passing = false;
    this.sent = this.moved = true;
    this.draw();
    this.table.place(move);
  }
  undo() {
    this.table.undo?.();
  }

  // What is seen

  /** @param {string} text @param {"" | "yes" | "no" | "warn"} [kind] @param {string} [title] */
  say(text, kind = "", title = "") {
    const said = [text, kind, title].join("|");
    if (said !== this.said) this.table.status(text, kind, title);
    this.said = said;
  }
  draw() {
    const { choice, layer } = this;
    layer.show(choice, this.everything);
    layer.svg.classList.toggle("aiming", !!choice?.pick);
    layer.svg.setAttribute("aria-label", t("hand.board"));
    // The turn that can be played now, for styles and for whoever watches from outside.
    this.rack.element.dataset.turn = choice && !this.sent ? String(choice.placing.turn) : "";
    this.rack.show(this.shown.color, this.shown.hand, choice);
    this.drawTools(this.sent ? null : choice);
    if (choice) this.tell(choice);
    else this.said = "";
  }
  /** @param {Choice | null} choice */
  drawTools(choice) {
    const { left, right, flip, place, where, undo, pass } = this.tools;
    for (const one of Object.values(this.tools)) one.redraw();
    if (this.passing) pass.redraw("hand.pass.sure");
    for (const one of [left, right, flip]) one.node.disabled = !choice?.pick;
    place.node.disabled = !choice?.pick || !!choice.fault;
    where.node.disabled = !choice;
    where.node.setAttribute("aria-pressed", String(this.everything));
    undo.node.disabled = !this.table.undo || !this.hasMoved;
    pass.node.disabled = !choice?.placing.skip;
    pass.node.setAttribute("aria-pressed", String(this.passing));
  }
  /** Whether this seat has moved before, as far as we know. */
  get hasMoved() {
    const { seat } = this.table;
    const colors = this.view?.colors.filter((/** @type {any} */ one) => one.seat === seat) ?? [];
    return colors.some((/** @type {any} */ one) => one.hand.length < PIECES.length) || this.moved;
  }
  /** Say what is going on, in words. @param {Choice} choice */
  tell(choice) {
    const { pick, ghost, fault } = choice;
    const color = t(COLORS[choice.placing.color]);
    const head = t("hand.yours", { color });
    if (this.sent) return this.say(t("hand.sent"), "", head);
    if (this.passing) return this.say(t("hand.pass.ask", { color }), "warn", head);
    if (!pick) return this.say(this.advice(choice), "", head);
    const piece = PIECES[pick.p];
    if (!choice.places.length) return this.say(t("hand.nofit", { piece }), "no", head);
    if (!ghost) return this.say(this.hint(choice, piece), "", head);
    const where = t("hand.ghost", { color, piece, ...ghost });
    if (fault) return this.say(t(`hand.${fault.rule}`, { piece }), "no", where);
    return this.say(t(this.touch ? "hand.legal.touch" : "hand.legal"), "yes", where);
  }
  /**
   * Where to put a piece that does not hover over the board yet.
   * @param {Choice} choice
   * @param {string} piece
   */
  hint({ placing, here }, piece) {
    if (placing.isFirst && here.length) return t(`hand.first.${placing.startRule}`, { piece });
    const n = here.length;
    return t(n > 1 ? "hand.aim" : `hand.aim${n}`, { piece, n });
  }
  /** What to do with empty hands. @param {Choice} choice */
  advice(choice) {
    if (this.everything) return t("hand.where");
    if (choice.placing.isFirst) return t("hand.notfirst", { piece: this.view?.start_piece });
    return t("hand.choose");
  }
}

/** Start to play by hand. @param {Table} table @returns {import("/static/js/types.js").Hand} */
export function hand(table) {
  const desk = new ByHand(table);
  return {
    ask: (view, moves) => desk.ask(view, moves),
    rest: () => desk.rest(),
    refused: (_move, reason) => desk.refused(reason),
    redraw: () => {
      desk.said = "";
      desk.draw();
    },
    keys: KEYS,
    close: () => desk.close(),
  };
}
