// The filters of a table: what can be chosen, what is chosen, and how to take it away again.

import { sparql } from "./api.js";
import { el, fill } from "./dom.js";
import { count, words } from "./format.js";
import { button, field, loading, problem } from "./parts.js";

const RELEVANT = [
  ["1", "relevant"],
  ["0", "not relevant"],
];
const MARKED = { true: "right", false: "wrong", none: "not marked" };
// Not every page has one of these.
const HAVE_NONE = new Set(["concept", "language", "marked"]);
const FILTERS = [
  ["relevant", "Relevance"],
  ["concept", "Concept"],
  ["depth", "Depth"],
  ["language", "Language"],
  ["status", "Status"],
  ["marked", "Mark"],
];

// How many pages have each value, asked for when the filters are first opened.
const PROPERTIES = {
  concept: "sc:bestConcept",
  depth: "sc:depth",
  language: "dcterms:language",
  status: "sc:status",
  marked: "sc:marked",
};
const COUNTS = `SELECT ?name ?value (SAMPLE(?text) AS ?label) (COUNT(DISTINCT ?page) AS ?pages) WHERE {
  VALUES (?name ?property) { ${Object.entries(PROPERTIES).map(([name, property]) => `("${name}" ${property})`).join(" ")} }
  ?page sc:relevance ?relevance ; ?property ?value
  OPTIONAL { ?value skos:prefLabel ?text }
} GROUP BY ?name ?value ORDER BY DESC(?pages) LIMIT 500`;

/** The values of each filter, {value, label, pages}, the most frequent first. */
async function facets(signal) {
  const answer = JSON.parse(await sparql(COUNTS, "application/sparql-results+json", { signal }));
  const found = {};
  for (const { name, value, label, pages } of answer.results.bindings) {
    const facet = { value: value.value, label: label?.value, pages: Number(pages.value) };
    (found[name.value] ??= []).push(facet);
  }
  return found;
}

/** The filters of the table of pages. `changed(params)` is called with those to change. */
export class TableFilters {
  constructor({ changed, signal }) {
    Object.assign(this, { changed, signal });
    this.params = {};
    this.facets = null;
    this.body = el("div", { class: "row filter-fields" });
    this.node = el(
      "details",
      { class: "filters", on: { toggle: () => this.node.open && this._open() } },
      el("summary", {}, "Filter"),
      this.body,
    );
  }

  /** The parameters of a link that are filters. */
  static in(params) {
    const known = FILTERS.map(([name]) => [name, params[name]]);
    return Object.fromEntries(known.filter(([, value]) => value));
  }

  take(params) {
    this.params = params;
    const chosen = Object.keys(TableFilters.in(params)).length + (params.site ? 1 : 0);
    fill(this.node.querySelector("summary"), chosen ? `Filter (${chosen})` : "Filter");
    if (this.node.open) this._draw();
  }

  /** What is chosen in words, [name, text] each; concepts by their labels where these are known. */
  chosen() {
    return Object.entries(TableFilters.in(this.params)).map(([name, value]) => {
      const label = FILTERS.find(([key]) => key === name)[1].toLowerCase();
      if (name === "relevant") return [name, value === "1" ? "relevant" : "not relevant"];
      return [name, `${label}: ${this._words(name, value)}`];
    });
  }

  async _open() {
    if (this.facets) return;
    fill(this.body, loading());
    try {
      this.facets = await facets(this.signal);
      this._draw();
      this.changed(null); // labels are known now
    } catch (error) {
      if (error.name !== "AbortError") fill(this.body, problem(error, () => this._open()));
    }
  }

  _draw() {
    if (!this.facets) return;
    fill(
      this.body,
      FILTERS.map(([name, label]) => this._field(name, label)),
      this._site(),
      button("Clear", () => this.changed({ ...Object.fromEntries(FILTERS.map(([name]) => [name, ""])), site: "" }), {
        class: "plain",
      }),
    );
  }

  _field(name, label) {
    const known = name === "relevant" ? RELEVANT : this._offers(name);
    // One value for all pages tells nothing apart.
    if (name !== "relevant" && known.length < 2 && !this.params[name]) return null;
    const options = [["", "any"], ...known].map(([value, text]) =>
      el("option", { value, selected: value === (this.params[name] ?? "") }, text),
    );
    const changed = (event) => this.changed({ [name]: event.target.value });
    return field(label, el("select", { name, on: { change: changed } }, options));
  }

  _offers(name) {
    const facets = [...(this.facets[name] ?? [])];
    if (name === "depth") facets.sort((a, b) => Number(a.value) - Number(b.value));
    const offers = facets.map(({ value, pages }) => [value, `${this._words(name, value)} (${count(pages)})`]);
    return HAVE_NONE.has(name) && facets.length ? [...offers, ["none", this._words(name, "none")]] : offers;
  }

  _words(name, value) {
    if (name === "marked") return MARKED[value] ?? value;
    if (value === "none") return "none";
    return this.facets?.[name]?.find((facet) => facet.value === value)?.label ?? nameOf(value);
  }

  _site() {
    const changed = (event) => this.changed({ site: event.target.value.trim() });
    const input = el("input", {
      type: "text",
      name: "site",
      placeholder: "www.example.org",
      value: this.params.site ?? "",
      spellcheck: "false",
      on: { change: changed },
    });
    return field("Site", input);
  }
}

/** What a value is called that has no label: of a WordNet sense, its words. */
function nameOf(value) {
  const name = decodeURIComponent(value.split(/[/#]/).at(-1));
  return words(name.replace(/\.[nvasr]\.\d+$/, ""));
}
