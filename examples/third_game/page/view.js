// How a match of this game is shown and played in the browser. This is all that a game needs.
import { h, put, s } from "/static/js/dom.js";
import { addWords, t } from "/static/js/i18n.js";

/** @typedef {import("/static/js/types.js").View} View */
/** @typedef {import("/static/js/types.js").Table} Table */

const LETTERS = "abcdefg";
const HEIGHT = 6;
const STONES = "RY";

export const words = /** @type {Record<string, [string, string]>} */ ({
  "four.red": ["Rot", "Red"],
  "four.yellow": ["Gelb", "Yellow"],
  "four.drop": ["{who} wirft in Spalte {column}", "{who} drops into column {column}"],
  "four.choose": ["Wähle eine Spalte.", "Choose a column."],
  "four.fits": ["Klick oder Enter wirft den Stein.", "Click or Enter drops the stone."],
  "four.full": ["Spalte {column} ist voll.", "Column {column} is full."],
  "four.turn": ["Du bist am Zug: {who}", "Your turn: {who}"],
  "four.board": [
    "Spielbrett. Pfeiltasten wählen eine Spalte, Enter wirft den Stein.",
    "Board. Arrow keys choose a column, Enter drops the stone.",
  ],
  "four.key": ["Stein werfen", "Drop a stone"],
  "four.key.move": ["Spalte wählen", "choose a column"],
  "four.key.drop": ["Stein werfen", "drop the stone"],
});
addWords(words);
export const styles = [new URL("view.css", import.meta.url).href];

/** @param {number} seat */
const who = (seat) => t(seat ? "four.yellow" : "four.red");

/** @param {string} stone R, Y, # for nobody's */
const look = (stone) => (stone === "R" ? "f2 e2" : stone === "Y" ? "f1 e1" : "four-neutral");

/**
 * A stone at a place, counted from the lower left.
 * @param {string} stone
 * @param {number} x
 * @param {number} y
 * @param {string} [extra]
 */
function stoneAt(stone, x, y, extra = "") {
  const [cx, cy] = [x + 0.5, HEIGHT - y - 0.5];
  return s(
    "g",
    { class: `four-stone ${extra}` },
    s("circle", { cx, cy, r: 0.42, class: look(stone) }),
    // The letter is for those who cannot tell the colours apart.
    s("text", { x: cx, y: cy + 0.13 }, stone === "#" ? "" : stone),
  );
}

/** The board. Stones lie between its back and its front, as in the box. */
class FourBoard {
  /** @param {import("/static/js/types.js").BoardOptions} [options] */
  constructor({ mini = false, label = "" } = {}) {
    this.stones = s("g");
    this.above = s("g");
    const holes = [...LETTERS].flatMap((_, x) =>
      Array.from({ length: HEIGHT }, (_, y) =>
        s("circle", { cx: x + 0.5, cy: y + 0.5, r: 0.42, class: "four-hole" }),
      ),
    );
    const names = [...LETTERS].map((letter, x) =>
      s("text", { x: x + 0.5, y: HEIGHT + 0.5, class: "four-name" }, letter),
    );
    this.element = s(
      "svg",
      {
        viewBox: `-.2 -1 7.4 ${HEIGHT + 1.7}`,
        class: `four ${mini ? "mini" : ""}`,
        role: "img",
        "aria-label": label,
      },
      s("rect", {
        x: -0.1,
        y: -0.1,
        width: 7.2,
        height: HEIGHT + 0.2,
        rx: 0.25,
        class: "four-back",
      }),
      holes,
      names,
      this.stones,
      this.above,
    );
  }
  /** @param {View} view */
  show(view) {
    const last = view.last_move ? LETTERS.indexOf(view.last_move) : -1;
    put(
      this.stones,
      view.columns.map((/** @type {string} */ column, /** @type {number} */ x) =>
        [...column].map((stone, y) =>
          stoneAt(stone, x, y, x === last && y === column.length - 1 ? "last" : ""),
        ),
      ),
    );
  }
}

/** @param {import("/static/js/types.js").BoardOptions} options */
export const board = (options) => new FourBoard(options);

/** @param {number} seat */
export const chip = (seat) =>
  h(
    "span",
    { class: "chip", "aria-hidden": "true" },
    h("i", { class: seat ? "k1" : "k2" }, STONES[seat]),
  );

/** @param {View} view before the move @param {string} move */
export function describe(view, move) {
  const seat = view.seat ?? 0;
  return {
    chip: chip(seat),
    picture: null,
    short: move,
    full: t("four.drop", { who: who(seat), column: move }),
  };
}

/** @param {View} view */
export const mover = (view) => (view.seat === null ? "" : who(view.seat));

/** Start to play by hand. @param {Table} table @returns {import("/static/js/types.js").Hand} */
export function hand(table) {
  const own = /** @type {FourBoard} */ (table.board);
  const stop = new AbortController();
  /** @type {{ view: View, moves: string[] } | null} */
  let asked = null;
  let column = 3;

  function draw() {
    own.element.setAttribute("aria-label", t("four.board"));
    if (!asked) return void put(own.above);
    const { view, moves } = asked;
    const letter = LETTERS[column];
    const isFree = moves.includes(letter);
    put(own.above, stoneAt(STONES[view.seat ?? 0], column, HEIGHT, isFree ? "ghost" : "ghost no"));
    const title = t("four.turn", { who: who(view.seat ?? 0) });
    if (isFree) table.status(t("four.fits"), "yes", title);
    else table.status(t("four.full", { column: letter }), "no", title);
  }
  /** @param {number} to */
  function aim(to) {
    column = Math.max(0, Math.min(LETTERS.length - 1, to));
    draw();
  }
  function drop() {
    if (asked?.moves.includes(LETTERS[column])) table.place(LETTERS[column]);
  }
  /** @param {PointerEvent} event */
  function point(event) {
    const { left, width } = own.element.getBoundingClientRect();
    aim(Math.floor(((event.clientX - left) / width) * 7.4 - 0.2));
  }
  /** @param {KeyboardEvent} event */
  function key(event) {
    const target = event.target instanceof Element ? event.target : document.body;
    if (!asked || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest("input, select, dialog, button, a, summary")) return;
    if (event.key === "ArrowLeft") aim(column - 1);
    else if (event.key === "ArrowRight") aim(column + 1);
    else if (event.key === "Enter") drop();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const { signal } = stop;
  own.element.setAttribute("tabindex", "0");
  own.element.setAttribute("role", "application");
  own.element.addEventListener("pointermove", point, { signal });
  own.element.addEventListener("pointerdown", point, { signal });
  own.element.addEventListener("click", drop, { signal });
  addEventListener("keydown", key, { signal, capture: true });
  return {
    ask(view, moves) {
      asked = { view, moves };
      draw();
    },
    rest() {
      asked = null;
      draw();
    },
    redraw: draw,
    keys: [
      [
        "four.key",
        [
          [["←", "→"], "four.key.move"],
          [["Enter"], "four.key.drop"],
        ],
      ],
    ],
    close() {
      stop.abort();
      put(own.above);
      own.element.setAttribute("role", "img");
    },
  };
}
