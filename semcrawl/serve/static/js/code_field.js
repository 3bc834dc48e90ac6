// A field for code: a text area whose letters cannot be seen, above the same text in colours. So typing,
// selecting, undoing and what readers of the screen say are the browser's own.

import { brokenLine, commented, erased, indented, moved, typed } from "./code_keys.js";
import { el, fill } from "./dom.js";

const MOST_COLOURED = 200_000;
const PAIRS = { "(": ")", "[": "]", "{": "}" };
const OPENED = Object.fromEntries(Object.entries(PAIRS).map(([opening, closing]) => [closing, opening]));

export class CodeField {
  /**
   * @param settings tokens(text): [kind, piece] each, together the text; attributes of the text area;
   *   changed(isTyped) is called after each change, and keys(event) before a key is handled here, which
   *   returns whether it was its own.
   */
  constructor({ tokens, attributes, changed, keys }) {
    Object.assign(this, { tokens, changed, keys });
    this.lines = el("pre", { class: "code-lines", "aria-hidden": "true" });
    this.area = el("textarea", {
      class: "code-text",
      wrap: "off",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      ...attributes,
      on: {
        input: () => this._take(true),
        beforeinput: (event) => this._edit(event),
        keydown: (event) => this._key(event),
        scroll: () => this.area.scrollTo(0, 0),
      },
    });
    this.node = el("div", { class: "editor" }, el("div", { class: "code" }, this.lines, this.area));
    this._drawn = [];
    this._error = null;
    this._moves = new AbortController();
    // Some browsers tell the text area of it, some the document.
    const listening = { signal: this._moves.signal };
    document.addEventListener("selectionchange", () => this._isFocused() && this._draw(), listening);
    this.area.addEventListener("selectionchange", () => this._draw(), listening);
    this._take(false);
  }

  get text() {
    return this.area.value;
  }

  /** Another text; what was done before cannot be undone any more. */
  set text(text) {
    this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this._error = null;
    this._take(false);
    this.node.scrollTo(0, 0);
  }

  /** Where the cursor is, in letters from the beginning. */
  get cursor() {
    return this.area.selectionEnd;
  }

  /** Replace a part, so that it can be undone; the cursor stands behind it, or where the edit says. */
  replace({ from, to, insert, anchor = from + insert.length, head = anchor }) {
    this.area.focus();
    this.area.setSelectionRange(from, to);
    const before = this.text.length;
    this._isOwn = true;
    // Old, but the only way that the browser can undo.
    const command = insert ? ["insertText", false, insert] : ["delete"];
    if (from !== to || insert) document.execCommand(...command);
    this._isOwn = false;
    if (this.text.length !== before - (to - from) + insert.length) {
      this.area.setRangeText(insert, from, to, "end");
      this._take(true);
    }
    this.area.setSelectionRange(anchor, head);
    this.reveal();
  }

  /** Mark a part as wrong, and put the cursor there. */
  showError(from, length) {
    this._error = { from, to: from + Math.max(1, length) };
    this.area.setAttribute("aria-invalid", "true");
    this.area.focus();
    this.area.setSelectionRange(from, from);
    this._draw();
    this.reveal();
  }

  clearError() {
    this._error = null;
    this.area.removeAttribute("aria-invalid");
    this._draw();
  }

