// What a query answered: a table, bars, a line or dots; yes or no; Turtle or a picture; and its files.

import { sparql } from "./api.js";
import { bars } from "./bars.js";
import { el, fill } from "./dom.js";
import { count, counted, duration, placesOf } from "./format.js";
import { save } from "./downloads.js";
import { button, empty, load } from "./parts.js";
import { resultChart } from "./result_chart.js";
import { isNumber, isWhole, sortKey } from "./terms.js";

const AT_ONCE = 100;
const MOST_BARS = 60;

/**
 * Nodes that show an answer of /api/query. `settings`: `name` for files, `form`
 * ("table", "bars", "line", "scatter", "turtle", "graph" or "" for whichever fits),
 * `changed(form)`, `writer` of terms, `signal`.
 */
export function results(answer, settings) {
  if (answer.turtle !== undefined && answer.turtle !== null) return turtle(answer, settings);
  if (answer.boolean === true || answer.boolean === false) return yesOrNo(answer, settings);
  return rows(answer, settings);
}

/**
 * The columns of a bar chart, {labels, number}: the first count, and the columns that may name
 * a row, the best first; null where there are none.
 */
export function barColumns({ variables, rows }) {
  if (!rows.length || rows.length > MOST_BARS) return null;
  const at = variables.map((_, index) => index);
  const isColumn = (test) => (index) => rows.every((row) => !row[index] || test(row[index]));
  const numbers = at.filter((index) => rows.some((row) => row[index]) && isColumn(isNumber)(index));
  const counts = numbers.filter(isColumn(isWhole));
  const others = at.filter((index) => !numbers.includes(index));
  if (variables.length === 2 && numbers.length === 2 && counts.includes(1))
    return { labels: [0], number: 1 };
  if (!counts.length || !others.length) return null;
  const isLabel = (index) => /label|title|name/.test(variables[index]);
  return { labels: [...others.filter(isLabel), ...others], number: counts[0] };
}

function rows(answer, settings) {
  const columns = barColumns(answer);
  const numbers = numberColumns(answer);
  const body = el("div", {});
  const forms = {
    table: ["Table", true, () => (table ??= new ResultsTable(answer, settings.writer)).node],
    bars: ["Bars", columns, () => barChart(answer, columns, settings.writer)],
    line: ["Line", numbers.length, () => resultChart(answer, "line", numbers, settings.writer)],
    scatter: ["Dots", numbers.length > 1, () => resultChart(answer, "scatter", numbers, settings.writer)],
  };
  let table = null;
  const isSmall = columns && answer.variables.length === 2;
  const [chooser, show] = formChooser(forms, body, settings);
  show(settings.form || (isSmall ? "bars" : "table"), false);
  if (!answer.rows.length) fill(body, nothing());
  return [
    tools(
      [told(answer, counted(answer.rows.length, "row")), answer.rows.length > 0 && chooser],
      downloads(ROWS, answer, settings),
    ),
    limits(answer),
    body,
  ];
}

const WHY = {
  bars: `Bars need a column of names, one of counts, and at most ${MOST_BARS} rows`,
  line: "A line needs a column of numbers",
  scatter: "Dots need two columns of numbers",
};

/** Buttons for the forms of an answer, {key: [label, isPossible, make]}, and what shows one. */
function formChooser(forms, body, { changed }) {
  const buttons = Object.entries(forms).map(([form, [label, isPossible]]) =>
    button(label, () => show(form), { disabled: !isPossible, title: isPossible ? null : WHY[form], data: { form } }),
  );
  function show(wanted, isTold = true) {
    const form = forms[wanted]?.[1] ? wanted : Object.keys(forms)[0];
    for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.form === form));
    fill(body, forms[form][2]());
    if (isTold) changed?.(form);
  }
  return [el("span", { class: "buttons" }, buttons), show];
}

/** The indexes of the columns that have numbers and nothing else. */
function numberColumns({ variables, rows: all }) {
  if (all.length < 2) return [];
  return variables
    .map((_, at) => at)
    .filter((at) => all.some((row) => row[at]) && all.every((row) => !row[at] || isNumber(row[at])));
}

