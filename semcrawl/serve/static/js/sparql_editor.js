// A field for SPARQL: colours, completion from the graph, and errors at their place.

import { CodeField } from "./code_field.js";
import { CompletionList } from "./completion_list.js";
import { el, fill } from "./dom.js";
import { completions } from "./sparql_completions.js";
import { mistakeIn } from "./sparql_mistakes.js";
import { tokens } from "./sparql_tokens.js";

const LABELS = {
  "aria-label": "SPARQL query",
  "aria-describedby": "editor-help editor-error",
  "aria-autocomplete": "list",
};

export class SparqlEditor {
  /** @param settings changed(text), run(), and known: what can be completed (sparql_completions.js). */
  constructor({ changed, run, known }) {
    Object.assign(this, { changed, run, known });
    this.message = el("p", { class: "editor-message", id: "editor-error", role: "alert", hidden: true });
    this.field = new CodeField({
      tokens,
      attributes: LABELS,
      changed: (isTyped) => isTyped && this._typed(),
      keys: (event) => this._key(event),
    });
    this.list = new CompletionList(this.field, (offer, begun) => this._complete(offer, begun));
    this.node = el("div", {}, this.field.node, this.list.node, this.message);
  }

  get text() {
    return this.field.text;
  }

  /** Another text; what was undone before is forgotten. */
  set text(text) {
    if (text === this.text) return;
    this.field.text = text;
    this.list.close();
    this.clearError();
  }

  /** Mark the place of an error, move the cursor there, and say what is wrong and was expected. */
  showError(error) {
    const isSyntax = error.line !== null && error.line !== undefined;
    const mistake = isSyntax ? mistakeIn(this.text) : null;
    const place = mistake ?? (isSyntax ? this._placeOf(error) : null);
    const at = place && Math.min(place.at, Math.max(0, this.text.length - 1));
    this.message.hidden = false;
    fill(
      this.message,
      mistake && el("strong", {}, `Line ${this.text.slice(0, at).split("\n").length}: ${mistake.text} `),
      mistake ? el("span", { class: "small" }, `(${error.message})`) : error.message,
    );
    if (place) this.field.showError(at, place.length);
  }

  clearError() {
    if (this.message.hidden) return;
    this.message.hidden = true;
    fill(this.message);
    this.field.clearError();
  }

  close() {
    this.field.close();
    this.list.remove();
  }

  _placeOf({ line, column }) {
    const lines = this.text.split("\n");
    const index = Math.max(0, Math.min(line - 1, lines.length - 1));
    const before = lines.slice(0, index).join("\n").length + (index ? 1 : 0);
    return { at: before + Math.max(0, Math.min((column ?? 1) - 1, lines[index].length)), length: 1 };
  }

  _key(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    const own = { Enter: () => this.run(), " ": () => this._offer(true) };
    if (!isCommand || !own[event.key]) return this.list.key(event);
    event.preventDefault();
    own[event.key]();
    return true;
  }

  /** Offer what can stand at the cursor; while typing only where a word is begun and is not whole. */
  _offer(isAsked) {
    const before = this.text.slice(0, this.field.cursor);
    const found = completions(before, this.text, this.known, isAsked);
    this.list.show(found?.begun ?? "", found?.offers ?? []);
  }

  _complete({ label, type }, begun) {
    const { cursor } = this.field;
    this._isCompleting = true;
    this.field.replace({ from: cursor - begun.length, to: cursor, insert: label });
    this._isCompleting = false;
    // What follows a prefix can be offered at once.
    if (type === "namespace") this._offer(true);
  }

  _typed() {
    this.clearError();
    this.changed(this.text);
    if (this._isCompleting) this.list.close();
    else this._offer(false);
  }
}
