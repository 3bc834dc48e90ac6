// Building the page from elements and text.
//
// What a crawl has brought is hostile: titles, URLs and anchors of strangers. So
// nothing here, nor anywhere else in this page, ever reads a text as HTML. Text
// becomes text nodes; addresses are ours (they begin with "#" or "/") or go
// through link(), which makes a link of http and https only.

const SVG = "http://www.w3.org/2000/svg";
const ADDRESSES = new Set(["href", "src", "action", "formaction", "srcdoc", "xlink:href"]);

/**
 * An element: el("p", {class: "note", on: {click: f}}, "text", otherElement, [more]).
 *
 * Attributes that are null, undefined or false are left out, true means present.
 * Special ones: `on` (listeners by event), `style` (an object, "--name" too),
 * `data` (an object), `value`, `checked`, `disabled` and `selected` (set as
 * properties). Children that are null, undefined or false are left out.
 */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** Put these children in the place of all that a node has; the node. */
export function fill(node, ...children) {
  node.replaceChildren(...nodes(children));
  return node;
}

/** Add children at the end of a node; the node. */
export function add(node, ...children) {
  node.append(...nodes(children));
  return node;
}

/** Whether a URL of a crawled page can be followed without running anything here. */
export function isWebAddress(url) {
  try {
    const { protocol } = new URL(url);
    return protocol === "http:" || protocol === "https:";
  } catch {
    return false;
  }
}

/**
 * A link out to a crawled URL, in a new tab; plain text where following it could
 * run something (javascript:, data: and the like).
 */
export function link(url, text = url, attributes = {}) {
  if (!isWebAddress(url)) {
    return el("span", { class: "inert", title: "not a web address, so no link" }, text);
  }
  const anchor = el("a", { class: "outside", ...attributes, target: "_blank" }, text);
  anchor.rel = "noreferrer noopener nofollow";
  anchor.href = url;
  return anchor;
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    set(node, name, value);
  }
  return add(node, ...children);
}

function set(node, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "on") {
    for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
  } else if (name === "style") {
    // One by one: the Content-Security-Policy forbids style attributes.
    for (const [property, text] of Object.entries(value)) node.style.setProperty(property, text);
  } else if (name === "data") {
    Object.assign(node.dataset, value);
  } else if (["value", "checked", "disabled", "selected"].includes(name)) {
    node[name] = value;
  } else {
    setPlain(node, name.toLowerCase(), name, value);
  }
}

function setPlain(node, lower, name, value) {
  const text = value === true ? "" : String(value);
  if (lower.startsWith("on")) {
    throw new TypeError(`${name}: give listeners as on: {…}`);
  }
  if (ADDRESSES.has(lower) && !/^(#|\/(?!\/))/.test(text)) {
    throw new TypeError(`${name}=${text}: not an address of ours; use link()`);
  }
  node.setAttribute(name, text);
}

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}
