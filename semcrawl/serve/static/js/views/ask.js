// Ask: a SPARQL editor, the named queries to begin with, and what they answer.

import { get, post, sparql } from "../api.js";
import { copyButton } from "../copying.js";
import { el, fill } from "../dom.js";
import { counted } from "../format.js";
import { OwnQueryList } from "../own_query_list.js";
import { draft, keepDraft, keepNamed, keepRun } from "../own_queries.js";
import { button, loading, problem } from "../parts.js";
import { QueryList, givenValues, parameterForm } from "../query_list.js";
import { results } from "../results_table.js";
import { SparqlEditor } from "../sparql_editor.js";
import { namesIn } from "../sparql_tokens.js";
import { TermWriter } from "../terms.js";

const START = `# The most relevant pages. The usual prefixes need not be declared.
SELECT ?page ?title ?relevance WHERE {
  ?page a sc:Page ;
        sc:relevance ?relevance .
  OPTIONAL { ?page dcterms:title ?title }
}
ORDER BY DESC(?relevance)
LIMIT 20`;
// What the graph has, for completion: its classes and its properties.
const NAMES = ["?thing a ?name", "?thing ?name ?value"].map(
  (pattern) => `SELECT ?name (COUNT(*) AS ?number) WHERE { ${pattern} } GROUP BY ?name`,
);
const RESULTS = "application/sparql-results+json";
// Parameters of a query stand in the link with this before their names.
const MARK = "p.";

export function show(root, params, context) {
  const view = new AskView(root, context);
  view.start(params);
  const leave = () => view.close();
  leave.update = (later) => view.take(later);
  return leave;
}

class AskView {
  constructor(root, context) {
    Object.assign(this, { root, context });
    this.query = null;
    this.values = {};
    this.form = "";
    this.running = null;
    // Whether the address is that of a query that was run.
    this.isAnswered = false;
  }

  async start(params) {
    fill(this.root, el("h1", {}, "Ask"), loading());
    try {
      const asked = ["/api/queries", "/api/prefixes"].map((path) =>
        get(path, {}, { signal: this.context.signal }),
      );
      [this.queries, this.prefixes] = await Promise.all(asked);
    } catch (error) {
      if (error.name !== "AbortError")
        fill(
          this.root,
          el("h1", {}, "Ask"),
          problem(error, () => this.start(params)),
        );
      return;
    }
    if (this.context.signal.aborted) return;
    this._build();
    this.take(params);
    this._learnNames();
  }

  /** What the graph has, for completion; until it is known, and where it cannot be, our queries' names. */
  async _learnNames() {
    const writer = new TermWriter(this.prefixes);
    const name = ({ value }) => {
      const text = writer.text({ type: "uri", value });
      return text === value ? `<${value}>` : text;
    };
    const { signal } = this.context;
    try {
      const [classes, properties] = await Promise.all(
        NAMES.map(async (query) => JSON.parse(await sparql(query, RESULTS, { signal }))),
      );
      const counts = ({ results: { bindings } }) =>
        bindings.map((row) => ({ name: name(row.name), count: Number(row.number.value) }));
      this.known.classes = counts(classes);
      this.known.properties = counts(properties);
    } catch {
      // Completion is a help; its absence is no error.
    }
  }

  /** Show what a link says: {name, p.limit, …} or {text, title}, {query} as other editors say; with {run} also its answer. */
  take(params) {
    if (!this.queries) return;
    this.form = params.as ?? "";
    this.title = params.text ? (params.title ?? "") : "";
    this.query = this._named(params.name);
    const isUnknown = Boolean(params.name) && !this.query;
    this.values = Object.fromEntries(
      Object.entries(params)
        .filter(([key]) => key.startsWith(MARK))
        .map(([key, value]) => [key.slice(MARK.length), value]),
    );
    this.editor.text = this.query?.text ?? params.text ?? params.query ?? (draft() || START);
    this.list.mark(this.query?.name ?? null);
    this._showAbout(isUnknown ? `There is no query called “${params.name}”.` : "");
    this._forgetRun();
    fill(this.answer, el("p", { class: "empty" }, "Run the query to see its answer."));
    this.isAnswered = Boolean(params.run) && !isUnknown;
    if (this.isAnswered) this._run();
    this.chooser.open = this.chooser.open && matchMedia("(min-width: 900px)").matches;
  }

