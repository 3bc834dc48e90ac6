// The topic: its keywords, its concepts as a tree with weights, and how well each is covered.

import { get } from "../api.js";
import { bars, track } from "../bars.js";
import { copyButton } from "../copying.js";
import { el, fill } from "../dom.js";
import { count, counted, percent, score } from "../format.js";
import { knownCrawl } from "../known_crawl.js";
import { button, empty, load, meter, pageLink, panel } from "../parts.js";
import { hashFor } from "../router.js";
import { Tree } from "../tree.js";
import { treeTools } from "../tree_tools.js";
import { WeightTrial } from "../weights.js";

export function show(root, params, context) {
  let take = () => {};
  load(
    root,
    () => Promise.all([get("/api/topic", {}, { signal: context.signal }), knownCrawl(context.state, context.signal)]),
    ([topic, crawl]) => {
      const first = [head(topic), keywords(topic.keywords)];
      const learnt = crawl.can.mark_pages ? learntWords(context.signal) : null;
      if (!topic.concepts.length) return [first, noConcepts(topic), learnt];
      addTotals(topic.concepts);
      const trial = crawl.kind === "pages" ? new WeightTrial(context.signal) : null;
      const concepts = conceptTree(topic, context, params, trial);
      take = concepts.take;
      // Once it stands in the page, so that the concept can be scrolled to.
      queueMicrotask(() => take(params));
      return [first, concepts.node, learnt];
    },
  );
  const leave = () => {};
  leave.update = (later) => take(later);
  return leave;
}

