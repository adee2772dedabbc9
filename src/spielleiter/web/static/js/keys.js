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
