// Mouse, pen and fingers on a picture: drag it or a node, wheel, pinch, click, double-click.

import { screenRadius } from "./graph_draw.js";

const CLICK = 4;
const ROOM = { touch: 14 };

export class GraphPointers {
  constructor(picture) {
    this.picture = picture;
    /** Whether a button or a finger is down. */
    this.isDown = false;
    this.all = new Map();
    this.held = null;
    this.isDragging = false;
    const on = (name, listener, options) =>
      picture.canvas.addEventListener(name, listener, options);
    on("pointerdown", (event) => this._down(event));
    on("pointermove", (event) => this._moved(event));
    on("pointerup", (event) => this._up(event));
    on("pointercancel", (event) => this._end(event));
    on("pointerleave", () => picture.hover(null));
    on("dblclick", (event) => this._open(event));
    on("wheel", (event) => this._wheel(event), { passive: false });
  }

  _down(event) {
    this.isDown = true;
    this.picture.canvas.setPointerCapture(event.pointerId);
    const place = placeOf(event);
    this.all.set(event.pointerId, { place, start: place });
    this.held = this.all.size === 1 ? this._nodeAt(place, event) : null;
    this.isDragging = this.all.size > 1;
  }

  _moved(event) {
    const place = placeOf(event);
    const pointer = this.all.get(event.pointerId);
    if (!pointer) {
      this.picture.hover(this._nodeAt(place, event));
      return;
    }
    if (!this.isDragging && apart(place, pointer.start) < CLICK) return;
    this.isDragging = true;
    if (this.all.size === 2) this._pinch(event.pointerId, place);
    else if (this.held) this.picture.drag(this.held, place);
    else this.picture.pan(place.x - pointer.place.x, place.y - pointer.place.y);
    pointer.place = place;
  }

  _up(event) {
    const { held } = this;
    this._end(event);
    if (!this.isDragging) this.picture.choose(held);
  }

  _end(event) {
    this.all.delete(event.pointerId);
    this.isDown = this.all.size > 0;
    if (this.held) this.held.isHeld = false;
    this.held = null;
  }

  _pinch(id, place) {
    const [, other] = [...this.all].find(([key]) => key !== id);
    const before = this.all.get(id).place;
    const middle = { x: (place.x + other.place.x) / 2, y: (place.y + other.place.y) / 2 };
    this.picture.zoom(apart(place, other.place) / (apart(before, other.place) || 1), middle);
    this.picture.pan((place.x - before.x) / 2, (place.y - before.y) / 2);
  }

  _wheel(event) {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 20 : 1;
    this.picture.zoom(Math.exp(-event.deltaY * unit * 0.0016), placeOf(event));
  }

  _open(event) {
    const node = this._nodeAt(placeOf(event), event);
    if (node) this.picture.opened(node);
  }

  /** The node at a place of the screen, with some room around it, more for a finger. */
  _nodeAt(place, { pointerType }) {
    const { nodes, camera } = this.picture;
    const room = ROOM[pointerType] ?? CLICK;
    let best = null;
    let least = Infinity;
    for (const node of nodes) {
      const gap = apart(place, camera.toScreen(node)) - screenRadius(node, camera);
      if (gap <= room && gap < least) [best, least] = [node, gap];
    }
    return best;
  }
}

function apart(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function placeOf(event) {
  return { x: event.offsetX, y: event.offsetY };
}
