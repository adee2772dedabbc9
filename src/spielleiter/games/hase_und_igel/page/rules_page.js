// The rules to look at: the track, fields, actions, prices, cards, and a turn as an example. The
// examples are made from the rules.
import { h, put, s } from "/static/js/dom.js";
import { t } from "/static/js/i18n.js";
import { BOARD, FIXED, SEASON, TURN } from "./examples.js";
import "./rules_words.js";
import { CARD_SIGNS, pawn, sign, smallSign } from "./signs.js";
import { Track } from "./track.js";
import { cost, follow } from "./walking.js";

/** @typedef {import("/static/js/types.js").View} View */

const NUMBERS = {
  first: SEASON.first_gain,
  second: SEASON.second_gain,
  back: SEASON.retreat_gain,
  most: SEASON.goal_carrots,
};
const FARTHEST = 44;

/**
 * Fill the page of rules.
 * @param {HTMLElement} element @param {import("/static/js/types.js").GameInfo} game
 */
export function rules(element, game) {
  put(
    element,
    h("header", {}, h("h1", {}, t(game.title)), h("p", { class: "lead" }, t("track.lead"))),
    part("course", course(), h("p", {}, t("track.start", SEASON_WORDS))),
    part("fields", fields()),
    h("div", { class: "pair" }, part("actions", actions()), part("cards", cards())),
    part("costs", costs()),
    h("div", { class: "pair" }, part("example", example()), part("end", end())),
  );
}

const SEASON_WORDS = { carrots: SEASON.carrots, salads: SEASON.salads };

/**
 * A part with its title and, where there is one, a sentence.
 * @param {string} name
 * @param {...(Element | null)} children
 */
function part(name, ...children) {
  const how = HOW.has(name) ? h("p", { class: "how" }, t(`track.${name}.how`)) : null;
  return h("section", { class: "part" }, h("h2", { id: name }, t(`track.${name}`)), how, children);
}
const HOW = new Set(["course", "actions", "costs", "cards", "example"]);

function course() {
  const track = new Track({ label: t("track.course.how") });
  const hare = { field: 0, carrots: SEASON.carrots, salads: SEASON.salads, cards: [] };
  track.show(/** @type {any} */ ({ board: BOARD, hares: [hare, hare], seat: 0 }));
  const mark = () =>
    track.nodes.forEach((node, n) => node.classList.toggle("fixed", FIXED.includes(n)));
  track.rebuilt = mark;
  mark();
  return h("div", { class: "card course" }, track.element);
}

function fields() {
  const n = Math.max(...SEASON.exchange);
  const entering = (/** @type {string} */ field) =>
    ["CARROT", "POSITION_1", "POSITION_2"].includes(field)
      ? t("track.always")
      : t(`track.${field}.in`, NUMBERS);
  const names = [
    "START",
    "CARROT",
    "HARE",
    "SALAD",
    "HEDGEHOG",
    "POSITION_1",
    "POSITION_2",
    "GOAL",
  ];
  return h(
    "div",
    { class: "fieldcards" },
    names.map((field) =>
      h(
        "article",
        { class: "card fieldcard" },
        tile(field),
        h(
          "div",
          {},
          h("h3", {}, t(field), " ", h("code", {}, field)),
          h(
            "dl",
            {},
            h("dt", {}, t("track.enter")),
            h("dd", {}, entering(field)),
            h("dt", {}, t("track.stand")),
            h("dd", {}, t(`track.${field}.on`, { ...NUMBERS, n })),
          ),
        ),
      ),
    ),
  );
}

/** A field as it looks on the track. @param {string} field */
function tile(field) {
  const looks = { START: "end", GOAL: "end", POSITION_1: "pos1", POSITION_2: "pos2" };
  const look = looks[/** @type {keyof typeof looks} */ (field)] ?? field.toLowerCase();
  return s(
    "svg",
    { viewBox: "-5.6 -5.6 11.2 11.2", "aria-hidden": "true" },
    s(
      "g",
      { class: `tf t-${look}` },
      s("rect", { x: -5.3, y: -5.3, width: 10.6, height: 10.6, rx: 2, class: "tile" }),
      s("g", { transform: "scale(.8)" }, sign(field)),
    ),
  );
}

