// A tree to look through: concepts of a topic, categories of a taxonomy.
//
// It is one stop for Tab. Up and Down go through what is open, Right opens, Left
// closes or goes to the parent, Enter chooses. Branches are built when they open.

import { el, fill } from "./dom.js";

export class Tree {
  /**
   * @param settings items (each with `id` and `parent`, null at the roots), label (of the
   *   tree), text(item) (for searching), row(item) (nodes of a line), chosen(item).
   */
  constructor({ items, label, text, row, chosen }) {
    Object.assign(this, { row, text, chosen });
    this.items = new Map(items.map((item) => [item.id, item]));
    this.children = childrenOf(items, this.items);
    this.open = new Set();
    this.shown = null;
    this.current = null;
    this.node = el("ul", {
      class: "tree",
      role: "tree",
      "aria-label": label,
      on: { keydown: (event) => this._key(event), click: (event) => this._click(event) },
    });
    this.node.addEventListener("focusin", (event) => this._focused(event));
  }

  get roots() {
    return this.children.get(null) ?? [];
  }

  /** Open the first levels, until about `most` lines show. */
  openFirst(most = 40) {
    let level = this.roots;
    let lines = level.length;
    while (level.length) {
      const next = level.flatMap((item) => this._childrenOf(item));
      if (lines + next.length > most && level !== this.roots) break;
      level.forEach((item) => this.open.add(item.id));
      lines += next.length;
      level = next;
    }
    this.draw();
  }

  openAll() {
    this.items.forEach((item) => this.open.add(item.id));
    this.draw();
  }

  closeAll() {
    this.open.clear();
    this.draw();
  }

  /**
   * Show only items whose text has these words, and that pass the test where one is given, with
   * what is above them; all for "" and no test.
   */
  search(words, test = null) {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    this.shown = null;
    if (wanted.length || test) {
      this.shown = new Set();
      for (const item of this.items.values()) {
        const text = this.text(item).toLowerCase();
        if (wanted.every((word) => text.includes(word)) && (!test || test(item)))
          this._above(item, (id) => this.shown.add(id));
      }
    }
    this.draw();
    return this.shown ? this.shown.size : this.items.size;
  }

  /** Choose an item: its branch opens, and its line is marked. */
  choose(id, { isFocused = false } = {}) {
    const item = this.items.get(id);
    if (!item) return;
    this.current = id;
    this._above(item, (above) => above !== id && this.open.add(above));
    this.draw();
    const line = this._line(id);
    if (isFocused) line?.focus();
    line?.scrollIntoView({ block: "nearest" });
  }

  /** Build the lines that show anew. */
  draw() {
    const hadFocus = this.node.contains(document.activeElement);
    const focused = hadFocus ? document.activeElement.dataset.id : null;
    fill(
      this.node,
      this.roots.filter((item) => this._isShown(item)).map((item) => this._item(item, 1)),
    );
    const lines = this._lines();
    const stop = lines.find((line) => line.dataset.id === (focused ?? this.current)) ?? lines[0];
    if (stop) stop.tabIndex = 0;
    if (hadFocus) stop?.focus({ preventScroll: true });
  }

  _item(item, level) {
    const below = this._childrenOf(item).filter((child) => this._isShown(child));
    const isOpen = below.length > 0 && (this.shown !== null || this.open.has(item.id));
    return el(
      "li",
      {
        role: "treeitem",
        tabindex: "-1",
        "aria-level": level,
        "aria-expanded": below.length ? String(isOpen) : null,
        "aria-selected": String(item.id === this.current),
        data: { id: item.id },
      },
      el(
        "div",
        { class: "tree-line", style: { "--level": level - 1 } },
        el(
          "span",
          { class: "tree-toggle", "aria-hidden": "true" },
          below.length ? (isOpen ? "▾" : "▸") : "",
        ),
        this.row(item),
      ),
      isOpen &&
        el(
          "ul",
          { role: "group" },
          below.map((child) => this._item(child, level + 1)),
        ),
    );
  }

  _click(event) {
    const line = event.target.closest('[role="treeitem"]');
    if (!line || event.target.closest("a, button")) return;
    const { id } = line.dataset;
    if (event.target.closest(".tree-toggle")) this._toggle(id);
    else this._choose(id);
  }

  _choose(id) {
    this.current = id;
    for (const line of this._lines())
      line.setAttribute("aria-selected", String(line.dataset.id === id));
    this.chosen?.(this.items.get(id));
  }

  _toggle(id, isOpen = !this.open.has(id)) {
    if (isOpen) this.open.add(id);
    else this.open.delete(id);
    this.draw();
  }

  _focused(event) {
    const line = event.target.closest('[role="treeitem"]');
    for (const other of this._lines()) other.tabIndex = other === line ? 0 : -1;
  }

  _key(event) {
    const line = event.target.closest('[role="treeitem"]');
    if (!line || event.target !== line || event.altKey || event.ctrlKey || event.metaKey) return;
    const { id } = line.dataset;
    const act = {
      ArrowDown: () => this._move(line, 1),
      ArrowUp: () => this._move(line, -1),
      Home: () => this._lines()[0]?.focus(),
      End: () => this._lines().at(-1)?.focus(),
      ArrowRight: () => this._right(line, id),
      ArrowLeft: () => this._left(line, id),
      Enter: () => this._choose(id),
      " ": () => this._choose(id),
      "*": () => this.openAll(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  _move(line, by) {
    const lines = this._lines();
    lines[lines.indexOf(line) + by]?.focus();
  }

  _right(line, id) {
    if (line.ariaExpanded === "false") this._toggle(id, true);
    else if (line.ariaExpanded === "true") this._move(line, 1);
  }

  _left(line, id) {
    if (line.ariaExpanded === "true" && !this.shown) this._toggle(id, false);
    else line.parentElement.closest('[role="treeitem"]')?.focus();
  }

  _lines() {
    return [...this.node.querySelectorAll('[role="treeitem"]')];
  }

  _line(id) {
    return this._lines().find((line) => line.dataset.id === id);
  }

  _childrenOf(item) {
    return this.children.get(item.id) ?? [];
  }

  _isShown(item) {
    return this.shown === null || this.shown.has(item.id);
  }

  _above(item, each) {
    for (const seen = new Set(); item && !seen.has(item.id); item = this.items.get(item.parent)) {
      seen.add(item.id);
      each(item.id);
    }
  }
}

/** Items by the id of their parent; null for those whose parent is not there. */
function childrenOf(items, known) {
  const found = new Map();
  for (const item of items) {
    const parent = known.has(item.parent) && item.parent !== item.id ? item.parent : null;
    if (!found.has(parent)) found.set(parent, []);
    found.get(parent).push(item);
  }
  return found;
}
