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
    el("h2", {}, "What it says itself ", el("span", { class: "soft count" }, howMany(own))),
    own.things.length
      ? el("div", { class: "things", tabindex: 0 }, own.things.map(thing), rest(own.more, "thing"))
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
          own.count === 1 ? "Ask for it" : `Ask for all ${counted(own.count, "statement")}`,
        ),
      ),
  );
}

function howMany({ shown, count: all }) {
  return shown < all ? `${count(shown)} of ${count(all)} shown` : count(all);
}

function thing({ id, types, says, number }) {
  return el(
    "div",
    { class: "thing" },
    el(
      "p",
      { class: "thing-head" },
      types.map(badge),
      id ? link(id) : !types.length && el("span", { class: "soft" }, "something"),
      number && el("span", { class: "soft small" }, `thing ${number}`),
    ),
    // What is said in a line goes before what takes many.
    says.length > 0 &&
      el("dl", { class: "facts" }, [...says].sort((a, b) => isNested(a) - isNested(b)).map(property)),
  );
}

function badge(type) {
  return el("span", { class: "badge" }, type);
}

function isNested({ values }) {
  return values.some((value) => value.thing);
}

function property({ property: name, iri, values, more }) {
  return el(
    "div",
    { class: isNested({ values }) && "nested" },
    el("dt", { title: iri }, name),
    el(
      "dd",
      {},
      values.map((value) => el("div", { class: "said" }, valueNodes(value))),
      !values.length && !more && el("span", { class: "soft" }, "an empty list"),
      rest(more, "value"),
    ),
  );
}

function rest(more, what) {
  return more > 0 && el("p", { class: "soft small" }, `and ${counted(more, `more ${what}`)}`);
}

function valueNodes(value) {
  if (value.thing) return thing(value.thing);
  if (value.url) return link(value.url);
  if (value.other) return reference(value.other);
  const note = value.language ?? value.datatype;
  return [value.text, note && el("small", { class: "soft" }, ` ${note}`)];
}

function reference({ number, types, label }) {
  const where = number ? `another thing, shown as thing ${number}` : "another thing";
  return el(
    "span",
    { class: "thing-head" },
    types.map(badge),
    label,
    el("span", { class: "soft" }, where),
  );
}
