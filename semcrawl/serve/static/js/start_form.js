// The form for a new crawl: a topic, pages to begin with, a few settings.

import { get } from "./api.js";
import { el, fill } from "./dom.js";
import { button, field, problem } from "./parts.js";
import { topicChoice } from "./start_topic.js";

// The small web that comes with semcrawl; tests/serve/test_start_page.py compares it.
const DEMO = {
  web: "demo-web",
  seeds: "http://www.morning-portal.test/",
  words: "respiratory disease",
  concept: "wordnet:respiratory_disease.n.01",
  pages: 120,
};

/** The form in a node: know(crawls, canStart) tells it what is there, ready() lets it be used. */
export function newCrawl(node, openPage, announce) {
  let [lens, crawls, canStart, isStarting, nameIsMine] = [null, null, true, false, false];
  const topic = topicChoice((seen) => {
    lens = seen;
    suggestName();
    check();
  });
  const seeds = el("textarea", {
    rows: 4,
    spellcheck: "false",
    placeholder: "https://example.org/",
    on: { input: () => check() },
  });
  const web = el("select", { on: { change: () => check() } });
  const pages = el("input", { type: "number", min: 1, max: 1000000, value: 500, on: { input: () => check() } });
  const minutes = el("input", { type: "number", min: 0, max: 100000, value: 0 });
  const stay = el("input", { type: "checkbox" });
  const warc = el("input", { type: "checkbox" });
  const contact = el("input", { maxlength: 200, placeholder: "you@example.org", autocomplete: "off" });
  const name = el("input", { maxlength: 60, autocomplete: "off", on: { input: () => ((nameIsMine = name.value !== ""), check()) } });
  const submit = el("button", { type: "submit", class: "main start-button" }, "Start the crawl");
  const missing = el("span", { class: "soft", id: "missing" });
  const trouble = el("div", {});
  const intro = el("div", {});

  /** The first thing that is missing, "" where all is there. */
  function lack() {
    if (!canStart) return "Give the token of the server first.";
    if (!lens) return "Choose what to look for.";
    if (!seeds.value.trim()) return "Give a page to begin with.";
    if (!(Number(pages.value) >= 1)) return "Say how many pages to fetch at most.";
    if (!name.value.trim()) return "Give it a name.";
    if (crawls?.some((one) => one.name === name.value.trim() && one.state !== "failed")) return "There is a crawl of this name already.";
    return "";
  }

  function check() {
    missing.textContent = isStarting ? "Starting …" : lack();
    submit.disabled = isStarting || Boolean(lack());
  }

  function suggestName() {
    if (nameIsMine || !lens) return;
    const plain = lens.name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 50) || "crawl";
    const taken = new Set(crawls?.map((one) => one.name));
    let number = 1;
    while (taken.has(number > 1 ? `${plain}-${number}` : plain)) number += 1;
    name.value = number > 1 ? `${plain}-${number}` : plain;
  }

  async function start(event) {
    event.preventDefault();
    if (submit.disabled) return;
    isStarting = true;
    fill(trouble);
    check();
    announce("The crawl is starting.");
    try {
      await openPage("/api/start", {
        topic: topic.value(),
        name: name.value.trim(),
        // As in a browser's address bar, http:// may be left out; a mere word is no address.
        seeds: seeds.value.split(/\s+/).filter(Boolean).map((one) => (/:\/|^[^./]+(\/|$)/.test(one) ? one : `http://${one}`)),
        web: web.value,
        pages: Number(pages.value),
        minutes: Number(minutes.value) || 0,
        stay: stay.checked,
        warc: warc.checked && !web.value, // a recorded web is kept already
        contact: contact.value.trim(),
      });
    } catch (error) {
      fill(trouble, problem(error));
      isStarting = false;
      check();
    }
  }

  async function tryDemo() {
    web.value = DEMO.web;
    seeds.value = DEMO.seeds;
    pages.value = DEMO.pages;
    check();
    await topic.choose(DEMO.words, DEMO.concept);
    submit.scrollIntoView({ block: "nearest" });
  }

  function welcome() {
    return el(
      "div",
      { class: "welcome" },
      el("p", { class: "lead" }, "Choose what you look for, give a page to begin with, and watch the pages come in."),
      button("Fill it in for the demo web", tryDemo),
      el("span", { class: "soft small" }, "a small web that comes with semcrawl: no internet is needed"),
    );
  }

  const check_box = (box, text) => el("label", { class: "check" }, box, el("span", {}, text));
  const step = (number, title, ...children) =>
    el("section", { class: "step" }, el("h2", {}, el("span", { class: "step-number", "aria-hidden": "true" }, number), title), children);
  fill(
    node,
    el(
      "form",
      { class: "panel new-crawl", "aria-label": "A new crawl", novalidate: true, on: { submit: start } },
      intro,
      step("1", "What to look for", topic.node),
      el(
        "div",
        { class: "steps" },
        step("2", "Where to begin", field("Addresses of pages on the topic, one a line", seeds, "Good ones are rich in links: an overview, a portal, a society."), field("Web", web)),
        step(
          "3",
          "How far",
          el("div", { class: "row" }, field("Pages at most", pages), field("Minutes at most", minutes, "0: no limit")),
          check_box(stay, "Stay on the sites of these pages"),
          el(
            "details",
            {},
            el("summary", {}, "More"),
            el(
              "div",
              { class: "more" },
              check_box(warc, "Keep what is fetched, in WARC files"),
              field("How to reach you", contact, "Told to the servers that are visited."),
              topic.language,
            ),
          ),
        ),
      ),
      el("div", { class: "row start-row" }, field("Name of its folder", name), submit, missing),
      trouble,
    ),
  );
  submit.setAttribute("aria-describedby", "missing");
  check();
  get("/api/files").then(
    ({ folder, concepts, webs }) => {
      document.getElementById("crawl-name").textContent = folder;
      const choices = [["", "the open web"], ...webs.map((one) => [one, one === DEMO.web ? "the demo web (no internet needed)" : `recorded: ${one}`])];
      fill(web, choices.map(([value, words]) => el("option", { value }, words)));
      topic.offer(concepts);
    },
    (error) => fill(trouble, problem(error)),
  );

  return {
    know(found, can) {
      const isOther = crawls === null || !crawls.length !== !found.length;
      [crawls, canStart] = [found, can];
      if (isOther) fill(intro, found.length ? el("h2", { class: "new-title" }, "A new crawl") : welcome());
      check();
    },
    ready() {
      isStarting = false;
      nameIsMine = false;
      suggestName();
      check();
    },
  };
}
