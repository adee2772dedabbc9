// Ratings as points with their 95 % ranges on one axis.
import { h, s } from "../dom.js";
import { signed, t } from "../i18n.js";

/** @typedef {import("./data.js").Run} Run */

/**
 * A round step that gives about `count` lines over this width.
 * @param {number} width
 * @param {number} count
 */
function step(width, count) {
  const raw = width / count,
    power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= raw) ?? raw;
}

/** @param {Run} run */
export function ratings(run) {
  const rows = run.ratings
    .flatMap((rating, bot) => (rating ? [{ name: run.bots[bot], ...rating }] : []))
    .sort((a, b) => b.value - a.value);
  if (!rows.length) return null;
  const phone = matchMedia("(max-width: 40rem)").matches,
    height = phone ? 30 : 34,
    left = phone ? 84 : 120,
    width = phone ? 330 : 620,
    right = phone ? 236 : 500,
    foot = rows.length * height,
    low = Math.min(...rows.map((row) => row.low)) - 40,
    high = Math.max(...rows.map((row) => row.high)) + 40,
    x = (/** @type {number} */ value) => left + ((value - low) / (high - low)) * (right - left),
    by = step(high - low, phone ? 3 : 6);
  const lines = [];
  for (let value = Math.ceil(low / by) * by; value <= high; value += by) lines.push(value);
  const spread = (/** @type {typeof rows[0]} */ row) =>
    Math.round(Math.max(row.high - row.value, row.value - row.low));
  const long = phone ? 10 : 16,
    short = (/** @type {string} */ name) =>
      name.length > long ? `${name.slice(0, long - 1)}…` : name;
  return h(
    "section",
    { class: "card panel rating-panel" },
    h("h2", {}, t("res.rating")),
    h("p", {}, t(run.is_connected ? "res.ratinghow" : "res.apart")),
    s(
      "svg",
      {
        class: "rating",
        viewBox: `0 0 ${width} ${foot + 26}`,
        role: "img",
        "aria-label": rows
          .map((row) => `${row.name} ${signed(Math.round(row.value))} ± ${spread(row)}`)
          .join(", "),
      },
      lines.map((value) => [
        s("path", { d: `M${x(value)} 0V${foot}`, class: value === 0 ? "gl zero" : "gl" }),
        s("text", { x: x(value), y: foot + 18, class: "ax" }, value === 0 ? "0" : signed(value)),
      ]),
      rows.map((row, index) => {
        const y = index * height + height / 2,
          a = x(row.low),
          b = x(row.high);
        return [
          s("text", { x: 0, y: y + 4 }, s("title", {}, row.name), short(row.name)),
          s("rect", { x: a, y: y - 8, width: b - a, height: 16, rx: 8, class: "band" }),
          s("path", {
            d: `M${a} ${y}H${b}M${a} ${y - 5}V${y + 5}M${b} ${y - 5}V${y + 5}`,
            class: "whisk",
          }),
          s("circle", { cx: x(row.value), cy: y, r: 5, class: row.is_open ? "dot open" : "dot" }),
          s(
            "text",
            { x: width - (phone ? 42 : 54), y: y + 4, class: "val" },
            signed(Math.round(row.value)),
          ),
          s("text", { x: width - 2, y: y + 4, class: "err" }, `± ${spread(row)}`),
        ];
      }),
    ),
    rows.some((row) => row.is_open) ? h("p", {}, t("res.open")) : null,
  );
}
