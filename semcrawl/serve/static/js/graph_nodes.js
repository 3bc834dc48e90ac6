// The nodes of a picture as they are drawn: how large, how relevant, called what.

const SHORT = 30;

/** Nodes ready to draw, the most relevant first. */
export function prepared(nodes) {
  const hubs = Math.max(...nodes.map((node) => node.hub ?? 0), 0);
  const sizes = Math.max(...nodes.map((node) => node.size ?? 0), 0);
  const best = Math.max(...nodes.map((node) => node.relevance ?? 0), 0);
  // Where there are many, each has less room.
  const crowd = nodes.length > 600 ? 0.75 : 1;
  return nodes
    .map((node) => {
      const isKnown = node.relevance !== null && node.relevance !== undefined;
      const weight = hubs ? (node.hub ?? 0) / hubs : sizes ? (node.size ?? 0) / sizes : 0;
      return {
        ...node,
        isKnown,
        isCentre: node.kind === "centre",
        share: best ? (node.relevance ?? 0) / best : 0,
        radius: (5 + 11 * Math.sqrt(weight)) * crowd,
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

/** For each node the one that it was found on, where that is in the picture. */
export function parentsOf(nodes, byId) {
  return new Map(nodes.map((node) => [node, byId.get(node.parent)]).filter(([, parent]) => parent));
}

/** The links by which pages were found first, then those of most weight; the others as they come. */
export function tellingFirst(edges, parents) {
  const rank = (edge) => (parents.get(edge.target) === edge.source ? Infinity : (edge.weight ?? 1));
  return [...edges].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)));
}

/** The clusters of visited nodes, {name, number}, the largest first. */
export function clustersOf(nodes, nameOf) {
  const counts = new Map();
  for (const node of nodes) {
    const name = node.isKnown ? nameOf(node) : "";
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, number]) => ({ name, number })).sort((a, b) => b.number - a.number);
}

/** A label that fits; of a long URL the end, which tells it from others of its site. */
function shortened(text) {
  const plain = text.trim().replace(/^(https?:\/\/)?(www\.)?/, "");
  if (/^https?:/.test(text.trim()) && plain.length > SHORT) {
    const end = `…/${plain.replace(/\/$/, "").split("/").pop()}`;
    return end.length > SHORT ? `…${end.slice(1 - SHORT)}` : end;
  }
  return plain.length > SHORT ? `${plain.slice(0, SHORT - 1)}…` : plain;
}
