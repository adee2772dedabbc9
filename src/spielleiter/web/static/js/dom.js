// Elements without a framework. Text is always set as text, so names, hints and notes of bots never
// become markup.

/** @typedef {import("./types.js").Child} Child */
/** @typedef {Record<string, any>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Return what is to be appended, as one flat list.
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function flat(children) {
  /** @type {(Node | string)[]} */
  const found = [];
  for (const child of children) {
    if (Array.isArray(child)) found.push(...flat(child));
    else if (typeof child === "number") found.push(String(child));
    else if (child && child !== true) found.push(child);
  }
  return found;
}

/** @param {HTMLElement | SVGElement} node @param {string} name @param {any} value */
function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) {
    node.addEventListener(name.slice(2), value);
  } else if (name === "style") {
    for (const [key, one] of Object.entries(value)) node.style.setProperty(key, String(one));
  } else {
    node.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @template {HTMLElement | SVGElement} N
 * @param {N} node
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {N}
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
  node.append(...flat(children));
  return node;
}

/**
 * Make an HTML element. Attributes that start with "on" are listeners, `style` is an object.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * Make an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Find the first element that matches.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement | null}
 */
export function $(selector, root = document) {
  return root.querySelector(selector);
}

/**
 * Replace what is in an element.
 * @template {Element} N
 * @param {N} node
 * @param {...Child} children
 * @returns {N}
 */
export function put(node, ...children) {
  node.replaceChildren(...flat(children));
  return node;
}

const FILLED = new Set(["first", "prev", "next", "last", "play", "skip"]);
/** @type {Record<string, string>} */
const ICONS = {
  first: "M5 4v12M16 4l-8 6 8 6z",
  prev: "M14 4l-8 6 8 6z",
  next: "M6 4l8 6-8 6z",
  last: "M15 4v12M4 4l8 6-8 6z",
  play: "M6 3.5v13l11-6.5z",
  pause: "M6 4v12M14 4v12",
  left: "M4 9a6.5 6.5 0 1 1 1.8 5.6M4 4v5h5",
  right: "M16 9a6.5 6.5 0 1 0-1.8 5.6M16 4v5h-5",
  flip: "M10 3v14M7 6L2.5 14H7zM13 6l4.5 8H13z",
  check: "M4 10.5l4 4 8-9",
  close: "M5 5l10 10M15 5L5 15",
  warn: "M10 3L18 17H2zM10 8v4M10 14.4v.2",
  eye: "M2 10c3-5.5 13-5.5 16 0-3 5.5-13 5.5-16 0zM10 7.6a2.4 2.4 0 1 0 0 4.8 2.4 2.4 0 0 0 0-4.8z",
  link: "M8.5 11.5l3-3M7 9l-2 2a3 3 0 0 0 4 4l2-2M13 11l2-2a3 3 0 0 0-4-4L9 7",
  copy: "M7 7h9v10H7zM4 13V3h9",
  undo: "M4 8h8a4.5 4.5 0 0 1 0 9H8M7.5 4.5L4 8l3.5 3.5",
  skip: "M4 5l6 5-6 5zM11 5l6 5-6 5z",
  bulb: "M7.5 15h5M8.5 17.5h3M10 2.5a5 5 0 0 0-3 9c.6.5.8 1.2.8 2h4.4c0-.8.2-1.5.8-2a5 5 0 0 0-3-9z",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6L16 16M4 16l1.4-1.4M14.6 5.4L16 4",
  menu: "M3 6h14M3 10h14M3 14h14",
  more: "M5 8l5 5 5-5",
  full: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4",
  fork: "M6 3v14M6 10c0-4 8-2 8-7M11.5 5.5L14 3l2.5 2.5",
  down: "M10 3v10M5.5 9l4.5 4.5L14.5 9M4 17h12",
  swap: "M6 3v13M3 13l3 3 3-3M14 17V4M11 7l3-3 3 3",
};

/** Make one of the signs above. @param {string} name @returns {SVGElement} */
export function icon(name) {
  const look = {
    viewBox: "0 0 20 20",
    "aria-hidden": "true",
    fill: FILLED.has(name) ? "currentColor" : "none",
    stroke: "currentColor",
    "stroke-width": 1.7,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  };
  return s("svg", look, s("path", { d: ICONS[name] }));
}
