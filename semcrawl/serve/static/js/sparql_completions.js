// What can stand at the cursor in a query.

import { KEYWORDS, isKeyword, tokens } from "./sparql_tokens.js";

const BEGUN = /(?:[?$]\w*|[A-Za-z][\w-]*(?::[\w-]*)?|:[\w-]*)$/;
const MOST_IN_TEXT = 40_000;

/**
 * What could stand at the end of `before`: {begun, offers} or null. `known` has `prefixes`
 * (IRIs by name), `classes` and `properties` ({name, count}); an offer has `label`, `detail`, `type` and
 * `boost`, by which those that fit equally well are ordered.
 */
export function completions(before, text, known, isAsked = false) {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const begun = BEGUN.exec(line)?.[0] ?? "";
  if (isInside(before)) return null;
  // A word that is whole needs no list, which would take the next Enter.
  if (!isAsked && (!begun || begun === "a" || isKeyword(begun))) return null;
  if (/^[?$]/.test(begun)) return { begun, offers: variables(text, begun) };
  const last = tokens(before.slice(0, before.length - begun.length).trimEnd()).at(-1)?.[1] ?? "";
  const isClass = last === "a" || /(?:^|:)type$/.test(last);
  const classes = known.classes.map((one) => offer(one, "class", isClass ? 3 : 0));
  const properties = known.properties.map((one) => offer(one, "property", isClass ? -1 : 1));
  const prefixes = Object.entries(known.prefixes).map(([name, iri]) => ({
    label: `${name}:`,
    detail: iri,
    type: "namespace",
    boost: -2,
  }));
  const others = begun.includes(":") ? [] : [...prefixes, ...keywords()];
  const offers = [...classes, ...properties, ...others];
  return !isAsked && offers.some(({ label }) => label === begun && !label.endsWith(":")) ? null : { begun, offers };
}

function offer({ name, count }, type, boost) {
  // The frequent ones first, among those that fit equally well.
  const detail = count === undefined ? "" : count.toLocaleString("en");
  return { label: name, detail, type, boost: boost + Math.log10((count ?? 0) + 1) / 10 };
}

function keywords() {
  return [...KEYWORDS].map((label) => ({ label, type: "keyword", boost: -1 }));
}

function variables(text, begun) {
  if (text.length > MOST_IN_TEXT) return [];
  const found = tokens(text).filter(([kind, piece]) => kind === "variable" && piece !== begun);
  return [...new Set(found.map(([, piece]) => piece))].sort().map((label) => ({ label, type: "variable" }));
}

/** Whether a place is within a comment, a text or an IRI. */
function isInside(before) {
  const [kind, piece] = tokens(before).at(-1) ?? ["plain", ""];
  if (kind === "comment") return !piece.endsWith("\n");
  if (kind === "text") return piece.length < 2 || piece.at(-1) !== piece[0];
  return /<[^<>\s]*$/.test(before.slice(before.lastIndexOf("\n") + 1));
}
