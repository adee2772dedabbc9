// Two languages. Here are the engine and the words that all pages share. Pages and games add
// theirs.

/** @typedef {import("./types.js").Text} Text */
/** @typedef {import("./types.js").Words} Words */

/** @type {Record<string, Words>} German, English */
const WORDS = {
  home: ["Start", "Home"],
  results: ["Ergebnisse", "Results"],
  rules: ["Regeln", "Rules"],
  projector: ["Beamer", "Projector"],
  skip: ["Zum Inhalt springen", "Skip to content"],
  theme: ["Hell oder dunkel", "Light or dark"],
  marks: [
    "Zeichen auf den Steinen: Muster, Buchstaben, keine",
    "Marks on the pieces: patterns, letters, none",
  ],
  "marks.pattern": ["Muster", "Patterns"],
  "marks.letter": ["Buchstaben", "Letters"],
  "marks.none": ["Ohne Zeichen", "No marks"],
  help: ["Tasten und Hilfe", "Keys and help"],
  menu: ["Menü", "Menu"],
  close: ["Schließen", "Close"],
  foot: ["Läuft auf diesem Rechner, ohne Internet", "Runs on this computer, without the internet"],
  points: ["Punkte", "points"],
  turn: ["Zug", "Turn"],
  "turn.n": ["Zug {n}", "Turn {n}"],
  round: ["Runde", "Round"],
  live: ["live", "live"],
  copied: ["Kopiert", "Copied"],
  copy: ["Kopieren", "Copy"],
  again: ["Noch einmal versuchen", "Try again"],
  loading: ["Wird geladen …", "Loading …"],
  "key.page": ["Seite", "Page"],
  "key.help": ["diese Hilfe", "this help"],
  "key.theme": ["hell, dunkel", "light, dark"],
  "key.language": ["Deutsch, Englisch", "German, English"],
  "key.marks": ["Zeichen auf den Steinen", "marks on the pieces"],
  "net.lost": ["Verbindung verloren, sie wird neu aufgebaut …", "Connection lost, reconnecting …"],
  "net.failed": [
    "Der Server antwortet nicht. Läuft „spielleiter serve“ noch?",
    "The server does not answer. Is “spielleiter serve” still running?",
  ],
  "net.odd": ["Der Server hat mit Fehler {n} geantwortet.", "The server answered with error {n}."],
  "part.failed": [
    "Dieser Teil der Seite konnte nicht gezeigt werden: {why}",
    "This part of the page could not be shown: {why}",
  ],
};

/** Add the words of a page or of a game. @param {Record<string, Words>} table */
export function addWords(table) {
  Object.assign(WORDS, table);
}

/** Return whether there is a word for this key. @param {string} key */
export const hasWord = (key) => Object.hasOwn(WORDS, key);

/** Return the language that is shown. @returns {"de" | "en"} */
export const lang = () => (document.documentElement.lang === "de" ? "de" : "en");

/**
 * Return a word by its key, or a text that came in both languages, with {names} filled in.
 * @param {string | Text} key
 * @param {Record<string, string | number | null | undefined>} [values]
 * @returns {string}
 */
export function t(key, values) {
  // A name in a text that came from elsewhere may have braces of its own.
  if (!values) return pattern(key);
  return pattern(key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** @param {string | Text} key @returns {string} */
function pattern(key) {
  if (typeof key !== "string") return key[lang()] ?? key.en ?? "";
  const pair = WORDS[key];
  if (!pair) {
    console.error("no word for", key);
    return key;
  }
  return pair[lang() === "de" ? 0 : 1];
}

/**
 * Return a number as people of this language write it.
 * @param {number} value
 * @param {number} [digits]
 */
export function number(value, digits = 0) {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString(lang(), options);
}

/** Return a number that always has a sign. @param {number} value @param {number} [digits] */
export function signed(value, digits = 0) {
  const rounded = Number(value.toFixed(digits));
  const sign = rounded > 0 ? "+" : rounded < 0 ? "−" : "±";
  return sign + number(Math.abs(rounded), digits);
}

/** Return a duration, short. @param {number | null | undefined} value */
export function seconds(value) {
  if (value === null || value === undefined) return "–";
  if (value < 0.1) return `${number(value * 1000)} ms`;
  return value < 100 ? `${number(value, 2)} s` : `${number(value)} s`;
}

/**
 * Fill everything that says data-t, data-label or data-hint (a placeholder).
 * @param {ParentNode} [root]
 */
export function translate(root = document) {
  for (const node of all(root, "[data-t]")) node.textContent = t(node.dataset.t ?? "");
  for (const node of all(root, "[data-label]")) {
    node.setAttribute("aria-label", t(node.dataset.label ?? ""));
    node.title = t(node.dataset.label ?? "");
  }
  for (const node of all(root, "[data-hint]")) {
    node.setAttribute("placeholder", t(node.dataset.hint ?? ""));
  }
}

/** @param {ParentNode} root @param {string} selector @returns {NodeListOf<HTMLElement>} */
const all = (root, selector) => root.querySelectorAll(selector);
