// The list of the reader's own queries: those with a name, and those that were run.

import { el, fill } from "./dom.js";
import { cut } from "./format.js";
import { forgetNamed, forgetRuns, named, runBefore } from "./own_queries.js";
import { button, empty } from "./parts.js";
import { hashFor } from "./router.js";

const LONGEST = 70;

export class OwnQueryList {
  constructor() {
    this.list = el("div", { class: "query-list" });
    this.node = el(
      "details",
      { class: "panel query-panel own-queries" },
      el("summary", {}, el("h2", {}, "Yours")),
      this.list,
    );
    this.show();
  }

  show() {
    const [saved, run] = [named(), runBefore()];
    fill(
      this.list,
      !saved.length && !run.length && empty("Queries that you run or name are kept in this browser."),
      saved.length > 0 && this._saved(saved),
      run.length > 0 && this._run(run),
    );
  }

  _saved(saved) {
    const line = ({ name, text }) => {
      const forget = () => (forgetNamed(name), this.show());
      const label = `Forget ${name}`;
      return el(
        "li",
        { class: "own-query" },
        el("a", { href: hashFor("ask", { title: name, text }) }, name),
        button("×", forget, { class: "plain", "aria-label": label, title: label }),
      );
    };
    return el("section", {}, el("h3", {}, "Named"), el("ul", {}, saved.map(line)));
  }

  _run(run) {
    const line = ({ text }) =>
      el("li", {}, el("a", { href: hashFor("ask", { text }), title: text }, summaryOf(text)));
    const forget = () => (forgetRuns(), this.show());
    return el(
      "section",
      {},
      el("h3", {}, "Run before"),
      el("ul", {}, run.map(line)),
      button("Forget these", forget, { class: "plain small" }),
    );
  }
}

/** What a query is about in a line: its first comment, or its text without line breaks. */
export function summaryOf(text) {
  const comment = /^\s*#+\s*(\S.*)$/m.exec(text.split(/^\s*[^#\s]/m)[0])?.[1];
  const plain = text.replace(/^\s*(#.*|PREFIX.*)$/gim, "").replace(/\s+/g, " ").trim();
  return cut(comment ?? plain, LONGEST);
}
