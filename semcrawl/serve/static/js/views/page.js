// One page: how relevant, why, how it was found, its links, and what is recorded of it.

import { get } from "../api.js";
import { copyButton } from "../copying.js";
import { el, fill, link } from "../dom.js";
import { bytes, count, counted, digits, moment, score, titleOf } from "../format.js";
import { showExplanation } from "../explanation.js";
import { knownCrawl } from "../known_crawl.js";
import { markButtons } from "../marks.js";
import { ownStatementsPanel } from "../own_statements.js";
import { linksPanel } from "../page_links.js";
import { empty, load, meter, pageLink, panel } from "../parts.js";
import { hashFor } from "../router.js";
import { showSiteExplanation } from "../site_explanation.js";
import { siteLink } from "../sites.js";

export function show(root, params, context) {
  if (!params.url && !params.step) {
    fill(
      root,
      el("h1", {}, "Page"),
      empty(
        "Choose a page: from the ",
        el("a", { href: hashFor("pages") }, "table of pages"),
        ", or a dot of the ",
        el("a", { href: hashFor("monitor") }, "monitor"),
        ".",
      ),
    );
    return;
  }
  const { state, signal, setTitle } = context;
  const asked = { url: params.url, step: params.url ? null : params.step };
  const fetching = () =>
    Promise.all([get("/api/page", asked, { signal }), knownCrawl(state, signal)]);
  load(root, fetching, ([page, crawl]) => {
    setTitle(titleOf(page));
    return pageNodes(page, crawl, signal);
  });
}

function pageNodes(page, crawl, signal) {
  const why = el("div", {});
  if (crawl.kind === "sites") showSiteExplanation(why, page.url, signal);
  else showExplanation(why, page.url, crawl.can.explain, signal);
  return [
    head(page, crawl, signal),
    el(
      "div",
      { class: "page-columns" },
      el("div", { class: "page-main" }, panel("Why", why), ownStatementsPanel(page.own, page.url), links(page, crawl.threshold)),
      el(
        "div",
        { class: "page-side" },
        panel("How it was found", path(page, crawl.threshold)),
        panel("Facts", facts(page, crawl)),
      ),
    ),
  ];
}

function links(page, threshold) {
  return el(
    "div",
    { class: "columns page-links" },
    linksPanel(
      "Links out",
      page.links_out,
      page.counts.links_out,
      threshold,
      "It links to no other page.",
    ),
    linksPanel(
      "Links in",
      page.links_in,
      page.counts.links_in,
      threshold,
      "No visited page links to it.",
    ),
  );
}

function head(page, crawl, signal) {
  return el(
    "header",
    { class: "page-head" },
    el("h1", {}, titleOf(page)),
    el(
      "p",
      { class: "row page-url" },
      link(page.url),
      copyButton("Copy URL", () => page.url, { class: "plain small" }),
    ),
    page.description && el("p", { class: "soft page-description" }, page.description),
    el(
      "p",
      { class: "row" },
      el("span", { class: "page-relevance" }, meter(page.relevance, { isGood: page.is_relevant })),
      el(
        "span",
        { class: `badge ${page.is_relevant ? "good" : ""}` },
        page.is_relevant ? "relevant" : "not relevant",
      ),
      el("span", { class: "soft small" }, `threshold ${digits(crawl.threshold, 3)}`),
      crawl.can.mark_pages && marks(page, signal),
      el(
        "a",
        { class: "push", href: hashFor("picture", { url: page.url }) },
        "Picture of its neighbourhood",
      ),
    ),
  );
}

function marks(page, signal) {
  const note = el("span", { class: "soft small", role: "status" });
  return [markButtons(page, { told: (said) => fill(note, said.note), signal }), note];
}

function path(page, threshold) {
  const steps = page.path;
  if (steps.length < 2) return empty("It is a seed of the crawl.");
  return el(
    "ol",
    { class: "found-path" },
    steps.map((step, at) => pathStep(step, at, steps.length, threshold)),
  );
}

function pathStep(step, at, size, threshold) {
  const isHere = at === size - 1;
  const hasRelevance = isKnown(step.relevance);
  return el(
    "li",
    {
      class: step.relevance >= threshold ? "relevant" : null,
      "aria-current": isHere ? "page" : null,
    },
    el(
      "span",
      { class: "path-page" },
      isHere ? el("strong", {}, titleOf(step)) : pageLink(step),
      at === 0 && el("span", { class: "badge" }, "seed"),
    ),
    el(
      "span",
      {
        class: "soft small",
        title: hasRelevance && step.relevance < threshold ? "not relevant" : null,
      },
      [
        hasRelevance ? `relevance ${score(step.relevance)}` : "redirected",
        isKnown(step.priority) && `priority before ${score(step.priority)}`,
      ]
        .filter(Boolean)
        .join(", "),
    ),
  );
}

function facts(page, crawl) {
  const { host } = page;
  const known = [
    [
      "Concept",
      page.label &&
        el(
          "a",
          { href: hashFor("topic", { concept: page.concept }), title: page.concept },
          page.label,
        ),
    ],
    ["Site", host && siteLink(host)],
    ["Visited as", isKnown(page.step) && `page ${count(page.step)} of the crawl`],
    [
      "Depth",
      isKnown(page.depth) && (page.depth ? `${counted(page.depth, "link")} from a seed` : "a seed"),
    ],
    ["Priority before", isKnown(page.fetch_priority) && score(page.fetch_priority)],
    ["Hub score", isKnown(page.hub_score) && digits(page.hub_score, 3, 3)],
    ["Authority score", isKnown(page.authority_score) && digits(page.authority_score, 3, 3)],
    ["Language", page.language],
    ["Status", isKnown(page.status) && `HTTP ${page.status}`],
    ["Size", isKnown(page.size) && bytes(page.size)],
    // In a replay that was before the crawl.
    [crawl.settings.replay?.length ? "Recorded" : "Fetched", page.fetched_at && moment(page.fetched_at)],
    [
      "In the graph",
      el(
        "a",
        { href: hashFor("ask", { text: statementsQuery(page.url), run: true }) },
        `${counted(page.statements, "statement")} of it`,
      ),
    ],
  ];
  return el(
    "dl",
    { class: "facts" },
    known
      .filter(([, value]) => value)
      .map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
  );
}

/** The query for all that the graph says of a page. */
function statementsQuery(url) {
  // An IRI cannot hold these, and the text goes into a query.
  const iri = url.replace(/[<>"{}|^`\\\s]/g, encodeURIComponent);
  return `# All that is recorded of this page.\nSELECT ?property ?value WHERE {\n  <${iri}> ?property ?value\n}\n`;
}

function isKnown(value) {
  return value !== null && value !== undefined;
}
