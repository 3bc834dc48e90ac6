// The tables: pages, hubs, authorities, sites, what waits and what was dropped.

import { el, fill, link } from "../dom.js";
import { count, digits, score, shortUrl, titleOf, words } from "../format.js";
import { markButtons } from "../marks.js";
import { empty, meter, pageLink } from "../parts.js";
import { hashFor } from "../router.js";
import { TARGET, classWords, hostOfSite, siteLink } from "../sites.js";
import { Table } from "../table.js";

export function show(root, params, context) {
  const { state } = context;
  let table = null;
  const begin = () => {
    if (table || !state.crawl) return;
    const settings = SETTINGS[context.name](state.crawl);
    table = new Table({
      ...settings,
      path: `/api/${context.name}`,
      note: context.note,
      go: (changes) => context.go(context.name, changes),
      signal: context.signal,
      announce: context.announce,
    });
    const about = el("p", { class: "soft" }, settings.about);
    fill(root, el("div", {}, el("h1", {}, settings.title), about), table.node);
    table.take(params);
  };
  begin();
  const end = state.on(["crawl"], begin);
  const leave = () => end();
  leave.update = (later) => {
    params = later;
    table?.take(later);
  };
  return leave;
}

// What a crawl for whole websites knows of a site.
const VERDICT = [
  {
    name: "confidence",
    label: "Confidence",
    isNumber: true,
    show: (row) => meterOrDash(row.confidence),
  },
  { name: "verdict", label: "Verdict", show: (row) => verdict(row.verdict) },
];

// What a reader says of a page.
const MARK = {
  name: "marked",
  label: "Mark",
  isSortable: false,
  show: (row) => markButtons(row, { isCompact: true }),
};

const SETTINGS = {
  pages: ({ threshold, can }) => ({
    title: "Pages",
    about: "All pages that were visited.",
    hasFilters: true,
    what: ["page", "pages"],
    sort: "relevance",
    isDescending: true,
    columns: [
      pageColumn(),
      relevanceColumn(threshold),
      {
        name: "label",
        label: "Concept",
        show: (row) => row.label && el("span", { title: row.concept }, row.label),
      },
      number("step", "Step", "The place in the order of visits"),
      number("depth", "Depth", "Links from a seed"),
      {
        name: "first_relevance",
        label: "When fetched",
        help: "The relevance when it was fetched; the judge has learnt since",
        isNumber: true,
        isHidden: true,
        show: (row) => score(row.first_relevance),
      },
      { name: "language", label: "Language", isHidden: true, show: (row) => row.language ?? "–" },
      { ...number("status", "Status", "The HTTP status"), isHidden: true },
      { name: "site", label: "Site", isHidden: true, isSortable: false, show: (row) => hostOfSite(row.site ?? "") || "–" },
      ...(can.mark_pages ? [MARK] : []),
    ],
    whenEmpty: () => empty("No page has been visited yet. ", toMonitor()),
  }),
  hubs: ({ threshold }) => scored(
    "Hubs",
    ["hub", "hubs"],
    "Pages that lead to many good pages, as the distiller found them.",
    threshold,
  ),
  authorities: ({ threshold }) => scored(
    "Authorities",
    ["authority", "authorities"],
    "Pages that good hubs lead to, as the distiller found them.",
    threshold,
  ),
  sites: (crawl) => ({
    title: "Sites",
    about: "The sites whose pages were visited.",
    what: ["site", "sites"],
    searches: "Search hosts",
    isOfSites: true,
    sort: crawl.kind === "sites" ? "confidence" : "relevant",
    isDescending: true,
    columns: [
      { name: "host", label: "Site", show: (row) => siteLink(row.host) },
      ...VERDICT.map((column) => ({ ...column, isHidden: crawl.kind !== "sites" })),
      barred("pages", "Pages"),
      barred("relevant", "Relevant", "Relevant pages"),
      {
        name: "mean_relevance",
        label: "Mean relevance",
        isNumber: true,
        show: (row) => meterOrDash(row.mean_relevance, crawl.threshold),
      },
      {
        name: "best_relevance",
        label: "Best",
        help: "The highest relevance of a page",
        isNumber: true,
        show: (row) => score(row.best_relevance),
      },
    ],
    whenEmpty: () => empty("No site has been visited yet. ", toMonitor()),
  }),
  waiting: () => ({
    title: "Waiting",
    about: "The frontier: URLs that are known and not visited.",
    what: ["URL", "URLs"],
    searches: "Search URLs",
    sort: "priority",
    isDescending: true,
    columns: [
      { name: "url", label: "URL", show: (row) => link(row.url, shortUrl(row.url)) },
      { name: "priority", label: "Priority", isNumber: true, show: (row, most) => meter(row.priority, { most, text: digits(row.priority, 3, 3) }) },
      number("depth", "Depth", "Links from a seed"),
      {
        name: "found_on",
        label: "Found on",
        isSortable: false,
        show: (row) => (row.found_on ? pageLink({ url: row.found_on }) : "a seed"),
      },
    ],
    whenEmpty: () => empty("No URL waits: the frontier is empty. ", toMonitor()),
  }),
  dropped: () => ({
    title: "Dropped",
    about: "URLs that were found and given up, and why.",
    what: ["URL", "URLs"],
    searches: "Search URLs and reasons",
    sort: "url",
    isDescending: false,
    columns: [
      { name: "url", label: "URL", show: (row) => link(row.url, shortUrl(row.url)) },
      { name: "reason", label: "Reason", show: (row) => words(row.reason) },
      { name: "note", label: "Note", isSortable: false, show: (row) => withoutUrl(row.note ?? "", row.url) },
    ],
    whenEmpty: () => empty("No URL has been dropped."),
  }),
};

