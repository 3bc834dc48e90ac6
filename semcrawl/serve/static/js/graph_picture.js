// A picture of nodes and links that can be moved, by pointer (graph_pointers.js) and keys.
//
// Keys: Tab goes through the nodes, the most relevant first; arrows go to the next
// node that way, with Shift they move the picture; + and - zoom, 0 shows all, Enter
// opens, Escape lets Tab leave.

import { freshContext } from "./chart_draw.js";
import { el } from "./dom.js";
import { GraphCamera } from "./graph_camera.js";
import { drawPicture, pictureColours } from "./graph_draw.js";
import { GraphLayout } from "./graph_layout.js";
import { centreFirst, neighboursOf, prepared } from "./graph_nodes.js";
import { GraphPointers } from "./graph_pointers.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
// Milliseconds that the layout may take at once, and before the first picture.
const TURN = 24;
const FIRST_TURN = 200;

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
    this.layout = new GraphLayout(centreFirst(this.nodes), this.edges);
    this.camera = new GraphCamera();
    this.current = null;
    this.hovered = null;
    this.isFitting = true;
    this.isReleased = false;
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
    };
  }

  /** Choose a node, or none. */
  choose(node) {
    this.current = node;
    if (node && this.layout.isSettled) this.camera.reveal(node);
    this.draw();
    this.chosen(node);
  }

  find(id) {
    return this.nodes.find((node) => node.id === id) ?? null;
  }

  zoom(factor, place) {
    this.isFitting = false;
    this.camera.zoom(factor, place);
    this.draw();
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
    this.draw();
  }

  /** Move one node to a place of the screen; the others follow. */
  drag(node, place) {
    this.isFitting = false;
    Object.assign(node, this.camera.toWorld(place), { isHeld: true });
    this.layout.warm();
    this.draw();
  }

  draw() {
    this.frame ??= requestAnimationFrame(() => this._frame());
  }

  _frame() {
    this.frame = null;
    if (!this.layout.isSettled) this.layout.run(TURN);
    if (this.isFitting) this.camera.fit(this.nodes);
    const centre = this.hovered ?? this.current;
    drawPicture(freshContext(this.canvas), {
      nodes: this.nodes,
      edges: this.edges,
      camera: this.camera,
      colours: this.colours,
      chosen: this.current,
      hovered: this.hovered,
      near: centre ? this.neighbours.get(centre) : new Set(),
      isCalm: this.layout.isSettled,
    });
    if (!this.layout.isSettled) this.draw();
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
