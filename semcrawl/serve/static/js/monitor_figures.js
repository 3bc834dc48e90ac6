// The row of figures above the chart.

import { el } from "./dom.js";
import { count, digits, duration, percent, score, speedParts } from "./format.js";
import { hashFor } from "./router.js";

// What each figure is called, and the view that tells more.
const NAMES = {
  pages: ["Pages", "pages"],
  relevant: ["Relevant"],
  rate: ["Relevant share"],
  now: ["Mean relevance"],
  speed: ["Speed"],
  waiting: ["Frontier", "waiting"],
  dropped: ["Dropped", "dropped"],
  hosts: ["Hosts", "sites"],
  time: ["Time"],
};

export class Figures {
  constructor() {
    this._parts = {};
    const figures = Object.entries(NAMES).map(([key, names]) => this._make(key, ...names));
    this.node = el("dl", { class: "figures" }, figures);
  }

  /** Show the figures of now; the average is of the last `window` pages. */
  show(crawl, average, window) {
    const { progress } = crawl;
    const [speed, unit] = speedParts(progress.pages_per_second);
    const isStopped = crawl.state === "stopped";
    this._set("pages", count(progress.pages), "visited");
    this._set("relevant", count(progress.relevant), `from ${digits(crawl.threshold, 3)} on`);
    this._set("rate", percent(progress.harvest_rate), "of the pages");
    this._set("now", score(known(average), 2), `of the last ${count(window)}`);
    this._set("speed", speed, isStopped ? `${unit} (mean)` : unit);
    this._setCount("waiting", progress.waiting, "URLs wait");
    this._setCount("dropped", progress.dropped, "URLs");
    this._setCount("hosts", progress.hosts, "visited");
    this._set("time", timeOf(crawl), isStopped ? "from start to end" : "since the start");
  }

  _make(key, name, route) {
    const parts = { value: el("strong", {}), unit: el("span", { class: "unit" }) };
    this._parts[key] = parts;
    const label = route ? el("a", { href: hashFor(route) }, name) : name;
    const value = el("dd", {}, parts.value, " ", parts.unit);
    return el("div", { class: "figure", data: { figure: key } }, el("dt", {}, label), value);
  }

  /** What the server has not counted yet is not 0. */
  _setCount(key, number, unit) {
    const isKnown = number !== null && number !== undefined;
    this._set(key, isKnown ? count(number) : "…", isKnown ? unit : "not counted yet");
  }

  _set(key, value, unit) {
    this._parts[key].value.textContent = value;
    this._parts[key].unit.textContent = unit;
  }
}

function known(number) {
  return Number.isNaN(number) ? null : number;
}

function timeOf({ started, ended, state }) {
  const isStopped = state === "stopped";
  if (isStopped && !ended) return "–";
  const end = isStopped ? Date.parse(ended) : Date.now();
  return duration(Math.max(0, (end - Date.parse(started)) / 1000));
}
