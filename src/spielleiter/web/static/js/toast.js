// One short message at the bottom, for what needs no answer.
import { h } from "./dom.js";

let timer = 0;

/** Show a message for a moment. @param {string} text @param {"" | "bad"} [kind] */
export function toast(text, kind = "") {
  const node =
    document.querySelector(".toast") ?? document.body.appendChild(h("div", { role: "status" }));
  node.textContent = text;
  node.className = `toast on ${kind}`;
  clearTimeout(timer);
  timer = setTimeout(() => node.classList.remove("on"), kind ? 6000 : 1800);
}

/** Copy a text and say so. @param {string} text @param {string} message */
export async function copyText(text, message) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyByHand(text);
  }
  toast(message);
}

/**
 * Copy without the clipboard's permission, which pages without https do not get.
 * @param {string} text
 */
function copyByHand(text) {
  const field = h("textarea", { class: "sr", "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}
