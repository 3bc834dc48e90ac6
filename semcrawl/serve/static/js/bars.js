// Bars: rows with a name, a bar and a number, the length of the bars told by the largest.

import { el } from "./dom.js";
import { count } from "./format.js";

/**
 * A list of bars. Rows are {name, value, title, text, isGood}: `name` is text or a
 * node, `text` what stands beside the bar (the number, unless given).
 */
export function bars(rows, { most = largest(rows), label = null, write = count } = {}) {
  return el(
    "ul",
    { class: "bars", "aria-label": label },
    rows.map((row) => bar(row, most, write)),
  );
}

/** A bar alone, without name and number: a good part, and another after it; shares of 1. */
export function track(good, other = 0) {
  return el(
    "span",
    { class: "bar-track", "aria-hidden": "true" },
    part(good, "relevant"),
    part(other, ""),
  );
}

function part(share, kind) {
  const width = `${Math.max(0, Math.min(1, share || 0)) * 100}%`;
  return share > 0 && el("span", { class: `bar-part ${kind}`, style: { width } });
}

function bar({ name, value, title, text, isGood = true }, most, write) {
  return el(
    "li",
    { class: "bar", title },
    el("span", { class: "bar-name" }, name),
    isGood ? track(value / most) : track(0, value / most),
    el("span", { class: "bar-number" }, text ?? write(value)),
  );
}

function largest(rows) {
  return rows.reduce((most, row) => Math.max(most, row.value), 0);
}
