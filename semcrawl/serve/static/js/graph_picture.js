// A picture of nodes and links that can be moved, by pointer (graph_pointers.js) and keys.
//
// Keys: Tab goes through the nodes, the most relevant first; arrows go to the next
// node that way, with Shift they move the picture; + and - zoom, 0 shows all, Enter
// opens, Escape lets Tab leave.

import { freshContext } from "./chart_draw.js";
import { el } from "./dom.js";
import { GraphCamera } from "./graph_camera.js";
import { CLUSTERS, drawPicture, pictureColours } from "./graph_draw.js";
import { GraphLayout } from "./graph_layout.js";
import {
  centreFirst,
  clustersOf,
  neighboursOf,
  parentsOf,
  prepared,
  tellingFirst,
} from "./graph_nodes.js";
import { GraphPointers } from "./graph_pointers.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
// Milliseconds that the layout may take at once, and before the first picture.
const TURN = 8;
const HEAVY_TURN = 3;
const FIRST_TURN = 200;
// Links that are drawn and pulled by at first, for each node.
const USUAL_LINKS = 2;
// A picture of more is drawn with so many links, and without labels, while it moves.
const HEAVY = { nodes: 600, edges: 1500 };
const LINKS_IN_MOTION = 250;
const REST = 140;

export class GraphPicture {
  /** @param settings nodes, edges (as the API has them), label, chosen(node), opened(node). */
  constructor({ nodes, edges, label, chosen, opened }) {
    Object.assign(this, { chosen, opened });
    this.nodes = prepared(nodes);
    const byId = new Map(this.nodes.map((node) => [node.id, node]));
    this.edges = edges
      .map((edge) => ({ ...edge, source: byId.get(edge.source), target: byId.get(edge.target) }))
      .filter(({ source, target }) => source && target && source !== target);
    this.neighbours = neighboursOf(this.nodes, this.edges);
    this.parents = parentsOf(this.nodes, byId);
    this.edges = tellingFirst(this.edges, this.parents);
    this.usualShare = Math.min(1, Math.max(600, USUAL_LINKS * nodes.length) / (this.edges.length || 1));
    this.shownEdges = this.edges.slice(0, Math.round(this.usualShare * this.edges.length));
    this.layout = new GraphLayout(centreFirst(this.nodes), this.shownEdges);
    /** Nodes that stay strong while the others are faint, as those found; null: all. */
    this.found = null;
    this.camera = new GraphCamera();
    this.current = null;
    this.hovered = null;
    this.isFitting = true;
    this.isReleased = false;
    this.isMoving = false;
    this.canvas = el("canvas", {
      class: "picture-canvas",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "picture of links",
      "aria-label": label,
    });
    this.node = el("div", { class: "picture-box" }, this.canvas);
    this.pointers = new GraphPointers(this);
    this.canvas.addEventListener("keydown", (event) => this._key(event));
    this.canvas.addEventListener("focus", () => this._focused());
    this.canvas.addEventListener("blur", () => (this.isReleased = false));
  }

  /** Begin to draw, once the node is in the page; a function that ends it. */
  start() {
    const resized = new ResizeObserver(() => this._resized());
    resized.observe(this.node);
    const endTheme = window.theme.changed(() => this._recolour());
    this._recolour();
    this.layout.shape = Math.min(
      1.4,
      Math.max(0.3, this.canvas.clientHeight / (this.canvas.clientWidth || 1)),
    );
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.layout.run(3000);
    else this.layout.run(FIRST_TURN);
    this.draw();
    return () => {
      resized.disconnect();
      endTheme();
      cancelAnimationFrame(this.frame);
      clearTimeout(this.resting);
    };
  }

  /** Choose a node, or none. */
  choose(node) {
    this.current = node;
    if (node && this.layout.isSettled) this.camera.reveal(node);
    this.draw();
    this.chosen(node);
  }

  /** Draw only a share of the links, those that tell most. */
  thin(share) {
    this.shownEdges = this.edges.slice(0, Math.round(share * this.edges.length));
    this.draw();
  }

  /** Make all faint but the nodes for which `isFound`; null for all strong. How many there are. */
  search(isFound) {
    this.found = isFound ? new Set(this.nodes.filter(isFound)) : null;
    this.draw();
    return this.found?.size ?? this.nodes.length;
  }

  /** Colour nodes by cluster: `nameOf(node)`, "" for none; null: by relevance. The clusters. */
  cluster(nameOf) {
    const clusters = nameOf ? clustersOf(this.nodes, nameOf) : [];
    const colours = new Map(clusters.slice(0, CLUSTERS).map(({ name }, at) => [name, at]));
    for (const node of this.nodes)
      node.colour = nameOf && node.isKnown ? (colours.get(nameOf(node)) ?? CLUSTERS) : null;
    this.layout.cluster((node) => (nameOf && colours.has(nameOf(node)) ? nameOf(node) : ""));
    this.isFitting = true;
    this.draw();
    return clusters;
  }

