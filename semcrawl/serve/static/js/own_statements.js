// What a page says itself: the things that it describes, with their properties.

import { el, link } from "./dom.js";
import { count, counted } from "./format.js";
import { empty } from "./parts.js";
import { hashFor } from "./router.js";

/** A panel with a page's own statements. */
export function ownStatementsPanel(own, url) {
  return el(
    "section",
    { class: "panel own-statements" },
    el("h2", {}, "What it says itself ", el("span", { class: "soft count" }, count(own.count))),
    own.things.length
      ? el("div", { class: "things", tabindex: 0 }, own.things.map(thing))
      : empty("It makes no statements in JSON-LD, Microdata or RDFa."),
    own.problems.map((problem) => el("p", { class: "small warn-text" }, problem)),
    own.count > 0 &&
      el(
        "p",
        { class: "soft small" },
        "This is the page's word. ",
        el(
          "a",
          { href: hashFor("ask", { name: "analyse/own-statements", "p.url": url, run: true }) },
          `Ask for all ${counted(own.count, "statement")}`,
        ),
      ),
  );
}

function thing({ id, types, says }) {
  return el(
    "div",
    { class: "thing" },
    el(
      "p",
      { class: "thing-head" },
      types.map((type) => el("span", { class: "badge" }, type)),
      id ? link(id) : !types.length && el("span", { class: "soft" }, "something"),
    ),
    says.length > 0 && el("dl", { class: "facts" }, says.map(property)),
  );
}

function property({ property: name, iri, values }) {
  return el(
    "div",
    {},
    el("dt", { title: iri }, name),
    el(
      "dd",
      {},
      values.map((value) => el("div", { class: "said" }, valueNodes(value))),
    ),
  );
}

function valueNodes(value) {
  if (value.thing) return thing(value.thing);
  if (value.url) return link(value.url);
  const note = value.language ?? value.datatype;
  return [value.text, note && el("small", { class: "soft" }, ` ${note}`)];
}
