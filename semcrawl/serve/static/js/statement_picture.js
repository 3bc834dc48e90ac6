// Triples as a picture: things and the statements between them.

import { el, fill } from "./dom.js";
import { counted } from "./format.js";
import { GraphPicture } from "./graph_picture.js";
import { empty } from "./parts.js";

const MOST_NODES = 400;
const TERM = String.raw`(<[^>]*>|_:\S+|"(?:[^"\\]|\\.)*"(?:@[\w-]+|\^\^<[^>]*>)?)`;
const LINE = new RegExp(String.raw`^${TERM}\s+<([^>]*)>\s+${TERM}\s*\.\s*$`);

/** The triples of N-Triples, {subject, predicate, object} as SPARQL JSON terms. */
export function readTriples(text) {
  const found = [];
  for (const line of text.split("\n")) {
    const parts = LINE.exec(line.trim());
    if (parts) found.push({ subject: term(parts[1]), predicate: { type: "uri", value: parts[2] }, object: term(parts[3]) });
  }
  return found;
}

/** The picture of triples: {node, start()}; see GraphPicture. */
export function statementPicture(triples, writer) {
  const nodes = new Map();
  const edges = [];
  const nodeOf = (one, kind) => {
    const id = `${one.type} ${one.value}`;
    if (!nodes.has(id) && nodes.size < MOST_NODES)
      nodes.set(id, { id, term: one, label: writer.text(one), kind, relevance: kind === "thing" ? 1 : null });
    return nodes.has(id) ? id : null;
  };
  let left = 0;
  for (const { subject, predicate, object } of triples) {
    const source = nodeOf(subject, "thing");
    const target = source && nodeOf(object, object.type === "literal" ? "value" : "thing");
    if (source && target) edges.push({ source, target, weight: 1, name: writer.text(predicate) });
    else left += 1;
  }
  const card = el("div", { class: "picture-card", hidden: true });
  const picture = new GraphPicture({
    nodes: [...nodes.values()],
    edges,
    label: "Things and statements. Tab goes through them.",
    chosen: (node) => showCard(card, node, picture),
    opened: () => {},
  });
  picture.node.append(card);
  const words = `${counted(nodes.size, "thing or value", "things and values")}, ${counted(edges.length, "statement")}`;
  const note = left ? `${words}; ${counted(left, "statement")} left out` : words;
  return {
    node: triples.length ? el("div", {}, picture.node, el("p", { class: "soft small" }, note)) : empty("There is nothing to draw."),
    start: () => (triples.length ? picture.start() : () => {}),
  };
}

function showCard(card, node, picture) {
  card.hidden = !node;
  if (!node) return;
  const lines = picture.edges
    .filter(({ source, target }) => source === node || target === node)
    .slice(0, 12)
    .map(({ source, target, name }) =>
      el("li", {}, source === node ? `${name} → ${target.short}` : `← ${name} of ${source.short}`),
    );
  fill(card, el("p", { class: "card-title" }, node.label), el("ul", { class: "small" }, lines));
}

function term(text) {
  if (text.startsWith("<")) return { type: "uri", value: text.slice(1, -1) };
  if (text.startsWith("_:")) return { type: "bnode", value: text.slice(2) };
  const end = text.lastIndexOf('"');
  const value = text.slice(1, end).replace(/\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)/g, (_, sign) => unescaped(sign));
  const type = /\^\^<([^>]*)>$/.exec(text.slice(end))?.[1];
  const language = /^"@([\w-]+)$/.exec(text.slice(end))?.[1];
  return { type: "literal", value, datatype: type, "xml:lang": language };
}

function unescaped(sign) {
  if (/^[uU]./.test(sign)) return String.fromCodePoint(parseInt(sign.slice(1), 16));
  return { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" }[sign] ?? sign;
}
