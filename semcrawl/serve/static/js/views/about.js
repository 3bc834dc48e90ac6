// About: the crawl's settings, what the server offers to programs, and the keys of the page.

import { el, fill } from "../dom.js";
import { moment } from "../format.js";
import { loading, panel } from "../parts.js";

const OFFERS = [
  ["/sparql", "the SPARQL endpoint: its description, or answers to queries"],
  ["/.well-known/void", "what the graph holds, in VoID"],
  ["/api/openapi.json", "the JSON behind this page, described in OpenAPI"],
  ["/metrics", "figures of crawl and server for Prometheus"],
];

const KEYS = [
  ["Tab, Enter", "go through the page, and follow a link"],
  ["← →", "in the chart: from page to page (with Shift: ten pages)"],
  ["Enter", "in the chart: details of the page"],
  ["+ −", "in the chart: zoom"],
  ["Page up, Page down", "in the chart: earlier and later pages"],
  ["A, F", "in the chart: all pages, and follow the end"],
  ["Tab, arrows", "in the picture: from node to node (arrows with Shift: move it; 0: see all)"],
  ["Enter, Escape", "in the picture: open the node, and leave"],
  ["↑ ↓ ← →", "in a tree: go, close and open (Enter: choose)"],
  ["Ctrl + Enter", "in Ask: run the query"],
  ["Ctrl + Space", "in Ask: complete a name"],
];

export function show(root, _params, { state }) {
  const content = () => (state.crawl ? sections(state.crawl) : loading());
  const draw = () => fill(root, el("h1", {}, "About"), content());
  draw();
  return state.crawl ? null : state.on(["crawl"], draw);
}

function sections(crawl) {
  const keys = KEYS.map(([names, what]) => [el("kbd", {}, names), what]);
  return el(
    "div",
    { class: "columns halves" },
    panel("This crawl", facts(crawl)),
    panel("For programs", offers(), safety()),
    panel("Settings", settings(crawl.settings)),
    panel("Keys", pairs(keys)),
  );
}

function facts(crawl) {
  const isLive = crawl.snapshot.is_live;
  const source = isLive ? ", from a snapshot of the running crawl" : "";
  return pairs([
    ["Name", crawl.name],
    ["Topic", crawl.topic.includes("\n") ? el("pre", {}, crawl.topic.trim()) : crawl.topic],
    ["Folder", crawl.folder],
    ["Looks for", crawl.kind === "sites" ? "whole websites" : "pages"],
    ["Relevant", `from a relevance of ${crawl.threshold} on`],
    ["Begun", moment(crawl.started)],
    crawl.ended && ["Ended", moment(crawl.ended)],
    crawl.reason && ["State", `${crawl.state}: ${crawl.reason}`],
    ["Read at", `${moment(crawl.snapshot.taken_at)}${source}`],
  ]);
}

function offers() {
  return pairs(OFFERS.map(([path, what]) => [el("a", { href: path, class: "mono" }, path), what]));
}

function safety() {
  return el(
    "p",
    { class: "soft small" },
    "Titles, URLs and texts of crawled pages are shown as text only. Links to them open in a new ",
    "tab and do not say where you come from.",
  );
}

function settings(all) {
  const rows = Object.entries(all).map(([name, value]) => [
    el("code", {}, name),
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return pairs(rows);
}

function pairs(rows) {
  return el(
    "dl",
    { class: "pairs" },
    rows.filter(Boolean).map(([name, value]) => {
      return el("div", {}, el("dt", {}, name), el("dd", {}, value));
    }),
  );
}