/** A note without the URL that stands beside it. */
function withoutUrl(note, url) {
  return note.replace(`${url} `, "").replace(` from ${url}`, "");
}

function scored(title, what, about, threshold) {
  return {
    title,
    about,
    what,
    sort: "score",
    isDescending: true,
    columns: [
      pageColumn(),
      { name: "score", label: "Score", isNumber: true, show: (row, most) => meter(row.score, { most, text: digits(row.score, 3, 3) }) },
      relevanceColumn(threshold),
    ],
    whenEmpty: () =>
      empty(
        `No ${what[1]} have been found yet. The distiller finds them when a crawl is started with `,
        el("code", {}, "--distill-every 500"),
        " or afterwards by ",
        el("code", {}, "semcrawl distill"),
        ". Links within a host count only with ",
        el("code", {}, "--distill-across pages"),
        " or ",
        el("code", {}, "--across pages"),
        ".",
      ),
  };
}

function pageColumn() {
  return {
    name: "title",
    label: "Page",
    show: (row) =>
      el(
        "div",
        { class: "cell-line" },
        el("span", { class: "cell-title" }, pageLink(row, titleOf(row))),
        link(row.url, shortUrl(row.url), { class: "outside cell-url", title: row.url }),
      ),
  };
}

function relevanceColumn(threshold) {
  return {
    name: "relevance",
    label: "Relevance",
    isNumber: true,
    show: (row) => meterOrDash(row.relevance, threshold),
  };
}

function meterOrDash(value, threshold = 0) {
  if (value === null || value === undefined) return "–";
  return meter(value, { isGood: value >= threshold });
}

/** A count with a bar, as long as it is among the rows in sight. */
function barred(name, label, help = null) {
  return { ...number(name, label, help), show: (row, most) => meter(row[name], { most, text: count(row[name]) }) };
}

function number(name, label, help = null) {
  return { name, label, help, isNumber: true, show: (row) => count(row[name]) };
}

/** What a crawl for websites took a site for. */
function verdict(name) {
  if (!name) return "–";
  return el("span", { class: `badge ${name === TARGET ? "good" : ""}` }, classWords(name));
}

function toMonitor() {
  return el("a", { href: hashFor("monitor") }, "The monitor tells how the crawl is doing.");
}
