// SPARQL cut into tokens for colouring. It is never wrong loudly: what it does not
// know stays plain text, and the pieces put together are always the text itself.

const KEYWORDS = new Set(
  `ASK AS ASC AVG BASE BIND BOUND BY COALESCE CONCAT CONSTRUCT CONTAINS COUNT DATATYPE DESC DESCRIBE
   DISTINCT EXISTS FILTER FROM GRAPH GROUP GROUP_CONCAT HAVING IF IN ISBLANK ISIRI ISLITERAL LANG
   LANGMATCHES LCASE LIMIT MAX MIN MINUS NAMED NOT OFFSET OPTIONAL ORDER PREFIX REDUCED REGEX REPLACE
   ROUND SAMPLE SELECT SEPARATOR SERVICE STR STRAFTER STRBEFORE STRENDS STRLEN STRSTARTS SUBSTR SUM
   UCASE UNDEF UNION VALUES WHERE`.split(/\s+/),
);

const RULES = [
  ["comment", /#[^\n]*/y],
  ["text", /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?/y],
  ["iri", /<[^<>"{}|^`\\\s]*>/y],
  ["variable", /[?$]\w+/y],
  ["name", /(?:[A-Za-z][\w.-]*)?:(?:[\w%:-](?:[\w.%:-]*[\w%:-])?)?/y],
  ["number", /[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y],
  ["word", /[A-Za-z_]\w*/y],
  ["language", /@[A-Za-z]+(?:-\w+)*/y],
  ["space", /\s+/y],
];

/** The tokens of a text, [kind, piece] each; "plain" where nothing is known. */
export function tokens(text) {
  const found = [];
  for (let at = 0; at < text.length;) {
    const [kind, piece] = tokenAt(text, at);
    at += piece.length;
    const last = found.at(-1);
    if (kind === "plain" && last?.[0] === "plain") last[1] += piece;
    else found.push([kind, piece]);
  }
  return found;
}

/** Whether a word is one of SPARQL's. */
export function isKeyword(word) {
  return KEYWORDS.has(word.toUpperCase());
}

/** All prefixed names of texts, once each, sorted: what a completion can offer. */
export function namesIn(texts) {
  const found = new Set();
  for (const text of texts) {
    for (const [kind, piece] of tokens(text)) {
      if (kind === "name" && /^\w+:\w/.test(piece)) found.add(piece);
    }
  }
  return [...found].sort();
}

function tokenAt(text, at) {
  for (const [kind, rule] of RULES) {
    rule.lastIndex = at;
    const piece = rule.exec(text)?.[0];
    if (piece) return [kindOf(kind, piece), piece];
  }
  return ["plain", text[at]];
}

function kindOf(kind, piece) {
  if (kind === "space") return "plain";
  if (kind !== "word") return kind;
  if (piece === "a") return "keyword";
  if (piece === "true" || piece === "false") return "number";
  return isKeyword(piece) ? "keyword" : "plain";
}
