// The panel that starts a match: game and season, two players, time limit, seed.
import { info, key } from "../api.js";
import { h, icon, put } from "../dom.js";
import { gameModule } from "../games.js";
import { t } from "../i18n.js";
import { chosenPlayers, firstBot, playerSelect, startMatch } from "../players.js";
import { keep } from "../storage.js";
import { toast } from "../toast.js";
import { elsewhere } from "./elsewhere.js";

/** @typedef {import("../types.js").Info} Info */
/** @typedef {import("../types.js").GameInfo} GameInfo */
/** @typedef {{ name: string, games: GameInfo[] }} Family games that are shown by the same page */

const MOST_SEGMENTS = 3;

/**
 * Make the panel. It fills itself.
 * @returns {{ element: HTMLElement, redraw: () => void, ready: Promise<void> }}
 */
export function startPanel() {
  const element = h("section", { class: "card start", id: "new", tabindex: -1 });
  const state = new StartForm(element);
  return { element, redraw: () => state.draw(), ready: state.load() };
}

/**
 * Return games by the page that shows them, the default one first.
 * @param {Info} offered
 * @returns {Family[]}
 */
function families(offered) {
  /** @type {Map<string, GameInfo[]>} */
  const found = new Map();
  for (const game of offered.games) {
    const page = game.page ?? game.id;
    found.set(page, [...(found.get(page) ?? []), game]);
  }
  const all = [...found.values()].map((games) => ({ name: commonName(games), games }));
  const isDefault = (/** @type {Family} */ one) =>
    one.games.some((game) => game.id === offered.default_game);
  return [...all.filter(isDefault), ...all.filter((one) => !isDefault(one))];
}