  stop() {
    this.running?.abort();
  }

  close() {
    this.stop();
    this.editor?.close();
  }

  /** Run what stands there; the answer before it is a step of Back away. */
  run() {
    this._run(true);
  }

  async _run(isNew = false) {
    const form = this.about.querySelector("form");
    if (form && !form.reportValidity()) return;
    this.stop();
    const mine = (this.running = new AbortController());
    this._note(true, isNew);
    this.editor.clearError();
    this._busy(true);
    fill(this.answer, loading("Asking …"));
    if (!this.query && isNew) {
      keepRun(this.editor.text);
      this.own.show();
    }
    const began = performance.now();
    try {
      const answer = await post("/api/query", this._question(), { signal: mine.signal });
      if (mine.signal.aborted) return;
      answer.elapsed = (performance.now() - began) / 1000;
      fill(this.answer, this._prefixNote(answer), results(answer, this._resultSettings()), this._emptyNotes(answer));
      this.context.announce(
        answer.rows ? `${counted(answer.rows.length, "row")}.` : "The query was answered.",
      );
    } catch (error) {
      // A later run, or another query, has the answer's place by now.
      if (this.running !== mine) return;
      if (error.name === "AbortError") fill(this.answer, el("p", { class: "empty" }, "Stopped."));
      else this._failed(error);
    }
    if (this.running === mine) this._busy(false);
  }

  _forgetRun() {
    this.stop();
    this.running = null;
    this._busy(false);
  }

  /** The query of this name, or of this short name where only one has it. */
  _named(wanted) {
    const exact = this.queries.find(({ name }) => name === wanted);
    const short = this.queries.filter((query) => query.short === wanted);
    return exact ?? (short.length === 1 ? short[0] : null);
  }

  _question() {
    if (this.query)
      return { name: this.query.name, parameters: givenValues(this.query, this.values) };
    return { text: this.editor.text };
  }

  _failed(error) {
    fill(this.answer);
    this.editor.showError(error);
  }

  _prefixNote({ prefixes }) {
    const names = Object.keys(prefixes ?? {}).map((name) => `${name}:`);
    return (
      names.length > 0 && el("p", { class: "soft small" }, `Prefixes filled in: ${names.join(" ")}`)
    );
  }

  /** Why an answer is empty, as far as its names tell. */
  _emptyNotes({ notes }) {
    return notes.map((note) => el("p", { class: "absent-names" }, `${note[0].toUpperCase()}${note.slice(1)}.`));
  }

  _resultSettings() {
    const name = this.query?.short ?? "answer";
    const writer = new TermWriter(this.prefixes);
    return {
      name,
      writer,
      form: this.form,
      signal: this.context.signal,
      changed: (form) => ((this.form = form), this._note(true)),
    };
  }

  // Building

  _build() {
    const names = namesIn(this.queries.map((query) => query.text));
    const [classes, properties] = [/:[A-Z]/, /:[^A-Z]/].map((kind) =>
      names.filter((name) => kind.test(name)).map((name) => ({ name })),
    );
    this.known = { prefixes: this.prefixes, classes, properties };
    this.editor = new SparqlEditor({
      known: this.known,
      changed: () => this._edited(),
      run: () => this.run(),
    });
    this.list = new QueryList(this.queries);
    this.own = new OwnQueryList();
    this.about = el("div", { class: "query-about" });
    this.answer = el("section", { class: "answer-part", "aria-label": "Answer" });
    this.runButton = button("Run", () => this.run(), { class: "main" });
    this.stopButton = button("Stop", () => this.stop(), { hidden: true });
    this.chooser = el(
      "details",
      { class: "panel query-panel", open: true },
      el("summary", {}, el("h2", {}, "Named queries")),
      this.list.node,
    );
    fill(
      this.root,
      el(
        "div",
        {},
        el("h1", {}, "Ask"),
        el(
          "p",
          { class: "soft" },
          "Ask the crawl graph in SPARQL. Begin with a named query, or write your own.",
        ),
      ),
      el(
        "div",
        { class: "ask" },
        el("div", { class: "ask-side" }, this.own.node, this.chooser),
        el("div", { class: "ask-main" }, this.about, this.editor.node, this._tools(), this.answer),
      ),
    );
  }

