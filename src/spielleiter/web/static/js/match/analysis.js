// Having the engine analyse a match that is over: the button, how far it is, and how to stop it.
import { get, info, isSaved, post } from "../api.js";
import { h, icon, put } from "../dom.js";
import { t } from "../i18n.js";
import { toast } from "../toast.js";
import "./analysis_words.js";

/** @typedef {import("./store.js").MatchStore} MatchStore */
/** @typedef {{ state: "none" | "running" | "done" | "failed", done: number, total: number,
 *   error: import("../types.js").Text | null, analysis: import("../types.js").Analysis | null }} Told */

const POLL = 700;

/** The tools above the list of moves. */
export class AnalysisTools {
  /** @param {MatchStore} store */
  constructor(store) {
    this.store = store;
    this.element = h("div", { class: "analysis-tools" });
    this.news = h("span", { class: "sr", role: "status" });
    this.mayStart = false;
    /** @type {Told | null} */
    this.told = null;
    this.timer = 0;
  }

  get path() {
    return `/api/matches/${encodeURIComponent(this.store.match.id)}/analysis`;
  }

  /** Find out what can be done with this match. Nobody can while it is played. */
  async prepare() {
    if (isSaved || !this.store.isOver) return;
    const known = await info().catch(() => null);
    if (!known?.analysable.includes(this.store.match.game)) return;
    this.mayStart = known.may.do;
    await this.ask(() => get(this.path));
  }

  /** @param {() => Promise<any>} request */
  async ask(request) {
    clearTimeout(this.timer);
    const was = this.told?.state;
    try {
      this.take(await request(), was);
    } catch (error) {
      toast(/** @type {Error} */ (error).message, "bad");
    }
    this.draw();
  }

  /** @param {Told} told @param {Told["state"]} [was] */
  take(told, was) {
    const isNew = told.analysis && told.done !== this.told?.done;
    this.told = told;
    if (told.analysis && (isNew || was === "running")) {
      this.store.hear({ type: "analysis", analysis: told.analysis });
    }
    if (told.state === "running") {
      this.timer = setTimeout(() => void this.ask(() => get(this.path)), POLL);
    } else if (was === "running") {
      if (told.error) toast(t(told.error), "bad");
      else this.news.textContent = t("a.done");
    }
  }

  /** Show what can be done now. */
  draw() {
    const told = this.told;
    const isDone = told?.state === "done" && Boolean(told.analysis?.complete);
    if (told?.state === "running") put(this.element, this.progress(told), this.news);
    else if (told && this.mayStart && !isDone) put(this.element, this.button(), this.news);
    else put(this.element, this.news);
  }

  button() {
    const start = () => void this.ask(() => post(this.path));
    return h(
      "button",
      { class: "btn", type: "button", onclick: start, title: t("a.start.long") },
      icon("bulb"),
      t("a.start"),
    );
  }

  /** @param {Told} told */
  progress({ done, total }) {
    const cancel = () => void this.ask(() => post(`${this.path}/cancel`));
    const label = t("a.cancel");
    const look = { class: "btn square", type: "button", title: label, "aria-label": label };
    return [
      h("span", { class: "small quiet" }, t("a.running", { done, total })),
      h("progress", { max: total, value: done, "aria-label": t("a.progress") }),
      this.mayStart ? h("button", { ...look, onclick: cancel }, icon("close")) : null,
    ];
  }
}
