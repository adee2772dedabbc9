// Runs of the arena: the list of them, and one run as it goes on, with its table, its games and how
// sure it all is.
import { $, h, icon, put } from "../dom.js";
import { lang, t } from "../i18n.js";
import { shell } from "../shell.js";
import { follow, isRunning, secondsLeft } from "../results/data.js";
import { subtitle } from "../results/form.js";
import { gamesPanel } from "../results/games.js";
import { ratings } from "../results/rating.js";
import { crossTable, rankTable } from "../results/table.js";
import "../results/words.js";

/** @typedef {import("../results/data.js").Run} Run */
/** @typedef {import("../results/data.js").RunSummary} RunSummary */

const main = $("#main"),
  wanted = decodeURIComponent(location.pathname.split("/")[2] ?? "");
let draw = () => {};

/** @param {RunSummary} run */
const bar = (run) =>
  h(
    "span",
    {
      class: "bar-done",
      role: "progressbar",
      "aria-valuenow": run.played,
      "aria-valuemin": 0,
      "aria-valuemax": run.planned,
      "aria-label": t("res.progress", { a: run.played, b: run.planned }),
    },
    h("i", { style: { "--done": `${run.planned ? (run.played / run.planned) * 100 : 0}%` } }),
  );

/** @param {RunSummary} run */
function state(run) {
  if (isRunning(run)) return h("span", { class: "tag live" }, t("res.running"));
  return run.is_complete ? null : h("span", { class: "tag warn" }, t("res.stopped"));
}

// The list
// -----------------------------------------------------------------------------------------

/** @param {RunSummary} run */
const card = (run) =>
  h(
    "a",
    { class: "card run", href: `/results/${encodeURIComponent(run.id)}` },
    h("h2", { title: run.folder }, run.folder),
    state(run),
    h("p", { class: "quiet" }, subtitle(run)),
    bar(run),
    h("p", { class: "run-foot" }, leader(run), h("span", { class: "quiet" }, progress(run))),
    h("time", { class: "quiet small", datetime: run.created }, date(run.created)),
  );

/** @param {RunSummary} run */
const leader = (run) =>
  run.leaders.length
    ? h(
        "b",
        {},
        t(run.is_complete ? "res.won" : "res.leads", {
          a: run.leaders.map((bot) => run.bots[bot]).join(", "),
        }),
      )
    : h("b", {});

/** @param {RunSummary} run */
const progress = (run) => t("res.progress", { a: run.played, b: run.planned });

/** @param {string} text */
const date = (text) =>
  new Date(text).toLocaleString(lang(), { dateStyle: "medium", timeStyle: "short" });

/** @param {RunSummary[]} runs */
const list = (runs) => [
  h(
    "header",
    { class: "t-head" },
    h("div", {}, h("h1", {}, t("res.title")), h("p", {}, t("res.lead"))),
  ),
  runs.length
    ? h("div", { class: "runs" }, runs.map(card))
    : h(
        "div",
        { class: "empty" },
        h("h2", {}, t("res.none")),
        h("p", {}, t("res.nonehow")),
        h("code", {}, "spielleiter tournament --bots random greedy planner"),
      ),
];

// One run
// ------------------------------------------------------------------------------------------

/**
 * The two bots whose games are shown, as the address says.
 * @param {Run} run
 * @returns {[number, number] | null}
 */
function chosen(run) {
  const found = /^#games=(\d+)-(\d+)$/.exec(location.hash);
  if (!found) return null;
  const a = Number(found[1]),
    b = Number(found[2]);
  return run.cross[a]?.[b] ? [a, b] : null;
}

/** @param {Run} run */
function left(run) {
  const seconds = secondsLeft(run);
  if (seconds === null) return null;
  const minutes = Math.round(seconds / 60);
  return minutes >= 1
    ? t("res.left.min", { n: minutes })
    : t("res.left.s", { n: Math.max(5, Math.ceil(seconds / 5) * 5) });
}

/** @param {Run} run */
const head = (run) =>
  h(
    "header",
    { class: "t-head" },
    h(
      "div",
      {},
      h("a", { class: "back small", href: "/results" }, `‹ ${t("res.all")}`),
      h("h1", {}, run.folder),
      h("p", {}, subtitle(run)),
    ),
    h(
      "a",
      { class: "btn", href: `/projector?run=${encodeURIComponent(run.id)}` },
      icon("full"),
      t("res.projector"),
    ),
    h(
      "div",
      { class: "progress" },
      bar(run),
      h("b", {}, progress(run)),
      state(run),
      h("span", { class: "quiet" }, left(run)),
    ),
    run.verdict.map((sentence) => h("p", { class: "conclusion" }, t(sentence))),
  );

function one() {
  const games = gamesPanel();
  /** @type {Run | null} */
  let run = null;
  draw = () => {
    if (!run || !main) return;
    const focus = document.activeElement?.id,
      pair = chosen(run);
    document.title = `${run.folder} · Spielleiter`;
    put(main, head(run), rankTable(run), crossTable(run, pair), ratings(run), games.element);
    games.show(run, pair);
    if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  };
  addEventListener("hashchange", () => {
    draw();
    if (location.hash) games.element.scrollIntoView({ block: "nearest" });
  });
  follow(
    `/api/runs/${encodeURIComponent(wanted)}`,
    (answer) => {
      run = answer;
      draw();
    },
    (isLost, status) => {
      if (isLost && !run && main) put(main, problem(status === 404 ? "res.missing" : "res.lost"));
      else away(isLost);
    },
  );
}

/** @param {string} key */
const problem = (key) =>
  h("div", { class: "empty" }, h("h2", {}, t(key)), h("a", { href: "/results" }, t("res.all")));

/** @param {boolean} isLost */
function away(isLost) {
  const old = $(".away");
  if (isLost && !old)
    document.body.append(h("p", { class: "away", role: "status" }, t("res.lost")));
  if (!isLost) old?.remove();
}

function all() {
  /** @type {RunSummary[] | null} */
  let runs = null;
  draw = () => {
    if (runs && main) put(main, list(runs));
  };
  follow(
    "/api/runs",
    (answer) => {
      runs = answer.runs;
      draw();
    },
    (isLost) => away(isLost),
  );
}

if (wanted) one();
else all();
shell({ redraw: () => draw() });
