// Review: the pages whose marks would teach the judge most.

import { get } from "../api.js";
import { el, fill, link } from "../dom.js";
import { beginning, shortUrl, titleOf } from "../format.js";
import { markButtons } from "../marks.js";
import { button, empty, load, meter, pageLink } from "../parts.js";

const LEAD = 300; // characters

export function show(root, _params, { signal, announce, state }) {
  const list = el("div", {});
  const note = el("p", { class: "soft", role: "status" });
  const ask = () =>
    load(list, () => get("/api/review", {}, { signal }), questions, "Looking for questions …");
  const told = (said) => {
    const sentence = `Marked: ${said.note}.`;
    fill(note, sentence);
    announce(sentence);
  };

  function questions(pages) {
    if (!pages.length) return empty("There is no page to ask about yet.");
    return el("ol", { class: "questions" }, pages.map(question));
  }

  function question(page) {
    return el(
      "li",
      { class: "panel" },
      el("p", { class: "row" }, el("strong", {}, pageLink(page, titleOf(page))), meter(page.relevance, { isGood: page.relevance >= (state.crawl?.threshold ?? 0) })),
      link(page.url, shortUrl(page.url), { class: "outside cell-url" }),
      page.lead && el("p", { class: "soft small lead" }, beginning(page.lead, LEAD)),
      markButtons(page, { told, signal }),
    );
  }

  fill(
    root,
    el(
      "div",
      { class: "row" },
      el(
        "div",
        {},
        el("h1", {}, "Review"),
        el("p", { class: "soft" }, "Are these pages right for the topic? Their marks teach the crawl most."),
      ),
      el("span", { class: "push" }, button("Other questions", ask)),
    ),
    note,
    list,
  );
  ask();
}
