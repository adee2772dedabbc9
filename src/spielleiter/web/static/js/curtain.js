// Keeps a page out of sight until what it is built from is there, so that nothing jumps.

/** Nobody looks at nothing for longer than this. */
const LONGEST_MS = 4000;

/**
 * Hide an element until everything has arrived or failed.
 * @param {HTMLElement} element
 * @param {Promise<unknown>[]} parts
 */
export function hideUntil(element, parts) {
  const show = () => element.classList.remove("loading");
  element.classList.add("loading");
  setTimeout(show, LONGEST_MS);
  void Promise.allSettled(parts).then(show);
}
