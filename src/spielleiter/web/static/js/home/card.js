// A match on home: a small board that lives, names, score, and where it stands.
import { gameModule } from "../games.js";
import { h, put } from "../dom.js";
import { guarded } from "../guard.js";
import { t } from "../i18n.js";
import { awaited, joinLines } from "../joining.js";

/** @typedef {import("../types.js").Summary} Summary */
/** @typedef {import("../types.js").GameModule} GameModule */

/**
 * @typedef {object} Card
 * @property {HTMLElement} element
 * @property {(match: Summary) => void} update
 */

/** Return where a match is watched. @param {Summary} match */
const address = (match) => `/match/${encodeURIComponent(match.id)}`;

/** Make the card of a match that runs or is over. @param {Summary} first @returns {Card} */
export function boardCard(first) {
  const picture = h("div", { class: "pic" });
  const caption = h("div", { class: "cap" });
  const element = h("a", { class: "card mcard", href: address(first) }, picture, caption);
  let match = first;
  /** @type {GameModule | null} */
  let module = null;
  /** @type {import("../types.js").Board | null} */
  let board = null;

  function draw() {
    if (!module) return;
    if (match.view) {
      board ??= newBoard(module);
      board.show(match.view);
    }
    put(caption, duo(match, module), foot(match));
  }
  /** @param {GameModule} game */
  function newBoard(game) {
    const made = game.board({ mini: true, match: match.id, label: t(match.title) });
    if (game.look) element.classList.add(game.look);
    put(picture, made.element);
    return made;
  }
  put(
    caption,
    h(
      "div",
      { class: "duo" },
      match.names.map((name) => h("span", {}, name)),
    ),
  );
  const show = () => guarded(caption, draw);
  void gameModule(first.game).then((game) => {
    module = game;
    show();
  });
  return {
    element,
    update(newer) {
      match = newer;
      show();
    },
  };
}

/** @param {Summary} match @param {GameModule} module */
function duo(match, module) {
  const winner = match.result?.winner ?? null;
  return h(
    "div",
    { class: "duo" },
    match.names.map((name, seat) => [
      module.chip(seat),
      h("span", { class: winner === seat ? "win" : "", title: name }, name),
      h("b", {}, match.scores?.[seat]?.[0] ?? "–"),
    ]),
  );
}

/** @param {Summary} match */
function foot(match) {
  return h("div", { class: "meta" }, h("span", {}, standing(match)), tag(match));
}

/** @param {Summary} match */
function standing(match) {
  const { result } = match;
  if (!result) return t("home.turn", { n: match.turn ?? 0 });
  if (!result.regular) return t(result.reason);
  return result.winner === null ? t("home.draw") : t("home.won", { a: match.names[result.winner] });
}

/** @param {Summary} match */
function tag(match) {
  if (match.phase === "running") return h("span", { class: "tag live" }, t("live"));
  if (match.phase === "paused") return h("span", { class: "tag warn" }, t("home.paused"));
  if (match.result && !match.result.regular) return h("span", { class: "tag bad" }, "✕");
  if (match.source === "file") return h("span", { class: "tag" }, t("home.of.file"));
  return match.source === "run" ? h("span", { class: "tag" }, t("home.of.run")) : null;
}

/** Make the card of a match that waits for players. @param {Summary} first @returns {Card} */
export function waitingCard(first) {
  const element = h("article", { class: "card wait" });
  /** @param {Summary} match */
  async function draw(match) {
    const module = await gameModule(match.game);
    put(
      element,
      h(
        "div",
        { class: "wait-row" },
        match.seats.map((seat, n) =>
          h(
            "span",
            { class: "wait-seat" },
            module.chip(n),
            seat.joined
              ? h("strong", {}, seat.name)
              : h("span", { class: "quiet" }, awaited(match, n)),
          ),
        ),
        h("a", { class: "btn", href: address(match) }, t("home.open")),
      ),
      joinLines(match),
    );
  }
  void draw(first);
  return { element, update: (match) => void draw(match) };
}
