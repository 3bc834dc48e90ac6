// SPARQL cut into tokens for colouring. It is never wrong loudly: what it does not
// know stays plain text, and the pieces put together are always the text itself.

/** The words of SPARQL, functions included. */
export const KEYWORDS = new Set(
  `ABS ASK AS ASC AVG BASE BIND BNODE BOUND BY CEIL COALESCE CONCAT CONSTRUCT CONTAINS COUNT DATATYPE
   DAY DESC DESCRIBE DISTINCT ENCODE_FOR_URI EXISTS FILTER FLOOR FROM GRAPH GROUP GROUP_CONCAT HAVING
   HOURS IF IN IRI ISBLANK ISIRI ISLITERAL ISNUMERIC ISURI LANG LANGMATCHES LCASE LIMIT MAX MD5 MIN
   MINUS MINUTES MONTH NAMED NOT NOW OFFSET OPTIONAL ORDER PREFIX RAND REDUCED REGEX REPLACE ROUND
   SAMETERM SAMPLE SECONDS SELECT SEPARATOR SERVICE SHA1 SHA256 SHA384 SHA512 STR STRAFTER STRBEFORE
   STRDT STRENDS STRLANG STRLEN STRSTARTS STRUUID SUBSTR SUM TIMEZONE TZ UCASE UNDEF UNION URI UUID
   VALUES WHERE YEAR`.split(/\s+/),
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

/** The token that begins at a place, [kind, piece]; "word" is a word that is not one of SPARQL's. */
export function tokenAt(text, at) {
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
  return isKeyword(piece) ? "keyword" : "word";
}
