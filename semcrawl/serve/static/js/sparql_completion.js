// The list under the cursor of the SPARQL editor: prefixes, names and variables that begin so.

import { el, fill } from "./dom.js";
import { tokens } from "./sparql_tokens.js";

const MOST = 8;
const BEGUN = /(?:[?$]\w*|[A-Za-z][\w-]*:?[\w-]*)$/;

/** What could stand at the end of `before`: {begun, offers}; offers are empty where nothing fits. */
export function completions(before, text, names, prefixes) {
  const begun = BEGUN.exec(lineOf(before))?.[0] ?? "";
  if (!begun || isInside(before)) return { begun: "", offers: [] };
  const known = /^[?$]/.test(begun)
    ? variablesOf(text, begun)
    : [...names, ...prefixes.map((name) => `${name}:`)];
  const wanted = begun.toLowerCase();
  const offers = known.filter((name) => name.toLowerCase().startsWith(wanted) && name !== begun);
  return { begun, offers: offers.slice(0, MOST) };
}

/** The list itself. `accept(offer)` is called for the one that is taken. */
export class CompletionList {
  constructor(accept) {
    this.accept = accept;
    this.offers = [];
    this.at = 0;
    this.node = el("ul", {
      class: "completions",
      id: "completions",
      role: "listbox",
      "aria-label": "Completions",
      hidden: true,
    });
  }

  get isOpen() {
    return this.offers.length > 0;
  }

  show(offers, left, top) {
    this.offers = offers;
    this.at = 0;
    this.node.hidden = !offers.length;
    this.node.style.setProperty("left", `${left}px`);
    this.node.style.setProperty("top", `${top}px`);
    this._draw();
  }

  hide() {
    this.show([], 0, 0);
  }

  /** Whether a key was meant for the list, which then has done what it says. */
  takes(event) {
    if (!this.isOpen || event.ctrlKey || event.metaKey) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const by = event.key === "ArrowDown" ? 1 : this.offers.length - 1;
      this.at = (this.at + by) % this.offers.length;
      this._draw();
    } else if (event.key === "Enter" || event.key === "Tab") {
      this.accept(this.offers[this.at]);
    } else if (event.key === "Escape") {
      this.hide();
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  _draw() {
    fill(
      this.node,
      this.offers.map((offer, at) => {
        // Before the click takes the focus away from the text.
        const pressed = (event) => (event.preventDefault(), this.accept(offer));
        return el(
          "li",
          {
            role: "option",
            id: `completion-${at}`,
            "aria-selected": String(at === this.at),
            on: { mousedown: pressed },
          },
          offer,
        );
      }),
    );
  }
}

function variablesOf(text, begun) {
  const found = tokens(text).filter(([kind, piece]) => kind === "variable" && piece !== begun);
  return [...new Set(found.map(([, piece]) => piece))].sort();
}

function lineOf(before) {
  return before.slice(before.lastIndexOf("\n") + 1);
}

/** Whether a place is within a comment, a text or an IRI. */
function isInside(before) {
  const [kind, piece] = tokens(before).at(-1) ?? ["plain", ""];
  if (kind === "comment") return true;
  if (kind === "text") return piece.length < 2 || piece.at(-1) !== piece[0];
  return /<[^<>\s]*$/.test(lineOf(before));
}
