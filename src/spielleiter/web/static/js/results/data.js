// What the results pages get from the server, and how they ask for it again while a run goes on.

/** @typedef {import("../types.js").Text} Text */
/** @typedef {"time" | "crash" | "rule"} Trouble */
/**
 * @typedef {{ value: number, low: number, high: number, matches: number, is_open: boolean }} Rating
 */
/**
 * @typedef {object} Row
 * @property {number} place
 * @property {number} bot
 * @property {number} matches
 * @property {number} wins
 * @property {number} draws
 * @property {number} losses
 * @property {number} victory_points
 * @property {number | null} mean_score
 * @property {number} forfeits
 * @property {number} byes
 * @property {number} time
 * @property {number} crash
 * @property {number} rule
 */
/**
 * @typedef {object} RunSummary
 * @property {string} id
 * @property {Text} title
 * @property {"match" | "tournament"} kind
 * @property {string} game
 * @property {Text} game_title
 * @property {string} folder
 * @property {string} created
 * @property {string | null} changed
 * @property {number} played
 * @property {number} planned
 * @property {boolean} is_complete
 * @property {boolean} is_duel
 * @property {string[]} bots
 * @property {number[]} leaders
 */
/**
 * @typedef {{ matches: number, wins: number, draws: number, losses: number, points: number, scored: number, conceded: number }} Cell
 */
/**
 * @typedef {object} RunDetails
 * @property {Text[]} verdict
 * @property {Text[]} notices
 * @property {Row[]} standings
 * @property {(Cell | null)[][]} cross
 * @property {(Rating | null)[]} ratings
 * @property {boolean} is_connected
 * @property {Text} score_name
 * @property {number} draws
 * @property {number | null} seconds
 * @property {Record<Trouble, number>} trouble
 * @property {RunMatch[]} recent
 */
/** @typedef {RunSummary & RunDetails} Run */
/**
 * @typedef {object} RunMatch
 * @property {string} id
 * @property {number} number
 * @property {number} round
 * @property {[number, number]} bots
 * @property {[string, string]} names
 * @property {[number, number]} scores
 * @property {number | null} winner
 * @property {string} code
 * @property {Text} reason
 * @property {Trouble | null} trouble
 * @property {number | null} fault
 * @property {number | null} seconds
 * @property {(number | null)[]} slowest
 * @property {string} finished
 */

const QUICK = 2000,
  CALM = 10000,
  STILL = 90;

/** Seconds by which the server's clock is ahead of this one. */
let ahead = 0;

/** @param {string} text @returns {number} seconds since then, by the server's clock */
const since = (text) => Date.now() / 1000 + ahead - Date.parse(text) / 1000;

/**
 * Whether results still come. A run that was broken off looks the same for a while.
 * @param {RunSummary} run
 */
export const isRunning = (run) => !run.is_complete && since(run.changed ?? run.created) < STILL;

/** Return about how many seconds a run still needs, or null. @param {RunSummary} run */
export function secondsLeft(run) {
  if (!run.changed || !run.played || !isRunning(run)) return null;
  const spent = (Date.parse(run.changed) - Date.parse(run.created)) / 1000;
  return (spent / run.played) * (run.planned - run.played);
}

/**
 * Ask for something now and again as long as the page is shown.
 * @param {string} path
 * @param {(answer: any) => void} changed gets the answer when it differs from the last one
 * @param {(isLost: boolean, status: number) => void} lost is told whether the server can be reached
 * @returns {{ stop: () => void }}
 */
export function follow(path, changed, lost = () => {}) {
  let timer = 0,
    last = "",
    pace = QUICK,
    isStopped = false;
  async function ask() {
    clearTimeout(timer);
    try {
      const response = await fetch(path, { cache: "no-cache" }),
        text = await response.text();
      if (isStopped) return;
      lost(!response.ok, response.status);
      if (response.ok && text !== last) {
        last = text;
        const date = Date.parse(response.headers.get("date") ?? "");
        ahead = date ? (date - Date.now()) / 1000 : 0;
        const answer = JSON.parse(text);
        pace = answer.is_complete ? CALM : QUICK;
        changed(answer);
      }
    } catch {
      if (!isStopped) lost(true, 0);
    }
    if (!isStopped && !document.hidden) timer = setTimeout(ask, pace);
  }
  const shown = () => {
    if (!document.hidden) void ask();
  };
  document.addEventListener("visibilitychange", shown);
  void ask();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", shown);
    },
  };
}
