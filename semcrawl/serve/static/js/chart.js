// The monitor's chart as a part of the page: two canvases, pointer and keys.
//
// The lower canvas is drawn when data or range change, the upper one holds what
// follows the pointer. Events: "range" (other steps are shown), "open" (a page
// was chosen; detail.step), "mark" (a page is pointed at).

import { ChartScale } from "./chart_scale.js";
import { ChartSeries } from "./chart_series.js";
import { alarmKinds, drawChart, freshContext, isDense, plotArea, themeColours } from "./chart_draw.js";
import { el } from "./dom.js";
import { score } from "./format.js";

const NEAR = 8;
const HELP =
  "Left and right go from page to page, Enter shows it. Plus and minus zoom, page up and " +
  "page down move, A shows all, F follows the end.";

export class Chart extends EventTarget {
  constructor() {
    super();
    this.scale = new ChartScale();
    this.series = new ChartSeries();
    this.alarms = [];
    /** The step that is pointed at, and the one whose details are shown; null: none. */
    this.marked = null;
    this.chosen = null;
    /** How many pages the fullest dot stands for. */
    this.most = 0;
    this._drag = null;
    this._frame = null;
    this.base = el("canvas", { class: "chart-base" });
    this.over = el("canvas", {
      class: "chart-over",
      tabindex: "0",
      role: "slider",
      "aria-label": "Relevance of the pages, by step",
      "aria-describedby": "chart-help",
      "aria-valuemin": "1",
      "aria-valuenow": "1",
      "aria-valuetext": "no page chosen",
    });
    this.tip = el("div", { class: "chart-tip", hidden: true, "aria-hidden": "true" });
    const help = el("p", { id: "chart-help", class: "unseen" }, HELP);
    this.node = el("div", { class: "chart" }, this.base, this.over, this.tip, help);
    this._listen();
  }

  /** Take in the pages, their times and the alarms. */
  update(values, times, threshold, alarms) {
    this.series.extend(values, threshold);
    this.scale.extend(values.length, times);
    this.alarms = alarms;
    this.over.setAttribute("aria-valuemax", String(values.length));
    this.redraw();
  }

  /** Draw at the next frame. */
  redraw() {
    this._frame ??= requestAnimationFrame(() => {
      this._frame = null;
      this._draw();
    });
  }

  /** Change what is shown: change((scale) => scale.zoom(2)). */
  change(how) {
    how(this.scale);
    this.redraw();
    this._tell("range");
  }

  /** Mark the page whose details are shown. */
  choose(step) {
    this.chosen = step;
    this.redraw();
  }

  /** Stop drawing and listening. */
  close() {
    cancelAnimationFrame(this._frame);
    this._resized.disconnect();
    this._themed();
  }

  _listen() {
    const { over } = this;
    this._resized = new ResizeObserver(() => this.redraw());
    this._resized.observe(this.node);
    this._themed = window.theme.changed(() => this.redraw());
    over.addEventListener("wheel", (event) => this._wheel(event), { passive: false });
    over.addEventListener("pointerdown", (event) => this._down(event));
    over.addEventListener("pointermove", (event) => this._move(event));
    over.addEventListener("pointerup", (event) => this._up(event));
    over.addEventListener("pointercancel", () => this._letGo());
    over.addEventListener("pointerleave", () => this._drag || this._mark(null));
    over.addEventListener("dblclick", () => this.change((scale) => scale.follow(null)));
    over.addEventListener("keydown", (event) => this._key(event));
    over.addEventListener("blur", () => this._mark(null));
  }

  // Drawing

  _draw() {
    const strips = alarmKinds(this.alarms).length;
    this.area = plotArea(this.node.clientWidth, this.node.clientHeight, strips);
    this.colours = themeColours(this.node);
    const before = this.most;
    this.most = drawChart(freshContext(this.base), this.area, this).most;
    if (before !== this.most) this._tell("range");
    this._drawOver();
  }

  _drawOver() {
    if (!this.area) return;
    const context = freshContext(this.over);
    if (this._drag) this._drawBrush(context);
    for (const step of [this.chosen, this.marked]) {
      if (step !== null) this._ring(context, step);
    }
  }

  _drawBrush(context) {
    const { x, width } = this._brush();
    context.globalAlpha = 0.16;
    context.fillStyle = this.colours.accent;
    context.fillRect(x, this.area.y, width, this.area.height);
    context.globalAlpha = 1;
  }

  _ring(context, step) {
    const point = this._pointOf(step);
    if (!point) return;
    context.strokeStyle = this.colours.surface;
    context.lineWidth = 5;
    context.beginPath();
    context.arc(point.x, point.y, 6.5, 0, 2 * Math.PI);
    context.stroke();
    context.strokeStyle = this.colours.ink;
    context.lineWidth = 2;
    context.stroke();
  }

  _pointOf(step, place = this.scale.placer()) {
    const value = this.series.values[step - 1];
    const { scale, area, series } = this;
    if (value === undefined || Number.isNaN(value)) return null;
    if (step < scale.from || step > scale.to) return null;
    return {
      x: area.x + place(step) * area.width,
      y: area.y + area.height * (1 - series.heightOf(value)),
    };
  }

  // Pointing

