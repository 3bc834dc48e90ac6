// The taxonomy: its tree with good marks, and a text or a page put into it.

import { get, post, token } from "../api.js";
import { bars } from "../bars.js";
import { el, fill } from "../dom.js";
import { count, counted, percent, score } from "../format.js";
import { knownCrawl } from "../known_crawl.js";
import { button, empty, load, loading, panel, problem } from "../parts.js";
import { hashFor } from "../router.js";
import { Tree } from "../tree.js";
import { treeTools } from "../tree_tools.js";

export function show(root, params, context) {
  const { state, signal } = context;
  let view = null;
  const fetching = async () => {
    const crawl = await knownCrawl(state, signal);
    return crawl.can.taxonomy ? get("/api/taxonomy", {}, { signal }) : null;
  };
  load(root, fetching, (data) => {
    if (!data)
      return [
        el("h1", {}, "Taxonomy"),
        empty("This crawl has no taxonomy: its judge was not taught by examples."),
      ];
    view = new TaxonomyView(data.categories, context);
    queueMicrotask(() => view.take(params));
    return view.nodes();
  });
  const leave = () => {};
  leave.update = (later) => view?.take(later);
  return leave;
}

class TaxonomyView {
  constructor(categories, context) {
    Object.assign(this, { categories, context });
    this.byId = new Map(categories.map((category) => [category.id, category]));
    this.about = el(
      "aside",
      { class: "panel tree-about", "aria-live": "polite", "aria-label": "The chosen category" },
      empty("Choose a category."),
    );
    this.answer = el("div", { "aria-live": "polite" });
    this.tree = new Tree({
      items: categories,
      label: "Categories of the taxonomy",
      text: (category) => `${nameOf(category)} ${category.id}`,
      row: (category) => this._row(category),
      chosen: (category) => {
        this.context.note({ category: category.id });
        this._tell(category);
      },
    });
    this.tree.openFirst(60);
  }

  take({ category, url }) {
    if (url) this.input.value = url;
    if (!this.byId.has(category)) return;
    this.tree.choose(category);
    this._tell(this.byId.get(category));
  }

  nodes() {
    const good = this.categories.filter((category) => category.good).length;
    return [
      el(
        "div",
        {},
        el("h1", {}, "Taxonomy"),
        el(
          "p",
          { class: "soft" },
          `${counted(this.categories.length, "category", "categories")}, ${count(good)} marked good. A page is relevant as far as it belongs to good ones.`,
        ),
      ),
      this._classifier(),
      el(
        "div",
        { class: "tree-columns" },
        el("section", { class: "panel" }, treeTools(this.tree, "categories"), this.tree.node),
        this.about,
      ),
    ];
  }

  _row(category) {
    const state = this._stateOf(category);
    return [
      el(
        "span",
        { class: "tree-mark", title: state === "none" ? null : MARKS[state] },
        { good: "★", within: "☆" }[state] ?? "",
      ),
      el(
        "span",
        { class: `tree-name ${state === "none" ? "" : "good"}` },
        nameOf(category),
        state !== "none" && el("span", { class: "unseen" }, `, ${MARKS[state]}`),
      ),
      el(
        "span",
        { class: "soft small tree-facts" },
        category.examples > 0 && counted(category.examples, "example"),
      ),
      el(
        "span",
        { class: "tree-number" },
        category.pages > 0 ? counted(category.pages, "page") : "",
      ),
    ];
  }

  /** "good", "within" where something above is good, or "none". */
  _stateOf(category) {
    if (category.good) return "good";
    const seen = new Set([category.id]);
    for (
      let above = this.byId.get(category.parent);
      above && !seen.has(above.id);
      above = this.byId.get(above.parent)
    ) {
      if (above.good) return "within";
      seen.add(above.id);
    }
    return "none";
  }

  // Marking

