// Says that the connection is lost, and after a while offers to try again.
import { h, put } from "./dom.js";
import { addWords, t } from "./i18n.js";

const PATIENCE = 10_000;

addWords({
  "net.short": ["Verbindung verloren …", "Connection lost …"],
});

/**
 * @param {() => void} retry
 * @returns {{ element: HTMLElement, show: (state: "open" | "lost") => void }}
 */
export function netLine(retry) {
  const element = h("span", { class: "net", role: "status" });
  let timer = 0;
  let isLost = false;
  const tag = () => h("span", { class: "tag warn", title: t("net.lost") }, t("net.short"));
  const button = () => h("button", { class: "btn", type: "button", onclick: retry }, t("again"));
  return {
    element,
    show(state) {
      if (state === "lost" && isLost) return;
      isLost = state === "lost";
      clearTimeout(timer);
      put(element, isLost ? tag() : null);
      if (isLost) timer = setTimeout(() => put(element, tag(), button()), PATIENCE);
    },
  };
}