  /** Where a place of the text is on the screen. */
  placeOf(at) {
    const before = this.text.slice(0, at);
    const line = this.lines.children[before.split("\n").length - 1];
    let rest = at - before.lastIndexOf("\n") - 1;
    const range = document.createRange();
    range.selectNodeContents(line);
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (rest <= node.length) {
        range.setStart(node, rest);
        range.setEnd(node, rest);
        break;
      }
      rest -= node.length;
    }
    const { top, bottom } = line.getBoundingClientRect();
    const { left } = (line.firstChild ? range : this.area).getBoundingClientRect();
    return { left, top, bottom };
  }

  /** Scroll so that the cursor can be seen. */
  reveal() {
    const box = this.node.getBoundingClientRect();
    const { left, top, bottom } = this.placeOf(this.cursor);
    const gutter = this.area.getBoundingClientRect().left - this.lines.getBoundingClientRect().left;
    const margin = 12;
    if (top < box.top + margin) this.node.scrollTop -= box.top + margin - top;
    if (bottom > box.bottom - margin) this.node.scrollTop += bottom - box.bottom + margin;
    if (left < box.left + gutter + margin) this.node.scrollLeft -= box.left + gutter + margin - left;
    if (left > box.right - margin) this.node.scrollLeft += left - box.right + 4 * margin;
  }

  close() {
    this._moves.abort();
  }

  _isFocused() {
    return document.activeElement === this.area;
  }

  _selection() {
    return { text: this.text, from: this.area.selectionStart, to: this.area.selectionEnd };
  }

  /** The kind of the token within which a place is, "" between two. */
  _kindAt(at) {
    let end = 0;
    for (const [kind, piece] of this._tokens) {
      const start = end;
      end += piece.length;
      if (start < at && at < end) return kind;
    }
    return "";
  }

  /** What a browser is about to type, done our way where that is better. */
  _edit(event) {
    if (this._isOwn || event.isComposing) return;
    const selection = this._selection();
    const isInText = ["text", "comment"].includes(this._kindAt(selection.from));
    const edits = {
      insertText: () => event.data?.length === 1 && typed(event.data, selection, isInText),
      insertLineBreak: () => brokenLine(selection),
      deleteContentBackward: () => erased(selection),
    };
    const edit = edits[event.inputType]?.();
    if (!edit) return;
    event.preventDefault();
    this.replace(edit);
  }

  _key(event) {
    if (event.isComposing || this.keys(event)) return;
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    const isAlone = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const selection = this._selection();
    const edits = {
      "/": () => isCommand && commented(selection),
      "]": () => isCommand && indented(selection, 1),
      "[": () => isCommand && indented(selection, -1),
      ArrowUp: () => isAlone && moved(selection, -1),
      ArrowDown: () => isAlone && moved(selection, 1),
    };
    const edit = edits[event.key]?.();
    if (!edit) return;
    event.preventDefault();
    this.replace(edit);
  }

  _take(isTyped) {
    const { text } = this;
    this._tokens = text.length > MOST_COLOURED ? [["plain", text]] : this.tokens(text);
    if (isTyped) this._error = null;
    this._draw();
    this.area.scrollTo(0, 0);
    if (isTyped && this._isFocused()) this.reveal();
    this.changed(isTyped);
  }

  /** The lines in colours; those that are as they were stay. */
  _draw() {
    const wanted = lineParts(this._tokens, this._marks());
    const errorLine = this._error ? this.text.slice(0, this._error.from).split("\n").length - 1 : -1;
    wanted.forEach((parts, at) => {
      const key = JSON.stringify([parts, at === errorLine]);
      if (this._drawn[at] === key) return;
      this._drawn[at] = key;
      const line = el("div", { class: at === errorLine ? "code-line wrong" : "code-line" });
      fill(line, parts.map(([kind, piece]) => (kind ? el("span", { class: kind }, piece) : piece)));
      if (this.lines.children[at]) this.lines.children[at].replaceWith(line);
      else this.lines.append(line);
    });
    while (this.lines.children.length > wanted.length) this.lines.lastChild.remove();
    this._drawn.length = wanted.length;
  }

  /** Parts that are marked beside their colour, in order: the brackets at the cursor, an error. */
  _marks() {
    const marks = this._error ? [{ ...this._error, kind: "code-error" }] : [];
    const { from, to } = this._selection();
    if (from !== to || !this._isFocused()) return marks;
    for (const at of matchingBrackets(this._tokens, from)) {
      const isMarked = this._error && at >= this._error.from && at < this._error.to;
      if (!isMarked) marks.push({ from: at, to: at + 1, kind: "code-bracket" });
    }
    return marks.sort((one, other) => one.from - other.from);
  }
}

/** The places of the bracket before or behind a place and of its other half, or none. */
function matchingBrackets(tokens, cursor) {
  const brackets = [];
  let at = 0;
  for (const [kind, piece] of tokens) {
    if (kind === "plain") {
      for (const [index, sign] of [...piece].entries()) {
        if (PAIRS[sign] || OPENED[sign]) brackets.push({ sign, at: at + index });
      }
    }
    at += piece.length;
  }
  const here = brackets.find((one) => one.at === cursor - 1) ?? brackets.find((one) => one.at === cursor);
  if (!here) return [];
  const open = [];
  for (const one of brackets) {
    if (PAIRS[one.sign]) open.push(one);
    else {
      const opening = open.pop();
      const isPair = opening?.sign === OPENED[one.sign];
      if (isPair && (one === here || opening === here)) return [opening.at, one.at];
    }
  }
  return [];
}

/** The parts of each line, [class, piece], of tokens and marks; a mark has its part for itself. */
function lineParts(tokens, marks) {
  const lines = [[]];
  let at = 0;
  let next = 0;
  for (const [kind, piece] of tokens) {
    const colour = kind === "plain" || kind === "word" ? "" : `t-${kind}`;
    const end = at + piece.length;
    while (at < end) {
      while (marks[next] && marks[next].to <= at) next += 1;
      const mark = marks[next];
      const isMarked = mark && mark.from <= at;
      const until = Math.min(end, isMarked ? mark.to : (mark?.from ?? end));
      const names = isMarked ? `${colour} ${mark.kind}`.trim() : colour;
      const [first, ...others] = piece.slice(piece.length - (end - at), piece.length - (end - until)).split("\n");
      if (first) lines.at(-1).push([names, first]);
      for (const other of others) lines.push(other ? [[names, other]] : []);
      at = until;
    }
  }
  return lines;
}
