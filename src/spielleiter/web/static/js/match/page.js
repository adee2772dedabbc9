// Puts the parts of a match together and keeps them at one position.
import { get, isSaved, listen } from "../api.js";
import { h, icon, put } from "../dom.js";
import { guarded } from "../guard.js";
import { t, translate } from "../i18n.js";
import { onKey } from "../keys.js";
import { copyText, toast } from "../toast.js";
import { AnalysisTools } from "./analysis.js";
import { Curves } from "./curves.js";
import { evaluationBar } from "./evaluation.js";
import { forkDialog } from "./fork.js";
import { nextSlip, slipAt } from "./judgement.js";
import { Log } from "./log.js";
import { Players } from "./players.js";
import { saveMenu } from "./save.js";
import { SeatTable } from "./seats.js";
import { Status } from "./status.js";
import { MatchStore } from "./store.js";
import { tool, Transport } from "./transport.js";

/** @typedef {import("../types.js").Match} Match */
/** @typedef {import("../types.js").GameModule} GameModule */
/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {import("./store.js").Change} Change */

const TICK = 100;
/** @type {import("../shell.js").Keys} */
const KEYS = [
  [
    "k.replay",
    [
      [["←", "→"], "k.one"],
      [["↑", "↓"], "k.round"],
      [["Home", "End"], "k.ends"],
      [["Space"], "k.auto"],
      [["C"], "k.copy"],
      [["F"], "k.fork"],
      [["N", "⇧N"], "k.slip"],
    ],
  ],
];

/** The page of a match that has at least one position. */
export class MatchPage {
  /**
   * @param {HTMLElement} main @param {Match} match @param {GameModule} module
   * @param {GameInfo | undefined} game @param {(string | null)[]} tokens of our seats
   */
  constructor(main, match, module, game, tokens) {
    this.main = main;
    this.module = module;
    this.store = new MatchStore(match, (change, index) => this.changed(change, index));
    this.at = this.store.end;
    this.isFollowing = !this.store.isOver;
    const jump = (/** @type {number} */ index) => this.choose(index);
    this.board = module.board({ match: match.id, label: t(match.title) });
    this.players = new Players(module, game);
    this.curves = new Curves(module, jump);
    this.analysis = new AnalysisTools(this.store);
    this.log = new Log(module, game, jump, this.analysis.element);
    this.status = new Status(module, jump);
    this.fork = forkDialog();
    this.transport = new Transport(
      { at: () => this.at, end: () => this.store.end, go: jump },
      this.extraTools(),
    );
    this.evaluation = evaluationBar();
    this.isLooking = false;
    this.isDue = false;
    this.build(match);
    this.fromHash();
    this.log.reset(match);
    this.curves.draw(match);
    /** @type {SeatTable | null} */
    this.table = null;
    if (!this.store.isOver && tokens.some(Boolean)) this.sitDown(tokens);
    this.draw();
    this.listen();
    void this.analysis.prepare();
  }

  get keys() {
    const hand = this.isPlaying ? (this.table?.hand?.keys ?? []) : [];
    return hand.length ? hand : KEYS;
  }

  /** Whether a seat of this browser is being played and shown. */
  get isPlaying() {
    return Boolean(this.table?.isPlaying) && !this.isLooking;
  }

  extraTools() {
    const fork = h(
      "button",
      { class: "btn", type: "button", onclick: () => this.openFork(), "data-label": "m.fork" },
      icon("fork"),
      h("span", { class: "text", "data-t": "m.fork" }),
    );
    return [
      tool("m.link", "link", () => this.copyLink(), isSaved ? "" : "roomy"),
      isSaved ? h("span") : fork,
      isSaved
        ? h("span")
        : saveMenu(
            () => this.store.match,
            () => this.at,
            () => this.copyLink(),
          ),
    ];
  }

  /** @param {Match} match */
  build(match) {
    document.title = `${match.names.join(" – ")} · Spielleiter`;
    if (this.module.look) this.main.classList.add(this.module.look);
    this.playArea = h("section", { class: "playarea", hidden: true });
    put(
      this.main,
      h("h1", { class: "sr" }, `${t(match.title)}: ${match.names.join(" – ")}`),
      this.players.strip,
      this.status.element,
      h(
        "section",
        { class: "stage" },
        this.evaluation.element,
        h("div", { class: "boardwrap" }, this.board.element),
        h("div", { class: "scrub" }, this.curves.element, this.transport.slider),
        this.transport.element,
      ),
      this.playArea,
      this.players.cards,
      this.log.element,
    );
  }