function nothing() {
  return empty("The query found nothing.");
}

function yesOrNo(answer, settings) {
  return [
    tools([told(answer, "Answer")], downloads(ROWS.slice(2), answer, settings)),
    el("p", { class: "answer" }, answer.boolean ? "Yes" : "No"),
  ];
}

function turtle(answer, settings) {
  const lines = answer.turtle.trim() ? answer.turtle : "";
  const body = el("div", {});
  const forms = {
    turtle: ["Turtle", true, () => el("pre", { class: "turtle", tabindex: "0", role: "region", "aria-label": "Turtle" }, lines)],
    graph: ["Picture", true, () => drawn(answer, settings)],
  };
  const [chooser, show] = formChooser(forms, body, settings);
  if (lines) show(settings.form || "turtle", false);
  else fill(body, nothing());
  return [
    tools([told(answer, counted(answer.total ?? 0, "triple")), lines && chooser], downloads(GRAPHS, answer, settings)),
    limits(answer),
    body,
  ];
}

function drawn(answer, { writer, signal }) {
  const node = el("div", { class: "statement-picture" });
  load(
    node,
    // What draws is large, and most answers are tables.
    () => Promise.all([import("./statement_picture.js"), sparql(answer.text, "application/n-triples", { signal })]),
    ([{ readTriples, statementPicture }, text]) => {
      const picture = statementPicture(readTriples(text), writer);
      queueMicrotask(() => {
        const end = picture.start();
        signal?.addEventListener("abort", end);
      });
      return picture.node;
    },
    "Drawing …",
  );
  return node;
}

function tools(left, files) {
  return el("div", { class: "row result-tools" }, left, el("span", { class: "row push" }, files));
}

// The formats of the endpoint: what they are called, the ending of files, the media type.
const ROWS = [
  ["CSV", "csv", "text/csv"],
  ["TSV", "tsv", "text/tab-separated-values"],
  ["JSON", "json", "application/sparql-results+json"],
  ["XML", "xml", "application/sparql-results+xml"],
];
const GRAPHS = [
  ["Turtle", "ttl", "text/turtle"],
  ["N-Triples", "nt", "application/n-triples"],
  ["JSON-LD", "jsonld", "application/ld+json"],
  ["RDF/XML", "rdf", "application/rdf+xml"],
  ["TriG", "trig", "application/trig"],
  ["N-Quads", "nq", "application/n-quads"],
];

/** A button for each format; the query is asked again in it. */
function downloads(formats, answer, { name, signal }) {
  const status = el("span", { class: "small", role: "status" });
  const fetched = async (ending, type) => {
    try {
      save(`${name}.${ending}`, await sparql(answer.text, type, { signal }), type);
      fill(status);
    } catch (error) {
      if (error.name !== "AbortError") fill(status, error.message);
    }
  };
  return [
    el("span", { class: "soft small" }, "Download"),
    el(
      "span",
      { class: "buttons", role: "group", "aria-label": "Download" },
      formats.map(([label, ending, type]) => button(label, () => fetched(ending, type))),
    ),
    status,
  ];
}

/** How much there is, and how long it took; of a slow query, where the time went. */
function told({ seconds, elapsed }, what) {
  const took = seconds === undefined || seconds === null ? "" : ` in ${short(seconds)}`;
  const rest = (elapsed ?? 0) - seconds;
  const isSlow = elapsed > 1;
  const parts = isSlow && `${short(seconds)} in the store, ${short(rest)} waiting for a worker and on the way`;
  return el(
    "span",
    { class: "result-count" },
    `${what}${took}`,
    isSlow &&
      el(
        "span",
        { class: "time-map", title: parts },
        el("span", { class: "bar-track", "aria-hidden": "true" }, [
          el("span", { class: "bar-part relevant", style: { width: `${(seconds / elapsed) * 100}%` } }),
          el("span", { class: "bar-part", style: { width: `${(rest / elapsed) * 100}%` } }),
        ]),
        el("small", { class: "soft" }, parts),
      ),
  );
}

