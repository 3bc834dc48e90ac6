// The picture: the neighbourhood of a page, or the sites of the crawl and their links.

import { get } from "../api.js";
import { el, fill, link } from "../dom.js";
import { count, counted, score, shortUrl, titleOf } from "../format.js";
import { GraphPicture } from "../graph_picture.js";
import { button, empty, load, meter, pageLink } from "../parts.js";
import { hashFor } from "../router.js";
import { hostOfSite, siteLink } from "../sites.js";

const SIZES = [60, 120, 250, 400];
const USUAL = 120;

export function show(root, params, context) {
  const isSites = !params.url;
  const limit = SIZES.includes(Number(params.limit)) ? Number(params.limit) : USUAL;
  const ask = isSites
    ? () => get("/api/site-graph", { limit }, { signal: context.signal })
    : () => get("/api/neighbourhood", { url: params.url, limit }, { signal: context.signal });
  const body = el("div", { class: "picture-view" });
  fill(root, heading(params, isSites, limit, context), body);
  let end = () => {};
  load(
    body,
    ask,
    (data) => {
      if (!data.nodes.length)
        return empty(
          isSites ? "No site has been visited yet." : "Nothing is known around this page.",
        );
      const parts = pictureParts(data, isSites, params, context);
      // Sizes are known once it stands in the page.
      queueMicrotask(() => (end = parts.start()));
      return parts.nodes;
    },
    "Drawing …",
  );
  return () => end();
}

function heading(params, isSites, limit, context) {
  const sizes = el(
    "select",
    {
      "aria-label": "How many nodes",
      on: { change: () => context.go("picture", { ...params, limit: sizes.value }) },
    },
    SIZES.map((size) =>
      el("option", { value: String(size), selected: size === limit }, `at most ${size}`),
    ),
  );
  return el(
    "div",
    { class: "row" },
    el(
      "div",
      {},
      el("h1", {}, isSites ? "Sites and their links" : "Neighbourhood"),
      el(
        "p",
        { class: "soft" },
        isSites
          ? "The sites with the best pages, and the links between them."
          : ["Pages around ", pageLink({ url: params.url }), "."],
      ),
    ),
    el(
      "span",
      { class: "row push" },
      !isSites && el("a", { href: hashFor("picture", { of: "sites" }) }, "All sites"),
      sizes,
    ),
  );
}

function pictureParts(data, isSites, params, context) {
  const card = el("div", { class: "picture-card", hidden: true });
  const nodes = isSites
    ? data.nodes
    : data.nodes.map((node) => (node.id === params.url ? { ...node, kind: "centre" } : node));
  const picture = new GraphPicture({
    nodes,
    edges: data.edges,
    label: `${isSites ? "Sites" : "Pages"} and links. Tab goes through them, Enter opens, Escape leaves. The same is in the list below.`,
    chosen: (node) => {
      showCard(card, node, picture, isSites, context.state.crawl?.threshold);
      context.note({ ...params, node: node?.id });
      if (node) context.announce(spoken(node, picture));
    },
    opened: (node) => open(node, isSites, context),
  });
  const tools = el(
    "div",
    { class: "picture-tools buttons" },
    button("−", () => picture.zoom(0.8), { "aria-label": "Zoom out", title: "Zoom out (-)" }),
    button("+", () => picture.zoom(1.25), { "aria-label": "Zoom in", title: "Zoom in (+)" }),
    button("All", () => picture.fit(), { title: "See all (0)" }),
  );
  picture.node.append(tools, card);
  return {
    nodes: [
      picture.node,
      legend(picture, isSites, data, context.state.crawl?.kind),
      list(picture, isSites),
    ],
    start: () => {
      const end = picture.start();
      const node = params.node && picture.find(params.node);
      if (node) picture.choose(node);
      return end;
    },
  };
}

function showCard(card, node, picture, isSites, threshold = 0) {
  card.hidden = !node;
  if (!node) return;
  const near = [...picture.neighbours.get(node)].length - 1;
  fill(
    card,
    el(
      "p",
      { class: "card-title" },
      isSites ? node.label : titleOf({ title: node.label, url: node.id }),
    ),
    !isSites && el("p", { class: "small card-url" }, link(node.id, shortUrl(node.id))),
    el(
      "p",
      { class: "row small" },
      node.isKnown
        ? meter(node.relevance, { isGood: node.relevance >= threshold })
        : el("span", { class: "badge" }, kindText(node)),
      node.hub > 0 && el("span", { class: "soft" }, `hub ${score(node.hub, 4)}`),
      isSites && node.size > 0 && el("span", { class: "soft" }, counted(node.size, "page")),
      el("span", { class: "soft" }, counted(near, "neighbour")),
    ),
    el("p", { class: "row small" }, cardLinks(node, isSites)),
  );
}

function cardLinks(node, isSites) {
  if (isSites) return siteLink(hostOfSite(node.id), "Its pages");
  return [
    node.isKnown && el("a", { href: hashFor("page", { url: node.id }) }, "Its page view"),
    !node.isCentre && el("a", { href: hashFor("picture", { url: node.id }) }, "Picture around it"),
  ];
}

function open(node, isSites, context) {
  if (isSites) context.go("pages", { site: hostOfSite(node.id) });
  else context.go("page", { url: node.id });
}

function legend(picture, isSites, { left_out: leftOut }, kind) {
  const what = !isSites ? "relevance" : kind === "sites" ? "confidence" : "best relevance";
  const best = Math.max(...picture.nodes.map((node) => node.relevance ?? 0), 0);
  const sizes = picture.nodes.some((node) => node.hub > 0)
    ? "larger: a better hub"
    : isSites
      ? "larger: more pages"
      : "all of one size: the distiller has found no hubs here";
  return el(
    "div",
    { class: "row small soft picture-legend" },
    el(
      "span",
      { class: "ramp-key" },
      `${what} 0`,
      el("span", { class: "ramp", "aria-hidden": "true" }),
      score(best, 2),
    ),
    picture.nodes.some((node) => !node.isKnown) &&
      el("span", {}, el("span", { class: "hollow-key", "aria-hidden": "true" }), " not visited"),
    el("span", {}, sizes),
    el(
      "span",
      {},
      `${counted(picture.nodes.length, isSites ? "site" : "page")}, ${counted(picture.edges.length, "link")}`,
    ),
    leftOut > 0 && el("span", {}, `${count(leftOut)} left out`),
    el("span", { class: "push" }, "drag, scroll to zoom, double-click to open"),
  );
}

/** The same for those who do not see the picture. */
function list(picture, isSites) {
  const line = (node) =>
    el(
      "li",
      {},
      el("span", { class: "list-score" }, node.isKnown ? score(node.relevance) : kindText(node)),
      " ",
      isSites
        ? siteLink(hostOfSite(node.id), node.label)
        : pageLink({ url: node.id, title: node.label }),
      " ",
      el("small", { class: "soft" }, counted(picture.neighbours.get(node).size - 1, "neighbour")),
    );
  return el(
    "details",
    { class: "panel" },
    el("summary", {}, `As a list, ${isSites ? "the best site" : "the most relevant"} first`),
    el("ol", { class: "picture-list" }, picture.nodes.map(line)),
  );
}

function spoken(node, picture) {
  const what = node.isKnown ? `relevance ${score(node.relevance)}` : kindText(node);
  return `${node.label || node.id}, ${what}, ${counted(picture.neighbours.get(node).size - 1, "neighbour")}`;
}

function kindText({ kind }) {
  return { waiting: "waits", dropped: "dropped" }[kind] ?? "not visited";
}
