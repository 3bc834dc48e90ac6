// A table whose rows the server sorts, searches and pages; its state is in the link.
//
// A column: {name, label, isNumber, isSortable, show(row)}; `show` gives text or nodes.

import { get } from "./api.js";
import { add, el, fill } from "./dom.js";
import { count, words } from "./format.js";
import { button, empty, loading, problem } from "./parts.js";

const PAUSE = 250;
const SIZES = [25, 50, 100, 200];
const USUAL_SIZE = 50;
/** What other columns show: the link of a title, the site of a URL, the concept of a label. */
const PART_OF_OTHERS = new Set(["url", "site", "concept", "marked"]);

export class Table {
  /**
   * @param settings path of the API, columns, sort (the usual one: a column's name), isDescending,
   *   title, what (one row, many rows), note and go (see main.js; take parameters),
   *   signal, announce, isOfSites (its rows are sites), and whenEmpty (nodes for a table
   *   without rows).
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
    const caption = el("caption", { class: "unseen" }, this.title);
    const table = el("table", {}, caption, el("thead", {}, this.headings), this.body);
    this.box = el("div", { class: "table-box" }, table);
    const refresh = button("Refresh", () => this.load(), { class: "plain push refresh" });
    this.node = el(
      "div",
      { class: "data-table" },
      el("div", { class: "row table-tools" }, this.search, this.sorter, this.status, refresh),
      this.mark,
      this.box,
      this.pager,
    );
  }

  /** Show what these parameters of a link say. */
  take(params) {
    this.params = params;
    if (document.activeElement !== this.search) this.search.value = params.q ?? "";
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
      const data = await get(this.path, this._query(), { signal: this.signal });
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

  _query() {
    return {
      sort: this.sortedBy,
      descending: this.isSortedDown ? "1" : "0",
      q: this.params.q ?? "",
      site: this.site,
      offset: this.offset,
      limit: this.limit,
    };
  }

  // Rows

  _show({ columns, rows, total }) {
    this._addColumns(columns, rows);
    if (!rows.length && this.offset && total) {
      this._goTo({ offset: lastOffset(total, this.limit) });
      return;
    }
    // Some judges know no concepts; an empty column would only take room.
    this.node.classList.toggle("without-label", rows.every((row) => !row.label && !row.concept));
    if (!rows.length) this._showAlone(this._nothing());
    else fill(this.body, rows.map((row) => this._row(row)));
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

  _statusOf(shown, total) {
    const [one, many] = this.what;
    if (total === 1 || !shown) return `${count(total)} ${total === 1 ? one : many}`;
    return `${count(this.offset + 1)} to ${count(this.offset + shown)} of ${count(total)} ${many}`;
  }

  _row(row) {
    return el("tr", {}, this.columns.map((column, index) => {
      const attributes = { class: classOf(column), data: { label: column.label } };
      if (index === 0) attributes.scope = "row";
      return el(index === 0 ? "th" : "td", attributes, column.show(row));
    }));
  }

  _showAlone(node) {
    fill(this.body, el("tr", { class: "alone" }, el("td", { colspan: this.columns.length }, node)));
  }

  _nothing() {
    const { q } = this.params;
    if (!q && !this.site) return this.whenEmpty();
    return add(
      empty(q ? `Nothing has “${q}” in it. ` : `There are no ${this.what[1]} of this site. `),
      button("Show all", () => this._goTo({ q: "", site: "", offset: "" }), { class: "plain" }),
    );
  }

  // Sorting

  _showHeadings() {
    fill(this.headings, this.columns.map((column) => this._heading(column)));
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
    this.mark.hidden = !site;
    const all = () => {
      this._goTo({ site: "", offset: "" });
      this.status.focus({ preventScroll: true }); // the button is gone
    };
    const label = `Show the ${this.what[1]} of all sites`;
    const remove = button("×", all, { class: "plain", "aria-label": label, title: label });
    fill(this.mark, site && [el("span", {}, "of site ", el("strong", {}, site)), remove]);
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
  return typeof value === "number" ? count(value) : (value ?? "–");
}

function lastOffset(total, limit) {
  return Math.max(0, Math.floor((total - 1) / limit) * limit);
}

function classOf(column) {
  return [column.isNumber && "number", `column-${column.name}`].filter(Boolean).join(" ");
}
