// A text field for SPARQL: line numbers, colours, completion, and errors at their line.
//
// The text is a plain textarea with a transparent face; what is seen is a copy
// behind it, coloured. So undo, selection and screen readers work as everywhere.

import { el, fill } from "./dom.js";
import { CompletionList, completions } from "./sparql_completion.js";
import { tokens } from "./sparql_tokens.js";

const MIN_LINES = 8;
const MAX_LINES = 16;
// Beyond this the colours would lag behind the typing.
const MOST_COLOURED = 40_000;

export class SparqlEditor {
  /** @param settings changed(text), run(), names (prefixed names to offer), prefixes. */
  constructor({ changed, run, names = [], prefixes = [] }) {
    Object.assign(this, { changed, run, names, prefixes });
    this.error = null;
    this.gutter = el("div", { class: "editor-gutter", "aria-hidden": "true" });
    this.face = el("pre", { class: "editor-face", "aria-hidden": "true" });
    this.list = new CompletionList((offer) => this._accept(offer));
    this.area = el("textarea", {
      class: "editor-text",
      "aria-label": "SPARQL query",
      "aria-describedby": "editor-help editor-error",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      wrap: "off",
      on: {
        input: () => this._typed(),
        scroll: () => this._scrolled(),
        keydown: (event) => this._key(event),
        blur: () => this.list.hide(),
        click: () => this.list.hide(),
      },
    });
    this.message = el("p", {
      class: "editor-message",
      id: "editor-error",
      role: "alert",
      hidden: true,
    });
    this.box = el(
      "div",
      { class: "editor" },
      this.gutter,
      el("div", { class: "editor-body" }, this.face, this.area, this.list.node),
    );
    this.node = el("div", {}, this.box, this.message);
    this._draw();
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    if (text === this.area.value) return;
    this.area.value = text;
    this.clearError();
    this._draw();
    this.area.scrollTop = 0;
    this._scrolled();
  }

  /** Mark the line of an error, move the cursor there, and say what is wrong. */
  showError(error) {
    this.message.hidden = false;
    fill(this.message, error.message);
    this.error = error.line ?? null;
    this._draw();
    if (!error.line) return;
    const lines = this.text.split("\n");
    const before = lines.slice(0, error.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const column = Math.max(
      0,
      Math.min((error.column ?? 1) - 1, lines[error.line - 1]?.length ?? 0),
    );
    this.area.focus();
    this.area.setSelectionRange(before + column, before + column);
    this._lineIntoView(error.line);
  }

  clearError() {
    if (this.message.hidden) return;
    this.message.hidden = true;
    fill(this.message);
    this.error = null;
    this._draw();
  }

  focus() {
    this.area.focus();
  }

  _typed() {
    this.clearError();
    this._draw();
    this._offer();
    this.changed(this.text);
  }

  _key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.list.hide();
      this.run();
    } else if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this._offer();
    } else if (!this.list.takes(event) && event.key === "Enter" && !event.shiftKey) {
      this._newLine(event);
    }
  }

  /** A new line begins as far in as the one before it. */
  _newLine(event) {
    const before = this.text.slice(0, this.area.selectionStart);
    const line = before.slice(before.lastIndexOf("\n") + 1);
    const indent = /^ */.exec(line)[0] + (/[{(]\s*$/.test(line) ? "  " : "");
    if (!indent) return;
    event.preventDefault();
    this._insert(`\n${indent}`, 0);
  }

  _offer() {
    const { selectionStart: at, selectionEnd } = this.area;
    const before = this.text.slice(0, at);
    const { begun, offers } =
      at === selectionEnd
        ? completions(before, this.text, this.names, this.prefixes)
        : { offers: [] };
    if (!offers.length) {
      this.list.hide();
      return;
    }
    this.begun = begun;
    const line = before.split("\n").length;
    const column = before.length - before.lastIndexOf("\n") - 1 - begun.length;
    const { width, height, padding } = this._sizes();
    const left = Math.max(0, padding + column * width - this.area.scrollLeft);
    this.list.show(
      offers,
      Math.min(left, this.area.clientWidth - 180),
      padding + line * height - this.area.scrollTop,
    );
  }

  _accept(offer) {
    this.list.hide();
    this._insert(offer, this.begun.length);
    if (offer.endsWith(":")) this._offer();
  }

  /** Put a text at the cursor in place of the `back` signs before it, so that undo knows. */
  _insert(text, back) {
    const { selectionStart, selectionEnd } = this.area;
    this.area.focus();
    this.area.setSelectionRange(selectionStart - back, selectionEnd);
    // Old, and the only way to change a textarea that can be undone.
    if (!document.execCommand("insertText", false, text)) {
      this.area.setRangeText(text, selectionStart - back, selectionEnd, "end");
      this._typed();
    }
  }

  _sizes() {
    const style = getComputedStyle(this.area);
    const probe = document.createElement("canvas").getContext("2d");
    probe.font = `${style.fontSize} ${style.fontFamily}`;
    return {
      width: probe.measureText("0").width,
      height: parseFloat(style.lineHeight),
      padding: parseFloat(style.paddingTop),
    };
  }

  _draw() {
    const lines = this.text.split("\n").length;
    this.box.style.setProperty("--lines", Math.max(MIN_LINES, Math.min(MAX_LINES, lines)));
    fill(
      this.gutter,
      Array.from({ length: lines }, (_, at) =>
        el("span", { class: at + 1 === this.error ? "bad" : null }, at + 1),
      ),
    );
    const pieces = this.text.length > MOST_COLOURED ? [["plain", this.text]] : tokens(this.text);
    fill(
      this.face,
      this._errorBand(),
      pieces.map(([kind, piece]) =>
        kind === "plain" ? piece : el("span", { class: `t-${kind}` }, piece),
      ),
      "\n",
    );
  }

  _errorBand() {
    return this.error && el("span", { class: "editor-band", style: { "--line": this.error - 1 } });
  }

  _scrolled() {
    this.face.style.setProperty(
      "transform",
      `translate(${-this.area.scrollLeft}px, ${-this.area.scrollTop}px)`,
    );
    this.gutter.style.setProperty("transform", `translateY(${-this.area.scrollTop}px)`);
    this.list.hide();
  }

  _lineIntoView(line) {
    const { height } = this._sizes();
    const top = (line - 1) * height;
    const { scrollTop, clientHeight } = this.area;
    if (top < scrollTop || top + height * 2 > scrollTop + clientHeight)
      this.area.scrollTop = top - clientHeight / 2;
  }
}
