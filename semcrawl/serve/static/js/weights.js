// Other weights for the concepts of a topic, tried on the pages of the crawl.

import { post, token } from "./api.js";
import { copyButton } from "./copying.js";
import { el, fill } from "./dom.js";
import { count, counted, score } from "./format.js";
import { button, empty, field, load, pageLink, panel } from "./parts.js";

const NO_TOKEN = "This needs the token: open the link that the server printed.";
const MOST_SHOWN = 30;

/** The weights that a reader has changed, a field for one concept, and a panel that tries them. */
export class WeightTrial {
  constructor(signal) {
    this._signal = signal;
    this._changed = new Map(); // by id: the concept and its new weight
    this._list = el("ul", { class: "row keywords" });
    this._answer = el("div", { class: "trial", "aria-live": "polite" });
    this._try = button("Try them on the pages", () => this._ask());
    this.node = panel(
      "Other weights",
      el(
        "div",
        { class: "trial" },
        el("p", { class: "soft small" }, "Choose a concept, try another weight for it, and see which pages would become relevant and which would not be any more. 0 leaves a concept out, with all below it. The crawl stays as it is."),
        this._list,
        this._try,
        this._answer,
      ),
    );
    this._show();
  }

  /** A field for the weight of a concept. */
  input(concept) {
    const was = concept.weight ?? null;
    const input = el("input", {
      type: "number",
      min: "0",
      max: "10",
      step: "0.1",
      value: String(this._changed.get(concept.id)?.weight ?? was ?? ""),
      placeholder: "as its parent",
    });
    input.addEventListener("change", () => {
      const weight = input.value === "" ? null : Number(input.value);
      if (weight === null || weight === was || !(weight >= 0)) this._changed.delete(concept.id);
      else this._changed.set(concept.id, { concept, weight });
      this._show();
    });
    return field("Try the weight", input);
  }

  _show() {
    const changed = [...this._changed.values()];
    fill(
      this._list,
      changed.map(({ concept, weight }) =>
        el("li", { class: "badge" }, concept.label || concept.id, el("span", { class: "soft" }, ` ${score(weight, 2)}`)),
      ),
    );
    this._try.disabled = !changed.length || token() === "";
    this._try.title = token() === "" ? NO_TOKEN : "";
  }

  _ask() {
    const weights = Object.fromEntries([...this._changed].map(([id, { weight }]) => [id, weight]));
    load(
      this._answer,
      () => post("/api/try-weights", { weights }, { signal: this._signal }),
      (found) => outcome(found),
      "Judging the pages anew …",
    );
  }
}

function outcome({ topic, pages, read, threshold, moved }) {
  const gained = moved.filter(({ after }) => after >= threshold);
  const lost = moved.filter(({ after }) => after < threshold).reverse();
  const what = read ? `the text of ${count(read)} of them was read` : "by their titles: their texts were not kept";
  return [
    el("p", {}, `${counted(pages, "page")} judged anew (${what}): ${count(gained.length)} would become relevant, ${count(lost.length)} would not be any more.`),
    side("Would become relevant", gained),
    side("Would not be any more", lost),
    copyButton("Copy the topic for a new crawl", () => topic),
  ];
}

function side(title, pages) {
  return el(
    "div",
    {},
    el("h3", {}, title),
    pages.length
      ? el(
          "ul",
          {},
          pages.slice(0, MOST_SHOWN).map((page) =>
            el("li", {}, pageLink(page), el("span", { class: "soft" }, ` ${score(page.before)} → ${score(page.after)}`)),
          ),
        )
      : empty("None."),
    pages.length > MOST_SHOWN && el("p", { class: "soft small" }, `${count(pages.length - MOST_SHOWN)} more`),
  );
}
