// A list that changes while it is read: what stays in it keeps its element.
//
// A live list that is made anew every second loses the reader's focus, selection and
// half-done clicks. Here elements are made once, updated, and moved only where they must be.

const KEPT = new WeakMap();

/**
 * Show items in a list element.
 *
 * @param keyOf what tells an item from the others, such as its URL.
 * @param make the element of an item; made once.
 * @param update called with element and item each time.
 */
export function showKept(list, items, keyOf, make, update = () => {}) {
  const before = KEPT.get(list) ?? new Map();
  const after = new Map(items.map((item) => [keyOf(item), before.get(keyOf(item)) ?? make(item)]));
  for (const [key, node] of before) if (!after.has(key)) node.remove();
  items.forEach((item, index) => {
    const node = after.get(keyOf(item));
    update(node, item);
    if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null);
  });
  KEPT.set(list, after);
}