function head(topic) {
  const { concepts, covered, share } = topic.coverage;
  const isWeighted = topic.concepts.some(({ weight }) => weight !== null) && !topic.concepts.some(({ good }) => good);
  const near = isWeighted ? topic.concepts.filter(({ parent, weight }) => parent === null && weight === null).length : 0;
  return el(
    "div",
    {},
    el("h1", {}, `Topic: ${topic.name}`),
    concepts > 0 &&
      el(
        "p",
        { class: "soft" },
        covered
          ? `${counted(concepts, "concept")}, of which ${count(covered)} ${covered === 1 ? "has" : "have"} relevant pages of ${covered === 1 ? "its" : "their"} own (${percent(share)}). Counts below include the pages of narrower concepts.${near ? ` The last ${count(near)} are near the topic, not below it.` : ""}`
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

/** Count pages of narrower concepts too: {all, allRelevant} of each. */
function addTotals(concepts) {
  const byId = new Map(concepts.map((concept) => [concept.id, concept]));
  for (const concept of concepts) Object.assign(concept, { all: 0, allRelevant: 0, narrower: 0 });
  for (const concept of concepts) {
    const seen = new Set();
    for (let at = concept; at && !seen.has(at.id); at = byId.get(at.parent)) {
      seen.add(at.id);
      at.all += concept.pages ?? 0;
      at.allRelevant += concept.relevant ?? 0;
      at.narrower += at === concept ? 0 : 1;
    }
  }
}

/** Concepts without a page where the one above has some: what to look for next, the broadest first. */
function gaps(concepts) {
  const byId = new Map(concepts.map((concept) => [concept.id, concept]));
  return concepts
    .filter(({ all, parent }) => !all && (byId.get(parent)?.all ?? 1) > 0)
    .sort((a, b) => b.narrower - a.narrower || a.label.localeCompare(b.label));
}

const MOST_GAPS = 24;

function gapsPanel(concepts) {
  const found = gaps(concepts);
  if (!found.length || !concepts.some(({ all }) => all)) return null;
  const names = found.map(({ label }) => label);
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, "No page yet ", el("span", { class: "soft count" }, count(found.length))),
    el("p", { class: "soft small" }, `Concepts to find seeds for next${found[0].narrower ? "; the number is how many narrower ones each has" : ""}.`),
    el(
      "ul",
      { class: "row keywords" },
      found.slice(0, MOST_GAPS).map(({ id, label, narrower }) =>
        el(
          "li",
          {},
          el("a", { class: "badge", href: hashFor("topic", { concept: id }) }, label, narrower > 0 && el("span", { class: "soft" }, ` ${count(narrower)}`)),
        ),
      ),
    ),
    el(
      "p",
      { class: "row" },
      found.length > MOST_GAPS && el("span", { class: "soft small" }, `${count(found.length - MOST_GAPS)} more`),
      copyButton("Copy their names", () => names.join("\n"), { class: "plain small" }),
    ),
  );
}

/** What the judge has learnt, asked for when the reader wants it: that takes a while. */
function learntWords(signal) {
  const body = el("div", {});
  const ask = () =>
    load(
      body,
      () => get("/api/learnt-words", {}, { signal }),
      (weights) => {
        const all = Object.entries(weights);
        if (!all.length) return empty("The judge has learnt no words yet.");
        const side = (title, some, isGood) =>
          el(
            "div",
            {},
            el("h3", {}, title),
            bars(
              some.map(([word, weight]) => ({ name: word, value: Math.abs(weight), text: score(weight).replace("-", "−"), isGood })),
              { label: title, most: Math.max(...all.map(([, weight]) => Math.abs(weight))) },
            ),
          );
        const speaking = all.filter(([, weight]) => weight > 0).slice(0, 30);
        const against = all.filter(([, weight]) => weight < 0).reverse().slice(0, 30);
        return el("div", { class: "columns halves" }, side("For the topic", speaking, true), side("Against it", against, false));
      },
      "Reading what was learnt …",
    );
  fill(
    body,
    el("p", { class: "soft" }, "The judge learns words from the pages of the crawl. Here are those words of titles that speak most for the topic, and most against it."),
    button("Show the words", ask),
  );
  return panel("What the judge has learnt", body);
}

function conceptTree(topic, context, params, trial) {
  const most = Math.max(...topic.concepts.map((concept) => concept.all ?? 0), 0);
  const about = el(
    "aside",
    { class: "panel tree-about", "aria-live": "polite", "aria-label": "The chosen concept" },
  );
  const byId = new Map(topic.concepts.map((concept) => [concept.id, concept]));
  const tell = (concept) => fill(about, conceptAbout(concept, byId), trial?.input(concept));
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
  // Until a concept is chosen, the one with most below it is told of.
  tell(topic.concepts.reduce((most, one) => (one.narrower > most.narrower ? one : most)));
  const take = ({ concept }) => {
    if (!byId.has(concept)) return;
    tree.choose(concept);
    tell(byId.get(concept));
  };
  const node = el(
    "div",
    { class: "tree-columns" },
    el(
      "section",
      { class: "panel" },
      treeTools(tree, "concepts", most > 0 && {
        label: "only without pages",
        test: ({ all }) => !all,
        isOn: params.only === "empty",
      }),
      legend(),
      tree.node,
    ),
    el("div", { class: "tree-side" }, about, trial?.node, gapsPanel(topic.concepts)),
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

function conceptRow({ label, id, weight, all, allRelevant }, most) {
  // By the square root, or one large concept would hide all others.
  const long = most ? Math.sqrt(all / most) : 0;
  const good = all ? long * (allRelevant / all) : 0;
  const isEmpty = !all;
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
      el("span", { class: "tree-number" }, isEmpty ? most > 0 && "none" : count(all)),
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
        concept.weight !== null && concept.weight !== undefined && meter(concept.weight, { text: score(concept.weight, 2) }),
      ),
      fact(
        "Pages",
        concept.pages ? `${count(concept.pages)}, ${count(concept.relevant)} relevant` : "none yet",
      ),
      fact(
        "With narrower",
        concept.narrower > 0 && `${concept.all ? `${count(concept.all)}, ${count(concept.allRelevant)} relevant; ` : ""}${counted(concept.narrower, "narrower concept")}`,
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
          { href: hashFor("pages", { concept: concept.id }) },
          "Its pages",
        ),
      ),
  ];
}

function fact(name, value) {
  return value ? el("div", {}, el("dt", {}, name), el("dd", {}, value)) : null;
}
