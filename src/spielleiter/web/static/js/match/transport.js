// Going through a match: slider, steps, playing at a speed, and back to live.
import { h, icon, put } from "../dom.js";
import { t, translate } from "../i18n.js";

const SPEEDS = [1, 2, 4, 8, 0.5];

/**
 * @typedef {object} Course
 * @property {() => number} at
 * @property {() => number} end
 * @property {(index: number) => void} go
 */

/** @param {string} label @param {string} sign @param {() => void} act @param {string} [extra] */
export function tool(label, sign, act, extra = "") {
  const look = { class: `btn square ${extra}`, type: "button", "data-label": label, onclick: act };
  return h("button", look, icon(sign));
}

/** Slider and buttons. */
export class Transport {
  /** @param {Course} course @param {Element[]} extras further buttons */
  constructor(course, extras) {
    this.course = course;
    this.timer = 0;
    this.speed = 0;
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: 0,
      "data-label": "m.slider",
      oninput: () => course.go(Number(this.slider.value)),
    });
    this.auto = tool("m.auto", "play", () => this.toggle(), "main");
    this.pace = h("button", {
      class: "btn optional pace",
      type: "button",
      onclick: () => this.faster(),
    });
    this.where = h("span", { class: "where" });
    this.live = h(
      "button",
      {
        class: "btn golive",
        type: "button",
        "data-label": "m.live",
        onclick: () => course.go(course.end()),
      },
      h("span", { class: "tag live", "data-t": "live" }),
    );
    this.element = h(
      "div",
      { class: "transport" },
      tool("m.first", "first", () => course.go(0), "optional"),
      tool("m.prev", "prev", () => course.go(course.at() - 1)),
      this.auto,
      tool("m.nextmove", "next", () => course.go(course.at() + 1)),
      tool("m.last", "last", () => course.go(course.end()), "optional"),
      this.pace,
      this.where,
      this.live,
      h("div", { class: "extras" }, extras),
    );
  }

  get isPlaying() {
    return this.timer !== 0;
  }

  /**
   * Show where we are.
   * @param {number} turn
   * @param {boolean} isBehind whether a live match has gone on
   */
  show(turn, isBehind) {
    const at = this.course.at();
    const end = this.course.end();
    this.slider.max = String(end);
    this.slider.value = String(at);
    this.slider.style.setProperty("--at", `${end ? (at / end) * 100 : 0}%`);
    this.slider.setAttribute("aria-valuetext", t("turn.n", { n: turn }));
    this.where.textContent = t("turn.n", { n: turn });
    this.live.classList.toggle("off", !isBehind);
    this.live.disabled = !isBehind;
    put(this.pace, h("span", { class: "sr" }, t("m.speed")), ` ${SPEEDS[this.speed]}×`);
  }

  faster() {
    this.speed = (this.speed + 1) % SPEEDS.length;
    if (this.isPlaying) this.start();
    this.showPace();
  }

  showPace() {
    put(this.pace, h("span", { class: "sr" }, t("m.speed")), ` ${SPEEDS[this.speed]}×`);
  }

  toggle() {
    if (this.isPlaying) {
      this.stop();
      return;
    }
    if (this.course.at() === this.course.end()) this.course.go(0);
    this.start();
  }

  start() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.step(), 1000 / SPEEDS[this.speed]);
    this.showAuto();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.showAuto();
  }

  step() {
    if (this.course.at() >= this.course.end()) this.stop();
    else this.course.go(this.course.at() + 1);
  }

  showAuto() {
    put(this.auto, icon(this.isPlaying ? "pause" : "play"));
    this.auto.dataset.label = this.isPlaying ? "m.pause" : "m.auto";
    translate(this.element);
  }
}
