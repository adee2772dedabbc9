// The rules of a game, to look at. What there is to see is in the game's own folder.
import { info } from "../api.js";
import { $, h, put } from "../dom.js";
import { gameModule } from "../games.js";
import { addWords, t } from "../i18n.js";
import { shell } from "../shell.js";

/** @typedef {import("../types.js").GameInfo} GameInfo */

addWords({
  "rules.title": ["Regeln: {title}", "Rules: {title}"],
  "rules.season": ["Saison", "Season"],
  "rules.none": [
    "Zu diesem Spiel gibt es keine Regeln zum Ansehen.",
    "There are no rules to look at for this game.",
  ],
  "rules.unknown": ["Das Spiel {id} gibt es hier nicht.", "There is no game {id} here."],
  "rules.home": ["Zur Startseite", "To the first page"],
});

const main = /** @type {HTMLElement} */ ($("#main"));
const id = decodeURIComponent(location.pathname.replace(/\/+$/, "").split("/").at(-1) ?? "");

async function draw() {
  const { games } = await info();
  const game = games.find((one) => one.id === id);
  if (!game) return nothing(t("rules.unknown", { id }));
  const module = await gameModule(game.id);
  document.title = `${t("rules.title", { title: t(game.title) })} · Spielleiter`;
  if (!module.rules) return nothing(t("rules.none"));
  const body = h("div", { class: "rules" });
  await module.rules(body, game);
  put(main, seasons(game, games), body);
  const part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  part?.scrollIntoView();
}

/** Links to the same game in other seasons. @param {GameInfo} game @param {GameInfo[]} games */
function seasons(game, games) {
  const same = games.filter((one) => one.page === game.page);
  if (same.length < 2) return null;
  return h(
    "nav",
    { class: "seasons", "aria-label": t("rules.season") },
    same.map((one) =>
      h(
        "a",
        { href: `/rules/${one.id}`, "aria-current": one.id === game.id ? "page" : null },
        t(one.title),
      ),
    ),
  );
}

/** @param {string} text */
function nothing(text) {
  put(
    main,
    h("div", { class: "empty" }, text, h("a", { class: "btn", href: "/" }, t("rules.home"))),
  );
}

/** @param {Error} error */
const failed = (error) => nothing(error.message);

shell({ redraw: () => void draw().catch(failed) });
draw().catch(failed);
