// What stands above a tree: searching, and opening or closing all of it.

import { el } from "./dom.js";
import { button } from "./parts.js";

/** The tools of a tree of `what`, as in "concepts". */
export function treeTools(tree, what) {
  const status = el("span", { class: "soft small", role: "status" });
  const search = el("input", {
    type: "search",
    placeholder: `Search ${what}`,
    "aria-label": `Search ${what}`,
    on: {
      input: () => {
        const found = tree.search(search.value);
        status.textContent = found ? "" : "Nothing is called so.";
      },
    },
  });
  return el(
    "div",
    { class: "row tree-tools" },
    search,
    status,
    el(
      "span",
      { class: "buttons push" },
      button("Open all", () => tree.openAll()),
      button("Close all", () => tree.closeAll()),
    ),
  );
}
