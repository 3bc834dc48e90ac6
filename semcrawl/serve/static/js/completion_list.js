// What could be typed, as a list at the cursor: arrows choose, Enter and Tab take, Escape closes.

import { el, fill } from "./dom.js";

const MOST_SHOWN = 200;
const PAGE = 8;
const MARGIN = 8;

/** Offers that fit what is begun, the best first: those that begin with it, whose name does, that have it. */
export function fitting(offers, begun) {
  const wanted = begun.toLowerCase();
  return offers
    .map((offer) => ({ ...offer, fit: fitOf(offer.label.toLowerCase(), wanted) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit || (b.boost ?? 0) - (a.boost ?? 0) || (a.label < b.label ? -1 : 1));
}

function fitOf(label, wanted) {
  const at = label.indexOf(wanted);
  if (at === 0) return 4;
  if (at > 0) return /[\w]/.test(label[at - 1]) ? 2 : 3;
  let next = 0;
  for (const letter of label) if (letter === wanted[next]) next += 1;
  return wanted.length > 1 && next === wanted.length ? 1 : 0;
}

export class CompletionList {
  /** @param field the CodeField; taken(offer, begun) is called with what the reader chose. */
  constructor(field, taken) {
    Object.assign(this, { field, taken });
    this.node = el("ul", { class: "completions", role: "listbox", id: "completions", "aria-label": "Completions", hidden: true });
    // The text keeps the focus.
    this.node.addEventListener("pointerdown", (event) => event.preventDefault());
    this.node.addEventListener("click", (event) => this._clicked(event));
    field.area.addEventListener("blur", () => this.close());
    field.node.addEventListener("scroll", () => this._place());
    this._events = new AbortController();
    const listening = { signal: this._events.signal, passive: true };
    for (const event of ["scroll", "resize"]) addEventListener(event, () => this._place(), listening);
  }

  get isOpen() {
    return !this.node.hidden;
  }

  /** Show offers for what is begun; without any the list closes. */
  show(begun, offers) {
    const shown = fitting(offers, begun).slice(0, MOST_SHOWN);
    if (!shown.length) {
      this.close();
      return;
    }
    Object.assign(this, { begun, shown });
    fill(this.node, shown.map((offer, at) => this._row(offer, at)));
    this.node.hidden = false;
    this.field.area.setAttribute("aria-controls", "completions");
    this._choose(0);
    this._place();
  }

  close() {
    if (!this.isOpen) return;
    this.node.hidden = true;
    for (const name of ["aria-controls", "aria-activedescendant"]) this.field.area.removeAttribute(name);
  }

  /** Handle a key; whether it was for the list. */
  key(event) {
    if (!this.isOpen || event.ctrlKey || event.metaKey || event.altKey) return false;
    const last = this.shown.length - 1;
    const moves = {
      ArrowDown: () => this._choose(this.chosen === last ? 0 : this.chosen + 1),
      ArrowUp: () => this._choose(this.chosen === 0 ? last : this.chosen - 1),
      PageDown: () => this._choose(Math.min(last, this.chosen + PAGE)),
      PageUp: () => this._choose(Math.max(0, this.chosen - PAGE)),
      Enter: () => this._take(this.chosen),
      Tab: () => this._take(this.chosen),
      Escape: () => this.close(),
    };
    const move = event.shiftKey ? null : moves[event.key];
    if (!move) {
      if (["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) this.close();
      return false;
    }
    event.preventDefault();
    move();
    return true;
  }

  remove() {
    this._events.abort();
  }

  _row({ label, detail, type, fit }, at) {
    const from = fit > 1 ? label.toLowerCase().indexOf(this.begun.toLowerCase()) : 0;
    const to = fit > 1 ? from + this.begun.length : 0;
    return el(
      "li",
      { role: "option", id: `completion-${at}`, "aria-selected": "false", data: { at, type } },
      el("span", {}, label.slice(0, from), to > from && el("b", {}, label.slice(from, to)), label.slice(to)),
      detail && el("span", { class: "completion-detail" }, detail),
    );
  }

  _choose(at) {
    this.node.querySelector('[aria-selected="true"]')?.setAttribute("aria-selected", "false");
    this.chosen = at;
    const row = this.node.children[at];
    row.setAttribute("aria-selected", "true");
    row.scrollIntoView({ block: "nearest" });
    this.field.area.setAttribute("aria-activedescendant", row.id);
  }

  _clicked({ target }) {
    const row = target.closest("li");
    if (row) this._take(Number(row.dataset.at));
  }

  _take(at) {
    this.close();
    this.taken(this.shown[at], this.begun);
  }

  /** Below the cursor, or above it where there is more room. */
  _place() {
    if (!this.isOpen) return;
    const { left, top, bottom } = this.field.placeOf(this.field.cursor - this.begun.length);
    const box = this.field.node.getBoundingClientRect();
    if (bottom < box.top || top > box.bottom) {
      this.close();
      return;
    }
    const { style } = this.node;
    const [above, below] = [top - MARGIN, innerHeight - bottom - MARGIN];
    style.maxHeight = `min(16rem, ${Math.max(above, below)}px)`;
    const { offsetWidth, offsetHeight } = this.node;
    const isBelow = below >= offsetHeight || below >= above;
    style.top = `${isBelow ? bottom + 2 : top - offsetHeight - 2}px`;
    const room = document.documentElement.clientWidth - offsetWidth - MARGIN;
    style.left = `${Math.max(MARGIN, Math.min(left, room))}px`;
  }
}
