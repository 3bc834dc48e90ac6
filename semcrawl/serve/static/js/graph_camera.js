// Which part of a picture is seen: a middle and a scale.

const LEAST = 0.08;
const MOST = 6;

export class GraphCamera {
  constructor() {
    this.x = 0;
    this.y = 0;
    this.scale = 1;
    this.width = 1;
    this.height = 1;
  }

  toScreen({ x, y }) {
    return {
      x: (x - this.x) * this.scale + this.width / 2,
      y: (y - this.y) * this.scale + this.height / 2,
    };
  }

  toWorld({ x, y }) {
    return {
      x: (x - this.width / 2) / this.scale + this.x,
      y: (y - this.height / 2) / this.scale + this.y,
    };
  }

  /** Move by pixels of the screen. */
  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
  }

  /** Zoom by a factor; the place of the screen stays where it is. */
  zoom(factor, place = { x: this.width / 2, y: this.height / 2 }) {
    const before = this.toWorld(place);
    this.scale = Math.max(LEAST, Math.min(MOST, this.scale * factor));
    const after = this.toWorld(place);
    this.x += before.x - after.x;
    this.y += before.y - after.y;
  }

  /** See all nodes, with a margin for labels. */
  fit(nodes) {
    if (!nodes.length) return;
    const xs = nodes.map((node) => node.x);
    const ys = nodes.map((node) => node.y);
    const [left, right, top, bottom] = [
      Math.min(...xs),
      Math.max(...xs),
      Math.min(...ys),
      Math.max(...ys),
    ];
    this.x = (left + right) / 2;
    this.y = (top + bottom) / 2;
    const margin = Math.min(60, this.width / 8);
    const across = (this.width - 2 * margin) / Math.max(60, right - left);
    const down = (this.height - 70) / Math.max(60, bottom - top);
    this.scale = Math.max(LEAST, Math.min(3, across, down));
  }

  /** Move so that a node is in sight. */
  reveal(node) {
    const { x, y } = this.toScreen(node);
    const margin = 40;
    const over = (value, most) =>
      value < margin ? value - margin : value > most - margin ? value - most + margin : 0;
    this.pan(-over(x, this.width), -over(y, this.height));
  }
}