function actions() {
  const notation = { A: "A5", E: "E", X: "X+10", F: "F", S: "S" };
  const values = { ...NUMBERS, n: Math.max(...SEASON.exchange) };
  return h(
    "dl",
    { class: "card actions" },
    Object.entries(notation).map(([key, text]) => [
      h("dt", {}, t(`track.${key}`), " ", h("code", {}, text)),
      h("dd", {}, t(`track.${key}.text`, values)),
    ]),
  );
}

function cards() {
  const values = { ...NUMBERS, n: Math.max(...SEASON.takeOrDrop) };
  return h(
    "div",
    { class: "cardrows" },
    Object.entries(CARD_SIGNS).map(([card, picture]) =>
      h(
        "article",
        { class: "card cardrow" },
        h("div", { class: "hcard" }, smallSign(picture), h("span", {}, t(card))),
        h("p", {}, h("code", {}, card), h("br"), t(`track.${card}`, values)),
      ),
    ),
  );
}

/** Prices, each as high as it is dear, so that one sees how they grow. */
function costs() {
  const most = cost(FARTHEST);
  return h(
    "ol",
    { class: "card prices", "aria-label": t("track.costs") },
    Array.from({ length: FARTHEST }, (_, k) => {
      const n = k + 1;
      const bar = { class: "pricebar", style: { "--part": cost(n) / most } };
      return h(
        "li",
        { title: `${n} ${t("track.costs.fields")}: ${cost(n)} ${t("hare.carrots")}` },
        h("span", bar),
        h("b", {}, n),
        h("span", {}, cost(n)),
      );
    }),
  );
}

function example() {
  const view = /** @type {View} */ (/** @type {unknown} */ (TURN.view));
  const steps = follow(view, TURN.move);
  const [me, other] = view.hares;
  const names = TURN.move.split(" ").map((action, n) => {
    if (n > 0) return t("track.example.card", { card: t(action.split(":")[1]) });
    const d = steps[0].field - me.field;
    return t("track.example.A", { d, c: cost(d) });
  });
  return h(
    "div",
    { class: "card turns" },
    strip(view, [me.field, ...steps.map((step) => step.field)], other.field),
    h(
      "ol",
      {},
      names.map((name, n) =>
        h(
          "li",
          {},
          h("strong", {}, name),
          h(
            "small",
            {},
            t("track.example.rest", { n: steps[n].field, c: steps[n].carrots, s: steps[n].salads }),
          ),
        ),
      ),
    ),
    h("code", {}, TURN.move),
  );
}

/**
 * A stretch of the track with the way of a turn.
 * @param {View} view
 * @param {number[]} way
 * @param {number} other
 */
function strip(view, way, other) {
  const from = Math.min(...way, other);
  const to = Math.max(...way, other);
  const x = (/** @type {number} */ n) => (n - from) * 12 + 6;
  const stops = Array.from({ length: to - from + 1 }, (_, n) => from + n);
  const jumps = way.slice(1).flatMap((field, n) => {
    const [a, b] = [x(way[n]), x(field)];
    const isBack = b < a;
    const far = 5 + Math.abs(b - a) / 5;
    const d = isBack
      ? `M${a} 6Q${(a + b) / 2} ${6 + far} ${b} 6`
      : `M${a} -5Q${(a + b) / 2} ${-5 - far} ${b} -5`;
    return a === b ? [] : [s("path", { d, class: "arcline" })];
  });
  return s(
    "svg",
    { viewBox: `-1 -20 ${(to - from + 1) * 12 + 2} 36`, class: "strip", "aria-hidden": "true" },
    stops.map((n) =>
      s(
        "g",
        { transform: `translate(${x(n)} 0)` },
        s("g", { class: `tf t-${view.board[n].toLowerCase().replace("position_", "pos")}` }, [
          s("rect", { x: -5.3, y: -5.3, width: 10.6, height: 10.6, rx: 2, class: "tile" }),
          s("g", { transform: "translate(0 .9) scale(.74)" }, sign(view.board[n])),
          s("text", { x: -4.7, y: -3.2, class: "fnum" }, n),
        ]),
        n === way[0] ? pawn(0) : n === other ? pawn(1) : null,
      ),
    ),
    jumps,
  );
}

function end() {
  const sentences = [1, 2, 3, 4].map((n) => t(`track.end.${n}`, { n: SEASON.rounds }));
  return h(
    "ol",
    { class: "card facts" },
    sentences.map((text) => h("li", {}, text)),
  );
}
