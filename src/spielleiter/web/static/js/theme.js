// Loaded before the first paint, so that the page never flashes in the wrong theme or language.
(() => {
  const query = new URLSearchParams(location.search);
  /** @param {string} key */
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  /** @param {string} key @param {string[]} allowed @param {string} otherwise */
  const chosen = (key, allowed, otherwise) =>
    [query.get(key), stored(key)].find((value) => value !== null && allowed.includes(value)) ??
    otherwise;
  const root = document.documentElement;
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = chosen("theme", ["light", "dark"], isDark ? "dark" : "light");
  root.dataset.marks = chosen("marks", ["pattern", "letter", "none"], "pattern");
  root.lang = chosen("lang", ["de", "en"], navigator.language.startsWith("de") ? "de" : "en");
})();
