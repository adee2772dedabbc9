// Playing by hand: choose a field, see what it costs and what may follow, and go there.
import { h, icon, put } from "/static/js/dom.js";
import { signed, t } from "/static/js/i18n.js";
import "./hand_words.js";
import { clearCourse, showCourse } from "./course.js";
import { KEYS, listenToKeys } from "./hand_keys.js";
import { CARD_SIGNS, smallSign } from "./signs.js";
import { follow, mine, movesTo, reason } from "./walking.js";

/** @typedef {import("/static/js/types.js").Table} Table */
/** @typedef {import("/static/js/types.js").View} View */
/** @typedef {{ view: View, moves: string[] }} Turn */

export class ByHand {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.track = /** @type {import("./track.js").Track} */ (table.board);
    /** What we were asked, null while it is not our turn. @type {Turn | null} */
    this.turn = null;
    /** The field that is looked at. @type {number | null} */
    this.aimed = null;
    /** Which of the moves to that field is chosen. */
    this.chosen = 0;
    /** Whether the target was chosen, so that a passing mouse does not change it. */
    this.isFixed = false;
    this.sent = false;
    this.said = "";
    this.choices = h("div", { class: "chain", role: "group" });
    this.acts = h("div", { class: "walk-acts" });
    this.box = h("section", { class: "card walk" }, this.choices, this.acts);
    put(table.dock, this.box);
    const { element } = this.track;
    element.setAttribute("tabindex", "0");
    element.setAttribute("role", "application");
    this.stop = new AbortController();
    this.listen(this.stop.signal);
    listenToKeys(this, this.stop.signal);
    this.track.rebuilt = () => this.draw();
    this.draw();
  }
  /** @param {AbortSignal} signal */
  listen(signal) {
    const { element } = this.track;
    const fieldOf = (/** @type {Event} */ event) => {
      const node = event.target instanceof Element && event.target.closest("[data-field]");
      return node ? Number(node.getAttribute("data-field")) : null;
    };
    const look = (/** @type {PointerEvent} */ event) => {
      const field = fieldOf(event);
      if (event.pointerType === "mouse" && field !== null && !this.isFixed) this.aim(field);
    };
    element.addEventListener("pointerover", look, { signal });
    element.addEventListener(
      "click",
      (event) => {
        const field = fieldOf(event);
        // A mouse has looked at the field before, a finger has not.
        const isMouse = event instanceof PointerEvent && event.pointerType === "mouse";
        if (field !== null) this.point(field, isMouse);
      },
      { signal },
    );
  }

  // What the match page calls

  /** @param {View} view @param {string[]} moves */
  ask(view, moves) {
    if (this.turn?.view.position !== view.position) this.forget();
    this.turn = { view, moves };
    this.sent = false;
    this.draw();
  }
  rest() {
    this.turn = null;
    this.sent = false;
    this.forget();
    this.draw();
  }
  /** @param {import("/static/js/types.js").Text} why */
  refused(why) {
    this.sent = false;
    this.draw();
    this.say(t(why), "no");
  }
  close() {
    this.stop.abort();
    clearCourse(this.track);
    this.track.rebuilt = () => {};
    this.track.element.removeAttribute("tabindex");
    this.track.element.setAttribute("role", "img");
    put(this.table.dock);
  }

  // What a person does

  forget() {
    this.aimed = null;
    this.chosen = 0;
    this.isFixed = false;
  }
  /** Look at a field. @param {number | null} field */
  aim(field) {
    if (!this.turn || this.sent || field === this.aimed) return;
    this.aimed = field;
    this.chosen = 0;
    this.draw();
  }
  /**
   * A click or a tap on a field. It goes there if the price was seen before and there is nothing to choose.
   * @param {number} field @param {boolean} isMouse
   */
  point(field, isMouse) {
    if (!this.turn || this.sent) return;
    const wasSeen = this.aimed === field && (isMouse || this.isFixed);
    this.aim(field);
    this.isFixed = this.ways.length > 0;
    if (wasSeen && this.ways.length === 1) this.go();
    else this.draw();
  }
  /**
   * Look at the next field in reach, or at the next of all.
   * @param {number} way
   * @param {boolean} all
   */
  next(way, all) {
    if (!this.turn) return;
    const { view, moves } = this.turn;
    const fields = [...view.board.keys()].filter((n) => all || movesTo(view, moves, n).length);
    if (!fields.length) return;
    const from = this.aimed ?? mine(view).field;
    const on = way > 0 ? fields.find((n) => n > from) : fields.findLast((n) => n < from);
    this.isFixed = true;
    this.aim(on ?? fields.at(way > 0 ? 0 : -1) ?? null);
  }
  /** Choose the next of the card sequences. @param {number} way */
  turnCards(way) {
    const { length } = this.ways;
    if (length) this.choose((this.chosen + way + length) % length);
  }
  /** @param {number} n */
  choose(n) {
    this.chosen = n;
    this.draw();
  }
  go() {
    const move = this.ways[this.chosen];
    if (move) this.send(move);
  }
  /** Do one of the things besides walking. @param {number} n */
  act(n) {
    const move = this.others[n];
    if (move) this.send(move);
  }
  /** @param {string} move */
  send(move) {
    if (this.sent) return;
    this.sent = true;
    this.draw();
    this.table.place(move);
  }
  undo() {
    this.table.undo?.();
  }

  /** Whether undoing is allowed and this seat has moved before. */
  get canUndo() {
    const hare = this.turn?.view.hares[this.table.seat];
    return !!this.table.undo && (!hare || hare.last_action !== null);
  }
  /** The legal moves to the field that is looked at. */
  get ways() {
    if (!this.turn || this.aimed === null) return [];
    return movesTo(this.turn.view, this.turn.moves, this.aimed);
  }
  /** The legal moves that lead nowhere: eat, take, give, skip. */
  get others() {
    return this.turn?.moves.filter((move) => !/^[AF]/.test(move)) ?? [];
  }

  // What is seen

  /** @param {string} text @param {"" | "yes" | "no" | "warn"} [kind] @param {string} [title] */
  say(text, kind = "", title = "") {
    const said = [text, kind, title].join("|");
    if (said !== this.said) this.table.status(text, kind, title);
    this.said = said;
  }
  draw() {
    const { track, turn } = this;
    track.element.setAttribute("aria-label", t("walk.board"));
    // The turn that can be played now, for styles and for whoever watches from outside.
    this.box.dataset.turn = turn && !this.sent ? String(turn.view.turn) : "";
    if (!turn) {
      clearCourse(track);
      put(this.choices);
      put(this.acts, this.goButton(), this.undoButton());
      this.said = "";
      return;
    }
    showCourse(track, turn.view, turn.moves, this.aimed);
    this.drawChoices(turn);
    this.tell(turn);
  }
  goButton() {
    return h(
      "button",
      {
        class: "btn main wide",
        type: "button",
        disabled: this.sent || !this.ways.length,
        onclick: () => this.go(),
      },
      icon("check"),
      t("walk.go"),
    );
  }
  /** @param {View} view @param {string} move @param {number} n */
  otherButton(view, move, n) {
    const name = inWords(view, move);
    return h(
      "button",
      {
        class: "btn other",
        type: "button",
        disabled: this.sent,
        title: name,
        "aria-label": name,
        "data-move": move,
        onclick: () => this.act(n),
      },
      otherSign(move),
      shortly(view, move),
    );
  }
  undoButton() {
    return h(
      "button",
      {
        class: "btn square",
        type: "button",
        title: t("walk.undo"),
        "aria-label": t("walk.undo"),
        disabled: !this.canUndo,
        onclick: () => this.undo(),
      },
      icon("undo"),
    );
  }
  /** @param {Turn} turn */
  drawChoices({ view }) {
    const { ways } = this;
    const cards = ways.filter((move) => move.includes("C:"));
    put(
      this.choices,
      cards.length
        ? h("p", { class: "small quiet" }, t("walk.cards"))
        : about(view, this.aimed ?? mine(view).field),
      cards.map((move, n) => this.sequence(view, move, n)),
    );
    put(
      this.acts,
      this.goButton(),
      this.others.map((move, n) => this.otherButton(view, move, n)),
      this.undoButton(),
    );
  }
  /**
   * A sequence of cards in the order in which they are played, and what remains.
   * @param {View} view
   * @param {string} move
   * @param {number} n
   */
  sequence(view, move, n) {
    const [, ...cards] = move.split(" ");
    const after = follow(view, move).at(-1);
    const rest = after ? t("walk.left", { c: after.carrots, s: after.salads }) : "";
    const isJump = after && after.field !== this.aimed;
    const end = isJump ? t("walk.ends", { n: after.field, field: t(view.board[after.field]) }) : "";
    return h(
      "button",
      {
        class: "btn sequence",
        type: "button",
        "aria-pressed": String(n === this.chosen),
        disabled: this.sent,
        onclick: () => this.choose(n),
      },
      cards.map((card, place) => [
        place ? h("span", { class: "then", "aria-hidden": "true" }, "→") : null,
        smallSign(CARD_SIGNS[card.split(":")[1]]),
        h("span", {}, cardName(card)),
      ]),
      h("small", {}, [end, rest].filter(Boolean).join(", ")),
    );
  }
  /** Say what is going on, in words. @param {Turn} turn */
  tell({ view, moves }) {
    const hare = t(view.seat ? "hare.blue" : "hare.red");
    const head = t("walk.yours", { hare });
    const { aimed, ways } = this;
    if (this.sent) return this.say(t("walk.sent"), "", head);
    if (aimed === null) {
      const canWalk = moves.some((move) => /^[AF]/.test(move));
      const mustEat = moves.length === 1 && moves[0] === "E";
      const text = canWalk ? "walk.pick" : mustEat ? "walk.MUST_EAT_SALAD" : "walk.nowhere";
      return this.say(t(text), "", head);
    }
    const where = t("walk.to", { n: aimed, field: t(view.board[aimed]) });
    if (!ways.length) {
      const { rule, values } = reason(view, aimed);
      return this.say(t(`walk.${rule}`, values), rule === "HERE" ? "" : "no", where);
    }
    const [first] = follow(view, ways[this.chosen]);
    const d = Math.abs(aimed - mine(view).field);
    const c = Math.abs(first.carrots - mine(view).carrots);
    const key = aimed < mine(view).field ? "walk.back" : d === 1 ? "walk.cost1" : "walk.cost";
    return this.say(t(key, { d, c, r: first.carrots }), "yes", where);
  }
}

