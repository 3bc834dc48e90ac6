// The strip below the chart: the whole crawl as its harvest rate, and the part that is shown.
//
// Drag the part to move it, its ends to change it, or anywhere else to choose anew.

import { freshContext, themeColours } from "./chart_draw.js";
import { el } from "./dom.js";

const GRIP = 9;
const MARGIN = { left: 42, right: 10 };

export class RangeStrip {
  constructor(chart) {
    this.chart = chart;
    // The chart's keys do the same, so that this is no second stop for them.
    this.canvas = el("canvas", {
      class: "range-strip",
      title: "The whole crawl: the height is the share of relevant pages. Drag to choose a part.",
      "aria-hidden": "true",
    });
    this._drag = null;
    this._frame = null;
    this._resized = new ResizeObserver(() => this.redraw());
    this._resized.observe(this.canvas);
    this._themed = window.theme.changed(() => this.redraw());
    this.canvas.addEventListener("pointerdown", (event) => this._down(event));
    this.canvas.addEventListener("pointermove", (event) => this._move(event));
    for (const name of ["pointerup", "pointercancel"]) {
      this.canvas.addEventListener(name, () => (this._drag = null));
    }
  }

  /** Draw at the next frame. */
  redraw() {
    this._frame ??= requestAnimationFrame(() => {
      this._frame = null;
      this._draw();
    });
  }

  /** Stop drawing. */
  close() {
    cancelAnimationFrame(this._frame);
    this._resized.disconnect();
    this._themed();
  }

  get _width() {
    return Math.max(10, this.canvas.clientWidth - MARGIN.left - MARGIN.right);
  }

  _toX(step) {
    return MARGIN.left + (step / Math.max(1, this.chart.scale.last)) * this._width;
  }

  _toStep(x) {
    return ((x - MARGIN.left) / this._width) * this.chart.scale.last;
  }

  /** The ends of the part that is shown, in pixels. */
  _part() {
    const { scale } = this.chart;
    return [this._toX(scale.from - 1), this._toX(scale.to)];
  }

  _draw() {
    const context = freshContext(this.canvas);
    const colours = themeColours(this.canvas);
    const height = this.canvas.clientHeight;
    const { series, scale } = this.chart;
    context.fillStyle = colours.line;
    context.fillRect(MARGIN.left, height - 1, this._width, 1);
    if (!scale.last) return;
    context.fillStyle = colours["dot-relevant"];
    context.globalAlpha = 0.45;
    // A column covers so many pages at least that its height is a share worth showing.
    const around = Math.max(scale.last / this._width, series.window / 10);
    for (let x = 0; x < this._width; x += 2) {
      const middle = ((x + 1) / this._width) * scale.last;
      const from = Math.max(1, Math.round(middle - around));
      const to = Math.min(scale.last, Math.max(from, Math.round(middle + around)));
      const { pages, relevant } = series.counts(from, to);
      const tall = pages ? (relevant / pages) * (height - 3) : 0;
      context.fillRect(MARGIN.left + x, height - 1 - tall, 2, tall);
    }
    context.globalAlpha = 1;
    this._drawPart(context, colours, height);
  }

  _drawPart(context, colours, height) {
    const [left, right] = this._part();
    context.globalAlpha = 0.1;
    context.fillStyle = colours.accent;
    context.fillRect(left, 0, Math.max(3, right - left), height);
    context.globalAlpha = 1;
    for (const x of [left, right]) context.fillRect(Math.round(x) - 1.5, 0, 3, height);
  }

  _down(event) {
    if (event.button !== 0 || !this.chart.scale.last) return;
    this.canvas.setPointerCapture(event.pointerId);
    const [left, right] = this._part();
    const x = event.offsetX;
    const kind = kindOf(x, left, right, this.chart.scale.isAll);
    this._drag = { kind, x, from: this._toStep(left), to: this._toStep(right) };
  }

  _move(event) {
    const [left, right] = this._part();
    if (!this._drag) {
      const kind = kindOf(event.offsetX, left, right, this.chart.scale.isAll);
      this.canvas.dataset.kind = kind;
      return;
    }
    const { kind, x, from, to } = this._drag;
    const step = this._toStep(event.offsetX);
    const by = step - this._toStep(x);
    const { last } = this.chart.scale;
    const ranges = {
      left: () => [Math.min(step, to - 1), to],
      right: () => [from, Math.max(step, from + 1)],
      move: () => moved(from, to, by, last),
      anew: () => [Math.min(step, this._toStep(x)), Math.max(step, this._toStep(x))],
    };
    const [low, high] = ranges[kind]();
    this.chart.change((scale) => scale.show(low + 1, high, true));
  }
}

function kindOf(x, left, right, isAll) {
  if (Math.abs(x - left) <= GRIP) return "left";
  if (Math.abs(x - right) <= GRIP) return "right";
  return !isAll && x > left && x < right ? "move" : "anew";
}

function moved(from, to, by, last) {
  const shift = Math.max(-from, Math.min(last - to, by));
  return [from + shift, to + shift];
}
