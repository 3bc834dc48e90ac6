// What a query answered: a table or bars, yes or no, or Turtle; and its files.

import { bars } from "./bars.js";
import { el, fill } from "./dom.js";
import { count, counted, duration } from "./format.js";
import { button, empty } from "./parts.js";
import { save, toCsv, toJson } from "./downloads.js";
import { isNumber, isWhole, sortKey } from "./terms.js";

const AT_ONCE = 100;
const MOST_BARS = 60;

/**
 * Nodes that show an answer of /api/query. `settings`: `name` for files, `form`
 * ("table", "bars" or "" for whichever fits), `changed(form)`, `writer` of terms.
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

function rows(answer, { name, form, changed, writer }) {
  const columns = barColumns(answer);
  const isSmall = columns && answer.variables.length === 2;
  const body = el("div", {});
  const asTable = button("Table", () => showAs("table"));
  const asBars = button("Bars", () => showAs("bars"), { disabled: !columns });
  if (!columns)
    asBars.title = `Bars need a column of names, one of counts, and at most ${MOST_BARS} rows`;
  let table = null;
  function showAs(wanted, isTold = true) {
    const isBars = wanted === "bars" && columns !== null;
    asBars.setAttribute("aria-pressed", String(isBars));
    asTable.setAttribute("aria-pressed", String(!isBars));
    table ??= new ResultsTable(answer, writer);
    fill(body, isBars ? barChart(answer, columns, writer) : table.node);
    if (isTold) changed?.(wanted);
  }
  showAs(form || (isSmall ? "bars" : "table"), false);
  if (!answer.rows.length) fill(body, empty("The query found nothing."));
  return [
    tools(
      [
        told(answer, counted(answer.rows.length, "row")),
        answer.rows.length > 0 && el("span", { class: "buttons" }, asTable, asBars),
      ],
      [
        button("CSV", () => save(`${name}.csv`, toCsv(answer), "text/csv")),
        button("JSON", () =>
          save(`${name}.json`, toJson(answer), "application/sparql-results+json"),
        ),
      ],
    ),
    limits(answer),
    body,
  ];
}

function yesOrNo(answer, { name }) {
  return [
    tools(
      [told(answer, "Answer")],
      [
        button("JSON", () =>
          save(`${name}.json`, toJson(answer), "application/sparql-results+json"),
        ),
      ],
    ),
    el("p", { class: "answer" }, answer.boolean ? "Yes" : "No"),
  ];
}

function turtle(answer, { name }) {
  const lines = answer.turtle.trim() ? answer.turtle : "";
  return [
    tools(
      [told(answer, counted(answer.total ?? 0, "triple"))],
      [button("Turtle", () => save(`${name}.ttl`, answer.turtle, "text/turtle"))],
    ),
    limits(answer),
    lines
      ? el("pre", { class: "turtle", tabindex: "0", "aria-label": "Turtle" }, lines)
      : empty("The query found nothing."),
  ];
}

function tools(left, downloads) {
  return el(
    "div",
    { class: "row result-tools" },
    left,
    el(
      "span",
      { class: "row push" },
      el("span", { class: "soft small" }, "Download"),
      el("span", { class: "buttons" }, downloads),
    ),
  );
}

function told({ seconds }, what) {
  const took =
    seconds === undefined || seconds === null
      ? ""
      : ` in ${seconds < 0.1 ? `${Math.max(1, Math.round(seconds * 1000))} ms` : duration(seconds)}`;
  return el("span", { class: "result-count" }, `${what}${took}`);
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
        { class: "table-box", tabindex: "0", role: "region", "aria-label": "Answer" },
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
        el("td", { class: this.numbers[at] ? "number" : null }, this.writer.node(row[at])),
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