/** What a field is good for. @param {View} view @param {number} n */
function about(view, n) {
  const {
    first_gain: first,
    second_gain: second,
    retreat_gain: back,
    goal_carrots: most,
  } = view.season;
  const field = view.board[n];
  return h(
    "div",
    { class: "about" },
    smallSign(field),
    h(
      "p",
      {},
      h("strong", {}, t("walk.to", { n, field: t(field) })),
      h("br"),
      t(`walk.about.${field}`, { first, second, back, most }),
    ),
  );
}

/** @param {string} card such as C:TAKE_OR_DROP_CARROTS:-20 */
function cardName(card) {
  const [, name, value] = card.split(":");
  if (value === undefined) return t(name);
  return `${t("hare.carrots")} ${signed(Number(value))}`;
}

/** @param {string} move */
function otherSign(move) {
  return move === "S" ? icon("skip") : smallSign(move === "E" ? "SALAD" : "CARROT");
}

/** What a move does that is not a walk. @param {View} view @param {string} move */
function inWords(view, move) {
  const gain = (follow(view, move).at(-1)?.carrots ?? 0) - mine(view).carrots;
  const keys = { E: "walk.eat", S: "walk.skip", X: gain > 0 ? "walk.take" : "walk.give" };
  return t(keys[/** @type {keyof typeof keys} */ (move[0])], { c: Math.abs(gain) });
}

/** The same on a small button. @param {View} view @param {string} move */
function shortly(view, move) {
  const gain = (follow(view, move).at(-1)?.carrots ?? 0) - mine(view).carrots;
  if (move === "S") return t("walk.skip");
  return move === "E" ? `${t("EAT_SALAD")}, +${gain}` : signed(gain);
}

/** Start to play by hand. @param {Table} table @returns {import("/static/js/types.js").Hand} */
export function hand(table) {
  const desk = new ByHand(table);
  return {
    ask: (view, moves) => desk.ask(view, moves),
    rest: () => desk.rest(),
    refused: (_move, why) => desk.refused(why),
    redraw: () => {
      desk.said = "";
      desk.draw();
    },
    keys: KEYS,
    close: () => desk.close(),
  };
}
