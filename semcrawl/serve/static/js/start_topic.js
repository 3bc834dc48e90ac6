// Choosing what to look for: a source of concepts, a search in it, and the labels that it gives.

import { get, post } from "./api.js";
import { el, fill } from "./dom.js";
import { count, counted, percent } from "./format.js";
import { button, empty, field, loading, problem } from "./parts.js";

const WORDNET = "wordnet";
const KEYWORDS = "keywords";
const SHOWN = 12; // labels, until the reader asks for all
const PAUSE = 300; // milliseconds after the last key

/** The part of the form for the topic; `changed(lens)` hears of every choice, null for none. */
export function topicChoice(changed) {
  let chosen = new Map(); // concepts by id
  let [asking, looking, timer] = [new AbortController(), new AbortController(), 0];
  const source = el("select", { on: { change: () => (clear(), search()) } });
  const text = el("input", {
    type: "search",
    autocomplete: "off",
    placeholder: "asthma",
    maxlength: 200,
    on: { input: later, keydown: (event) => event.key === "Enter" && (event.preventDefault(), search()) },
  });
  const language = el("input", {
    maxlength: 60,
    placeholder: "en",
    on: { change: () => (search(), look()) },
  });
  const chips = el("div", { class: "row chosen" });
  const found = el("div", { class: "found", "aria-live": "polite" });
  const lens = el("div", { class: "lens" });

  function later() {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE);
  }

  function clear() {
    chosen = new Map();
    text.value = "";
    drawChips();
    look();
  }

  async function search() {
    clearTimeout(timer);
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    text.placeholder = { [WORDNET]: "asthma", [KEYWORDS]: "asthma, inhaler" }[source.value] ?? "a part of a label";
    if (source.value === KEYWORDS) {
      fill(found, empty("Pages are looked for that have these words, with commas between phrases."));
      await look();
      return;
    }
    if (source.value === WORDNET && !text.value.trim()) {
      fill(found);
      return;
    }
    const slow = setTimeout(() => fill(found, loading("Searching …")), PAUSE);
    try {
      const params = { source: source.value, text: text.value.trim(), language: language.value.trim() };
      const concepts = await get("/api/concepts", params, { signal });
      clearTimeout(slow);
      fill(found, el("ul", {}, concepts.map(hit)));
    } catch (error) {
      clearTimeout(slow);
      if (error.name !== "AbortError") fill(found, error.status === 404 ? empty(error.message) : problem(error));
    }
  }

  function hit(concept) {
    const { id, synonyms, definition, path } = concept;
    const [label, ...others] = synonyms.length ? synonyms : [id];
    return el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "hit", "aria-pressed": String(chosen.has(id)), data: { id }, on: { click: () => toggle(concept) } },
        el("span", { class: "hit-label" }, label, others.length > 0 && el("span", { class: "soft" }, `, ${others.slice(0, 5).join(", ")}`)),
        definition && el("span", { class: "hit-means" }, definition),
        path.length > 1 && el("small", { class: "soft" }, path.slice(-5, -1).join(" › ")),
      ),
    );
  }

  function toggle(concept) {
    if (!chosen.delete(concept.id)) chosen.set(concept.id, concept);
    drawChips();
    look();
  }

  function drawChips() {
    const all = [...chosen.values()].map((concept) =>
      el(
        "span",
        { class: "chip" },
        labelOf(concept),
        button("×", () => toggle(concept), { class: "plain", "aria-label": `Not ${labelOf(concept)}` }),
      ),
    );
    fill(chips, all);
    for (const node of found.querySelectorAll(".hit")) {
      node.setAttribute("aria-pressed", String(chosen.has(node.dataset.id)));
    }
  }

  async function look() {
    looking.abort();
    looking = new AbortController();
    const topic = value();
    if (!topic) {
      fill(lens, empty("Choose what to look for, and the words that a crawl would look for stand here."));
      changed(null);
      return;
    }
    const slow = setTimeout(() => fill(lens, loading("Reading it …")), PAUSE);
    try {
      const { signal } = looking;
      const seen = await post("/api/lens", topic, { signal });
      fill(lens, shownLens(seen));
      changed(seen);
    } catch (error) {
      if (error.name === "AbortError") return;
      fill(lens, problem(error));
      changed(null);
    } finally {
      clearTimeout(slow);
    }
  }

  /** The topic as the server takes it, null where nothing is chosen. */
  function value() {
    const common = { source: source.value, language: language.value.trim() };
    if (source.value === KEYWORDS) return text.value.trim() ? { ...common, text: text.value } : null;
    return chosen.size ? { ...common, concepts: [...chosen.keys()] } : null;
  }

  return {
    value,
    language: field("Language of pages", language, "en, or several: fr,de"),
    node: el(
      "div",
      { class: "topic-choice" },
      el(
        "div",
        {},
        el("div", { class: "row topic-tools" }, field("Where concepts come from", source), field("Search", text)),
        chips,
        found,
      ),
      el("section", { class: "lens-box", "aria-label": "What it will look for" }, el("h3", {}, "What it will look for"), lens),
    ),
    /** Offer the files of the folder. */
    offer(files) {
      const sources = [
        [WORDNET, "WordNet: English words"],
        ...files.map((name) => [name, name]),
        [KEYWORDS, "Words only"],
      ];
      fill(source, sources.map(([name, words]) => el("option", { value: name }, words)));
      look();
      search();
    },
    /** Choose a concept of WordNet by a search for it. */
    async choose(words, id) {
      source.value = WORDNET;
      clear();
      text.value = words;
      await search();
      const wanted = found.querySelector(`[data-id="${CSS.escape(id)}"]`);
      wanted?.click();
    },
  };
}

function labelOf({ id, synonyms }) {
  return synonyms[0] ?? id;
}

function shownLens({ labels, size, warnings }) {
  const most = Math.max(...labels.map(({ weight }) => weight), 0) || 1;
  const isFull = ({ weight }) => weight > 0.995 * most;
  const tags = labels.filter(isFull).map(({ text }, at) => el("li", { hidden: at >= 2 * SHOWN }, text));
  const rows = labels.filter((label) => !isFull(label)).map(({ text, weight }, at) =>
    el(
      "li",
      { hidden: at >= (tags.length > SHOWN ? SHOWN / 2 : SHOWN) },
      el("span", { class: "lens-text" }, text),
      el(
        "span",
        { class: "meter-track", "aria-hidden": "true" },
        el("span", { class: "meter-bar", style: { width: `${(100 * weight) / most}%` } }),
      ),
      el("span", { class: "soft number" }, percent(weight / most)),
    ),
  );
  const folded = [...tags, ...rows].filter((row) => row.hidden);
  const more = button(`${count(folded.length)} more`, () => {
    for (const row of folded) row.hidden = false;
    more.remove();
  }, { class: "plain" });
  const few = size > labels.length ? `, the strongest ${count(labels.length)}` : "";
  const whole = `${counted(size, "label")} of the topic and of all that is narrower${few}`;
  return [
    warnings.map((text) => el("p", { class: "banner" }, text)),
    el("p", { class: "soft small" }, whole),
    el("ul", { class: "lens-tags" }, tags),
    rows.length > 0 && el("p", { class: "soft small" }, "These count less, as they also mean other things or are only related:"),
    rows.length > 0 && el("ul", { class: "lens-labels" }, rows),
    folded.length > 0 && more,
  ];
}