  listen() {
    addEventListener("hashchange", () => {
      this.fromHash();
      this.draw();
    });
    onKey((event, target) => this.key(event, target));
    // Also when it is over, because another one may be played instead.
    if (isSaved || this.store.match.source !== "live") return;
    const path = `/api/matches/${encodeURIComponent(this.store.match.id)}/live`;
    const known = () => {
      const { positions, printed } = this.store.match;
      return `${path}?since=${positions.length}&lines=${printed}`;
    };
    listen(known, {
      message: (message) => this.store.hear(message),
      changed: (state) => this.connection(state),
    });
    setInterval(() => this.tick(), TICK);
  }

  /** @param {"open" | "lost"} state */
  connection(state) {
    if (this.isPlaying) this.table?.connection(state);
    else if (state === "lost" && !this.store.isOver) this.status.say(t("m.lost"), "warn");
    else this.draw();
  }

  /** @param {Change} change @param {number} [index] of the position that it is about */
  changed(change, index = 0) {
    const { match } = this.store;
    if (this.table?.isLeaving) return; // how this one ends is of no interest any more
    if (change === "all") this.log.reset(match);
    if (change === "position" || change === "all") this.drawSoon();
    else if (change === "mended") {
      this.log.mend(match, index);
      if (index === this.at) this.draw();
    } else if (change === "output") this.log.showNotes(match, this.at);
    else if (change === "analysed") this.drawAnalysis();
    else if (change === "ended") {
      this.table?.end();
      this.drawSoon();
      void this.complete();
    } else if (change === "gone") {
      // Another one is played instead. Whoever has a seat is told so with the seat that is theirs
      // there.
      const { next } = this.store;
      if (next && this.table) this.table.follow();
      else if (next) location.replace(`/match/${encodeURIComponent(next)}`);
      else if (!this.store.isOver) this.status.say(t("m.gone"), "warn");
    } else if (change === "seats" || change === "result") this.draw();
  }

