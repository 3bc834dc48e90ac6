// Two buttons by which a reader calls a page right or wrong for the topic.

import { post, token } from "./api.js";
import { el, fill } from "./dom.js";
import { button } from "./parts.js";

const MARKS = [
  [true, "Right", "This page is right for the topic", "✓"],
  [false, "Wrong", "This page is wrong for the topic", "✗"],
];
const NO_TOKEN = "This needs the token: open the link that the server printed.";

/**
 * The buttons of a page; `told(note)` is called when the server has taken a mark. Where
 * `isCompact` they are signs, for a row of a table.
 */
export function markButtons(page, { told = () => {}, signal, isCompact = false } = {}) {
  const node = el("span", { class: "row marks", role: "group", "aria-label": "Mark this page" });
  let marked = page.marked ?? null;

  async function mark(asked) {
    show(true);
    try {
      const said = await post("/api/mark", { url: page.url, mark: asked }, { signal });
      marked = said.mark;
      show();
      told(said);
    } catch (error) {
      if (error.name === "AbortError") return;
      show();
      node.append(el("span", { class: "small", role: "alert" }, error.message));
    }
  }

  function show(isBusy = false) {
    const mayMark = token() !== "";
    fill(
      node,
      MARKS.map(([value, label, title, sign]) =>
        button(isCompact ? sign : label, () => mark(marked === value ? null : value), {
          class: "small",
          "aria-label": isCompact ? label : null,
          "aria-pressed": String(marked === value),
          disabled: isBusy || !mayMark,
          title: mayMark ? title : NO_TOKEN,
        }),
      ),
    );
  }

  show();
  return node;
}