  _tell(category, note = null) {
    const state = this._stateOf(category);
    const mayMark = Boolean(this.context.state.crawl?.can.mark);
    const isKnown = token() !== "";
    const reason = !mayMark
      ? "The model of this crawl is not there to be changed."
      : !isKnown
        ? "This needs the token: open the link that the server printed."
        : "";
    const label = category.good ? "Unmark" : "Mark as good";
    fill(
      this.about,
      el("h2", {}, nameOf(category)),
      el("p", { class: "small soft" }, pathOf(category, this.byId)),
      el(
        "dl",
        { class: "facts" },
        el("div", {}, el("dt", {}, "Mark"), el("dd", {}, MARKS[state])),
        el("div", {}, el("dt", {}, "Examples"), el("dd", {}, count(category.examples ?? 0))),
        el("div", {}, el("dt", {}, "Pages"), el("dd", {}, count(category.pages ?? 0))),
      ),
      el(
        "p",
        { class: "row" },
        button(label, () => this._mark(category), { disabled: reason !== "" }),
      ),
      el(
        "p",
        { class: "soft small" },
        reason || "Marks count for the next crawl; this one goes on as it is.",
      ),
      note,
    );
  }

  async _mark(category) {
    const good = !category.good;
    try {
      const said = await post(
        "/api/taxonomy/mark",
        { category: category.id, good },
        { signal: this.context.signal },
      );
      for (const one of this.categories) one.good = said.marked.includes(one.id);
      this.tree.draw();
      this._tell(category, el("p", { class: "banner good" }, said.note));
    } catch (error) {
      if (error.name !== "AbortError") this._tell(category, problem(error));
    }
    this.about.querySelector("button")?.focus();
  }

  // Classifying

  _classifier() {
    this.input = el("textarea", {
      rows: "2",
      placeholder: "A URL, or some text",
      "aria-label": "A URL, or some text to classify",
    });
    const submit = (event) => {
      event.preventDefault();
      this._classify(this.input.value.trim());
    };
    return panel(
      "Where does it belong?",
      el(
        "form",
        { class: "classify", on: { submit } },
        this.input,
        el("button", { type: "submit", class: "main" }, "Classify"),
      ),
      this.answer,
    );
  }

  async _classify(given) {
    if (!given) {
      this.input.focus();
      return;
    }
    const isUrl = /^https?:\/\/\S+$/i.test(given);
    fill(this.answer, loading(isUrl ? "Reading the page …" : "Classifying …"));
    try {
      const said = await post("/api/taxonomy/classify", isUrl ? { url: given } : { text: given }, {
        signal: this.context.signal,
      });
      fill(this.answer, classes(said));
    } catch (error) {
      if (error.name !== "AbortError") fill(this.answer, problem(error));
    }
  }
}

const MARKS = { good: "marked good", within: "below a good category", none: "not marked" };

function classes({ categories, relevance }) {
  if (!categories.length) return empty("It belongs nowhere.");
  const told = categories.filter(({ probability }, at) => at < 3 || probability >= 0.001);
  const rows = told.map(({ category, path, probability, good }) => ({
    name: el("a", { href: hashFor("taxonomy", { category }) }, path.replaceAll("/", " › ")),
    title: category,
    value: probability,
    text: percent(probability),
    isGood: good,
  }));
  return [
    el(
      "div",
      { class: "wide-bars" },
      bars(rows, { most: 1, label: "Probability of each category" }),
    ),
    relevance !== null &&
      el(
        "p",
        { class: "soft small" },
        `Its relevance, by the good categories: ${score(relevance)}.`,
      ),
  ];
}

function pathOf(category, byId) {
  const names = [];
  const seen = new Set();
  for (let at = category; at && !seen.has(at.id); at = byId.get(at.parent)) {
    seen.add(at.id);
    names.unshift(nameOf(at));
  }
  return names.join(" › ");
}

function nameOf(category) {
  return category.label || category.name || category.id;
}
