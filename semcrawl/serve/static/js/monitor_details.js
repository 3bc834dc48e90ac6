// The panel with the page whose dot was clicked.

import { get } from "./api.js";
import { el, fill, link } from "./dom.js";
import { count, counted, moment, score, titleOf } from "./format.js";
import { button, load, meter, pageLink } from "./parts.js";
import { hashFor } from "./router.js";

/** Show the page of a step in a node; `close` is called by its button. */
export function showDetails(node, step, signal, close) {
  const body = el("div", {});
  node.hidden = false;
  fill(
    node,
    el(
      "div",
      { class: "row" },
      el("h2", {}, `Page ${count(step)}`),
      button("Close", close, { class: "plain push" }),
    ),
    body,
  );
  return load(body, () => get("/api/page", { step }, { signal }), details);
}

function details(page) {
  const verdict = page.is_relevant ? "relevant" : "not relevant";
  const priority = page.fetch_priority ?? null;
  return [
    el("p", { class: "details-title" }, pageLink(page)),
    el("p", { class: "small" }, link(page.url)),
    page.description && el("p", { class: "soft small details-text" }, page.description),
    el(
      "dl",
      { class: "facts" },
      fact("Relevance", meter(page.relevance, { isGood: page.is_relevant })),
      fact("Verdict", el("span", { class: `badge ${page.is_relevant ? "good" : ""}` }, verdict)),
      priority !== null && fact("Priority before", score(priority)),
      page.label && fact("Concept", el("span", { title: page.concept }, page.label)),
      fact("Depth", `${count(page.depth)} from a seed`),
      fact("Fetched", moment(page.fetched_at)),
    ),
    page.path?.length > 1 && fromSeed(page.path),
    el(
      "p",
      { class: "row" },
      el("a", { href: hashFor("page", { url: page.url }) }, "Why, and its links"),
      el("a", { href: hashFor("picture", { url: page.url }) }, "Its neighbourhood"),
    ),
  ];
}

function fact(name, value) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, value));
}

function fromSeed(path) {
  const step = (page) =>
    el("li", {}, pageLink(page), " ", el("span", { class: "soft" }, score(page.relevance)));
  return el(
    "details",
    {},
    el("summary", {}, `${counted(path.length - 1, "link")} from the seed ${titleOf(path[0])}`),
    el("ol", { class: "path" }, path.map(step)),
  );
}
