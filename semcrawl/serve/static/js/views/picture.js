// The picture: the neighbourhood of a page, the best pages, or the sites, and the links between them.

import { get } from "../api.js";
import { el, fill, link } from "../dom.js";
import { count, counted, score, shortUrl, titleOf } from "../format.js";
import { CLUSTERS } from "../graph_draw.js";
import { exportPicture } from "../graph_export.js";
import { GraphPicture } from "../graph_picture.js";
import { button, empty, field, load, meter, pageLink } from "../parts.js";
import { hashFor } from "../router.js";
import { hostOfSite, siteLink } from "../sites.js";

const SIZES = { sites: [60, 120, 250, 400], pages: [120, 250, 500, 1000, 2000], url: [60, 120, 250, 400] };
const USUAL = { sites: 120, pages: 250, url: 120 };
const COLOURS = { relevance: "relevance", concept: "concept", site: "site" };
const FORMS = { svg: "SVG", png: "PNG", gexf: "GEXF", graphml: "GraphML" };

export function show(root, params, context) {
  const body = el("div", { class: "picture-view" });
  const head = el("div", {});
  fill(root, head, body);
  let end = () => {};
  load(
    body,
    () => ask(params, context.signal),
    ({ data, of, limit }) => {
      const isSites = of === "sites";
      fill(head, heading(params, of, limit, context));
      if (!data.nodes.length)
        return empty(
          of === "url" ? "Nothing is known around this page." : "No page has been visited yet.",
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

/** What to draw: that of a page, pages, or sites; where there is one site only, its pages. */
async function ask(params, signal) {
  const limitOf = (of) => (SIZES[of].includes(Number(params.limit)) ? Number(params.limit) : USUAL[of]);
  const of = params.url ? "url" : params.of === "pages" ? "pages" : "sites";
  const limit = limitOf(of);
  if (of === "url")
    return { of, limit, data: await get("/api/neighbourhood", { url: params.url, limit }, { signal }) };
  if (of === "sites") {
    const data = await get("/api/site-graph", { limit }, { signal });
    if (data.nodes.length !== 1 || params.of === "sites") return { of, limit, data };
  }
  const most = limitOf("pages");
  return { of: "pages", limit: most, data: await get("/api/page-graph", { limit: most }, { signal }) };
}

const TITLES = { sites: "Sites and their links", pages: "Pages and their links", url: "Neighbourhood" };

function heading(params, of, limit, context) {
  const sizes = el(
    "select",
    {
      "aria-label": "How many nodes",
      on: { change: () => context.go("picture", { ...params, limit: sizes.value }) },
    },
    SIZES[of].map((size) =>
      el("option", { value: String(size), selected: size === limit }, `at most ${count(size)}`),
    ),
  );
  const kind = (name, text) =>
    button(text, () => context.go("picture", { of: name }), { "aria-pressed": String(of === name) });
  return el(
    "div",
    { class: "row" },
    el(
      "div",
      {},
      el("h1", {}, TITLES[of]),
      el(
        "p",
        { class: "soft" },
        of === "sites" && "The sites with the best pages, and the links between them.",
        of === "pages" && "The most relevant pages, and the links between them.",
        of === "url" && ["Pages around ", pageLink({ url: params.url }), "."],
      ),
    ),
    el("span", { class: "row push" }, el("span", { class: "buttons" }, kind("sites", "Sites"), kind("pages", "Pages")), sizes),
  );
}

function pictureParts(data, isSites, params, context) {
  const card = el("div", { class: "picture-card", hidden: true });
  const nodes = params.url
    ? data.nodes.map((node) => (node.id === params.url ? { ...node, kind: "centre" } : node))
    : data.nodes;
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
  const zooming = el(
    "div",
    { class: "picture-tools buttons" },
    button("−", () => picture.zoom(0.8), { "aria-label": "Zoom out", title: "Zoom out (-)" }),
    button("+", () => picture.zoom(1.25), { "aria-label": "Zoom in", title: "Zoom in (+)" }),
    button("All", () => picture.fit(), { title: "See all (0)" }),
  );
  picture.node.append(zooming, card);
  const clusters = el("div", { class: "picture-clusters" });
  const meaning = legend(picture, isSites, data, context.state.crawl?.kind);
  const colour = (name, isNoted = true) => {
    fill(clusters, clusterLegend(picture, name));
    meaning.querySelector(".ramp-key").hidden = name !== "relevance";
    if (isNoted) context.note({ ...params, colour: name === "relevance" ? "" : name });
  };
  return {
    nodes: [
      tools(picture, isSites, params, colour),
      picture.node,
      clusters,
      meaning,
      list(picture, isSites),
    ],
    start: () => {
      if (COLOURS[params.colour] && params.colour !== "relevance") colour(params.colour, false);
      const end = picture.start();
      const node = params.node && picture.find(params.node);
      if (node) picture.choose(node);
      return end;
    },
  };
}

/** Search, how many links, the colours, and files. */
function tools(picture, isSites, params, colour) {
  const status = el("span", { class: "soft small", role: "status" });
  const isFound = (words) => (node) =>
    words.every((word) => `${node.label} ${node.id} ${node.concept ?? ""}`.toLowerCase().includes(word));
  const searched = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = picture.search(words.length ? isFound(words) : null);
    fill(status, words.length > 0 && `${count(found)} found`);
  };
  const search = el("input", {
    type: "search",
    placeholder: isSites ? "Find sites" : "Find pages",
    "aria-label": "Find in the picture",
    on: {
      input: searched,
      keydown: (event) => {
        if (event.key !== "Enter" || !picture.found?.size) return;
        const all = [...picture.found];
        picture.choose(all[(all.indexOf(picture.current) + 1) % all.length]);
      },
    },
  });
  const share = el("input", {
    type: "range",
    min: "0",
    max: "100",
    value: String(Math.round(picture.usualShare * 100)),
    on: { input: () => picture.thin(Number(share.value) / 100) },
  });
  const offered = Object.keys(COLOURS).filter((name) => name === "relevance" || picture.nodes.some((node) => node[name]));
  const colours = el(
    "select",
    { on: { change: () => colour(colours.value) } },
    offered.map((name) => el("option", { value: name, selected: name === params.colour }, COLOURS[name])),
  );
  return el(
    "div",
    { class: "row picture-bar" },
    search,
    status,
    picture.edges.length > 20 && field("links, the most telling first", share),
    offered.length > 1 && field("colour by", colours),
    el(
      "span",
      { class: "row push" },
      el("span", { class: "soft small" }, "Save as"),
      el(
        "span",
        { class: "buttons", role: "group", "aria-label": "Save the picture as" },
        Object.entries(FORMS).map(([form, text]) =>
          button(text, () => exportPicture(picture, form, isSites ? "sites" : "pages")),
        ),
      ),
    ),
  );
}

/** What colours mean, where they are clusters; a click shows the members of one. */
function clusterLegend(picture, name) {
  const nameOf = name === "relevance" ? null : (node) => node[name] ?? "";
  const clusters = picture.cluster(nameOf);
  picture.search(null);
  if (!nameOf) return null;
  let shown = null;
  const entry = (text, number, colour, isMember) => {
    const pressed = () => {
      shown = shown === text ? null : text;
      picture.search(shown === null ? null : isMember);
      for (const one of node.querySelectorAll("button"))
        one.setAttribute("aria-pressed", String(one.dataset.name === shown));
    };
    return el(
      "li",
      {},
      button([el("span", { class: "cluster-key", "aria-hidden": "true", style: { background: colour } }), ` ${text} `, el("span", { class: "soft" }, count(number))], pressed, {
        class: "plain small",
        "aria-pressed": "false",
        data: { name: text },
      }),
    );
  };
  const named = clusters.slice(0, CLUSTERS);
  const own = new Set(named.map((cluster) => cluster.name));
  const isOther = (node) => node.isKnown && !own.has(nameOf(node));
  const others = picture.nodes.filter(isOther).length;
  const node = el(
    "ul",
    { class: "row", "aria-label": `Colours: ${name}` },
    named.map((cluster, at) => entry(cluster.name, cluster.number, `var(--cluster-${at})`, (one) => nameOf(one) === cluster.name)),
    others > 0 && entry("others", others, "var(--line)", isOther),
  );
  return node;
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
    !isSites && fromSeed(picture.pathTo(node)),
    el("p", { class: "row small" }, cardLinks(node, isSites)),
  );
}

/** How the page was found, as far as the picture has it. */
function fromSeed(path) {
  if (path.length < 2) return null;
  const last = path.length - 1;
  return el(
    "p",
    { class: "small card-path" },
    el("span", { class: "soft" }, `${counted(last, "link")} from ${path[0].parent ? "here" : "the seed"}: `),
    path.slice(0, -1).map((node) => [node.short, " → "]),
    "this page",
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
