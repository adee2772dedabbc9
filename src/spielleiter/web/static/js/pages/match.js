// One match, live or over, or played by hand at a seat of this browser.
import { get, listen, savedMatch, seatsOf } from "../api.js";
import { $, h, put } from "../dom.js";
import { gameInfo, gameModule } from "../games.js";
import { t, translate } from "../i18n.js";
import { MatchPage } from "../match/page.js";
import { waitRoom } from "../match/wait_room.js";
import "../match/words.js";
import { shell } from "../shell.js";

/** @typedef {import("../types.js").Match} Match */

const main = /** @type {HTMLElement} */ ($("#main"));
const id = savedMatch ?? decodeURIComponent(location.pathname.split("/").pop() ?? "");
const path = `/api/matches/${encodeURIComponent(id)}`;
/** @type {MatchPage | null} */
let page = null;
let redraw = () => {};

async function load() {
  put(main, skeleton());
  try {
    const match = /** @type {Match} */ (await get(path));
    if (match.positions.length) await show(match);
    else waitFor(match);
  } catch (error) {
    fail(/** @type {Error} */ (error).message);
  }
}

/** What is there before the match is, in its size. */
function skeleton() {
  return [
    h("div", { class: "status" }),
    h("section", { class: "stage" }, h("div", { class: "boardwrap skeleton" })),
    h("section", { class: "players skeleton" }),
    h("section", { class: "log card" }),
  ];
}

/** @param {Match} match */
async function show(match) {
  const [module, game] = await Promise.all([gameModule(match.game), gameInfo(match.game)]);
  page = new MatchPage(main, match, module, game, seatsOf(id));
  redraw = () => page?.redraw();
  translate(main);
}

/** Nobody has moved yet, because somebody has not come. @param {Match} match */
function waitFor(match) {
  const draw = () => void waitRoom(main, match);
  redraw = draw;
  draw();
  const line = listen(`${path}/live`, {
    message(message) {
      const told = message.match ?? message;
      if (message.type === "position" || told.positions?.length) {
        line.close();
        void load();
      } else if (message.type === "gone") {
        if (message.next) location.replace(`/match/${encodeURIComponent(message.next)}`);
        else fail(t("m.gone"));
      } else if (told.seats) {
        match.seats = told.seats;
        draw();
      }
    },
  });
}

/** @param {string} why */
function fail(why) {
  redraw = () => fail(why);
  put(
    main,
    h(
      "div",
      { class: "empty waitroom" },
      h("h1", {}, t("m.failed")),
      h("p", {}, why),
      h(
        "p",
        { class: "row" },
        h("a", { class: "btn main", href: "/" }, t("m.home")),
        h("button", { class: "btn", type: "button", onclick: load }, t("again")),
      ),
    ),
  );
}

shell({ keys: () => page?.keys ?? [], redraw: () => redraw() });
void load();
