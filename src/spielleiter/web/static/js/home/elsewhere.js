// What is shown where the matches are those of another server, and whether it can be reached.
import { get } from "../api.js";
import { h } from "../dom.js";
import { addWords, t } from "../i18n.js";

const LOOK_MS = 5000;

addWords({
  "remote.title": ["Zuschauen", "Watching"],
  "remote.away": [
    "Der Server ist gerade nicht erreichbar. Es wird weiter versucht.",
    "The server cannot be reached now. It is tried again and again.",
  ],
  "remote.text": [
    "Diese Seite zeigt, was dort gespielt wird. Gestartet werden Partien dort und nicht hier.",
    "This page shows what is played there. Matches are started there and not here.",
  ],
  "remote.prepared": [
    "Partien, denen Bots von selbst beitreten, erscheinen sofort. Eine vorbereitete erscheint, wenn ihr Raum genannt wird:",
    "Matches that bots join by themselves appear at once. A prepared one appears if its room is named:",
  ],
});

let timer = 0;

/** Make the panel. @param {string} address @returns {HTMLElement[]} */
export function elsewhere(address) {
  const away = h("p", { class: "tag warn", role: "status", hidden: true }, t("remote.away"));
  const look = async () => {
    const told = await get("/api/info").catch(() => null);
    away.hidden = !told?.remote_away;
  };
  clearInterval(timer);
  timer = setInterval(() => void look(), LOOK_MS);
  void look();
  return [
    h("h2", {}, t("remote.title")),
    h("p", { class: "remote-address" }, h("code", {}, address)),
    away,
    h("p", { class: "small quiet" }, t("remote.text")),
    h("p", { class: "small quiet" }, t("remote.prepared")),
    h("code", { class: "small" }, `spielleiter watch --server ${address} --room ID`),
  ];
}
