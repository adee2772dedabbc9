// Choosing who plays, and starting a match. The start panel and "continue from here" share it.
import { info, keepSeats, post } from "./api.js";
import { h } from "./dom.js";
import { addWords, hasWord, t } from "./i18n.js";

/** @typedef {import("./types.js").Info} Info */
/** @typedef {import("./types.js").BotInfo} BotInfo */
/**
 * @typedef {{ kind: "bot", name: string } | { kind: "me", name: string } | { kind: "joins" }} Player
 */

/**
 * @typedef {object} StartRequest
 * @property {string} game
 * @property {Player[]} players
 * @property {boolean} clock
 * @property {number | null} seed
 * @property {{ match: string, index: number } | null} from
 */

addWords({
  "who.me": ["Ich, mit Maus oder Tasten", "Me, by mouse or keys"],
  "who.me.name": ["Ich", "Me"],
  "who.house": ["Hausbots", "House bots"],
  "who.folder": ["In diesem Ordner", "In this folder"],
  "who.others": ["Von anderswo", "From elsewhere"],
  "who.joins": ["Bot, der selbst beitritt", "A bot that joins by itself"],
  "who.player": ["Spieler {n}", "Player {n}"],
  "bot.random": ["irgendein Zug", "any move"],
  "bot.greedy": ["das Beste für jetzt", "the best for now"],
  "bot.planner": ["denkt an später", "thinks of later"],
  "bot.searcher": ["rechnet voraus", "searches ahead"],
  "who.key.title": ["Zum Starten fehlt der Schlüssel", "Starting needs the key"],
  "who.key.text": [
    "Zuschauen geht ohne. Zum Starten öffne die Adresse, die „spielleiter serve“ im Terminal " +
      "ausgibt: sie endet mit #key=… Oder füge den Schlüssel hier ein.",
    "Watching needs none. To start a match open the address that “spielleiter serve” prints in the " +
      "terminal: it ends with #key=… Or paste the key here.",
  ],
  "who.key.label": ["Schlüssel", "Key"],
  "who.key.use": ["Verwenden", "Use it"],
  "who.key.wrong": ["Dieser Schlüssel gilt hier nicht.", "This key does not fit here."],
});

/** @param {BotInfo} bot */
const botText = ({ name }) => (hasWord(`bot.${name}`) ? `${name}: ${t(`bot.${name}`)}` : name);

/**
 * Make the choice of one player.
 * @param {Info} offered @param {string} game @param {string} id of the element @param {string} chosen value
 * @returns {HTMLSelectElement}
 */
export function playerSelect(offered, game, id, chosen) {
  const option = (/** @type {string} */ value, /** @type {string} */ text) =>
    h("option", { value, selected: value === chosen }, text);
  const bots = (/** @type {BotInfo[]} */ list) =>
    list.map((bot) => option(`bot:${bot.name}`, botText(bot)));
  const house = offered.bots.house[game] ?? [];
  const folder = offered.bots.folder[game] ?? [];
  return h(
    "select",
    { id },
    option("me", t("who.me")),
    h("optgroup", { label: t("who.house") }, bots(house)),
    folder.length ? h("optgroup", { label: t("who.folder") }, bots(folder)) : null,
    h("optgroup", { label: t("who.others") }, option("joins", t("who.joins"))),
  );
}

/** Return the bot that is chosen at first. @param {Info} offered @param {string} game */
export function firstBot(offered, game) {
  const bots = offered.bots.house[game] ?? [];
  const found = bots[Math.min(1, bots.length - 1)] ?? offered.bots.folder[game]?.[0];
  return found ? `bot:${found.name}` : "joins";
}

/**
 * Return the players that are chosen.
 * @param {HTMLSelectElement[]} selects
 * @returns {Player[]}
 */
export function chosenPlayers(selects) {
  const people = selects.filter((select) => select.value === "me").length;
  return selects.map(({ value }, seat) => {
    if (value === "me") {
      const name = t("who.me.name");
      return { kind: "me", name: people > 1 ? `${name} ${seat + 1}` : name };
    }
    return value === "joins" ? { kind: "joins" } : { kind: "bot", name: value.slice(4) };
  });
}

/** Start a match and go to it. @param {StartRequest} request */
export async function startMatch(request) {
  const started = await post("/api/matches", request);
  keepSeats(started.id, started.seats ?? []);
  location.href = `/match/${encodeURIComponent(started.id)}`;
}

/** Return whether this browser may start matches. */
export async function mayStart() {
  return (await info()).may.start;
}
