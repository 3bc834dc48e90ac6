// What stands above a tree: searching, and opening or closing all of it.

import { el } from "./dom.js";
import { button } from "./parts.js";

/**
 * The tools of a tree of `what`, as in "concepts". `only` is a box to tick, {label, test, isOn},
 * that shows the items which pass a test.
 */
export function treeTools(tree, what, only = null) {
  const find = () => {
    const found = tree.search(search.value, box?.checked ? only.test : null);
    status.textContent = found ? "" : "Nothing is called so.";
  };
  const box = only && el("input", { type: "checkbox", checked: Boolean(only.isOn), on: { change: find } });
  const status = el("span", { class: "soft small", role: "status" });
  const search = el("input", {
    type: "search",
    placeholder: `Search ${what}`,
    "aria-label": `Search ${what}`,
    on: { input: find },
  });
  if (box?.checked) find();
  return el(
    "div",
    { class: "row tree-tools" },
    search,
    box && el("label", { class: "small" }, box, ` ${only.label}`),
    status,
    el(
      "span",
      { class: "buttons push" },
      button("Open all", () => tree.openAll()),
      button("Close all", () => tree.closeAll()),
    ),
  );
}
