// The named queries as a list that can be searched, and their parameters as a form.

import { el, fill } from "./dom.js";
import { counted } from "./format.js";
import { empty, field } from "./parts.js";
import { hashFor } from "./router.js";

const KINDS = {
  analyse: "Pages, sites and concepts",
  monitor: "How the crawl is doing",
  sites: "Websites",
  frontier: "Frontier",
  distill: "Hubs and authorities",
  policies: "Policies",
  export: "Export",
};
const STEPS = { integer: "1", decimal: "any" };

/** The list of queries; `mark(name)` shows which one is chosen. */
export class QueryList {
  constructor(queries) {
    this.queries = queries;
    this.current = null;
    this.list = el("div", { class: "query-list" });
    this.status = el("p", { class: "unseen", role: "status" });
    const search = el("input", {
      type: "search",
      placeholder: "Search the queries",
      "aria-label": "Search the named queries",
      on: { input: () => this._show(search.value, true) },
    });
    this.node = el("div", { class: "query-chooser" }, search, this.status, this.list);
    this._show("", false);
  }

  mark(name) {
    this.current = name;
    for (const anchor of this.list.querySelectorAll("a")) {
      if (anchor.dataset.name === name) anchor.setAttribute("aria-current", "true");
      else anchor.removeAttribute("aria-current");
    }
  }

  _show(text, isTold) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.queries.filter(({ name, title, help }) => {
      const all = `${name} ${title} ${help}`.toLowerCase();
      return words.every((word) => all.includes(word));
    });
    if (isTold) this.status.textContent = counted(found.length, "query", "queries");
    fill(
      this.list,
      found.length
        ? grouped(found).map(([kind, members]) => group(kind, members))
        : empty("No query is called so."),
    );
    this.mark(this.current);
  }
}

/** A form with a field for each parameter; `values` are texts by name. */
export function parameterForm(query, values, changed, run) {
  if (!query.parameters.length) return null;
  return el(
    "form",
    { class: "row parameters", on: { submit: (event) => (event.preventDefault(), run()) } },
    query.parameters.map((parameter) => parameterField(parameter, values, changed)),
    // So that Enter in a field runs the query.
    el("button", { type: "submit", class: "unseen", tabindex: "-1", "aria-hidden": "true" }, "Run"),
  );
}

/** The parameters to send: what was given, where it differs from nothing. */
export function givenValues(query, values) {
  const named = query.parameters.map(({ name }) => [name, values[name]]);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined && value !== ""));
}

function parameterField(parameter, values, changed) {
  const { name, type, help } = parameter;
  const given = values[name] ?? parameter.default ?? "";
  const told = (event) => changed(name, event.target.value);
  if (type === "boolean") {
    const options = ["true", "false"].map((value) =>
      el("option", { value, selected: value === given }, value),
    );
    return field(name, el("select", { name, on: { change: told } }, options), help);
  }
  const input = el("input", {
    name,
    type: STEPS[type] ? "number" : type === "iri" ? "url" : "text",
    step: STEPS[type],
    required: parameter.default === null,
    spellcheck: "false",
    value: given,
    on: { input: told },
  });
  input.classList.add(`parameter-${type}`);
  return field(name, input, help);
}

function grouped(queries) {
  const groups = new Map(Object.keys(KINDS).map((kind) => [kind, []]));
  for (const query of queries) {
    const kind = query.group ?? "";
    if (!groups.has(kind)) groups.set(kind, []);
    groups.get(kind).push(query);
  }
  return [...groups].filter(([, members]) => members.length);
}

function group(kind, queries) {
  return el(
    "section",
    {},
    el("h3", {}, KINDS[kind] ?? (kind || "Queries")),
    el(
      "ul",
      {},
      queries.map((query) =>
        el(
          "li",
          {},
          el(
            "a",
            {
              href: hashFor("ask", { name: query.name }),
              title: query.help,
              data: { name: query.name },
            },
            query.title || query.name,
          ),
        ),
      ),
    ),
  );
}
