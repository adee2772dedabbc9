// Talking to the server: requests with the key, sockets that come back, and the seats of this
// browser.
import { t } from "./i18n.js";
import { keep, recall } from "./storage.js";

/** @typedef {import("./types.js").Text} Text */
/** @typedef {import("./types.js").Info} Info */

/** What went wrong, for people. */
export class ApiError extends Error {
  /** @param {string} message @param {number} status 0 if the server did not answer */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

takeKey();

/** Keep the key and the seats behind # in the printed address, and take them out of the address. */
function takeKey() {
  const parts = location.hash.replace(/^#/, "").split("&");
  /** @param {string} name */
  const find = (name) => parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1);
  const mine = find("key");
  const seats = find("seats");
  if (!mine && !seats) return;
  if (mine) keep("key", decodeURIComponent(mine));
  const match = /^\/match\/([^/]+)$/.exec(location.pathname);
  if (seats && match) {
    const tokens = seats.split(",").map((token) => (token ? { token } : null));
    keepSeats(decodeURIComponent(match[1]), tokens);
  }
  const others = parts.filter((part) => !/^(key|seats)=/.test(part)).join("&");
  history.replaceState(null, "", location.pathname + location.search + (others && `#${others}`));
}

/** Return the key of the server's owner, if this browser has it. */
export const key = () => recall("key");

/** A page that was saved as one file carries the answers that it needs. */
const saved = /** @type {Record<string, any> | null} */ (readSaved("saved-answers"));

/** @param {string} id @returns {any} */
function readSaved(id) {
  const node = document.getElementById(id);
  return node ? JSON.parse(node.textContent ?? "null") : null;
}

/** Whether this page was saved as a file, with no server behind it. */
export const isSaved = saved !== null;

/** The match that a saved page shows, or null. */
export const savedMatch = /** @type {string | null} */ (readSaved("saved-match"));

/** Return the address of a picture, which a saved page has in itself. @param {string} path */
export const picture = (path) =>
  saved?.[path] ? `data:image/svg+xml,${encodeURIComponent(saved[path])}` : path;

/**
 * Ask the server. Raises ApiError with a sentence for people.
 * @param {string} path
 * @param {RequestInit} [options]
 * @param {string | null} [mine] key or token to ask with
 * @returns {Promise<any>}
 */
async function request(path, options = {}, mine = key()) {
  const headers = new Headers(options.headers);
  if (mine) headers.set("Authorization", `Bearer ${mine}`);
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch {
    throw new ApiError(t("net.failed"), 0);
  }
  const body = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(reason(body, response.status), response.status);
  return body;
}

/** @param {any} body @param {number} status */
function reason(body, status) {
  return body?.error ? t(body.error) : t("net.odd", { n: status });
}

/** Get an answer. @param {string} path @returns {Promise<any>} */
export async function get(path) {
  return saved && path in saved ? saved[path] : request(path);
}

/**
 * Ask for something to be done, with the owner's key or the token of a seat.
 * @param {string} path @param {any} [body] @param {string | null} [mine]
 * @returns {Promise<any>}
 */
export function post(path, body = {}, mine = key()) {
  const headers = { "Content-Type": "application/json" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) }, mine);
}

/** Send a file as it is. @param {string} path @param {Blob} file @returns {Promise<any>} */
export function upload(path, file) {
  const headers = { "Content-Type": "application/octet-stream" };
  return request(path, { method: "POST", headers, body: file });
}

/** @type {Promise<Info> | null} */
let known = null;

/** Return what the server offers, asked for once. @returns {Promise<Info>} */
export function info() {
  known ??= get("/api/info").then(readInfo, (error) => {
    known = null;
    throw error;
  });
  return known;
}

/** Put what the server tells into the shape that pages use. @param {any} told @returns {Info} */
function readInfo(told) {
  const named = (/** @type {string[]} */ names) => names.map((name) => ({ name }));
  const isOwn = (/** @type {string} */ game, /** @type {string} */ name) =>
    (told.own_bots?.[game] ?? []).includes(name);
  /** @type {Info["bots"]} */
  const bots = { house: {}, folder: {} };
  for (const [game, names] of Object.entries(told.bots)) {
    bots.house[game] = named(names.filter((/** @type {string} */ name) => !isOwn(game, name)));
    bots.folder[game] = named(told.own_bots?.[game] ?? []);
  }
  const games = told.games.map((/** @type {any} */ game) => ({
    id: game.id,
    title: game.title,
    seats: game.seat_names,
    scores: game.score_names,
    unit: game.score_unit,
    page: game.folder ? `/games/${game.folder}/view.js` : null,
    limit: told.server?.limit ?? null,
  }));
  return { ...told, games, bots, analysable: told.analysable ?? [] };
}

/**
 * A socket that comes back by itself.
 * @typedef {object} Line
 * @property {(message: any) => boolean} send false if it is not open
 * @property {() => void} retry try again at once
 * @property {() => void} close
 */

/** The code with which the server closes a line about something that is not there. */
const GONE = 4404;
/** And the one with which it closes a seat that another browser has taken over. */
const TAKEN = 4409;
const WAITS = [300, 700, 1500, 3000, 5000];

/**
 * Listen to the server. When the connection is lost it is tried again, and `changed` hears of it.
 * @param {string | (() => string)} path asked each time, so that it can say what is already known
 * @param {{ message: (message: any) => void, changed?: (state: "open" | "lost") => void,
 *   isSeat?: boolean }} listener a seat needs no key, its address is a secret
 * @returns {Line}
 */
export function listen(path, { message, changed = () => {}, isSeat = false }) {
  /** @type {WebSocket | null} */
  let socket = null;
  let tries = 0;
  let timer = 0;
  let isClosed = false;

  function open() {
    clearTimeout(timer);
    const address = new URL(typeof path === "string" ? path : path(), location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const mine = new WebSocket(address);
    socket = mine;
    mine.onopen = () => {
      tries = 0;
      if (!isSeat) send({ type: "hello", key: key() });
      changed("open");
    };
    mine.onmessage = (event) => {
      const told = JSON.parse(event.data);
      for (const one of Array.isArray(told) ? told : [told]) message(one);
    };
    mine.onclose = (event) => {
      if (isClosed || socket !== mine) return;
      if (event.code === GONE) message({ type: "gone" });
      else if (event.code !== TAKEN) lost();
    };
  }
  function lost() {
    changed("lost");
    timer = setTimeout(open, WAITS[Math.min(tries++, WAITS.length - 1)]);
  }
  /** @param {any} value */
  function send(value) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(value));
    return true;
  }
  function close() {
    isClosed = true;
    clearTimeout(timer);
    socket?.close();
  }
  if (!saved) open();
  addEventListener("pagehide", close);
  return { send, retry: open, close };
}

/**
 * Keep the tokens of the seats that this browser plays.
 * @param {string} id
 * @param {({ token: string } | null)[]} seats
 */
export function keepSeats(id, seats) {
  const tokens = seats.map((seat) => seat?.token ?? null);
  if (tokens.some(Boolean)) keep(`seats:${id}`, JSON.stringify(tokens));
}

/**
 * Return for each seat of a match its token, or null.
 * @param {string} id
 * @returns {(string | null)[]}
 */
export function seatsOf(id) {
  try {
    const tokens = JSON.parse(recall(`seats:${id}`) ?? "[]");
    return Array.isArray(tokens) ? tokens : [];
  } catch {
    return [];
  }
}
