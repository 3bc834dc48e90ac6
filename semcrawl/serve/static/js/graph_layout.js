// Where the nodes of a picture stand: springs along links, all nodes pushing each other off.
//
// The way of Fruchterman and Reingold (1991, "Graph drawing by force-directed
// placement"), with a pull to the middle so that parts without links stay in sight.
// It begins at the same places each time, so that a picture looks the same each time.

const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const ROUNDS = 260;
const REACH = 60;
const FAR = 420;
const ROOM = 34;
const SPRING = 70;
const PULL = 0.35;

export class GraphLayout {
  /** @param nodes get x and y; @param edges {source, target} with nodes at their ends. */
  constructor(nodes, edges) {
    /** Height through width of the place to fill. */
    this.shape = 0.6;
    this.round = 0;
    this.nodes = nodes;
    const at = new Map(nodes.map((node, index) => [node, index]));
    this.ends = edges.map(({ source, target }) => [at.get(source), at.get(target)]);
    this.degree = new Int32Array(nodes.length);
    for (const end of this.ends.flat()) this.degree[end] += 1;
    // Plain arrays of numbers: this is where a picture spends its time.
    this.x = new Float64Array(nodes.length);
    this.y = new Float64Array(nodes.length);
    this.pushX = new Float64Array(nodes.length);
    this.pushY = new Float64Array(nodes.length);
    this._place();
  }

  get isSettled() {
    return this.round >= ROUNDS;
  }

  /** Go on for about so many milliseconds, or until settled. */
  run(milliseconds) {
    const end = performance.now() + milliseconds;
    while (!this.isSettled && performance.now() < end) this.step();
  }

  /** Begin to move again, as after a node was dragged. */
  warm() {
    this.round = Math.min(this.round, Math.round(ROUNDS * 0.72));
  }

  /** One round of pushing and pulling. */
  step() {
    this.round += 1;
    this.nodes.forEach((node, at) => {
      this.x[at] = node.x;
      this.y[at] = node.y;
    });
    this.pushX.fill(0);
    this.pushY.fill(0);
    this._repel();
    this._attract();
    this._move(REACH * (1 - this.round / ROUNDS) ** 1.5 + 0.05);
  }

  /** A spiral, the first node in the middle. */
  _place() {
    this.nodes.forEach((node, at) => {
      const distance = 22 * Math.sqrt(at);
      node.x = distance * Math.cos(at * GOLDEN);
      node.y = distance * Math.sin(at * GOLDEN);
    });
  }

  _repel() {
    const { x, y, pushX, pushY, nodes } = this;
    for (let i = 0; i < nodes.length; i += 1) {
      const own = ROOM + nodes[i].radius;
      for (let j = i + 1; j < nodes.length; j += 1) {
        const dx = x[i] - x[j] || 0.01;
        const dy = y[i] - y[j];
        const square = dx * dx + dy * dy;
        // Without this, parts with few links would be driven off to the edges.
        if (square > FAR * FAR) continue;
        const room = own + nodes[j].radius;
        const force = (room * room) / square;
        pushX[i] += dx * force;
        pushY[i] += dy * force;
        pushX[j] -= dx * force;
        pushY[j] -= dy * force;
      }
    }
  }

  _attract() {
    const { x, y, pushX, pushY, degree } = this;
    for (const [i, j] of this.ends) {
      const dx = x[j] - x[i];
      const dy = y[j] - y[i];
      // A link of a node with many counts less, or hubs would draw all into one heap.
      const force = Math.hypot(dx, dy) / SPRING / Math.sqrt(Math.min(degree[i], degree[j]));
      pushX[i] += dx * force;
      pushY[i] += dy * force;
      pushX[j] -= dx * force;
      pushY[j] -= dy * force;
    }
    for (let at = 0; at < x.length; at += 1) {
      pushX[at] -= x[at] * PULL * this.shape;
      pushY[at] -= y[at] * PULL;
    }
  }

  _move(reach) {
    this.nodes.forEach((node, at) => {
      if (node.isHeld) return;
      const length = Math.hypot(this.pushX[at], this.pushY[at]) || 1;
      const share = Math.min(length, reach) / length;
      node.x += this.pushX[at] * share;
      node.y += this.pushY[at] * share;
    });
  }
}
