// The tools above the chart: by step or time, which pages, zoom, the axis, relevance now or when
// fetched, the average's window; the legend.

import { el } from "./dom.js";
import { count } from "./format.js";
import { button } from "./parts.js";

const WINDOWS = [10, 20, 50, 100, 200, 500, 1000];
const LAST = 500;
const AXES = { linear: "linear", sqrt: "square root", log: "logarithmic" };

export class ChartTools {
  /** @param chooseWhen called with "now" or "fetched": the relevance that the chart shows. */
  constructor(chart, state, chosenWindow, chooseWhen) {
    this._chart = chart;
    this._state = state;
    this._when = this._whenChooser(chooseWhen);
    this._axis = this._axisChooser();
    this._bySteps = this._tool("by step", bySteps, "Pages side by side");
    this._byTime = this._tool("by time", byTime, "Pages by the time when they were fetched");
    this._all = this._tool("All", (scale) => scale.follow(null), "All pages");
    const last = (scale) => scale.follow(LAST);
    this._last = this._tool(`Last ${LAST}`, last, `The last ${LAST} pages`);
    this._follow = this._tool("Follow", toggleFollow, "Keep the latest page in sight");
    const out = this._tool("−", (scale) => scale.zoom(1 / 1.6), "Zoom out");
    const nearer = this._tool("+", (scale) => scale.zoom(1.6), "Zoom in");
    this.node = el(
      "div",
      { class: "row chart-tools" },
      el("h2", {}, "Relevance"),
      legend(),
      el(
        "span",
        { class: "row push" },
        el("span", { class: "buttons" }, this._bySteps, this._byTime),
        el("span", { class: "buttons" }, this._all, this._last),
        this._follow,
        el("span", { class: "buttons" }, out, nearer),
        this._when,
        this._axis,
        this._windowChooser(chosenWindow),
      ),
    );
  }

  /** Show what is chosen now. */
  show(when = "now") {
    this._axis.value = this._chart.series.axis;
    this._when.value = when;
    // Only a judge that learns thinks differently of a page later.
    this._when.hidden = !this._state.crawl.can.mark_pages;
    const { scale } = this._chart;
    press(this._bySteps, !scale.isByTime);
    press(this._byTime, scale.isByTime);
    this._byTime.disabled = !scale.hasTimes;
    press(this._all, scale.isFollowing && scale.span === null);
    press(this._last, scale.isFollowing && scale.span === LAST);
    press(this._follow, scale.isFollowing);
    this._follow.hidden = this._state.crawl.state === "stopped";
    this._last.hidden = scale.last <= LAST;
  }

  _tool(text, how, label) {
    const change = () => this._chart.change(how);
    return button(text, change, { "aria-label": label, title: label });
  }

  _axisChooser() {
    const changed = (event) => {
      this._chart.series.axis = event.target.value;
      this._chart.change(() => {});
    };
    const options = Object.entries(AXES).map(([value, text]) => el("option", { value }, text));
    return el("select", { "aria-label": "Scale of relevance", title: "Scale of relevance", on: { change: changed } }, options);
  }

  _whenChooser(chooseWhen) {
    const title = "Relevance as the judge sees it now, or as it saw it when the page was fetched";
    return el(
      "select",
      { "aria-label": title, title, on: { change: (event) => chooseWhen(event.target.value) } },
      el("option", { value: "now" }, "as judged now"),
      el("option", { value: "fetched" }, "when fetched"),
    );
  }

  _windowChooser(chosen) {
    const chart = this._chart;
    const sizes = new Set([...WINDOWS, this._state.crawl.window, chosen]);
    const changed = () => {
      chart.series.window = Number(chooser.value);
      chart.change(() => {});
    };
    const chooser = el(
      "select",
      { "aria-label": "Pages that the moving average covers", on: { change: changed } },
      [...sizes].sort((a, b) => a - b).map((size) => {
        const attributes = { value: String(size), selected: size === chosen };
        return el("option", attributes, `mean of the last ${count(size)}`);
      }),
    );
    return chooser;
  }
}

function bySteps(scale) {
  scale.isByTime = false;
}

function byTime(scale) {
  scale.isByTime = true;
}

function toggleFollow(scale) {
  if (scale.isFollowing) scale.show(scale.from, scale.to, false);
  else scale.follow(scale.size);
}

function press(node, isPressed) {
  node.setAttribute("aria-pressed", String(isPressed));
}

function legend() {
  const entry = (kind, text) =>
    el("li", {}, el("span", { class: `key ${kind}`, "aria-hidden": "true" }), text);
  return el(
    "ul",
    { class: "legend small soft" },
    entry("dot relevant", "relevant"),
    entry("dot", "not relevant"),
    entry("line", "mean of the last pages"),
    entry("dashes", "threshold"),
  );
}