  /** The nodes from the seed to a node, as far as they are in the picture. */
  pathTo(node) {
    const path = [node];
    for (let at = this.parents.get(node); at && !path.includes(at); at = this.parents.get(at)) path.unshift(at);
    return path;
  }

  find(id) {
    return this.nodes.find((node) => node.id === id) ?? null;
  }

  zoom(factor, place) {
    this.isFitting = false;
    this.camera.zoom(factor, place);
    this._move();
  }

  fit() {
    this.isFitting = true;
    this.draw();
  }

  /** Point at a node without choosing it, or at none. */
  hover(node) {
    if (node === this.hovered) return;
    this.hovered = node;
    this.canvas.classList.toggle("pointing", node !== null);
    this.canvas.title = node ? node.label : "";
    this.draw();
  }

  /** Move by pixels of the screen. */
  pan(dx, dy) {
    this.isFitting = false;
    this.camera.pan(dx, dy);
    this._move();
  }

  /** Move one node to a place of the screen; the others follow. */
  drag(node, place) {
    this.isFitting = false;
    Object.assign(node, this.camera.toWorld(place), { isHeld: true });
    this.layout.warm();
    this._move();
  }

  draw() {
    this.frame ??= requestAnimationFrame(() => this._frame());
  }

  /** Draw because something moves; a heavy picture is drawn in full when it rests. */
  _move() {
    this.draw();
    if (!this.isHeavy) return;
    clearTimeout(this.resting);
    this.isMoving = true;
    this.resting = setTimeout(() => {
      this.isMoving = false;
      this.draw();
    }, REST);
  }

  get isHeavy() {
    return this.nodes.length > HEAVY.nodes || this.shownEdges.length > HEAVY.edges;
  }

  _frame() {
    this.frame = null;
    if (!this.layout.isSettled) this.layout.run(this.isHeavy ? HEAVY_TURN : TURN);
    if (this.isFitting) this.camera.fit(this.nodes);
    drawPicture(freshContext(this.canvas), this.scene());
    if (!this.layout.isSettled) this._move();
  }

  /** What drawPicture needs. */
  scene() {
    const centre = this.hovered ?? this.current;
    const path = this.current ? this.pathTo(this.current) : [];
    const near = centre ? new Set([...this.neighbours.get(centre), ...path]) : this.found;
    return {
      nodes: this.nodes,
      edges: this.isMoving ? this.shownEdges.slice(0, LINKS_IN_MOTION) : this.shownEdges,
      camera: this.camera,
      colours: this.colours,
      chosen: this.current,
      hovered: this.hovered,
      near,
      path: path.slice(1).map((node, at) => ({ source: path[at], target: node, weight: 1 })),
      isCalm: this.layout.isSettled && !this.isMoving,
      isMoving: this.isMoving,
    };
  }

  _resized() {
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    Object.assign(this.camera, { width, height });
    this.draw();
  }

  _recolour() {
    this.colours = pictureColours(this.node);
    this.draw();
  }

  // Keys

  _focused() {
    if (!this.pointers.isDown && !this.current && this.nodes.length) this.choose(this.nodes[0]);
  }

  _key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const act = this._actionFor(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  _actionFor({ key, shiftKey }) {
    if (key === "Tab") return this._tab(shiftKey ? -1 : 1);
    if (ARROWS[key]) {
      const [x, y] = ARROWS[key];
      return shiftKey ? () => this.pan(-60 * x, -60 * y) : () => this._towards(x, y);
    }
    return {
      Enter: this.current && (() => this.opened(this.current)),
      Escape: () => {
        this.isReleased = true;
        this.choose(null);
      },
      "+": () => this.zoom(1.25),
      "=": () => this.zoom(1.25),
      "-": () => this.zoom(0.8),
      0: () => this.fit(),
    }[key];
  }

  /** To the next node in order of relevance; null at the ends, where Tab leaves the picture. */
  _tab(by) {
    const next = this.nodes[this.nodes.indexOf(this.current) + by];
    return this.isReleased || !next || !this.current ? null : () => this.choose(next);
  }

  /** To the nearest node in a direction; what is beside the way counts as farther. */
  _towards(x, y) {
    if (!this.current) {
      this.choose(this.nodes[0] ?? null);
      return;
    }
    let best = null;
    let least = Infinity;
    for (const node of this.nodes) {
      const [dx, dy] = [node.x - this.current.x, node.y - this.current.y];
      const [along, beside] = [dx * x + dy * y, Math.abs(dx * y) + Math.abs(dy * x)];
      const cost = along + 2.5 * beside;
      if (node !== this.current && along > beside * 0.4 && cost < least)
        [best, least] = [node, cost];
    }
    if (best) this.choose(best);
  }
}
