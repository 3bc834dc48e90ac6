// What a query with an error lacks. The parser of the server says where it gave up, which is often
// later than the mistake; here the usual mistakes are looked for, from the beginning.

import { KEYWORDS, isKeyword, tokens } from "./sparql_tokens.js";

const FORMS = ["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"];
const PAIRS = { "}": "{", ")": "(", "]": "[" };
const MISTAKES = [checkForm, checkBrackets, checkClauses, checkWords, checkTriples];

/** The first mistake that can be told in words, {text, at, length}, or null. */
export function mistakeIn(text) {
  let at = 0;
  const all = [];
  for (const [kind, piece] of tokens(text)) {
    // A plain piece is spaces and signs together.
    const parts = kind === "plain" ? piece.match(/\s+|[\s\S]/g) : [piece];
    for (const part of parts) {
      if (part.trim() && kind !== "comment") all.push({ kind, piece: part, at, length: part.length });
      at += part.length;
    }
  }
  for (const check of MISTAKES) {
    const found = check(all, text);
    if (found) return found;
  }
  return null;
}

function told(token, text) {
  return { text, at: token.at, length: token.length };
}

function checkForm(all, text) {
  let at = 0;
  while (/^(PREFIX|BASE)$/i.test(all[at]?.piece ?? "")) at += /^BASE$/i.test(all[at].piece) ? 2 : 3;
  const first = all[at];
  if (!first) return { text: "Expected a query: SELECT, ASK, CONSTRUCT or DESCRIBE.", at: text.length, length: 0 };
  const word = first.piece.toUpperCase();
  if (FORMS.includes(word)) return null;
  const near = FORMS.find((form) => distance(form, word) <= 2);
  const guess = near ? ` Did you mean ${near}?` : "";
  return told(first, `Expected SELECT, ASK, CONSTRUCT or DESCRIBE here.${guess}`);
}

function checkBrackets(all) {
  const open = [];
  for (const token of all) {
    if (token.kind !== "plain") continue;
    if ("{([".includes(token.piece)) open.push(token);
    const wanted = PAIRS[token.piece];
    if (!wanted) continue;
    const last = open.pop();
    if (!last) return told(token, `Nothing was opened that this ${token.piece} could close.`);
    if (last.piece !== wanted) {
      const closing = Object.keys(PAIRS).find((sign) => PAIRS[sign] === last.piece);
      return told(token, `Expected ${closing}, for the ${last.piece} before, and found ${token.piece}.`);
    }
  }
  const last = open.at(-1);
  const closing = last && Object.keys(PAIRS).find((sign) => PAIRS[sign] === last.piece);
  return last ? told(last, `This ${last.piece} is never closed: expected ${closing}.`) : null;
}

/** A word alone is a keyword, or a mistake: names have a prefix, variables a question mark. */
function checkWords(all) {
  for (const [index, token] of all.entries()) {
    // What is followed by a bracket may be a function of a dialect.
    if (token.kind !== "word" || all[index + 1]?.piece === "(") continue;
    const word = token.piece;
    const near = [...KEYWORDS].find((one) => word.length > 2 && distance(one, word.toUpperCase()) === 1);
    const guess = near
      ? `Did you mean ${near}?`
      : `Expected a name with a prefix, such as sc:${word}, or a variable, ?${word}.`;
    return told(token, `“${word}” is no word of SPARQL. ${guess}`);
  }
  return null;
}

function checkClauses(all) {
  for (const [index, token] of all.entries()) {
    const next = all[index + 1];
    if (/^[<>=&|+/]$/.test(token.piece) && next?.piece === ")")
      return told(next, `Expected a value after ${token.piece}, before the bracket.`);
    const word = token.kind === "keyword" ? token.piece.toUpperCase() : "";
    const isVariable = next?.kind === "variable";
    if (word === "SELECT" && !isVariable && !/^(\*|\(|DISTINCT|REDUCED)$/i.test(next?.piece ?? ""))
      return told(next ?? token, "Expected variables after SELECT, such as ?page, or * for all.");
    if (word === "AS" && !isVariable)
      return told(next ?? token, "Expected a variable after AS, such as ?count.");
    if (/^(LIMIT|OFFSET)$/.test(word) && next?.kind !== "number")
      return told(next ?? token, `Expected a whole number after ${word}.`);
    if (word === "FILTER" && !/^\($/.test(next?.piece ?? "") && next?.kind !== "keyword" && next?.kind !== "name")
      return told(next ?? token, "Expected a condition in brackets after FILTER, such as FILTER(?relevance > 0.5).");
    if (word === "BY" && !isVariable && next?.kind !== "name" && (!next || (next.piece !== "(" && !isKeyword(next.piece)) || /^(LIMIT|OFFSET|HAVING)$/i.test(next.piece)))
      return told(next ?? token, "Expected what to order or group by, such as ?site or DESC(?relevance).");
  }
  return null;
}

const OF_TRIPLES = new Set(["variable", "name", "iri", "number", "text"]);

/** Triples are three terms; what comes after another keyword is left alone. */
function checkTriples(all) {
  let terms = [];
  let isSure = false;
  let word = "";
  for (const token of all) {
    const { kind, piece } = token;
    if (kind === "keyword" && piece !== "a") word = piece.toUpperCase();
    // What stands in a block of VALUES are lists of terms.
    if (piece === "{") [terms, isSure, word] = [[], word !== "VALUES", ""];
    else if (kind === "language" || (kind === "plain" && piece === "^")) isSure = isSure && kind === "language";
    else if (OF_TRIPLES.has(kind) || piece === "a" || piece === "true" || piece === "false") terms.push(token);
    else if (/^[.;,}]$/.test(piece)) {
      const lacks = isSure && lacking(terms, token);
      if (lacks) return lacks;
      // After a semicolon the subject stays, after a comma the property too.
      terms = piece === ";" ? terms.slice(0, 1) : piece === "," ? terms.slice(0, 2) : [];
      isSure = piece === "}" ? false : piece === "." ? true : isSure;
    } else isSure = false;
  }
  return null;
}

function lacking(terms, token) {
  if (terms.length === 1 && !/^[;}.]$/.test(token.piece))
    return told(token, "Expected a property after the subject.");
  if (terms.length === 1 && token.piece === "." )
    return told(token, `Expected a property and a value after ${terms[0].piece}.`);
  if (terms.length === 2)
    return told(token, `Expected a value after ${terms[1].piece}: a variable, a name, an IRI or a literal.`);
  if (terms.length > 3)
    return told(terms[3], `Expected . or ; before ${terms[3].piece}: a triple has three parts.`);
  return null;
}

/** How many letters differ: Levenshtein's distance. */
export function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length];
}
