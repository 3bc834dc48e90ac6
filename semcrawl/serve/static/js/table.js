// A table whose rows the server sorts, searches and pages; its state is in the link.
//
// A column: {name, label, isNumber, isSortable, isHidden, show(row, most)}; `show` gives text or
// nodes, `most` is the largest number that the column has in sight.

import { get } from "./api.js";
import { add, el, fill } from "./dom.js";
import { count, digits, words } from "./format.js";
import { button, empty, loading, problem } from "./parts.js";
import { exportCsv, exportTurtle } from "./table_export.js";
import { TableFilters } from "./table_filters.js";

const PAUSE = 250;
const SIZES = [25, 50, 100, 200];
const USUAL_SIZE = 50;
/** What other columns show: the link of a title, the site of a URL, the concept of a label. */
const PART_OF_OTHERS = new Set(["url", "site", "concept", "marked"]);
const CHOICE = "semcrawl-columns-";

export class Table {
  /**
   * @param settings path of the API, columns, sort (the usual one: a column's name), isDescending,
   *   title, what (one row, many rows), note and go (see main.js; take parameters),
   *   signal, announce, isOfSites (its rows are sites), hasFilters, and whenEmpty (nodes for a
   *   table without rows).
   */
  constructor(settings) {
    Object.assign(this, settings);
    this.params = {};
    this.asked = 0;
    this.body = el("tbody", {});
    this.headings = el("tr", {});
    this.status = el("p", { class: "soft small table-status", role: "status", tabindex: "-1" });
    this.mark = el("p", { class: "table-mark" });
    this.pager = el("nav", { class: "row pager", "aria-label": "Pages of the table" });
    this.search = el("input", {
      type: "search",
      placeholder: "Search titles and URLs",
      "aria-label": `Search ${this.what[1]}`,
      autocomplete: "off",
      spellcheck: "false",
      on: { input: () => this._searchSoon() },
    });
    if (this.searches) this.search.placeholder = this.searches;
    this.sorter = this._sortChooser();
    this.chosen = this._chosenColumns();
    const filtered = (changes) => (changes ? this._goTo({ ...changes, offset: "" }) : this._showMark());
    this.filters = this.hasFilters ? new TableFilters({ changed: filtered, signal: this.signal }) : null;
    this.chooser = el("details", { class: "column-chooser" }, el("summary", {}, "Columns"), el("div", {}));
    const caption = el("caption", { class: "unseen" }, this.title);
    const table = el("table", {}, caption, el("thead", {}, this.headings), this.body);
    this.box = el("div", { class: "table-box", on: { keydown: (event) => this._key(event) } }, table);
    const refresh = button("Refresh", () => this.load(), { class: "plain refresh" });
    this.node = el(
      "div",
      { class: "data-table" },
      el(
        "div",
        { class: "row table-tools" },
        this.search,
        this.sorter,
        this.status,
        el("span", { class: "row push table-more" }, this._exports(), this.chooser, refresh),
      ),
      this.filters?.node,
      this.mark,
      this.box,
      this.pager,
    );
  }

  /** Show what these parameters of a link say. */
  take(params) {
    this.params = params;
    if (document.activeElement !== this.search) this.search.value = params.q ?? "";
    this.filters?.take(params);
    this._showHeadings();
    this._showMark();
    return this.load();
  }

  /** The site whose rows alone are shown, "" for all. */
  get site() {
    return (!this.isOfSites && this.params.site) || "";
  }

  get sortedBy() {
    const known = this.columns.some((column) => column.name === this.params.sort);
    return known ? this.params.sort : this.sort;
  }

  get isSortedDown() {
    const { descending } = this.params;
    if (descending !== undefined) return descending === "1";
    return this.sortedBy === this.sort ? this.isDescending : this._column(this.sortedBy).isNumber;
  }

  get limit() {
    const asked = Number(this.params.limit);
    return SIZES.includes(asked) ? asked : USUAL_SIZE;
  }

  get offset() {
    return Math.max(0, Math.floor(Number(this.params.offset) || 0));
  }

