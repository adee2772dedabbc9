// Keys of a page. Whoever types into a field or holds Ctrl, Alt or Meta means something else.

/**
 * Call a function for each key that is meant for the page.
 * @param {(event: KeyboardEvent, target: Element) => void} act
 */
export function onKey(act) {
  addEventListener("keydown", (event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.closest("input:not([type=range]):not([type=radio]), select, textarea")) return;
    act(event, target);
  });
}

/**
 * Do what a key means to somebody who plays by hand, before the page hears of it, so that a key
 * has one meaning.
 * @param {(event: KeyboardEvent, onButton: boolean) => (() => void) | null} find
 * @param {AbortSignal} signal
 */
export function onHandKey(find, signal) {
  const listen = (/** @type {KeyboardEvent} */ event) => {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.closest("input:not([type=range]), select, textarea, dialog")) return;
    const act = find(event, !!target.closest("button, a, summary"));
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  addEventListener("keydown", listen, { signal, capture: true });
}