function short(seconds) {
  return seconds < 0.1 ? `${Math.max(1, Math.round(seconds * 1000))} ms` : duration(seconds);
}

function limits({ truncated, limit }) {
  const most = limit ? count(limit) : "these";
  return (
    truncated &&
    el(
      "p",
      { class: "banner" },
      `The answer is cut after ${most}. Ask for less with LIMIT, or start the server with a larger --max-rows.`,
    )
  );
}

function barChart({ rows: all, variables }, { labels, number }, writer) {
  const shown = all.map((row) => {
    const named = row[labels.find((label) => row[label]) ?? labels[0]];
    return {
      name: writer.node(named),
      title: named?.value,
      value: Number(row[number]?.value ?? 0),
      text: writer.text(row[number]) || "–",
    };
  });
  const heading = `${variables[number]} by ${variables[labels[0]]}`;
  return el(
    "figure",
    { class: "panel" },
    el("figcaption", { class: "soft small" }, heading),
    bars(shown, { label: heading }),
  );
}

/** The rows, sorted here by a click on a heading, shown some hundred at a time. */
class ResultsTable {
  constructor({ variables, rows: all }, writer) {
    this.writer = writer;
    this.variables = variables;
    this.all = all;
    this.rows = all;
    this.sorted = { at: null, isDown: false };
    this.numbers = variables.map(
      (_, at) => all.some((row) => row[at]) && all.every((row) => !row[at] || isNumber(row[at])),
    );
    const shown = (at) => all.map((row) => Number(row[at]?.value ?? NaN)).filter(Number.isFinite);
    this.places = this.numbers.map((isNumeric, at) => (isNumeric ? placesOf(shown(at)) : 0));
    this.head = el("tr", {});
    this.body = el("tbody", {});
    this.foot = el("p", { class: "row" });
    const table = el(
      "table",
      {},
      el("caption", { class: "unseen" }, "Rows of the answer"),
      el("thead", {}, this.head),
      this.body,
    );
    this.node = el(
      "div",
      { class: "results" },
      el(
        "div",
        { class: "table-box", tabindex: "0", role: "region", "aria-label": "Rows" },
        table,
      ),
      this.foot,
    );
    this._show();
  }

  _show() {
    fill(
      this.head,
      this.variables.map((name, at) => this._heading(name, at)),
    );
    fill(this.body);
    this._more();
  }

  _more() {
    const from = this.body.children.length;
    const next = this.rows.slice(from, from + AT_ONCE);
    this.body.append(...next.map((row) => this._row(row)));
    const left = this.rows.length - from - next.length;
    fill(
      this.foot,
      left > 0 && button(`Show ${count(Math.min(left, AT_ONCE))} more`, () => this._more()),
      left > 0 && el("span", { class: "soft small" }, `${count(left)} not shown`),
    );
  }

  _row(row) {
    return el(
      "tr",
      {},
      this.variables.map((_, at) =>
        el("td", { class: this.numbers[at] ? "number" : null }, this.writer.node(row[at], this.places[at])),
      ),
    );
  }

  _heading(name, at) {
    const isSorted = this.sorted.at === at;
    const arrow = isSorted ? (this.sorted.isDown ? "↓" : "↑") : "";
    const clicked = () => this._sort(at, isSorted ? !this.sorted.isDown : this.numbers[at]);
    return el(
      "th",
      {
        scope: "col",
        class: this.numbers[at] ? "number" : null,
        "aria-sort": isSorted ? (this.sorted.isDown ? "descending" : "ascending") : null,
      },
      el(
        "button",
        { type: "button", data: { at }, on: { click: clicked } },
        name,
        el("span", { "aria-hidden": "true", class: "arrow" }, arrow),
      ),
    );
  }

  _sort(at, isDown) {
    this.sorted = { at, isDown };
    const keyed = this.all.map((row) => [sortKey(row[at]), row]);
    keyed.sort(([a], [b]) => compare(a, b) * (isDown ? -1 : 1));
    this.rows = keyed.map(([, row]) => row);
    this._show();
    this.head.querySelector(`[data-at="${at}"]`)?.focus();
  }
}

function compare(a, b) {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : 1;
}
