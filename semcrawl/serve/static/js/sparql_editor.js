// A field for SPARQL: CodeMirror with colours, completion from the graph, and errors at their place.

import {
  EditorState,
  EditorView,
  HighlightStyle,
  StreamLanguage,
  autocompletion,
  bracketMatching,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  defaultKeymap,
  history,
  historyKeymap,
  indentUnit,
  keymap,
  lineNumbers,
  setDiagnostics,
  syntaxHighlighting,
  tags,
} from "../vendor/codemirror.js";
import { el, fill } from "./dom.js";
import { completions, streamParser } from "./sparql_language.js";
import { mistakeIn } from "./sparql_mistakes.js";

// Classes of our own, so that colours.css says what they look like.
const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, class: "t-keyword" },
  { tag: tags.variableName, class: "t-variable" },
  { tag: tags.propertyName, class: "t-name" },
  { tag: tags.url, class: "t-iri" },
  { tag: tags.string, class: "t-text" },
  { tag: tags.labelName, class: "t-language" },
  { tag: tags.number, class: "t-number" },
  { tag: tags.comment, class: "t-comment" },
]);
const LABELS = {
  "aria-label": "SPARQL query",
  "aria-describedby": "editor-help editor-error",
  spellcheck: "false",
  autocapitalize: "off",
};

export class SparqlEditor {
  /** @param settings changed(text), run(), and known: what can be completed (sparql_language.js). */
  constructor({ changed, run, known }) {
    Object.assign(this, { changed, run, known });
    this._isQuiet = false;
    this.message = el("p", {
      class: "editor-message",
      id: "editor-error",
      role: "alert",
      hidden: true,
    });
    this.box = el("div", { class: "editor" });
    this.view = new EditorView({ parent: this.box, state: this._state("") });
    this.node = el("div", {}, this.box, this.message);
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Another text; the way back to what was undone before is forgotten. */
  set text(text) {
    if (text === this.text) return;
    this._isQuiet = true;
    this.view.setState(this._state(text));
    this._isQuiet = false;
    this.clearError();
  }

  /** Put a text in the place of all, so that it can be undone. */
  replace(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.view.focus();
  }

  /** Mark the place of an error, move the cursor there, and say what is wrong and was expected. */
  showError(error) {
    const isSyntax = error.line !== null && error.line !== undefined;
    const mistake = isSyntax ? mistakeIn(this.text) : null;
    const place = mistake ?? (isSyntax ? this._placeOf(error) : null);
    const where = place && this.view.state.doc.lineAt(Math.min(place.at, this.view.state.doc.length));
    this.message.hidden = false;
    fill(
      this.message,
      mistake && el("strong", {}, `Line ${where.number}: ${mistake.text} `),
      mistake ? el("span", { class: "small" }, `(${error.message})`) : error.message,
    );
    if (!place) return;
    const from = Math.min(place.at, this.view.state.doc.length);
    const to = Math.min(this.view.state.doc.length, from + Math.max(1, place.length));
    const told = [{ from: Math.min(from, Math.max(0, to - 1)), to, severity: "error", message: mistake?.text ?? error.message }];
    this.view.dispatch(setDiagnostics(this.view.state, told));
    this.view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    this.error = where.number;
    this.box.dataset.error = String(where.number);
    this.view.focus();
  }

  clearError() {
    if (this.message.hidden) return;
    this.message.hidden = true;
    fill(this.message);
    delete this.box.dataset.error;
    this.view.dispatch(setDiagnostics(this.view.state, []));
  }

  focus() {
    this.view.focus();
  }

  close() {
    this.view.destroy();
  }

  _placeOf({ line, column }) {
    const { doc } = this.view.state;
    const { from, length } = doc.line(Math.max(1, Math.min(line, doc.lines)));
    return { at: from + Math.max(0, Math.min((column ?? 1) - 1, length)), length: 1 };
  }

  _state(text) {
    const run = () => (this.run(), true);
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        indentUnit.of("  "),
        bracketMatching(),
        closeBrackets(),
        StreamLanguage.define(streamParser),
        syntaxHighlighting(COLOURS),
        autocompletion({ override: [(context) => this._offers(context)], icons: false, maxRenderedOptions: 200 }),
        keymap.of([
          { key: "Mod-Enter", run, preventDefault: true },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.contentAttributes.of(LABELS),
        EditorView.updateListener.of((update) => update.docChanged && this._typed()),
      ],
    });
  }

  _offers(context) {
    const before = context.state.doc.sliceString(0, context.pos);
    const found = completions(before, this.text, this.known, context.explicit);
    if (!found?.offers.length) return null;
    return { from: context.pos - found.begun.length, options: found.offers, validFor: /^[?$]?[\w-]*$/ };
  }

  _typed() {
    if (this._isQuiet) return;
    this.clearError();
    this.changed(this.text);
  }
}
