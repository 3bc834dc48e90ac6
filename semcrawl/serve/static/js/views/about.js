// About: the crawl's settings, what the server offers to programs, and the keys of the page.

import { el, fill } from "../dom.js";
import { count, counted, duration, moment } from "../format.js";
import { loading, panel } from "../parts.js";
import { hashFor } from "../router.js";

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
  ["↑ ↓ or J K", "in a table: from row to row (Enter: open; R, W: mark right or wrong)"],
];

export function show(root, _params, { state }) {
  const draw = () => fill(root, el("h1", {}, "About"), state.crawl ? sections(state.crawl) : loading());
  draw();
  return state.crawl ? null : state.on(["crawl"], draw);
}

function sections(crawl) {
  return el(
    "div",
    { class: "columns halves" },
    panel("This crawl", facts(crawl)),
    panel("How it crawls", choices(crawl.settings), allSettings(crawl.settings)),
    panel("Keys", pairs(KEYS.map(([names, what]) => [el("kbd", {}, names), what]))),
    panel("For programs", offers(), safety()),
  );
}

function facts(crawl) {
  const source = crawl.snapshot.is_live ? ", from a snapshot of the running crawl" : "";
  return pairs([
    ["Topic", topic(crawl)],
    ["Folder", crawl.folder],
    ["Deposit it", el("code", {}, `semcrawl export "${crawl.folder}" -o crate --crate --licence CC-BY-4.0`)],
    ["Looks for", crawl.kind === "sites" ? "whole websites" : "pages"],
    ["Relevant", `from a relevance of ${crawl.threshold} on`],
    ["Begun", moment(crawl.started)],
    crawl.ended && ["Ended", moment(crawl.ended)],
    crawl.reason && ["State", `${crawl.state}: ${crawl.reason}`],
    ["Shown as of", `${moment(crawl.snapshot.taken_at)}${source}`],
  ]);
}

/** A link to what the topic is made of; where it is a topic file, folded, that as well. */
function topic(crawl) {
  const words = el("a", { href: hashFor("topic") }, crawl.topic.includes("\n") ? crawl.name : crawl.topic);
  if (!crawl.topic.includes("\n")) return words;
  return [words, el("details", {}, el("summary", { class: "small" }, "as a topic file"), el("pre", {}, crawl.topic.trim()))];
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

// What a reader asks first, in words; a function gives the words, or nothing to leave it out.
const CHOICES = [
  ["Judges pages by", ({ judge }) => judge],
  ["Ranks links by", ({ strategy }) => strategy],
  ["Source", ({ replay }) => (replay?.length ? `a recorded web: ${[replay].flat().join(", ")}` : "the web")],
  ["Ends after", ({ pages, relevant, seconds }) => ends(pages, relevant, seconds)],
  ["Goes at most", ({ depth }) => (depth ? `${counted(depth, "link")} from a seed` : "as far as links lead")],
  ["From one host", ({ pages_per_host: most }) => (most ? `at most ${counted(most, "page")}` : "any number of pages")],
  ["Asks a host", ({ delay, replay }) => !replay?.length && (delay ? `every ${delay} s at most` : "without a pause")],
  ["robots.txt", ({ robots, replay }) => !replay?.length && (robots ? "obeyed" : "not obeyed")],
  ["Only URLs like", ({ include }) => include?.length && [include].flat().join(", ")],
  ["No URLs like", ({ exclude }) => exclude?.length && [exclude].flat().join(", ")],
  ["Language", ({ language }) => language],
];

function choices(all) {
  return pairs(CHOICES.map(([name, tell]) => [name, tell(all)]).filter(([, value]) => value));
}

function ends(pages, relevant, seconds) {
  const limits = [
    pages && counted(pages, "page"),
    relevant && `${count(relevant)} relevant ${relevant === 1 ? "page" : "pages"}`,
    seconds && duration(seconds),
  ];
  return limits.filter(Boolean).join(" or ") || "nothing: until it is stopped";
}

/** All of them, as a settings file has them, for those who want to know. */
function allSettings(all) {
  const rows = Object.entries(all).map(([name, value]) => [
    el("code", {}, name),
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return el("details", {}, el("summary", { class: "small" }, "All settings, as in a settings file"), pairs(rows));
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
