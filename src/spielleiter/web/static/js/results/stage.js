// The board of the wall: goes through the matches that are live, or else through those just played.
import { get, listen } from "../api.js";
import { h, put } from "../dom.js";
import { gameModule } from "../games.js";
import { t } from "../i18n.js";

/** @typedef {import("../types.js").Summary} Summary */
/** @typedef {import("../types.js").View} View */
/** @typedef {import("./data.js").Run} Run */
/** @typedef {import("./data.js").RunMatch} RunMatch */
/**
 * @typedef {{ id: string, game: string, names: string[], views: View[], at: number, isLive: boolean }} Shown
 */

const TURN_MS = 13000,
  STEP_MS = 1400,
  RECENT = 5,
  SHORT = 9;

/** @param {string} name */
const nameOf = (name) =>
  h("span", { class: name.length > SHORT ? "name long" : "name", title: name }, name);

/**
 * @param {() => void} changed called when another match is shown or the list of live ones changes
 */
export function stage(changed) {
  const element = h("section", { class: "j-board" }),
    /** @type {Map<string, Summary>} */
    matches = new Map(),
    /** @type {Map<string, Shown>} */
    replays = new Map();
  /** Called when the matches have come, or have failed to. @type {() => void} */
  let loaded = () => {};
  const ready = new Promise((resolve) => (loaded = () => resolve(null)));
  /** What was heard while the list was on its way. @type {Map<string, Summary | null> | null} */
  let early = null;
  /** @type {string[]} */
  let recent = [];
  let shown = "",
    drawn = "",
    /** @type {import("../types.js").Board | null} */
    board = null;

  const live = () =>
    [...matches.values()].filter((match) => match.phase === "running" && match.source === "live");
  const list = () => {
    const running = live().map((match) => match.id);
    return running.length ? running : recent;
  };

  /** @returns {Shown | null} */
  function current() {
    const match = matches.get(shown);
    if (match?.view && match.phase === "running")
      return { ...match, views: [match.view], at: 0, isLive: true };
    return replays.get(shown) ?? null;
  }

  /** Go to the next match of the list, or to the first one if the shown one is no longer there. */
  function next() {
    const ids = list(),
      place = ids.indexOf(shown);
    shown = ids[(place + 1) % ids.length] ?? "";
    const replay = replays.get(shown);
    if (replay && !live().length) replay.at = Math.floor(replay.views.length * 0.6);
    void draw();
    changed();
  }

  async function draw() {
    const one = current();
    if (!one) return;
    const module = await gameModule(one.game),
      view = one.views[one.at],
      isNew = drawn !== one.id;
    if (current()?.id !== one.id) return;
    if (isNew || !board) {
      drawn = one.id;
      board = module.board({ label: one.names.join(" – "), match: one.id });
    }
    board.show(view, { arrive: !isNew, index: one.isLive ? undefined : one.at });
    const [first, second] = one.names,
      scores = view.scores.map((parts) => parts[0]);
    put(
      element,
      h("div", { class: "boardbox" }, board.element),
      h(
        "div",
        { class: "j-names" },
        h("span", { class: "l" }, module.chip(0), nameOf(first)),
        h("output", {}, scores[0]),
        h("b", {}, ":"),
        h("output", {}, scores[1]),
        h("span", { class: "r" }, nameOf(second), module.chip(1)),
        h(
          "small",
          {},
          t(one.isLive ? "wall.live" : "wall.recent"),
          ` · ${t("turn.n", { n: view.turn })}`,
        ),
      ),
    );
  }

  /** @param {any} message */
  function heard(message) {
    if (message.type === "gone") {
      matches.delete(message.id);
      early?.set(message.id, null);
    } else if (message.match) {
      matches.set(message.match.id, message.match);
      early?.set(message.match.id, message.match);
    } else return;
    if (!list().includes(shown)) next();
    else if (message.match?.id === shown) void draw();
    changed();
  }

  /** Ask for all matches. What is heard meanwhile is newer than the answer. */
  async function load() {
    const heardMeanwhile = (early = new Map());
    const answer = await get("/api/matches").catch(() => null);
    if (early !== heardMeanwhile) return; // it was asked again
    early = null;
    if (!answer) return loaded();
    matches.clear();
    for (const match of answer.matches) matches.set(match.id, match);
    for (const [id, match] of heardMeanwhile) {
      if (match) matches.set(id, match);
      else matches.delete(id);
    }
    if (!list().includes(shown)) next();
    await draw();
    changed();
    loaded();
  }

  /**
   * Show matches of a run that were just played, as long as none is live.
   * @param {Run | null} run
   */
  async function follow(run) {
    const whole = run?.recent.filter((match) => !match.trouble) ?? [];
    const newest = (whole.length ? whole : (run?.recent ?? [])).slice(0, RECENT);
    await Promise.all(newest.map(fetchReplay));
    recent = newest.map((match) => match.id).filter((id) => replays.has(id));
    for (const id of replays.keys()) if (!recent.includes(id) && id !== shown) replays.delete(id);
    if (!current()) next();
    changed();
  }

  /** @param {RunMatch} match */
  async function fetchReplay({ id }) {
    if (replays.has(id)) return;
    const match = await get(`/api/matches/${encodeURIComponent(id)}`).catch(() => null);
    if (!match?.positions?.length) return;
    const at = Math.floor(match.positions.length * 0.6);
    replays.set(id, { ...match, views: match.positions, at, isLive: false });
  }

  // What changed while nobody listened is asked for when the line is open.
  listen("/api/live", {
    message: heard,
    changed: (state) => void (state === "open" && load()),
  });
  setInterval(next, TURN_MS);
  setInterval(() => {
    const one = replays.get(shown);
    if (!one || current()?.isLive || one.at + 1 >= one.views.length) return;
    one.at += 1;
    void draw();
  }, STEP_MS);

  return {
    element,
    ready,
    current,
    live,
    next,
    recent: follow,
    redraw: () => void draw(),
    count: () => list().length,
    place: () => Math.max(0, list().indexOf(shown)),
  };
}
