// How a bot that joins by itself is to be started, ready to copy.
import { info } from "./api.js";
import { h, icon, put } from "./dom.js";
import { addWords, t } from "./i18n.js";
import { copyText } from "./toast.js";

/** @typedef {import("./types.js").Summary} Summary */

addWords({
  "join.wait": ["wartet auf {who}", "waits for {who}"],
  "join.starts": ["{who} wird gestartet …", "{who} is starting …"],
  "join.bot": ["einen Bot, der selbst beitritt", "a bot that joins by itself"],
  "join.secret": [
    "Wer die Partie gestartet hat, sieht hier, womit der Bot beitritt.",
    "Whoever started the match sees here how the bot joins.",
  ],
  "join.command": ["So tritt der Bot bei:", "This is how the bot joins:"],
  "join.copy": ["Befehl kopieren", "Copy command"],
});

const EVERYWHERE = ["*", "0.0.0.0", "::", ""];

/** @param {{ host: string, port: number }} server @param {string} reservation */
function command({ host, port }, reservation) {
  const place = EVERYWHERE.includes(host) ? location.hostname : host;
  return `python mybot.py -h ${place} -p ${port} -r ${reservation}`;
}

/** Say who is missing on a seat. @param {Summary} match @param {number} n */
export function awaited(match, n) {
  const { name, person } = match.seats[n];
  if (person) return t("join.wait", { who: name });
  const isOurs = match.reservations && !match.reservations[n];
  return isOurs ? t("join.starts", { who: name }) : t("join.wait", { who: t("join.bot") });
}

/**
 * Return one line to copy for each seat that is still free.
 * @param {Summary} match
 * @returns {HTMLElement}
 */
export function joinLines(match) {
  const box = h("div", { class: "join" });
  void fill(box, match);
  return box;
}

/** @param {HTMLElement} box @param {Summary} match */
async function fill(box, match) {
  const { server } = await info();
  if (!match.reservations || !server) {
    put(box, h("p", { class: "quiet small" }, t("join.secret")));
    return;
  }
  const codes = match.reservations.filter((_, n) => !match.seats[n].joined);
  put(
    box,
    codes.some(Boolean) ? h("p", { class: "small quiet" }, t("join.command")) : null,
    codes.map((code) => (code ? line(command(server, code)) : null)),
  );
}

/** @param {string} text */
function line(text) {
  return h(
    "div",
    { class: "join-line" },
    h("pre", { tabindex: 0, "aria-label": t("join.command") }, text),
    h(
      "button",
      {
        class: "btn",
        type: "button",
        "aria-label": t("join.copy"),
        title: t("join.copy"),
        onclick: () => copyText(text, t("copied")),
      },
      icon("copy"),
    ),
  );
}
