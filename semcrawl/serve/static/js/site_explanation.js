// Why a page of a crawl for websites has its relevance: what the classifier said of it,
// and what that did for its site.

import { get, post } from "./api.js";
import { bars } from "./bars.js";
import { el } from "./dom.js";
import { contributions, matchTable, offer } from "./explanation.js";
import { counted, score } from "./format.js";
import { empty, load, meter } from "./parts.js";
import { classWords, siteLink } from "./sites.js";

/** Show the explanation in a node. Only the words that a lens saw may need the page again. */
export function showSiteExplanation(node, url, signal) {
  const show = (data) => explanation(data, fetchWords);
  const fetchWords = () =>
    load(
      node,
      () => post("/api/explain", { url }, { signal }),
      show,
      "Fetching the page again …",
    );
  load(node, () => get("/api/explain", { url }, { signal }), show, "Asking what was said of it …");
}

function explanation(data, fetchWords) {
  return [
    el("p", {}, "Judged by ", el("strong", {}, data.judge), "."),
    data.classes.length > 0
      ? confidences(data.classes)
      : empty("It has no words to judge by, so it says nothing of its site."),
    el("h3", {}, "What it did for its site"),
    standing(data.site),
    data.lens && words(data.lens, data.relevance),
    !data.lens &&
      data.has_words &&
      offer(
        fetchWords,
        "Which words the lens saw is not recorded: for them the page must be fetched once more from its server.",
      ),
  ];
}

function confidences(classes) {
  const rows = classes.map(({ name, confidence }, at) => ({
    name: classWords(name),
    value: confidence,
    text: score(confidence),
    // The class that is looked for comes first.
    isGood: at === 0,
  }));
  return bars(rows, { most: 1, label: "Confidence for each class" });
}

/** What was believed of the site before and after the page, and what came of it. */
function standing(site) {
  const { before, after } = site;
  const did =
    before === after ? "changed nothing" : after > before ? "spoke for it" : "spoke against it";
  const steps = [
    ["Before any page", site.prior],
    ["Before this page", before],
    ["After it", after],
    [`After ${counted(site.pages, "page")}`, site.confidence],
  ];
  return el(
    "div",
    { class: "site-standing" },
    el(
      "p",
      {},
      `Page ${site.number} of ${site.pages} that were read of `,
      siteLink(site.name),
      `: it ${did}. The site `,
      site.verdict ? ["was taken for ", el("strong", {}, classWords(site.verdict))] : "is still being read",
      ".",
    ),
    el("p", { class: "soft small" }, "How sure it was that the site is what is looked for:"),
    el(
      "dl",
      { class: "facts" },
      steps.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, meter(value)))),
    ),
  );
}

function words({ threshold, words: size, explanation: told, changed }, relevance) {
  return [
    el("h3", {}, "What the lens saw"),
    changed &&
      el("p", { class: "banner" }, "The page has changed since it was judged: this is how it is now."),
    told?.matches.length ? matchTable(told.matches) : empty("No word of the topic stands on it."),
    told &&
      el(
        "p",
        { class: "soft small" },
        contributions(told),
        ` On a page of ${counted(size, "word")}, where a score of ${score(threshold)} is undecided, `,
        `that is a confidence of ${score(relevance)}.`,
      ),
  ];
}