  /** Draw what is new with the next frame, so that many positions at once cost no more than one. */
  drawSoon() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.drawNews();
    });
  }

  drawNews() {
    const { match, end } = this.store;
    const isNext = this.isFollowing && this.at === end - 1;
    guarded(this.log.notes, () => this.log.add(match));
    guarded(this.curves.element, () => this.curves.draw(match));
    this.at = this.isFollowing ? end : Math.min(this.at, end);
    this.draw(isNext);
    this.table?.moved();
  }

  /** When it is over, get what was not told while it ran, such as how many moves there were. */
  async complete() {
    const path = `/api/matches/${encodeURIComponent(this.store.match.id)}`;
    const match = await get(path).catch(() => null);
    if (match?.positions.length) this.store.hear({ type: "match", match });
    await this.analysis.prepare();
  }

  drawAnalysis() {
    const { match } = this.store;
    guarded(this.curves.element, () => this.curves.draw(match));
    guarded(this.log.notes, () => this.log.judge(match, this.at));
    this.draw();
  }

  /**
   * Show the position at which we are.
   * @param {boolean} [arrive] whether its move has just been made
   */
  draw(arrive = false) {
    const { match, end } = this.store;
    const view = match.positions[this.at];
    const move = this.at ? match.moves[this.at - 1] : null;
    const isFault = Boolean(match.result?.fault) && this.at === match.result?.index;
    this.board.show(view, {
      arrive,
      index: this.at,
      marks: move?.thoughts?.marks ?? [],
      refused: isFault ? match.result?.fault : null,
      better: slipAt(match, this.at)?.best ?? null,
      before: this.at ? match.positions[this.at - 1] : null,
    });
    const label = `${t(match.title)}, ${t("turn.n", { n: view.turn })}. ${this.module.spoken(view)}`;
    this.board.element.setAttribute("aria-label", label);
    if (!this.isPlaying) this.status.show(match, this.at);
    guarded(this.players.cards, () => this.players.show(match, this.at));
    this.players.tick(this.at === end ? this.store.running : null);
    guarded(this.log.notes, () => this.log.show(match, this.at));
    this.curves.mark(this.at);
    this.evaluation.show(match, this.at);
    this.main.classList.toggle("rated", match.evaluation !== null);
    this.transport.show(view.turn, !this.store.isOver && this.at < end);
  }

  tick() {
    if (this.at === this.store.end) this.players.tick(this.store.running);
  }

  /** Go to a position because somebody wants to. @param {number} index */
  choose(index) {
    const before = this.at;
    const { end, match, isOver } = this.store;
    this.at = Math.max(0, Math.min(end, index));
    this.isFollowing = !isOver && this.at === end;
    const hash = this.isFollowing ? " " : `#turn=${match.positions[this.at].turn}`;
    history.replaceState(null, "", hash.trim() || location.pathname + location.search);
    this.draw(this.at === before + 1);
  }

  /** Go to the turn that the address names, or to the next later one that there is. */
  fromHash() {
    const wanted = /turn=(\d+)/.exec(location.hash);
    if (!wanted) return;
    const { match, end, isOver } = this.store;
    const turn = Number(wanted[1]);
    const found = match.positions.findIndex((view) => view.turn >= turn);
    this.at = found < 0 ? end : found;
    this.isFollowing = !isOver && this.at === end;
    const shown = match.positions[this.at].turn;
    if (shown !== turn && turn > match.positions[end].turn) {
      toast(t("m.noturn", { n: turn, m: shown }), "bad");
    }
  }

  /** @param {KeyboardEvent} event @param {Element} target */
  key(event, target) {
    if (this.isPlaying || document.querySelector("dialog[open]")) return;
    const isSlider = target instanceof HTMLInputElement;
    const { end } = this.store;
    /** @type {Record<string, number>} */
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -4, ArrowDown: 4, Home: -end, End: end };
    if (event.key in steps && !isSlider) {
      event.preventDefault();
      this.choose(this.at + steps[event.key]);
    } else if (event.key === " " && !target.closest("button, a, summary")) {
      event.preventDefault();
      this.transport.toggle();
    } else if (event.key.toLowerCase() === "n") this.goToSlip(event.shiftKey ? -1 : 1);
    else if (event.key === "c") this.copyLink();
    else if (event.key === "f") this.openFork();
  }

  /** Go to the next move that lost something, or back to the one before. @param {1 | -1} step */
  goToSlip(step) {
    const found = nextSlip(this.store.match, this.at, step);
    if (found !== null) this.choose(found);
  }

  copyLink() {
    const turn = this.store.match.positions[this.at].turn;
    const address = new URL(location.href);
    address.hash = `turn=${turn}`;
    void copyText(address.href, `${t("copied")}: #turn=${turn}`);
  }

  openFork() {
    if (!isSaved) void this.fork(this.store.match, this.at);
  }

  /** Play the seats that belong to this browser. @param {(string | null)[]} tokens */
  sitDown(tokens) {
    this.table = new SeatTable(
      {
        module: this.module,
        board: this.board,
        store: this.store,
        status: this.status,
        showNewest: () => {
          this.isFollowing = true;
          this.at = this.store.end;
          this.draw();
        },
        changed: () => this.showPlaying(),
      },
      tokens,
    );
    const look = h("button", { class: "btn", type: "button", "data-t": "play.look" });
    look.addEventListener("click", () => this.look(true));
    this.backToPlay = h("button", { class: "btn main", type: "button", "data-t": "play.return" });
    this.backToPlay.addEventListener("click", () => this.look(false));
    const { panel, dock, extras } = this.table;
    if (this.playArea)
      put(this.playArea, dock, panel, h("div", { class: "seat-more" }, look, extras));
    this.transport.element.append(this.backToPlay);
    this.showPlaying();
  }

  /** Look at the course of a match that one plays, and come back. @param {boolean} isLooking */
  look(isLooking) {
    this.isLooking = isLooking;
    this.table?.hold(isLooking);
    this.showPlaying();
    this.draw();
    if (!isLooking) this.table?.resume();
  }

  showPlaying() {
    this.main.classList.toggle("playing", this.isPlaying);
    if (this.playArea) this.playArea.hidden = !this.isPlaying;
    const isAway = Boolean(this.table?.isPlaying) && this.isLooking;
    if (this.backToPlay) this.backToPlay.hidden = !isAway;
    this.transport.element.classList.toggle("away", isAway);
    translate(this.main);
  }

  /** Show everything in the other language. */
  redraw() {
    this.log.reset(this.store.match);
    this.curves.draw(this.store.match);
    this.analysis.draw();
    this.draw();
    this.table?.redraw();
    translate(this.main);
  }
}