  _tools() {
    return el(
      "div",
      { class: "row" },
      this.runButton,
      this.stopButton,
      el(
        "span",
        { class: "soft small", id: "editor-help" },
        el("kbd", {}, "Ctrl"),
        " + ",
        el("kbd", {}, "Enter"),
        " runs, ",
        el("kbd", {}, "Ctrl"),
        " + ",
        el("kbd", {}, "Space"),
        " completes",
      ),
      el(
        "span",
        { class: "row push" },
        button("Name it …", () => this._askName(), { class: "plain" }),
        copyButton("Copy link", () => this._link(), { class: "plain" }),
      ),
    );
  }

  /** Keep the text under a name that the reader gives, which its link has, too. */
  _askName() {
    const input = el("input", { name: "title", required: true, maxlength: "80", value: this.title, "aria-label": "Name" });
    const close = () => dialog.remove();
    const kept = (event) => {
      event.preventDefault();
      this.title = input.value.trim();
      keepNamed(this.title, this.editor.text);
      this.own.show();
      this.own.node.open = true;
      dialog.close();
      if (!this.query) this._note(false);
      this._showAbout();
    };
    const dialog = el(
      "dialog",
      { class: "question", "aria-labelledby": "name-title", on: { close } },
      el("h2", { id: "name-title" }, "Name this query"),
      el("p", { class: "soft" }, "It is kept in this browser. “Copy link” shares it, with its name."),
      el(
        "form",
        { class: "row", on: { submit: kept } },
        input,
        el("button", { type: "submit", class: "main" }, "Keep"),
        button("Cancel", () => dialog.close()),
      ),
    );
    this.root.append(dialog);
    dialog.showModal();
  }

  _showAbout(problemText = "") {
    const { query } = this;
    fill(
      this.about,
      problemText && problem(problemText),
      query && el("h2", {}, query.title || query.name),
      !query && this.title && el("h2", {}, this.title),
      query && el("p", { class: "soft" }, helpOf(query)),
      query &&
        parameterForm(
          query,
          this.values,
          (name, value) => this._setValue(name, value),
          () => this.run(),
        ),
    );
    this.about.hidden = !query && !problemText && !this.title;
  }

  _setValue(name, value) {
    this.values[name] = value;
    this._note(false, true);
  }

  /** A named query whose text was changed is a text of the reader's own. */
  _edited() {
    keepDraft(this.editor.text);
    if (!this.query || this.editor.text === this.query.text) return;
    const { name, title } = this.query;
    this.query = null;
    this.list.mark(null);
    fill(
      this.about,
      el(
        "p",
        { class: "soft small" },
        `Your own text, begun from “${title || name}”. Values of its parameters stand in its VALUES lines. `,
        button("Undo my changes", () => this.take({ name }), { class: "plain" }),
      ),
    );
    this.about.hidden = false;
  }

  _busy(isBusy) {
    this.stopButton.hidden = !isBusy;
    this.runButton.disabled = isBusy;
  }

  _link() {
    this._note(true);
    return location.href;
  }

  /** Write what stands here into the address; where `isNew`, an answered query stays for Back. */
  _note(isRun, isNew = false) {
    const values = this.query ? givenValues(this.query, this.values) : {};
    const marked = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [MARK + name, value]),
    );
    const text = this.query ? "" : this.editor.text;
    const title = this.query ? "" : this.title;
    const params = { name: this.query?.name, ...marked, title, text, as: this.form, run: isRun };
    this.context.note(params, isNew && this.isAnswered);
    this.isAnswered = isRun;
  }
}

/** The help of a query without its title, which stands above it. */
function helpOf({ title, help }) {
  const rest = help.startsWith(`${title}:`) ? help.slice(title.length + 1).trim() : help;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
