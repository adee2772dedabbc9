// The games of a run, or of two of its bots, each with a link to its replay.
import { get } from "../api.js";
import { h, put } from "../dom.js";
import { seconds, t } from "../i18n.js";

/** @typedef {import("./data.js").Run} Run */
/** @typedef {import("./data.js").RunMatch} RunMatch */

const FIRST = 12,
  MOST = 500;

/** @param {RunMatch} match */
function row(match) {
  const [a, b] = match.names.map((name, seat) =>
    match.winner === seat ? h("b", {}, name) : h("span", {}, name),
  );
  const end =
    match.trouble && match.fault !== null
      ? h(
          "span",
          { class: "tag bad", title: t(match.reason) },
          `${match.names[match.fault]}: ${t(`fault.${match.trouble}`)}`,
        )
      : h("span", { class: "quiet small" }, match.seconds === null ? "" : seconds(match.seconds));
  return h(
    "a",
    { href: `/match/${encodeURIComponent(match.id)}` },
    h("span", { class: "quiet num" }, match.number),
    h("span", { class: "who" }, a, " – ", b),
    end,
    h("b", { class: "num" }, `${match.scores[0]} : ${match.scores[1]}`),
  );
}

/**
 * Make a panel that is kept while the page is drawn anew, so that a long list stays where it was.
 * @returns {{ element: HTMLElement, show: (run: Run, chosen: [number, number] | null) => void }}
 */
export function gamesPanel() {
  const element = h("section", { class: "card panel games-panel", id: "games" });
  /** @type {{ matches: RunMatch[], total: number } | null} */
  let list = null;
  let shown = "",
    limit = FIRST;

  /** @param {Run} run @param {[number, number] | null} chosen */
  async function show(run, chosen) {
    const query = chosen ? `a=${chosen[0]}&b=${chosen[1]}&` : "";
    if (shown !== query) [list, limit] = [null, FIRST];
    shown = query;
    if (!chosen && limit === FIRST) {
      list = { matches: run.recent.slice(0, FIRST), total: run.played };
      draw(run, chosen);
      return;
    }
    draw(run, chosen);
    const offset = chosen ? 0 : Math.max(0, run.played - limit),
      path = `/api/runs/${encodeURIComponent(run.id)}/matches?${query}offset=${offset}&limit=${limit}`,
      answer = await get(path).catch(() => null); // the page says when the server is away
    if (!answer || shown !== query) return;
    list = answer;
    if (!chosen) list?.matches.reverse();
    draw(run, chosen);
  }

  /** @param {Run} run @param {[number, number] | null} chosen */
  function draw(run, chosen) {
    const title = chosen
        ? t("res.of", { a: run.bots[chosen[0]], b: run.bots[chosen[1]] })
        : t("res.newest"),
      left = list ? Math.min(list.total, MOST) - list.matches.length : 0;
    put(
      element,
      h("h2", {}, title),
      h("p", {}, chosen ? h("a", { href: "#games" }, t("res.showall")) : t("res.choose")),
      h(
        "div",
        { class: "glist" },
        list ? list.matches.map(row) : h("p", { class: "quiet" }, t("loading")),
        list?.matches.length === 0 ? h("p", { class: "quiet" }, t("res.nogames")) : null,
      ),
      left > 0 ? more(left, run, chosen) : null,
    );
  }

  /** @param {number} left @param {Run} run @param {[number, number] | null} chosen */
  function more(left, run, chosen) {
    const act = () => {
      limit = MOST;
      void show(run, chosen);
    };
    return h(
      "button",
      { class: "btn", type: "button", id: "more-games", onclick: act },
      t("res.more", { n: left }),
    );
  }
  return { element, show: (run, chosen) => void show(run, chosen) };
}
