// Why a page has its relevance: a passage with the words that count, and what each gave.

import { get, post, token } from "./api.js";
import { track } from "./bars.js";
import { el, fill } from "./dom.js";
import { count, counted, percent, score } from "./format.js";
import { button, empty, load } from "./parts.js";

const FIRST = 12;
const NOT_RECORDED =
  "Why is not recorded but worked out from the page, which must be fetched once more from its server.";

/**
 * Show the explanation of a page in a node. `how` is "replay" (it is read from the
 * recording) or "network" (the page is asked for again, so the reader is asked first).
 */
export function showExplanation(node, url, how, signal) {
  if (how === "replay") {
    load(
      node,
      () => get("/api/explain", { url }, { signal }),
      explanation,
      "Reading the page again …",
    );
  } else {
    const ask = () =>
      load(
        node,
        () => post("/api/explain", { url }, { signal }),
        explanation,
        "Fetching the page again …",
      );
    fill(node, offer(ask, NOT_RECORDED));
  }
}

/** What stands where a page must be fetched first, and why; it needs the token. */
export function offer(clicked, why) {
  const isKnown = token() !== "";
  return el(
    "div",
    {},
    el("p", { class: "soft" }, why),
    el(
      "p",
      { class: "row" },
      button("Fetch it and explain", clicked, { disabled: !isKnown }),
      !isKnown &&
        el(
          "span",
          { class: "soft small" },
          "This needs the token: open the link that the server printed.",
        ),
    ),
  );
}

function explanation(data) {
  const matches = data.matches ?? [];
  return [
    data.changed &&
      el(
        "p",
        { class: "banner" },
        "The page has changed since it was judged, so the sum may differ.",
      ),
    data.snippet?.length > 0 && snippet(data.snippet),
    matches.length ? matchTable(matches) : empty("No word of the topic stands on this page."),
    el("p", { class: "soft small" }, `Judged by ${data.judge}. `, contributions(data)),
  ];
}

/** How the score comes from the contributions, so that it can be worked out by hand. */
export function contributions(data) {
  const matches = data.matches ?? [];
  const all = matches.reduce((total, match) => total + match.contribution, 0);
  const divided = (data.divided_by ?? []).map(({ name, value }) => `the ${name} (${figure(value)})`);
  const total = data.matches_total ?? matches.length;
  if (data.log_odds?.length) {
    const parts = data.log_odds.map(({ name, value }) => `${name} ${signed(value)}`);
    return [`The log odds are ${parts.join(", ")}; their probability is ${score(data.score)}.`];
  }
  return [
    `The contributions of ${counted(total, "match", "matches")} add up to ${figure(all)}`,
    divided.length > 0 && `, divided by ${divided.join(" and ")}`,
    data.squashed && ", then x / (1 + x)",
    `: ${score(data.score)}.`,
  ];
}

function figure(number) {
  return number.toLocaleString("en", { maximumSignificantDigits: 4 });
}

function signed(number) {
  return (number < 0 ? "−" : "+") + Math.abs(number).toFixed(2);
}

function snippet(pieces) {
  return el(
    "blockquote",
    { class: "snippet" },
    pieces.map(({ text, match }) => (match ? el("mark", {}, text) : text)),
  );
}

/** A table of what matched, with the share of each. */
export function matchTable(matches) {
  const sizes = {
    most: Math.max(...matches.map((match) => match.contribution), 0),
    all: matches.reduce((total, match) => total + match.contribution, 0),
  };
  const body = el(
    "tbody",
    {},
    matches.slice(0, FIRST).map((match) => matchRow(match, sizes)),
  );
  const rest = matches.slice(FIRST);
  const more =
    rest.length > 0 &&
    button(
      `${counted(rest.length, "more match", "more matches")}`,
      () => {
        body.append(...rest.map((match) => matchRow(match, sizes)));
        more.remove();
      },
      { class: "plain" },
    );
  const headings = [
    ["Words"],
    ["Concept, and how it leads to the topic"],
    ["Times", "number"],
    ["Share of the sum", "number wide"],
  ];
  return [
    el(
      "div",
      { class: "table-box" },
      el(
        "table",
        { class: "matches" },
        el("caption", { class: "unseen" }, "Words of the page that count"),
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            headings.map(([text, kind]) => el("th", { scope: "col", class: kind }, text)),
          ),
        ),
        body,
      ),
    ),
    more,
  ];
}

function matchRow(match, { most, all }) {
  const words = [match.words].flat().join(", ");
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, el("mark", {}, words), place(match)),
    el("td", { class: "way-cell" }, way(match)),
    el("td", { class: "number times" }, count(match.count)),
    el(
      "td",
      {
        class: "number wide",
        title: `${figure(match.contribution)}, each with the weight ${figure(match.weight ?? 0)}`,
      },
      el(
        "span",
        { class: "contribution" },
        track(match.contribution / most),
        percent(all ? match.contribution / all : 0),
      ),
    ),
  );
}

function place({ place: where }) {
  const told = { beginning: " at the beginning", title: " in the title", statements: " in its statements" }[where];
  return told ? el("span", { class: "soft" }, told) : null;
}

function way({ label, concept, path, topic }) {
  if (!concept)
    return el(
      "span",
      { class: "soft" },
      "a word of the keyword ",
      el("strong", {}, topic ?? label),
    );
  const steps = path?.length ? path : [label, topic && topic !== label && topic].filter(Boolean);
  return el(
    "span",
    { class: "way", title: concept },
    steps.map((step, at) => [
      at > 0 && el("span", { class: "soft", "aria-label": "which is a" }, " → "),
      el(at === 0 ? "strong" : "span", {}, step),
    ]),
  );
}
