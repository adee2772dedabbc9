// All pieces in all their forms, with their names on the wire, to be searched.
import { h, put, s } from "/static/js/dom.js";
import { t } from "/static/js/i18n.js";
import { shape } from "./draw.js";
import { DISTINCT, PIECES, ROTATIONS, SHORT, SIZES } from "./pieces.js";

/** @param {number} r @param {number} f */
const spelled = (r, f) => `${ROTATIONS[r]}${f ? " +f" : ""}`;

export function pieceCards() {
  const list = h("div", { class: "pieces" });
  let size = 0;
  let wanted = "";
  function draw() {
    const isMeant = (/** @type {number} */ p) =>
      (!size || SIZES[p] === size) && (PIECES[p].includes(wanted) || SHORT[p].includes(wanted));
    const found = [...PIECES.keys()].filter(isMeant);
    put(list, found.length ? found.map(card) : h("p", { class: "empty" }, t("rules.nopiece")));
  }
  const search = h("input", {
    type: "search",
    placeholder: t("rules.search"),
    "aria-label": t("rules.search"),
    oninput: () => {
      wanted = search.value.trim().toUpperCase();
      draw();
    },
  });
  const sizes = h(
    "fieldset",
    { class: "seg", "aria-label": t("rules.size") },
    [0, 1, 2, 3, 4, 5].map((one) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name: "size",
          checked: one === size,
          onchange: () => {
            size = one;
            draw();
          },
        }),
        h("span", {}, one || t("rules.all")),
      ),
    ),
  );
  draw();
  return h(
    "div",
    {},
    h("p", { class: "how" }, t("rules.pieces.how")),
    h("div", { class: "filter" }, search, sizes),
    list,
  );
}

/** @param {number} p */
function card(p) {
  const forms = DISTINCT[p];
  return h(
    "article",
    { class: "card pcard", id: PIECES[p] },
    h(
      "header",
      {},
      h("a", { class: "mono", href: `#${PIECES[p]}` }, PIECES[p]),
      h("span", { class: "tag" }, SHORT[p]),
      h("small", {}, forms.length === 1 ? t("rules.form1") : t("rules.forms", { n: forms.length })),
    ),
    h(
      "div",
      { class: "forms" },
      forms.map((form) => formCard(form, p % 4)),
    ),
  );
}

/** @param {import("./pieces.js").DistinctForm} form @param {number} color */
function formCard(form, color) {
  const picture = shape(form, color);
  picture.append(s("circle", { cx: 0, cy: 0, r: 0.2, class: "origin" }));
  const others = form.also.map(([r, f]) => spelled(r, f));
  return h(
    "figure",
    { class: "form" },
    h("div", { class: "cellbox" }, picture),
    h("code", {}, spelled(form.r, form.f)),
    h(
      "small",
      {},
      others.length === 7 ? t("rules.any") : others.map((one) => h("span", {}, `= ${one}`)),
    ),
  );
}
