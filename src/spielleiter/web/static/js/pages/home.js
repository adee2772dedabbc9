// Home: what runs, what waits, what is over, and a new match in two clicks.
import { get, info, listen } from "../api.js";
import { $, h, icon, put } from "../dom.js";
import { hideUntil } from "../curtain.js";
import { gameModule } from "../games.js";
import { boardCard, waitingCard } from "../home/card.js";
import { dropZone } from "../home/drop.js";
import { startPanel } from "../home/start.js";
import "../home/words.js";
import { t } from "../i18n.js";
import { netLine } from "../net_line.js";
import { shell } from "../shell.js";

/** @typedef {import("../types.js").Summary} Summary */
/** @typedef {"running" | "waiting" | "finished"} Place */

const FINISHED_AT_FIRST = 12;
/** Matches by id, the newest last. @type {Map<string, Summary>} */
const matches = new Map();
/** @type {Map<string, { place: Place, card: import("../home/card.js").Card }>} */
const cards = new Map();
/** What was heard while the list was on its way, and is newer than it. @type {Summary[]} */
const early = [];
let isLoading = false;
let isLoaded = false;
let failure = "";
/** Whether the matches are those of another server, where nothing can be started from here. */
let isRemote = false;
let shownFinished = FINISHED_AT_FIRST;
/** Called when the first list of matches has come, or has failed to. @type {() => void} */
let listed = () => {};

const title = h("h1");
const newButton = h("a", { class: "btn main", href: "#new" });
const sections = { running: section(), waiting: section(), finished: section() };
const start = startPanel();
const drop = dropZone();
const aside = h("aside", { class: "aside" }, start.element, drop.element);
const net = netLine(() => line.retry());

function section() {
  const heading = h("h2");
  const count = h("span", { class: "tag" });
  const body = h("div");
  const head = h("div", { class: "section-head" }, heading, count);
  return { element: h("section", {}, head, body), heading, count, body };
}

/** @param {Summary} match @returns {Place} */
function placeOf(match) {
  if (match.phase === "waiting") return "waiting";
  return match.phase === "ended" ? "finished" : "running";
}

/** @param {Summary} match */
function cardOf(match) {
  const place = placeOf(match);
  const before = cards.get(match.id);
  const isSameKind = before && (before.place === "waiting") === (place === "waiting");
  if (before && isSameKind) {
    before.place = place;
    before.card.update(match);
    return before.card;
  }
  const card = place === "waiting" ? waitingCard(match) : boardCard(match);
  cards.set(match.id, { place, card });
  return card;
}

/** @param {Place} place @returns {Summary[]} the newest first */
const matchesAt = (place) =>
  [...matches.values()].filter((one) => placeOf(one) === place).reverse();

/** Say what is here, or what to do if nothing is. @param {Place} place */
function drawSection(place) {
  const { element, heading, count, body } = sections[place];
  const all = matchesAt(place);
  const shown = place === "finished" ? all.slice(0, shownFinished) : all;
  heading.textContent = t(`home.${place}`);
  count.textContent = isLoaded ? String(all.length) : "";
  element.hidden = place === "waiting" && !all.length;
  body.className = place === "waiting" ? "wait-list" : "grid";
  if (!isLoaded) put(body, placeholders());
  else if (!all.length) put(body, nothing(place));
  else keepInOrder(body, [...shown.map((one) => cardOf(one).element), ...more(all.length)]);
}

/**
 * Put elements in order and touch only those that are not yet where they belong.
 * @param {Element} body
 * @param {Element[]} wanted
 */
function keepInOrder(body, wanted) {
  const stays = new Set(wanted);
  for (const child of [...body.children]) if (!stays.has(child)) child.remove();
  wanted.forEach((element, n) => {
    if (body.children[n] !== element) body.insertBefore(element, body.children[n] ?? null);
  });
}

/** @param {number} count */
function more(count) {
  const rest = count - shownFinished;
  if (rest <= 0) return [];
  const open = () => {
    shownFinished += 4 * FINISHED_AT_FIRST;
    drawSection("finished");
  };
  const label = t("home.more", { n: rest });
  return [h("button", { class: "btn more", type: "button", onclick: open }, label)];
}

function placeholders() {
  if (failure) {
    const again = h("button", { class: "btn", type: "button", onclick: load }, t("again"));
    return h(
      "div",
      { class: "empty wide" },
      h("p", {}, t("home.failed")),
      h("p", { class: "small" }, failure),
      again,
    );
  }
  return [0, 1, 2].map(() => h("div", { class: "card mcard skeleton", "aria-hidden": "true" }));
}

/** @param {Place} place */
function nothing(place) {
  const begin = isRemote
    ? null
    : h("a", { class: "btn", href: "#new" }, icon("play"), t("new.title"));
  const help =
    place === "running"
      ? begin
      : h("label", { class: "btn", for: "drop-file" }, t("drop.choose"));
  return h("div", { class: "empty wide" }, h("p", {}, t(`home.none.${place}`)), help);
}

function draw() {
  title.textContent = t("home.title");
  put(newButton, icon("play"), t("new.title"));
  newButton.hidden = isRemote;
  aside.setAttribute("aria-label", t(isRemote ? "remote.title" : "new.title"));
  for (const place of /** @type {Place[]} */ (Object.keys(sections))) drawSection(place);
}

/** @param {Summary} match */
function learn(match) {
  if (isLoading) early.push(match);
  const before = matches.get(match.id);
  const isMoved = !before || placeOf(before) !== placeOf(match);
  if (before && isMoved) matches.delete(match.id);
  matches.set(match.id, match);
  if (!isLoaded) return;
  if (isMoved) draw();
  else cardOf(match);
}

async function load() {
  isLoading = true;
  try {
    const answer = await get("/api/matches");
    matches.clear();
    for (const match of answer.matches.reverse()) matches.set(match.id, match);
    for (const match of early.splice(0)) matches.set(match.id, match);
    isLoaded = true;
    failure = "";
  } catch (error) {
    if (!isLoaded) failure = /** @type {Error} */ (error).message;
  }
  isLoading = false;
  draw();
  await Promise.allSettled([...new Set([...matches.values()].map(({ game }) => gameModule(game)))]);
  listed();
}

/** @param {any} message */
function hear(message) {
  if (message.type === "summary") learn(message.match);
  if (message.type === "gone" && matches.delete(message.id)) {
    cards.delete(message.id);
    draw();
  }
}

const main = /** @type {HTMLElement} */ ($("#main"));
put(
  main,
  h(
    "div",
    {},
    h("div", { class: "lead" }, title, net.element, newButton),
    sections.running.element,
    sections.waiting.element,
    sections.finished.element,
  ),
  aside,
);
draw();
shell({
  redraw() {
    cards.clear();
    start.redraw();
    drop.redraw();
    draw();
  },
});
void info().then(
  (offered) => {
    isRemote = Boolean(offered.remote);
    if (isRemote) draw();
  },
  () => {}, // the panel says it
);
hideUntil(main, [start.ready, new Promise((resolve) => (listed = () => resolve(null)))]);
// What changed while nobody listened is asked for when the line is open.
const line = listen("/api/live", {
  message: hear,
  changed(state) {
    net.show(state);
    if (state === "open" || !isLoaded) void load();
  },
});
