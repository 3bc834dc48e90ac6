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
// Nodes of one cluster are drawn together.
const CLUSTER = 0.6;
// Links between clusters pull less, or they would draw these into one heap.
const BETWEEN = 0.25;
// From so many nodes on, those farther off are taken together, cell by cell.
const MANY = 300;
const CELL = 70;

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
    /** The cluster of each node, -1 for none; see cluster(). */
    this.groups = new Int32Array(nodes.length).fill(-1);
    this._place();
  }

  /** Draw nodes together that `nameOf(node)` gives the same name; "" for none. */
  cluster(nameOf) {
    const known = new Map();
    this.nodes.forEach((node, at) => {
      const name = nameOf(node);
      if (name && !known.has(name)) known.set(name, known.size);
      this.groups[at] = name ? known.get(name) : -1;
    });
    this.clusters = known.size;
    this.round = 0;
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
    if (this.nodes.length > MANY) this._repelByCells();
    else this._repel();
    this._attract();
    if (this.clusters > 1) this._gather();
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

  /** The same for many nodes: near ones one by one, farther cells from middle to middle. */
  _repelByCells() {
    const { cells, columns, rows } = this._cells();
    const reach = Math.ceil(FAR / CELL);
    for (const cell of cells) {
      if (!cell) continue;
      let [farX, farY] = [0, 0];
      const [left, right] = [Math.max(0, cell.column - reach), Math.min(columns - 1, cell.column + reach)];
      const [top, bottom] = [Math.max(0, cell.row - reach), Math.min(rows - 1, cell.row + reach)];
      for (let row = top; row <= bottom; row += 1) {
        for (let column = left; column <= right; column += 1) {
          const other = cells[row * columns + column];
          if (!other) continue;
          if (Math.abs(column - cell.column) <= 1 && Math.abs(row - cell.row) <= 1) {
            this._repelMembers(cell, other);
            continue;
          }
          const dx = cell.x - other.x;
          const dy = cell.y - other.y;
          const square = dx * dx + dy * dy;
          if (square > FAR * FAR) continue;
          const room = ROOM + cell.radius + other.radius;
          const force = (other.members.length * room * room) / square;
          farX += dx * force;
          farY += dy * force;
        }
      }
      for (const i of cell.members) {
        this.pushX[i] += farX;
        this.pushY[i] += farY;
      }
    }
  }

  /** The nodes by the cells of a grid, row by row; undefined for an empty one. */
  _cells() {
    const { x, y, nodes } = this;
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let at = 0; at < nodes.length; at += 1) {
      left = Math.min(left, x[at]);
      right = Math.max(right, x[at]);
      top = Math.min(top, y[at]);
      bottom = Math.max(bottom, y[at]);
    }
    const columns = Math.floor((right - left) / CELL) + 1;
    const rows = Math.floor((bottom - top) / CELL) + 1;
    const cells = new Array(columns * rows);
    for (let at = 0; at < nodes.length; at += 1) {
      const [column, row] = [Math.floor((x[at] - left) / CELL), Math.floor((y[at] - top) / CELL)];
      const cell = (cells[row * columns + column] ??= { column, row, x: 0, y: 0, radius: 0, members: [] });
      cell.x += x[at];
      cell.y += y[at];
      cell.radius += nodes[at].radius;
      cell.members.push(at);
    }
    for (const cell of cells) {
      if (!cell) continue;
      cell.x /= cell.members.length;
      cell.y /= cell.members.length;
      cell.radius /= cell.members.length;
    }
    return { cells, columns, rows };
  }

  _repelMembers(cell, other) {
    const { x, y, pushX, pushY, nodes } = this;
    for (const i of cell.members) {
      for (const j of other.members) {
        if (i === j) continue;
        const dx = x[i] - x[j] || (i < j ? 0.01 : -0.01);
        const dy = y[i] - y[j];
        const room = ROOM + nodes[i].radius + nodes[j].radius;
        const force = (room * room) / (dx * dx + dy * dy);
        pushX[i] += dx * force;
        pushY[i] += dy * force;
      }
    }
  }

  /** Nodes of a cluster are pulled to its middle. */
  _gather() {
    const { x, y, groups } = this;
    const middles = Array.from({ length: this.clusters }, () => ({ x: 0, y: 0, number: 0 }));
    groups.forEach((group, at) => {
      if (group < 0) return;
      const middle = middles[group];
      middle.x += x[at];
      middle.y += y[at];
      middle.number += 1;
    });
    groups.forEach((group, at) => {
      if (group < 0) return;
      const { x: sumX, y: sumY, number } = middles[group];
      this.pushX[at] += (sumX / number - x[at]) * CLUSTER;
      this.pushY[at] += (sumY / number - y[at]) * CLUSTER;
    });
  }

  _attract() {
    const { x, y, pushX, pushY, degree } = this;
    for (const [i, j] of this.ends) {
      const dx = x[j] - x[i];
      const dy = y[j] - y[i];
      // A link of a node with many counts less, or hubs would draw all into one heap.
      const isBetween = this.clusters > 1 && this.groups[i] !== this.groups[j];
      const share = (isBetween ? BETWEEN : 1) / SPRING;
      const force = (Math.hypot(dx, dy) * share) / Math.sqrt(Math.min(degree[i], degree[j]));
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
