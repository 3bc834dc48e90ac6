// The nodes of a picture as they are drawn: how large, how relevant, called what.

const SHORT = 30;

/** Nodes ready to draw, the most relevant first. */
export function prepared(nodes) {
  const hubs = Math.max(...nodes.map((node) => node.hub ?? 0), 0);
  const sizes = Math.max(...nodes.map((node) => node.size ?? 0), 0);
  const best = Math.max(...nodes.map((node) => node.relevance ?? 0), 0);
  return nodes
    .map((node) => {
      const isKnown = node.relevance !== null && node.relevance !== undefined;
      const weight = hubs ? (node.hub ?? 0) / hubs : sizes ? (node.size ?? 0) / sizes : 0;
      return {
        ...node,
        isKnown,
        isCentre: node.kind === "centre",
        share: best ? (node.relevance ?? 0) / best : 0,
        radius: 5 + 11 * Math.sqrt(weight),
        short: shortened(node.label || node.id),
      };
    })
    .sort((a, b) => (b.relevance ?? -1) - (a.relevance ?? -1));
}

/** The same nodes with the page that the picture is about first. */
export function centreFirst(nodes) {
  return [...nodes.filter((node) => node.isCentre), ...nodes.filter((node) => !node.isCentre)];
}

/** For each node the set of itself and those that a link joins it with. */
export function neighboursOf(nodes, edges) {
  const found = new Map(nodes.map((node) => [node, new Set([node])]));
  for (const { source, target } of edges) {
    found.get(source).add(target);
    found.get(target).add(source);
  }
  return found;
}

function shortened(text) {
  const plain = text.replace(/^https?:\/\//, "").trim();
  return plain.length > SHORT ? `${plain.slice(0, SHORT - 1)}…` : plain;
}