  /** Ask the server for the rows. */
  async load() {
    const mine = (this.asked += 1);
    this.box.setAttribute("aria-busy", "true");
    if (!this.body.children.length) this._showAlone(loading());
    try {
      const asked = { ...this.query, offset: this.offset, limit: this.limit };
      const data = await get(this.path, asked, { signal: this.signal });
      // Answers can overtake each other; only the last question counts.
      if (mine === this.asked) this._show(data);
    } catch (error) {
      if (error.name === "AbortError" || mine !== this.asked) return;
      this._showAlone(problem(error, () => this.load()));
      fill(this.status);
      fill(this.pager);
    }
    this.box.removeAttribute("aria-busy");
  }

  /** What the server is asked for, but for the part in sight. */
  get query() {
    return {
      sort: this.sortedBy,
      descending: this.isSortedDown ? "1" : "0",
      q: this.params.q ?? "",
      site: this.site,
      ...(this.filters ? TableFilters.in(this.params) : {}),
    };
  }

  // Rows

  _show({ columns, rows, total }) {
    this._addColumns(columns, rows);
    this.names = columns;
    this.most = largest(columns, rows);
    if (!rows.length && this.offset && total) {
      this._goTo({ offset: lastOffset(total, this.limit) });
      return;
    }
    // Some judges know no concepts; an empty column would only take room.
    this.node.classList.toggle("without-label", rows.every((row) => !row.label && !row.concept));
    if (!rows.length) this._showAlone(this._nothing());
    else fill(this.body, rows.map((row, at) => this._row(row, at)));
    [this.count, this.total] = [rows.length, total];
    fill(this.status, this._statusOf(rows.length, total));
    this._showPager(total);
  }

  /** Columns that are declared for the table and not described here are shown as they are. */
  _addColumns(names, rows) {
    const added = names.filter((name) => !PART_OF_OTHERS.has(name) && !this._column(name));
    if (!added.length) return;
    this.columns = [...this.columns, ...added.map((name) => plainColumn(name, rows))];
    this._showHeadings();
  }

  // Columns to choose

  get shownColumns() {
    return this.columns.filter((column, at) => at === 0 || (this.chosen[column.name] ?? !column.isHidden));
  }

  _chosenColumns() {
    try {
      return JSON.parse(localStorage.getItem(CHOICE + this.title) ?? "{}");
    } catch {
      return {};
    }
  }

  _showChooser() {
    const box = (column) => {
      const changed = (event) => {
        this.chosen[column.name] = event.target.checked;
        localStorage.setItem(CHOICE + this.title, JSON.stringify(this.chosen));
        this._showHeadings();
        this.load();
      };
      const checked = this.shownColumns.includes(column);
      return el("label", {}, el("input", { type: "checkbox", name: column.name, checked, on: { change: changed } }), ` ${column.label}`);
    };
    // The first column says what a row is.
    fill(this.chooser.lastElementChild, this.columns.slice(1).map(box));
  }

  // Files

  _exports() {
    const name = this.what[1].toLowerCase();
    const run = async (event, make) => {
      const asked = event.target;
      asked.disabled = true;
      try {
        await make((text) => fill(this.status, text));
      } catch (error) {
        if (error.name !== "AbortError") fill(this.status, error.message);
      }
      asked.disabled = false;
      if (this.total !== undefined) fill(this.status, this._statusOf(this.count, this.total));
    };
    const csv = (event) => run(event, (told) => exportCsv(this, name, this._exportedNames(), told));
    const turtle = (event) => run(event, (told) => exportTurtle(this, name, told));
    return el(
      "span",
      { class: "buttons", role: "group", "aria-label": "Save all these rows" },
      button("CSV", csv, { title: "Save all these rows, with the columns shown, as CSV" }),
      button("RDF", turtle, { title: "Save all that the graph says of these rows as Turtle" }),
    );
  }

  _exportedNames() {
    const shown = new Set(this.shownColumns.map((column) => column.name));
    return this.names.filter((name) => shown.has(name) || name === "url" || name === "site");
  }

