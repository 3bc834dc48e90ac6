// The topic: its keywords, its concepts as a tree with weights, and how well each is covered.

import { get } from "../api.js";
import { track } from "../bars.js";
import { el, fill } from "../dom.js";
import { count, counted, percent, score } from "../format.js";
import { empty, load, meter, pageLink, panel } from "../parts.js";
import { hashFor } from "../router.js";
import { Tree } from "../tree.js";
import { treeTools } from "../tree_tools.js";

export function show(root, params, context) {
  let take = () => {};
  load(
    root,
    () => get("/api/topic", {}, { signal: context.signal }),
    (topic) => {
      const first = [head(topic), keywords(topic.keywords)];
      if (!topic.concepts.length) return [first, noConcepts(topic)];
      const concepts = conceptTree(topic, context);
      take = concepts.take;
      // Once it stands in the page, so that the concept can be scrolled to.
      queueMicrotask(() => take(params));
      return [first, concepts.node];
    },
  );
  const leave = () => {};
  leave.update = (later) => take(later);
  return leave;
}

function head(topic) {
  const { concepts, covered, share } = topic.coverage;
  return el(
    "div",
    {},
    el("h1", {}, `Topic: ${topic.name}`),
    concepts > 0 &&
      el(
        "p",
        { class: "soft" },
        covered
          ? `${counted(concepts, "concept")}, of which ${count(covered)} ${covered === 1 ? "has" : "have"} pages (${percent(share)}).`
          : `${counted(concepts, "concept")}. No page has been given one of them: only judges that know concepts do so.`,
      ),
  );
}

function keywords(list) {
  if (!list?.length) return null;
  return panel(
    "Keywords",
    el(
      "ul",
      { class: "row keywords" },
      list.map(({ text, weight }) =>
        el(
          "li",
          { class: "badge" },
          text,
          weight !== 1 && el("span", { class: "soft" }, ` ${score(weight, 2)}`),
        ),
      ),
    ),
  );
}

function noConcepts(topic) {
  return empty(
    topic.keywords?.length
      ? "The topic is made of keywords and has no concepts."
      : "The topic has no concepts.",
  );
}

function conceptTree(topic, context) {
  const most = Math.max(...topic.concepts.map((concept) => concept.pages ?? 0), 0);
  const about = el(
    "aside",
    { class: "panel tree-about", "aria-live": "polite", "aria-label": "The chosen concept" },
    empty("Choose a concept."),
  );
  const byId = new Map(topic.concepts.map((concept) => [concept.id, concept]));
  const tell = (concept) => fill(about, conceptAbout(concept, byId));
  const tree = new Tree({
    items: topic.concepts,
    label: "Concepts of the topic",
    text: (concept) => `${concept.label} ${concept.id}`,
    row: (concept) => conceptRow(concept, most),
    chosen: (concept) => {
      context.note({ concept: concept.id });
      tell(concept);
    },
  });
  tree.openFirst();
  const take = ({ concept }) => {
    if (!byId.has(concept)) return;
    tree.choose(concept);
    tell(byId.get(concept));
  };
  const node = el(
    "div",
    { class: "tree-columns" },
    el("section", { class: "panel" }, treeTools(tree, "concepts"), legend(), tree.node),
    about,
  );
  return { node, take };
}

function legend() {
  return el(
    "p",
    { class: "tree-legend soft small", "aria-hidden": "true" },
    el("span", {}, "concept"),
    el("span", { class: "tree-weight" }, "weight"),
    el("span", { class: "tree-bar" }, "pages"),
  );
}

function conceptRow({ label, id, weight, pages, relevant }, most) {
  // By the square root, or one large concept would hide all others.
  const long = most ? Math.sqrt(pages / most) : 0;
  const good = pages ? long * (relevant / pages) : 0;
  const isEmpty = !pages;
  return [
    el("span", { class: `tree-name ${isEmpty && most ? "soft" : ""}`, title: id }, label),
    el(
      "span",
      { class: "tree-weight soft" },
      weight === null || weight === undefined ? "" : score(weight, 2),
    ),
    el(
      "span",
      { class: "tree-bar" },
      track(good, long - good),
      el("span", { class: "tree-number" }, isEmpty ? most > 0 && "none" : count(pages)),
    ),
  ];
}

function conceptAbout(concept, byId) {
  const parent = byId.get(concept.parent);
  const { best } = concept;
  return [
    el("h2", {}, concept.label || concept.id),
    el("p", { class: "small soft mono" }, concept.id),
    el(
      "dl",
      { class: "facts" },
      fact(
        "Weight",
        concept.weight !== null && concept.weight !== undefined && meter(concept.weight),
      ),
      fact(
        "Pages",
        concept.pages ? `${count(concept.pages)}, ${count(concept.relevant)} relevant` : "none yet",
      ),
      fact(
        "Kind of",
        parent &&
          el("a", { href: hashFor("topic", { concept: parent.id }) }, parent.label || parent.id),
      ),
      fact(
        "Best page",
        best && [pageLink(best), el("span", { class: "soft" }, ` ${score(best.relevance)}`)],
      ),
    ),
    concept.pages > 0 &&
      el(
        "p",
        {},
        el(
          "a",
          { href: hashFor("pages", { q: concept.label || concept.id }) },
          "Search the pages for it",
        ),
      ),
  ];
}

function fact(name, value) {
  return value ? el("div", {}, el("dt", {}, name), el("dd", {}, value)) : null;
}