  /** The page nearest to a point, within a few pixels. */
  _nearest(x, y) {
    const { area, scale } = this;
    const at = (pixels) => scale.stepAt((pixels - area.x) / area.width);
    const [from, to] = [Math.floor(at(x - NEAR)), Math.ceil(at(x + NEAR))];
    const place = scale.placer();
    let best = null;
    let least = (isDense(scale, area) ? 1.5 : 2.5) * NEAR;
    for (let step = Math.max(scale.from, from); step <= Math.min(scale.to, to); step += 1) {
      const point = this._pointOf(step, place);
      if (!point) continue;
      const distance = Math.hypot(point.x - x, point.y - y);
      if (distance < least) [best, least] = [step, distance];
    }
    return best;
  }

  _mark(step) {
    this.marked = step;
    const value = step === null ? null : this.series.values[step - 1];
    const text = step === null ? "" : `Page ${step}, relevance ${score(value)}`;
    this.tip.hidden = step === null;
    if (step !== null) {
      this.tip.textContent = text;
      this._placeTip(step);
      this.over.setAttribute("aria-valuenow", String(step));
      this.over.setAttribute("aria-valuetext", text);
    }
    this.over.classList.toggle("pointing", step !== null);
    this._drawOver();
    this._tell("mark");
  }

  _placeTip(step) {
    const point = this._pointOf(step);
    if (!point) return;
    const most = this.node.clientWidth - this.tip.offsetWidth - 4;
    const left = Math.max(4, Math.min(most, point.x + 12));
    const top = point.y > 40 ? point.y - this.tip.offsetHeight - 10 : point.y + 14;
    this.tip.style.transform = `translate(${left}px, ${top}px)`;
  }

  _wheel(event) {
    if (!this.area || !event.deltaY) return;
    const isOut = event.deltaY > 0;
    if (isOut && this.scale.isAll) return; // nothing to zoom out to: the page scrolls
    event.preventDefault();
    const strength = Math.min(1, Math.abs(event.deltaY) / 100);
    const position = (event.offsetX - this.area.x) / this.area.width;
    const factor = 1 + 0.35 * strength;
    this.change((scale) => scale.zoom(isOut ? 1 / factor : factor, position));
  }

  _down(event) {
    if (event.button !== 0 || !this.area) return;
    this.over.setPointerCapture(event.pointerId);
    this._drag = { from: event.offsetX, to: event.offsetX };
  }

  _move(event) {
    if (!this.area) return;
    if (this._drag) {
      this._drag.to = event.offsetX;
      this._drawOver();
    } else {
      this._mark(this._nearest(event.offsetX, event.offsetY));
    }
  }

  _up(event) {
    if (!this._drag) return;
    const { x, width } = this._brush();
    this._letGo();
    if (width < 6) {
      const step = this._nearest(event.offsetX, event.offsetY);
      if (step !== null) this._tell("open", { step });
      return;
    }
    const at = (pixels) => this.scale.stepAt((pixels - this.area.x) / this.area.width);
    this.change((scale) => scale.show(at(x), at(x + width), false));
  }

  _letGo() {
    this._drag = null;
    this._drawOver();
  }

  _brush() {
    const { area } = this;
    const inside = (x) => Math.max(area.x, Math.min(area.x + area.width, x));
    const [a, b] = [inside(this._drag.from), inside(this._drag.to)];
    return { x: Math.min(a, b), width: Math.abs(a - b) };
  }

  // Keys

  _key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.scale.last) return;
    const keys = {
      ArrowLeft: () => this._walk(event.shiftKey ? -10 : -1),
      ArrowRight: () => this._walk(event.shiftKey ? 10 : 1),
      Home: () => this._walk(-Infinity),
      End: () => this._walk(Infinity),
      Enter: () => this.marked !== null && this._tell("open", { step: this.marked }),
      Escape: () => this._mark(null),
      "+": () => this._zoomAtMark(1.6),
      "=": () => this._zoomAtMark(1.6),
      "-": () => this._zoomAtMark(1 / 1.6),
      PageUp: () => this.change((scale) => scale.pan(-0.5)),
      PageDown: () => this.change((scale) => scale.pan(0.5)),
      a: () => this.change((scale) => scale.follow(null)),
      f: () => this.change((scale) => scale.follow()),
    };
    const act = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  }

  _walk(by) {
    const { scale, series } = this;
    const start = this.marked ?? this.chosen ?? (by < 0 ? scale.to + 1 : scale.from - 1);
    let step = Math.max(1, Math.min(scale.last, start + by));
    const onward = Math.sign(by);
    while (Number.isNaN(series.values[step - 1]) && step > 1 && step < scale.last) step += onward;
    const width = scale.to - scale.from;
    if (step < scale.from) this.change(() => scale.show(step, step + width, false));
    if (step > scale.to) this.change(() => scale.show(step - width, step));
    this._mark(step);
  }

  _zoomAtMark(factor) {
    const step = this.marked ?? this.chosen;
    const isSeen = step >= this.scale.from && step <= this.scale.to;
    const position = step !== null && isSeen ? this.scale.positionOf(step) : undefined;
    this.change((scale) => scale.zoom(factor, position));
    if (this.marked !== null) this._mark(this.marked);
  }

  _tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
