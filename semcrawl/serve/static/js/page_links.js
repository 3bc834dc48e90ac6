// The links of one page: where they lead, or come from, and what became of each.

import { el, link } from "./dom.js";
import { count, counted, shortUrl, titleOf, words } from "./format.js";
import { empty, meter, pageLink } from "./parts.js";

/** A panel with links; `total` is how many there are, of which the server gave the first. */
export function linksPanel(title, links, total, threshold, nothing) {
  const all = Math.max(total ?? 0, links.length);
  return el(
    "section",
    { class: "panel" },
    el("h2", {}, title, " ", el("span", { class: "soft count" }, count(all))),
    links.length
      ? el(
          "ul",
          { class: "link-list" },
          links.map((one) => line(one, threshold)),
        )
      : empty(nothing),
    all > links.length &&
      el("p", { class: "soft small" }, `${counted(all - links.length, "more link")} not shown.`),
  );
}

function line(one, threshold) {
  const isVisited = isNumber(one.relevance);
  return el(
    "li",
    {},
    el("span", { class: "link-what" }, what(one, threshold)),
    el(
      "span",
      { class: "link-page" },
      isVisited ? pageLink(one) : link(one.url, titleOf(one)),
      isVisited && one.title && el("small", { class: "soft" }, ` ${shortUrl(one.url)}`),
    ),
  );
}

function what({ relevance, priority, dropped }, threshold) {
  if (isNumber(relevance)) return meter(relevance, { isGood: relevance >= threshold });
  if (isNumber(priority))
    return el(
      "span",
      { class: "badge", title: "Waits with this priority" },
      `waits ${priority.toFixed(3)}`,
    );
  if (dropped) return el("span", { class: "badge warn", title: "Was not fetched" }, words(dropped));
  return el("span", { class: "badge", title: "Nothing is known of it" }, "unknown");
}

function isNumber(value) {
  return value !== null && value !== undefined;
}
