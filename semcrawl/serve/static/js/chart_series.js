// The pages of the chart: moving averages, and what one column of pixels holds.

import { ticks } from "./chart_scale.js";

const DECADES = 3;
const LEAST = 10 ** -DECADES;

export class ChartSeries {
  constructor() {
    /** Relevance by step: values[0] is of step 1; NaN where a step has no page. */
    this.values = [];
    this.threshold = 0;
    this.window = 100;
    // Sums and numbers of all pages up to a step, so that every mean is one subtraction.
    this._sums = [0];
    this._counts = [0];
    this._relevant = [0];
    this.highest = 0;
    /** "linear", "sqrt" or "log": the last two show what is near 0 apart. */
    this.axis = "linear";
  }

  /** Take in the values as they are now: what was added since the last time. */
  extend(values, threshold) {
    const isShorter = values.length < this._sums.length - 1;
    if (values !== this.values || isShorter || threshold !== this.threshold) {
      this._begin(values, threshold);
    }
    for (let index = this._sums.length - 1; index < values.length; index += 1) {
      const value = values[index];
      const isPage = !Number.isNaN(value);
      this._sums.push(this._sums[index] + (isPage ? value : 0));
      this._counts.push(this._counts[index] + (isPage ? 1 : 0));
      this._relevant.push(this._relevant[index] + (isPage && value >= threshold ? 1 : 0));
      if (value > this.highest) this.highest = value;
    }
  }

  /** The mean relevance of the latest `window` steps at a step; NaN while they are too few. */
  average(step) {
    const before = Math.max(0, step - this.window);
    const number = this._counts[step] - this._counts[before];
    if (number < Math.min(10, this.window)) return NaN;
    return (this._sums[step] - this._sums[before]) / number;
  }

  /** The pages from a step to another, and how many of them are relevant. */
  counts(from, to) {
    return {
      pages: this._counts[to] - this._counts[from - 1],
      relevant: this._relevant[to] - this._relevant[from - 1],
    };
  }

  /** How high a value stands, from 0 to 1, on the axis that was chosen. */
  heightOf(value) {
    const share = value / this.top;
    if (this.axis === "sqrt") return Math.sqrt(Math.max(0, share));
    if (this.axis === "log") return Math.max(0, 1 + Math.log10(Math.max(share, LEAST)) / DECADES);
    return share;
  }

  /** Values to mark on the axis. */
  marks() {
    const { top } = this;
    if (this.axis === "log") return [0.001, 0.01, 0.1, 1].filter((value) => value <= top);
    if (this.axis === "sqrt") return [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1].filter((value) => value <= top);
    return ticks(0, top, 4, [1, 2, 2.5, 5, 10]);
  }

  /** The top of the axis: 1, or less where no page comes near. */
  get top() {
    return [0.1, 0.25, 0.5].find((top) => this.highest <= top * 0.96) ?? 1;
  }

  /**
   * How many pages fall into each cell of a grid, relevant ones and others apart.
   *
   * No page is left out: what is too dense for dots of its own is counted. Rows
   * begin at the bottom, with row 0 for relevance 0.
   */
  cells(scale, columns, rows) {
    const relevant = { grid: new Uint32Array(columns * rows), most: 0 };
    const other = { grid: new Uint32Array(columns * rows), most: 0 };
    const { threshold } = this;
    const place = scale.placer();
    for (let step = scale.from; step <= scale.to; step += 1) {
      const value = this.values[step - 1];
      if (Number.isNaN(value)) continue;
      const column = Math.min(columns - 1, Math.max(0, Math.floor(place(step) * columns)));
      const row = Math.min(rows - 1, Math.floor(this.heightOf(value) * rows));
      const cells = value >= threshold ? relevant : other;
      const number = (cells.grid[column * rows + row] += 1);
      if (number > cells.most) cells.most = number;
    }
    return { relevant, other };
  }

  _begin(values, threshold) {
    Object.assign(this, { values, threshold, highest: 0 });
    this._sums = [0];
    this._counts = [0];
    this._relevant = [0];
  }
}