  // Keys

  /** Up and down, or J and K, go from row to row; Enter opens, R and W mark. */
  _key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = [...this.body.querySelectorAll("tr[tabindex]")];
    const at = rows.indexOf(event.target.closest?.("tr"));
    const isInField = event.target.matches?.("select, input");
    const by = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
    const to = at < 0 ? rows[0] : rows[at + by];
    if (by && !isInField) {
      event.preventDefault();
      to?.focus();
      to?.scrollIntoView({ block: "nearest" });
    } else if (event.target === rows[at]) this._keyOnRow(event, rows[at]);
  }

  _keyOnRow(event, row) {
    const wanted = { Enter: "a", r: ".marks button:first-of-type", w: ".marks button:last-of-type" }[event.key];
    const node = wanted && row.querySelector(wanted);
    if (!node) return;
    event.preventDefault();
    node.click();
  }

  _statusOf(shown, total) {
    const [one, many] = this.what;
    if (total === 1 || !shown) return `${count(total)} ${total === 1 ? one : many}`;
    return `${count(this.offset + 1)} to ${count(this.offset + shown)} of ${count(total)} ${many}`;
  }

  _row(row, at) {
    // One row can be reached by Tab, the others from it.
    return el("tr", { tabindex: at ? "-1" : "0" }, this.shownColumns.map((column, index) => {
      const attributes = { class: classOf(column), data: { label: column.label } };
      if (index === 0) attributes.scope = "row";
      return el(index === 0 ? "th" : "td", attributes, column.show(row, this.most?.[column.name]));
    }));
  }

  _showAlone(node) {
    fill(this.body, el("tr", { class: "alone" }, el("td", { colspan: this.shownColumns.length }, node)));
  }

  _nothing() {
    const { q } = this.params;
    const chosen = this.filters ? TableFilters.in(this.params) : {};
    const isFiltered = Object.keys(chosen).length > 0;
    if (!q && !this.site && !isFiltered) return this.whenEmpty();
    const none = Object.fromEntries(Object.keys(chosen).map((name) => [name, ""]));
    const why = isFiltered ? "No page is like this. " : `There are no ${this.what[1]} of this site. `;
    return add(
      empty(q ? `Nothing has “${q}” in it. ` : why),
      button("Show all", () => this._goTo({ q: "", site: "", offset: "", ...none }), { class: "plain" }),
    );
  }

  // Sorting

  _showHeadings() {
    fill(this.headings, this.shownColumns.map((column) => this._heading(column)));
    this._showChooser();
    this.headings.querySelector(`[data-column="${this._focusOn}"]`)?.focus();
    this._focusOn = null;
    this.sorter.querySelector("select").value = `${this.sortedBy} ${this.isSortedDown ? 1 : 0}`;
  }

  _heading(column) {
    const attributes = { scope: "col", class: classOf(column), title: column.help };
    if (column.isSortable === false) return el("th", attributes, column.label);
    const isSorted = column.name === this.sortedBy;
    const isDown = this.isSortedDown;
    if (isSorted) attributes["aria-sort"] = isDown ? "descending" : "ascending";
    const sign = isSorted ? (isDown ? "↓" : "↑") : "";
    const arrow = el("span", { "aria-hidden": "true", class: "arrow" }, sign);
    const clicked = () => this._sortBy(column, isSorted ? !isDown : Boolean(column.isNumber));
    const sort = button([column.label, arrow], clicked, { data: { column: column.name } });
    return el("th", attributes, sort);
  }

  _sortBy(column, isDown) {
    this._goTo({ sort: column.name, descending: isDown ? "1" : "0", offset: "" });
    this.announce?.(`Sorted by ${column.label}, ${isDown ? "descending" : "ascending"}.`);
    // The headings are made anew; the reader's place is kept.
    this._focusOn = column.name;
  }

  /** Sorting for narrow screens, where rows are cards and headings are not shown. */
  _sortChooser() {
    const options = this.columns
      .filter((column) => column.isSortable !== false)
      .flatMap((column) => {
        const down = el("option", { value: `${column.name} 1` }, `${column.label} ↓`);
        const up = el("option", { value: `${column.name} 0` }, `${column.label} ↑`);
        return column.isNumber ? [down, up] : [up, down];
      });
    const changed = (event) => {
      const [name, isDown] = event.target.value.split(" ");
      this._goTo({ sort: name, descending: isDown, offset: "" });
    };
    const chooser = el("select", { on: { change: changed } }, options);
    return el("label", { class: "sorter small" }, "Sort by ", chooser);
  }

  _column(name) {
    return this.columns.find((column) => column.name === name);
  }

  // Searching and paging

  _showMark() {
    const { site } = this;
    const chosen = this.filters?.chosen() ?? [];
    this.mark.hidden = !site && !chosen.length;
    const chip = (name, label, ...text) => {
      const all = () => {
        this._goTo({ [name]: "", offset: "" });
        this.status.focus({ preventScroll: true }); // the button is gone
      };
      const remove = button("×", all, { class: "plain", "aria-label": label, title: label });
      return el("span", { class: "chip" }, el("span", {}, text), remove);
    };
    const label = `Show the ${this.what[1]} of all sites`;
    fill(
      this.mark,
      site && chip("site", label, "of site ", el("strong", {}, site)),
      chosen.map(([name, text]) => chip(name, `Without the filter ${text}`, text)),
    );
  }

  _searchSoon() {
    clearTimeout(this._timer);
    this._timer = setTimeout(() => {
      this.params = { ...this.params, q: this.search.value.trim(), offset: "" };
      this.note(this.params);
      this.load();
    }, PAUSE);
  }

  _showPager(total) {
    const { offset, limit } = this;
    if (total <= Math.min(limit, SIZES[0]) && !offset) {
      fill(this.pager);
      return;
    }
    const last = lastOffset(total, limit);
    const turn = (text, to, label, isOff) =>
      button(text, () => this._turnTo(to), { "aria-label": label, title: label, disabled: isOff });
    const place = `${count(Math.floor(offset / limit) + 1)} of ${count(last / limit + 1)}`;
    fill(
      this.pager,
      el(
        "span",
        { class: "buttons" },
        turn("« First", 0, "First rows", offset === 0),
        turn("‹ Back", Math.max(0, offset - limit), "Rows before", offset === 0),
        turn("Next ›", offset + limit, "Next rows", offset >= last),
        turn("Last »", last, "Last rows", offset >= last),
      ),
      el("span", { class: "soft small" }, place),
      this._sizeChooser(),
    );
  }

  _sizeChooser() {
    const changed = (event) => this._goTo({ limit: event.target.value, offset: "" });
    const options = SIZES.map((size) => {
      const attributes = { value: String(size), selected: size === this.limit };
      return el("option", attributes, `${size} rows`);
    });
    return el("select", { "aria-label": "Rows at a time", on: { change: changed } }, options);
  }

  _turnTo(offset) {
    this._goTo({ offset: offset || "" });
    this.box.scrollIntoView({ block: "nearest" });
  }

  _goTo(changes) {
    this.go({ ...this.params, ...changes });
  }
}

function plainColumn(name, rows) {
  const isNumber = rows.some((row) => typeof row[name] === "number");
  const text = words(name);
  const label = text[0].toUpperCase() + text.slice(1);
  return { name, label, isNumber, isSortable: isNumber, show: (row) => cellText(row[name]) };
}

function cellText(value) {
  return typeof value === "number" ? digits(value) : (value ?? "–");
}

/** The largest number of each column among rows. */
function largest(names, rows) {
  const most = (name) => Math.max(...rows.map((row) => (typeof row[name] === "number" ? row[name] : 0)), 0);
  return Object.fromEntries(names.map((name) => [name, most(name)]));
}

function lastOffset(total, limit) {
  return Math.max(0, Math.floor((total - 1) / limit) * limit);
}

function classOf(column) {
  return [column.isNumber && "number", `column-${column.name}`].filter(Boolean).join(" ");
}
