// What this browser remembers. In a private window that forbids it, it remembers until the page
// closes.

/** @type {Map<string, string>} */
const forNow = new Map();

/** Return what was kept under a key. @param {string} key @returns {string | null} */
export function recall(key) {
  try {
    return localStorage.getItem(key) ?? forNow.get(key) ?? null;
  } catch {
    return forNow.get(key) ?? null;
  }
}

/** Keep a value, or forget it if it is null. @param {string} key @param {string | null} value */
export function keep(key, value) {
  if (value === null) forNow.delete(key);
  else forNow.set(key, value);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // It stays in `forNow`.
  }
}
