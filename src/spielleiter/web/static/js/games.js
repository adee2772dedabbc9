// Loads what a game brings to be shown. A game without a page of its own is shown as a picture.
import { info, isSaved } from "./api.js";
import { h } from "./dom.js";
import { addWords } from "./i18n.js";
import * as plain from "./plain.js";

/** @typedef {import("./types.js").GameInfo} GameInfo */
/** @typedef {import("./types.js").GameModule} GameModule */

/** @type {Map<string, Promise<GameModule>>} */
const loaded = new Map();

/** Return a game by its id. @param {string} id @returns {Promise<GameInfo | undefined>} */
export async function gameInfo(id) {
  return (await info()).games.find((game) => game.id === id);
}

/** Return the module of a game, loaded once. @param {string} id @returns {Promise<GameModule>} */
export async function gameModule(id) {
  const address = (await gameInfo(id))?.page ?? "";
  let module = loaded.get(address);
  if (!module) {
    module = load(address);
    loaded.set(address, module);
  }
  return module;
}

/** @param {string} address @returns {Promise<GameModule>} */
async function load(address) {
  if (!address) return plain;
  try {
    const own = await import(address);
    addWords(own.words ?? {});
    if (!isSaved) await Promise.all((own.styles ?? []).map(style));
    return { ...plain, ...own };
  } catch (error) {
    console.warn("the page of a game could not be loaded", address, error);
    return plain;
  }
}

/** @param {string} href */
function style(href) {
  return new Promise((resolve) => {
    document.head.append(h("link", { rel: "stylesheet", href, onload: resolve, onerror: resolve }));
  });
}
