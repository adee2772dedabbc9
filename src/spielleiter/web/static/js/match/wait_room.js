// What is shown of a match before it begins: who has come, and how the others join.
import { h, icon, put } from "../dom.js";
import { gameModule } from "../games.js";
import { t } from "../i18n.js";
import { awaited, joinLines } from "../joining.js";

/** @typedef {import("../types.js").Match} Match */

/** Fill the page while players are missing. @param {HTMLElement} main @param {Match} match */
export async function waitRoom(main, match) {
  const module = await gameModule(match.game);
  const row = (/** @type {import("../types.js").Seat} */ seat, /** @type {number} */ n) =>
    h(
      "li",
      { class: seat.joined ? "here" : "" },
      module.chip(n),
      h("span", {}, seat.joined ? seat.name : awaited(match, n)),
      seat.joined ? icon("check") : h("span", { class: "tag live" }),
    );
  put(
    main,
    h(
      "section",
      { class: "card waitroom" },
      h("div", {}, h("h1", {}, t(match.title)), h("p", { class: "quiet" }, t("m.waiting"))),
      h("ul", {}, match.seats.map(row)),
      joinLines(match),
    ),
  );
}
