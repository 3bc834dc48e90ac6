// SPARQL for CodeMirror: colours, and what can stand at the cursor.

import { KEYWORDS, tokenAt, tokens } from "./sparql_tokens.js";

// How the editor calls our kinds of tokens.
const NAMES = {
  keyword: "keyword",
  variable: "variableName",
  name: "propertyName",
  iri: "url",
  text: "string",
  language: "labelName",
  number: "number",
  comment: "comment",
};
const BEGUN = /(?:[?$]\w*|[A-Za-z][\w-]*(?::[\w-]*)?|:[\w-]*)$/;
const MOST_IN_TEXT = 40_000;

/** The tokens of SPARQL for StreamLanguage.define. */
export const streamParser = {
  name: "sparql",
  startState: () => ({ quote: "" }),
  token(stream, state) {
    if (state.quote) return endOfText(stream, state);
    const long = stream.match(/"""|'''/);
    if (long) {
      state.quote = long[0];
      return endOfText(stream, state);
    }
    const [kind, piece] = tokenAt(stream.string, stream.pos);
    stream.pos += piece.length;
    return NAMES[kind] ?? null;
  },
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
};

/** A text in three quotes may go over several lines. */
function endOfText(stream, state) {
  const at = stream.string.indexOf(state.quote, stream.pos);
  if (at < 0) stream.skipToEnd();
  else {
    stream.pos = at + 3;
    state.quote = "";
  }
  return "string";
}

/**
 * What could stand at the end of `before`: {begun, offers} or null. `known` has `prefixes`
 * (IRIs by name), `classes` and `properties` ({name, count}); offers are as CodeMirror has them.
 */
export function completions(before, text, known, isAsked = false) {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const begun = BEGUN.exec(line)?.[0] ?? "";
  if (isInside(before) || (!begun && !isAsked)) return null;
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
  return { begun, offers: [...classes, ...properties, ...others] };
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
