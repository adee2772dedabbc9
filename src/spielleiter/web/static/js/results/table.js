// The table of a run as the documents rank it, and the cross table with a link to the games of each
// cell.
import { h } from "../dom.js";
import { number, t } from "../i18n.js";

/** @typedef {import("./data.js").Run} Run */
/** @typedef {import("./data.js").Row} Row */

const KINDS = /** @type {const} */ (["time", "crash", "rule"]);

/** Tags for what a bot lost by itself, or a quiet zero. @param {Row} row */
function faults(row) {
  const kinds = KINDS.filter((kind) => row[kind]);
  if (!kinds.length) return h("span", { class: "quiet" }, "0");
  return h(
    "span",
    { class: "faults" },
    kinds.map((kind) =>
      h(
        "span",
        { class: "tag bad", title: t(`fault.${kind}.n`, { n: row[kind] }) },
        h("b", {}, `${row[kind]} ×`),
        t(`fault.${kind}`),
      ),
    ),
  );
}

/**
 * The mean of the game's points, or a dash before the first match.
 * @param {Row} row
 * @param {number} digits
 */
export const mean = (row, digits) =>
  row.mean_score === null ? "–" : number(row.mean_score, digits);

/** @param {Row} row */
const share = (row) =>
  h(
    "div",
    { class: "wdlbar", "aria-hidden": "true" },
    /** @type {[string, number][]} */ ([
      ["w", row.wins],
      ["d", row.draws],
      ["l", row.losses],
    ]).map(([name, count]) => h("i", { class: name, style: { "--n": count } })),
  );

/** @param {Run} run @param {Row} row @param {number} index */
const line = (run, row, index) =>
  h(
    "tr",
    { class: index === 0 ? "top" : "" },
    h("td", { class: "num" }, row.place),
    h(
      "td",
      {},
      run.bots[row.bot],
      row.byes ? h("small", { class: "quiet" }, ` ${t(row.byes === 1 ? "res.bye" : "res.byes", { n: row.byes })}`) : null,
    ),
    h("td", { class: "num strong" }, row.victory_points),
    h("td", { class: "num" }, mean(row, 2)),
    h("td", { class: "num hide" }, row.matches),
    h("td", { class: "wdl" }, `${row.wins} · ${row.draws} · ${row.losses}`, share(row)),
    h("td", { class: "num" }, faults(row)),
  );

/** @param {Run} run */
export function rankTable(run) {
  const average = t("res.mean", { name: t(run.score_name) });
  return h(
    "section",
    { class: "card panel rank-panel" },
    h("h2", {}, t("res.table")),
    h("p", {}, t("res.how")),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": t("res.table") },
      h(
        "table",
        { class: "rank" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col", class: "num" }, t("res.place")),
            h("th", { scope: "col" }, t("res.bot")),
            h("th", { scope: "col", class: "num" }, t("res.points")),
            h("th", { scope: "col", class: "num" }, average),
            h("th", { scope: "col", class: "num hide" }, t("res.games")),
            h(
              "th",
              { scope: "col", class: "wdl" },
              h("abbr", { title: t("res.wdl.title") }, t("res.wdl")),
            ),
            h("th", { scope: "col", class: "num" }, t("res.faults")),
          ),
        ),
        h(
          "tbody",
          {},
          run.standings.map((row, index) => line(run, row, index)),
        ),
      ),
    ),
    run.notices.map((notice) => h("p", { class: "late" }, t(notice))),
  );
}

/** One hue from paper to ink, dark for won. The figure in the cell says it without any colour.
 * @param {number} won the share, 0 to 1 */
function heat(won) {
  const step = Math.round(won * 4);
  return {
    "--heat": ["var(--sunk)", "var(--pick)", "var(--line)", "var(--ink-3)", "var(--ink)"][step],
    "--heat-on": step > 2 ? "var(--on-ink)" : "var(--ink)",
  };
}

/** @param {Run} run @param {number} a @param {number} b @param {[number, number] | null} chosen */
function cell(run, a, b, chosen) {
  const entry = run.cross[a]?.[b];
  if (a === b || !entry) return h("span", { class: a === b ? "cell self" : "cell unplayed" });
  const won = 2 * entry.wins + entry.draws,
    lost = 2 * entry.losses + entry.draws,
    names = { a: run.bots[a], b: run.bots[b], x: won, y: lost };
  return h(
    "a",
    {
      class: "cell",
      href: `#games=${a}-${b}`,
      id: `cell-${a}-${b}`,
      style: heat(entry.points),
      "aria-current": chosen && chosen[0] === a && chosen[1] === b ? "true" : null,
      "aria-label": t("res.cell", names),
      title: t("res.cell", names),
    },
    won,
    h("small", {}, `: ${lost}`),
  );
}

/** @param {Run} run @param {[number, number] | null} chosen */
export function crossTable(run, chosen) {
  const order = run.standings.map((row) => row.bot);
  return h(
    "section",
    { class: "card panel cross-panel" },
    h("h2", {}, t("res.cross")),
    h("p", {}, t("res.crosshow")),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": t("res.cross") },
      h(
        "table",
        { class: "cross", style: { "--columns": order.length } },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("td"),
            order.map((bot) => h("th", { scope: "col", title: run.bots[bot] }, run.bots[bot])),
          ),
        ),
        h(
          "tbody",
          {},
          order.map((a) =>
            h(
              "tr",
              {},
              h("th", { scope: "row", title: run.bots[a] }, run.bots[a]),
              order.map((b) => h("td", {}, cell(run, a, b, chosen))),
            ),
          ),
        ),
      ),
    ),
  );
}
