// Which steps the chart shows, and where each of them stands.
//
// The range follows the end of the crawl (all pages, or the last so many) or is
// fixed. Positions go from 0 to 1, by step or by time.

const LEAST = 10;

export class ChartScale {
  constructor() {
    this.last = 0;
    this.from = 1;
    this.to = 1;
    /** Whether the right end is the crawl's latest page. */
    this.isFollowing = true;
    /** How many pages are shown while following; null: all. */
    this.span = null;
    this.isByTime = false;
    this._times = [];
  }

  /** Take in how far the crawl is, and the times of some steps. */
  extend(last, times) {
    this.last = last;
    this._times = times;
    if (this.isFollowing) this._toEnd();
    else this.show(this.from, this.to);
  }

  /** Show these steps; following where they reach the last one and `follows` says so. */
  show(from, to, follows = this.isFollowing) {
    const least = Math.min(LEAST, this.last);
    let [low, high] = [Math.max(1, Math.round(from)), Math.min(this.last, Math.round(to))];
    if (high - low + 1 < least) {
      high = Math.min(this.last, Math.max(high, low + least - 1));
      low = Math.max(1, high - least + 1);
    }
    [this.from, this.to] = [low, Math.max(low, high)];
    this.isFollowing = follows && this.to === this.last;
    this.span = this.from === 1 ? null : this.to - this.from + 1;
  }

  /** Follow the end, with the last `span` pages or all (null). */
  follow(span = this.span) {
    this.isFollowing = true;
    this.span = span;
    this._toEnd();
  }

  /** Zoom by a factor (above 1: nearer) around a position; without one, keep following the end. */
  zoom(factor, position = this.isFollowing ? 1 : 0.5) {
    const around = position > 0.97 ? this.to : this.stepAt(position);
    const from = around - (around - this.from) / factor;
    const to = around + (this.to - around) / factor;
    this.show(from, to, to >= this.last);
  }

  /** Move by a share of what is shown. */
  pan(share) {
    const width = this.to - this.from;
    const from = Math.max(1, Math.min(this.last - width, this.from + width * share));
    this.show(from, from + width, true);
  }

  /** Whether the times of pages are known: a replay's are not. */
  get hasTimes() {
    return this._times.length > 0;
  }

  get isAll() {
    return this.from === 1 && this.to === this.last;
  }

  get size() {
    return this.last ? this.to - this.from + 1 : 0;
  }

  /** Where a step stands: 0 at the first shown, 1 at the last. */
  positionOf(step) {
    return this.placer()(step);
  }

  /** positionOf as a function for many steps. */
  placer() {
    const [low, high] = this._ends();
    const { isByTime } = this;
    if (high <= low) return () => 0.5;
    const share = 1 / (high - low);
    return (step) => ((isByTime ? this.timeOf(step) : step) - low) * share;
  }

  /** The step (with fractions) at a position. */
  stepAt(position) {
    const [low, high] = this._ends();
    const value = low + position * (high - low);
    return this.isByTime ? this.stepAtTime(value) : value;
  }

  /** Seconds from the crawl's start to a step, between the known times by proportion. */
  timeOf(step) {
    return between(this._times, 0, 1, step);
  }

  /** The step at a time: the inverse. */
  stepAtTime(seconds) {
    return between(this._times, 1, 0, seconds);
  }

  _ends() {
    if (this.isByTime) return [this.timeOf(this.from), this.timeOf(this.to)];
    // Half a step of room, so that the first and the last dot are whole.
    return [this.from - 0.5, this.to + 0.5];
  }

  _toEnd() {
    this.to = Math.max(1, this.last);
    this.from = this.span === null ? 1 : Math.max(1, this.last - this.span + 1);
  }
}

function between(pairs, known, wanted, value) {
  if (!pairs.length) return value;
  let [low, high] = [0, pairs.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (pairs[middle][known] <= value) low = middle;
    else high = middle;
  }
  const [a, b] = [pairs[low], pairs[high]];
  const width = b[known] - a[known];
  const share = width > 0 ? Math.max(0, Math.min(1, (value - a[known]) / width)) : 1;
  return a[wanted] + share * (b[wanted] - a[wanted]);
}

/** Round numbers of a range for an axis, at most `most` of them. */
export function ticks(low, high, most, bases = [1, 2, 5, 10]) {
  const rough = (high - low) / Math.max(1, most);
  if (!(rough > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (bases.find((base) => base * power >= rough) ?? 10) * power;
  return multiples(low, high, step);
}

const TIMES = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200];

/** Round times of a range in seconds. */
export function timeTicks(low, high, most) {
  const rough = (high - low) / Math.max(1, most);
  if (rough < 1) return ticks(low, high, most);
  const days = Math.ceil(rough / 86400) * 86400;
  return multiples(low, high, TIMES.find((step) => step >= rough) ?? days);
}

function multiples(low, high, step) {
  const found = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high; at += 1) {
    found.push(Number((at * step).toPrecision(12)));
  }
  return found;
}
