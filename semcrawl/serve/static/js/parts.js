// Small parts that several views are made of.

import { el, fill } from "./dom.js";
import { score, titleOf } from "./format.js";
import { hashFor } from "./router.js";

/** A section with a heading: panel("Census", content…). */
export function panel(title, ...children) {
  return el("section", { class: "panel" }, title && el("h2", {}, title), children);
}

/** What stands where something is being fetched. */
export function loading(text = "Loading …") {
  return el("p", { class: "loading", role: "status" }, text);
}

/** What stands where there is nothing, and why. */
export function empty(...text) {
  return el("p", { class: "empty" }, text);
}

/** What stands where something failed; with a button where `again` is given. */
export function problem(error, again = null) {
  return el(
    "div",
    { class: "problem", role: "alert" },
    el("p", {}, error.message ?? String(error)),
    again && button("Try again", again),
  );
}

/** A button. */
export function button(text, clicked, attributes = {}) {
  return el("button", { type: "button", ...attributes, on: { click: clicked } }, text);
}

/** A label with its input. */
export function field(label, input, help = null) {
  return el(
    "label",
    { class: "field" },
    el("span", { class: "field-name" }, label),
    input,
    help && el("small", {}, help),
  );
}

/** A bar for a number from 0 to `most`, with the number beside it. */
export function meter(value, { most = 1, text = score(value), isGood = true } = {}) {
  const share = Math.max(0, Math.min(1, (value ?? 0) / (most || 1)));
  return el(
    "span",
    { class: `meter ${isGood ? "" : "poor"}` },
    el("span", { class: "meter-text" }, text),
    el(
      "span",
      { class: "meter-track", "aria-hidden": "true" },
      el("span", { class: "meter-bar", style: { width: `${share * 100}%` } }),
    ),
  );
}

/** A link to the view of a crawled page, with its title; never to the page itself. */
export function pageLink(page, text = titleOf(page)) {
  return el("a", { href: hashFor("page", { url: page.url }), title: page.url }, text);
}

/**
 * Fetch something and show it in a node: a loading line, then what `show(data)`
 * makes of it, or the error with a button to try again.
 */
export async function load(node, fetching, show, text) {
  fill(node, loading(text));
  try {
    const data = await fetching();
    fill(node, show(data));
  } catch (error) {
    if (error.name === "AbortError") return;
    fill(node, problem(error, () => load(node, fetching, show, text)));
  }
}
