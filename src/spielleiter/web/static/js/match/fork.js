// "Continue from here": a new match that begins in the position that is shown.
import { info } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { chosenPlayers, firstBot, playerSelect, startMatch } from "../players.js";
import { makeDialog } from "../shell.js";
import { toast } from "../toast.js";

/** @typedef {import("../types.js").Match} Match */

/** Make the dialog. @returns {(match: Match, index: number) => Promise<void>} opens it */
export function forkDialog() {
  const { open } = makeDialog("fork");
  return async (match, index) => {
    const turn = match.positions[index].turn;
    const title = t("fork.title", { n: turn });
    const offered = await info().catch(() => null);
    if (match.positions[index].over) open(title, note("fork.over"));
    else if (offered?.remote) open(title, note("fork.remote"), terminal(turn));
    else if (!offered?.may.start) open(title, note("who.key.text"), terminal(turn));
    else open(title, form(offered, match, index), terminal(turn));
  };
}

/** @param {string} word */
const note = (word) => h("p", { class: "forkform" }, t(word));

/** @param {number} turn */
function terminal(turn) {
  return h(
    "div",
    { class: "forkform" },
    h("p", { class: "small quiet" }, t("fork.terminal")),
    h(
      "code",
      { class: "small" },
      `spielleiter play human greedy --from FILE.xml.gz --turn ${turn}`,
    ),
  );
}

/** @param {import("../types.js").Info} offered @param {Match} match @param {number} index */
function form(offered, match, index) {
  const seat = match.positions[index].seat ?? 0;
  const bot = firstBot(offered, match.game);
  const selects = [0, 1].map((n) =>
    playerSelect(offered, match.game, `fork-p${n}`, n === seat ? "me" : bot),
  );
  const clock = h("input", { type: "checkbox", id: "fork-clock" });
  const submit = h("button", { class: "btn main big", type: "submit" }, t("fork.go"));
  const element = h(
    "form",
    { class: "forkform" },
    h("p", { class: "small quiet" }, t("fork.text")),
    selects.map((select, n) =>
      h(
        "div",
        { class: "field" },
        h("label", { for: select.id }, t("who.player", { n: n + 1 })),
        select,
      ),
    ),
    h("label", { class: "check" }, clock, t("fork.clock")),
    submit,
  );
  element.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const from = { match: match.id, index };
    const players = chosenPlayers(selects);
    const request = { game: match.game, players, clock: clock.checked, seed: null, from };
    await startMatch(request).catch((error) => toast(error.message, "bad"));
    submit.disabled = false;
  });
  return element;
}
