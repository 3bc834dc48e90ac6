// What keys do to a text of code. An edit is {from, to, insert, anchor, head}: what is put in the place
// of which part, and where the selection is afterwards.

const PAIRS = { "(": ")", "[": "]", "{": "}", '"': '"' };
const INDENT = "  ";

/** A sign that is typed: brackets and quotes come in pairs, and around what is selected. */
export function typed(sign, { text, from, to }, isInText) {
  const [before, after] = [text[from - 1] ?? "", text[to] ?? ""];
  if (from === to && sign === after && Object.values(PAIRS).includes(sign) && isClosed(text, sign)) {
    return { from, to, insert: "", anchor: from + 1, head: from + 1 };
  }
  const closing = PAIRS[sign];
  if (!closing || isInText) return null;
  if (from !== to) {
    const insert = sign + text.slice(from, to) + closing;
    return { from, to, insert, anchor: from + 1, head: to + 1 };
  }
  if (!/^[\s)\]}.,;]?$/.test(after) || (sign === '"' && /[\w"]/.test(before))) return null;
  return { from, to, insert: sign + closing, anchor: from + 1, head: from + 1 };
}

/** Backspace between two brackets that have nothing within takes both. */
export function erased({ text, from, to }) {
  const isPair = from === to && PAIRS[text[from - 1]] && PAIRS[text[from - 1]] === text[from];
  return isPair ? { from: from - 1, to: from + 1, insert: "", anchor: from - 1, head: from - 1 } : null;
}

/** A new line begins where the one before it does, deeper behind an open bracket. */
export function brokenLine({ text, from, to }) {
  const line = text.slice(text.lastIndexOf("\n", from - 1) + 1, from);
  const indent = /^[ \t]*/.exec(line)[0];
  const opened = /[([{]\s*$/.exec(line)?.[0][0];
  const deeper = indent + (opened ? INDENT : "");
  const at = from + 1 + deeper.length;
  const rest = opened && text[to] === PAIRS[opened] ? `\n${indent}` : "";
  return { from, to, insert: `\n${deeper}${rest}`, anchor: at, head: at };
}

/** The selected lines deeper (1) or less deep (-1). */
export function indented(selection, direction) {
  const change = (line) => (direction > 0 ? (line ? INDENT + line : line) : line.replace(/^ {1,2}|^\t/, ""));
  return ofLines(selection, (lines) => lines.map(change));
}

/** The selected lines as comments, or no longer so. */
export function commented(selection) {
  return ofLines(selection, (lines) => {
    const isComment = lines.every((line) => /^\s*(#|$)/.test(line)) && lines.some((line) => line.trim());
    return lines.map((line) => (isComment ? line.replace(/^(\s*)# ?/, "$1") : line.replace(/^(\s*)(?=\S)/, "$1# ")));
  });
}

/** The selected lines changed places with the one above (-1) or below (1). */
export function moved({ text, from, to }, direction) {
  const [start, end] = linesAt(text, from, to);
  if (direction < 0 ? start === 0 : end === text.length) return null;
  const other = direction < 0 ? linesAt(text, start - 1, start - 1) : linesAt(text, end + 1, end + 1);
  const pieces = [text.slice(start, end), text.slice(...other)];
  const by = (direction < 0 ? -1 : 1) * (other[1] - other[0] + 1);
  const whole = direction < 0 ? pieces : pieces.reverse();
  return {
    from: Math.min(start, other[0]),
    to: Math.max(end, other[1]),
    insert: whole.join("\n"),
    anchor: from + by,
    head: to + by,
  };
}

function ofLines({ text, from, to }, change) {
  const [start, end] = linesAt(text, from, to);
  const old = text.slice(start, end).split("\n");
  const lines = change(old);
  const insert = lines.join("\n");
  const first = lines[0].length - old[0].length;
  const head = Math.max(start, to + insert.length - (end - start));
  return { from: start, to: end, insert, anchor: Math.max(start, from + first), head };
}

/** Where the lines of a selection begin and end. */
function linesAt(text, from, to) {
  const end = text.indexOf("\n", to);
  return [text.lastIndexOf("\n", from - 1) + 1, end < 0 ? text.length : end];
}

/** Whether as many brackets are closed as opened; a closing one typed then would be one too many. */
function isClosed(text, sign) {
  const opening = Object.keys(PAIRS).find((one) => PAIRS[one] === sign);
  const count = (one) => text.split(one).length - 1;
  return opening === sign ? count(sign) % 2 === 0 : count(opening) <= count(sign);
}
