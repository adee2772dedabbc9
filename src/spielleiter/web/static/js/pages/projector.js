// For the wall: one board and the table, large enough for the last row, changing by itself. Esc
// leaves.
import { hideUntil } from "../curtain.js";
import { $, h, put } from "../dom.js";
import { t } from "../i18n.js";
import { logo, shell } from "../shell.js";
import { follow, isRunning } from "../results/data.js";
import { mean } from "../results/table.js";
import { stage } from "../results/stage.js";
import { subtitle } from "../results/form.js";
import "../results/words.js";

/** @typedef {import("../types.js").Summary} Summary */
/** @typedef {import("../results/data.js").Run} Run */
/** @typedef {import("../results/data.js").RunSummary} RunSummary */

const main = $("#main"),
  asked = new URLSearchParams(location.search).get("run");
/** @type {Run | null} */
let run = null;
/** @type {{ stop: () => void } | null} */
let following = null;
let followed = "";

const boards = stage(draw);

// The table
// ----------------------------------------------------------------------------------------

/** Rows that the wall has room for, the leaders first. */
const ROWS = 12;

/** @param {Run} shown @param {string[]} names of those on the board */
const table = (shown, names) =>
  h(
    "table",
    {
      class: shown.standings.length > 8 ? "many" : "",
      style: { "--rows": shown.standings.length },
    },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { class: "num" }, h("span", { class: "sr" }, t("res.place"))),
        h("th", {}, t("res.bot")),
        h("th", { class: "num" }, t("res.points")),
        h("th", { class: "num" }, t("res.mean", { name: t(shown.score_name) })),
        h("th", { class: "num wdl" }, t("res.wdl")),
      ),
    ),
    h(
      "tbody",
      {},
      shown.standings
        .slice(0, ROWS)
        .map((row) =>
          h(
            "tr",
            { class: names.includes(shown.bots[row.bot]) ? "in" : "" },
            h("td", { class: "num" }, row.place),
            h("td", {}, h("span", {}, shown.bots[row.bot])),
            h("td", { class: "num" }, row.victory_points),
            h("td", { class: "num" }, mean(row, 1)),
            h("td", { class: "num wdl" }, `${row.wins} · ${row.draws} · ${row.losses}`),
          ),
        ),
    ),
  );

/** Where there is no run, the other matches stand beside the board. @param {Summary[]} list */
const others = (list) =>
  h(
    "table",
    { class: list.length > 8 ? "many" : "", style: { "--rows": list.length } },
    h("thead", {}, h("tr", {}, h("th", { colspan: 2 }, t("wall.others")))),
    h(
      "tbody",
      {},
      list
        .slice(0, ROWS)
        .map((match) =>
          h(
            "tr",
            { class: match.id === boards.current()?.id ? "in" : "" },
            h("td", {}, h("span", {}, match.names.join(" – "))),
            h("td", { class: "num" }, (match.scores ?? []).map((parts) => parts[0]).join(" : ")),
          ),
        ),
    ),
  );

// The page
// -----------------------------------------------------------------------------------------

const head = () =>
  h(
    "header",
    { class: "j-head" },
    logo(),
    h("h1", {}, run ? run.folder : "Spielleiter"),
    h("p", {}, run ? subtitle(run) : ""),
  );

const foot = () =>
  h(
    "footer",
    { class: "j-foot" },
    run
      ? h("i", { style: { "--done": `${run.planned ? (run.played / run.planned) * 100 : 0}%` } })
      : h("span"),
    h("span", {}, run ? t("res.progress", { a: run.played, b: run.planned }) : t("wall.leave")),
    h(
      "span",
      { class: "dots", "aria-hidden": "true" },
      boards.count() > 1
        ? Array.from({ length: Math.min(boards.count(), 12) }, (_, n) =>
            h("span", { class: n === boards.place() % 12 ? "on" : "" }),
          )
        : null,
    ),
  );

function draw() {
  if (!main) return;
  const current = boards.current(),
    live = boards.live();
  if (!current && !run) {
    put(
      main,
      head(),
      h("section", { class: "j-none" }, h("h2", {}, t("wall.none")), h("p", {}, t("wall.nonehow"))),
      foot(),
    );
    return;
  }
  main.classList.toggle("alone", !current || (!run && live.length < 2));
  put(
    main,
    head(),
    current ? boards.element : null,
    run || live.length > 1 || !current
      ? h("section", { class: "j-table" }, run ? table(run, current?.names ?? []) : others(live))
      : null,
    foot(),
  );
}

/**
 * Follow the run that the address names, or else the newest that is running, or else the newest.
 * @param {RunSummary[]} runs
 */
function choose(runs) {
  const found = asked ? runs.find((one) => one.id === asked) : (runs.find(isRunning) ?? runs[0]);
  const id = found?.id ?? "";
  if (!id) chosen();
  if (id === followed) return;
  followed = id;
  following?.stop();
  run = null;
  boards.recent(null);
  if (!id) return draw();
  following = follow(`/api/runs/${encodeURIComponent(id)}`, (answer) => {
    run = answer;
    void boards.recent(run).then(chosen);
    draw();
  });
}

/** Called when the run has come, or there is none. @type {() => void} */
let chosen = () => {};
const settled = new Promise((resolve) => (chosen = () => resolve(null)));
if (main) hideUntil(main, [boards.ready, settled]);
draw();
shell({
  redraw() {
    draw();
    boards.redraw();
  },
  keys: [
    [
      "projector",
      [
        [["Esc"], "wall.leave"],
        [["→"], "wall.next"],
      ],
    ],
  ],
});
follow("/api/runs", (answer) => choose(answer.runs));
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !$("dialog[open]"))
    location.href = run ? `/results/${encodeURIComponent(run.id)}` : "/";
  if (event.key === "ArrowRight") boards.next();
});