/** @param {GameInfo[]} games */
function commonName(games) {
  const titles = games.map((game) => t(game.title));
  let name = titles[0];
  while (!titles.every((title) => title.startsWith(name))) name = name.slice(0, -1);
  return name.replace(/[\s(]*\d*$/, "") || titles[0];
}

class StartForm {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {Info | null} */
    this.offered = null;
    this.game = "";
    this.chosen = ["me", ""];
    /** @type {boolean | null} null until somebody chose */
    this.clock = null;
    this.seed = "";
    this.failed = "";
  }

  async load() {
    try {
      this.offered = await info();
      this.game = this.offered.default_game;
      this.chosen[1] = firstBot(this.offered, this.game);
    } catch (error) {
      this.failed = String(/** @type {Error} */ (error).message);
    }
    this.draw();
    if (this.game) await gameModule(this.game).catch(() => null);
  }

  draw() {
    const title = h("h2", {}, t("new.title"));
    if (this.failed) put(this.element, title, h("p", { class: "quiet" }, this.failed));
    else if (!this.offered) put(this.element, title);
    else if (this.offered.remote) put(this.element, elsewhere(this.offered.remote));
    else if (!this.offered.may.start) put(this.element, title, keyForm());
    else put(this.element, title, this.form(this.offered));
  }

  /** @param {Info} offered */
  form(offered) {
    const all = families(offered);
    const family = all.find(({ games }) => games.some(({ id }) => id === this.game)) ?? all[0];
    const game = family.games.find(({ id }) => id === this.game) ?? family.games[0];
    const selects = [0, 1].map((seat) => this.playerChoice(offered, game, seat));
    const submit = h(
      "button",
      { class: "btn main big", type: "submit" },
      icon("play"),
      h("span", {}, t("new.start")),
    );
    const form = h(
      "form",
      { class: "start-form" },
      this.gameChoice(all, family, game),
      h(
        "div",
        { class: "versus" },
        selects.map(({ field }) => field),
      ),
      h("div", { class: "two" }, this.clockChoice(game), this.seedChoice()),
      submit,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.start(
        game,
        selects.map(({ select }) => select),
        submit,
      );
    });
    return form;
  }

  /** @param {Family[]} all @param {Family} family @param {GameInfo} game */
  gameChoice(all, family, game) {
    const pick = (/** @type {string} */ id) => {
      this.game = id;
      if (this.offered) this.chosen = this.chosen.map((one) => this.keepOrReplace(one));
      this.draw();
    };
    const names = all.map(
      ({ name, games }) => /** @type {[string, string]} */ ([games[0].id, name]),
    );
    const choose = all.length > MOST_SEGMENTS ? dropDown : segments;
    const games = choose("game", names, family.games[0].id, pick);
    const rest = (/** @type {GameInfo} */ one) =>
      t(one.title).slice(family.name.length).trim() || t(one.title);
    const seasons = h(
      "select",
      { id: "new-season", onchange: () => pick(seasons.value) },
      family.games.map((one) => h("option", { value: one.id, selected: one === game }, rest(one))),
    );
    return [
      h("fieldset", { class: "field" }, h("legend", {}, t("new.game")), games),
      h("div", { class: "field" }, h("label", { for: "new-season" }, t("new.season")), seasons),
    ];
  }

  /**
   * A bot that the other game does not have gives way to one that it has.
   * @param {string} chosen
   */
  keepOrReplace(chosen) {
    const offered = /** @type {Info} */ (this.offered);
    const names = [
      ...(offered.bots.house[this.game] ?? []),
      ...(offered.bots.folder[this.game] ?? []),
    ];
    const isThere = !chosen.startsWith("bot:") || names.some((bot) => `bot:${bot.name}` === chosen);
    return isThere ? chosen : firstBot(offered, this.game);
  }

  /** @param {Info} offered @param {GameInfo} game @param {number} seat */
  playerChoice(offered, game, seat) {
    const select = playerSelect(offered, game.id, `new-p${seat}`, this.chosen[seat]);
    select.addEventListener("change", () => {
      this.chosen[seat] = select.value;
      if (this.clock === null) this.draw();
      document.getElementById(select.id)?.focus();
    });
    const chip = h("span", { class: "chipbox" });
    void gameModule(game.id).then((module) => put(chip, module.chip(seat)));
    const name = `${t("who.player", { n: seat + 1 })} · ${game.seats[seat] ? t(game.seats[seat]) : ""}`;
    const field = h(
      "div",
      { class: "field" },
      h("label", { for: select.id, class: "label" }, chip, name),
      select,
    );
    return { field, select };
  }

  /** @param {GameInfo} game */
  clockChoice(game) {
    const isOn = this.clock ?? !this.chosen.includes("me");
    const limit = game.limit === null || game.limit === undefined ? "✓" : `${game.limit} s`;
    const choice = segments(
      "clock",
      [
        ["off", t("new.clock.off")],
        ["on", limit],
      ],
      isOn ? "on" : "off",
      (value) => {
        this.clock = value === "on";
      },
    );
    this.isTimed = () => this.clock ?? isOn;
    return h("fieldset", { class: "field" }, h("legend", {}, t("new.clock")), choice);
  }

  isTimed = () => true;

  seedChoice() {
    const input = h("input", {
      type: "text",
      id: "new-seed",
      inputmode: "numeric",
      autocomplete: "off",
      maxlength: 18,
      placeholder: t("new.seed.hint"),
      title: t("new.seed.help"),
      oninput: () => {
        this.seed = input.value.trim();
      },
    });
    input.value = this.seed;
    return h("div", { class: "field" }, h("label", { for: "new-seed" }, t("new.seed")), input);
  }

  /**
   * @param {GameInfo} game
   * @param {HTMLSelectElement[]} selects
   * @param {HTMLButtonElement} submit
   */
  async start(game, selects, submit) {
    if (this.seed && !/^\d{1,15}$/.test(this.seed)) {
      toast(t("new.seed.bad"), "bad");
      return;
    }
    submit.disabled = true;
    const seed = this.seed ? Number(this.seed) : null;
    const players = chosenPlayers(selects);
    try {
      await startMatch({ game: game.id, players, clock: this.isTimed(), seed, from: null });
    } catch (error) {
      toast(/** @type {Error} */ (error).message, "bad");
    } finally {
      submit.disabled = false;
    }
  }
}

/**
 * A choice of which all possibilities are seen.
 * @param {string} name @param {[string, string][]} options @param {string} chosen
 * @param {(value: string) => void} pick
 */
function segments(name, options, chosen, pick) {
  return h(
    "div",
    { class: "seg" },
    options.map(([value, text]) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name,
          value,
          checked: value === chosen,
          onchange: () => pick(value),
        }),
        h("span", {}, text),
      ),
    ),
  );
}

/**
 * A choice with many possibilities.
 * @param {string} name @param {[string, string][]} options @param {string} chosen
 * @param {(value: string) => void} pick
 */
function dropDown(name, options, chosen, pick) {
  const select = h(
    "select",
    { name, "aria-label": t("new.game"), onchange: () => pick(select.value) },
    options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
  );
  return select;
}

/** What is shown to those who may only watch. */
function keyForm() {
  const input = h("input", {
    type: "text",
    id: "new-key",
    autocomplete: "off",
    spellcheck: "false",
  });
  const form = h(
    "form",
    { class: "start-form" },
    h("h3", {}, t("who.key.title")),
    h("p", { class: "small quiet" }, t("who.key.text")),
    key() ? h("p", { class: "small bad-text" }, t("who.key.wrong")) : null,
    h("div", { class: "field" }, h("label", { for: "new-key" }, t("who.key.label")), input),
    h("button", { class: "btn", type: "submit" }, t("who.key.use")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const value = input.value.trim().replace(/^.*key=/, "");
    if (!value) return;
    keep("key", value);
    location.reload();
  });
  return form;
}
