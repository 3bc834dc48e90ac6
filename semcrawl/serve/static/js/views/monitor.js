// The live monitor: figures, the chart of relevance, alarms, census, latest pages, errors.

import { get } from "../api.js";
import { Chart } from "../chart.js";
import { el, fill } from "../dom.js";
import { count, counted } from "../format.js";
import { Control } from "../monitor_control.js";
import { showDetails } from "../monitor_details.js";
import { Figures } from "../monitor_figures.js";
import { Census, LatestPages, Reasons, showAlarms } from "../monitor_lists.js";
import { BestSites } from "../monitor_sites.js";
import { Sentence } from "../monitor_sentence.js";
import { ChartTools } from "../monitor_tools.js";
import { loading, panel } from "../parts.js";
import { RangeStrip } from "../range_strip.js";

const PAUSE = 150;
const AGAIN = 5000;
const NOTHING = "No page has been visited yet. They appear here as the crawl goes on.";

export function show(root, params, context) {
  const view = new MonitorView(root, params, context);
  const leave = () => view.close();
  leave.update = (later) => view.take(later);
  return leave;
}

class MonitorView {
  constructor(root, params, context) {
    this.root = root;
    this.context = context;
    this.state = context.state;
    this.params = params;
    this.chart = new Chart();
    this.strip = new RangeStrip(this.chart);
    this.figures = new Figures();
    this.control = new Control(this.state, context.announce);
    this.sentence = new Sentence();
    /** "now", or "fetched": which relevance the chart shows; first are those when fetched. */
    this.when = "now";
    this.first = [];
    this.nodes = {};
    this.latest = new LatestPages();
    this.census = new Census();
    /** In a crawl for websites: the best of them, and {sites, relevant} once they are counted. */
    this.best = null;
    this.tally = null;
    this.reasons = new Reasons();
    this.nodes.alarms = el("div", { class: "alarms", role: "status" });
    this.nodes.caption = el("p", { class: "chart-caption soft small" });
    const details = { class: "panel details", hidden: true, "aria-live": "polite" };
    this.nodes.details = el("section", details);
    this.chart.addEventListener("range", () => this.rangeChanged());
    this.chart.addEventListener("open", (event) => this.open(event.detail.step));
    this.endings = [
      this.state.on(["crawl"], () => this.showCrawl()),
      this.state.on(["pages"], () => this.showPages()),
      this.state.on(["alarms"], () => this.showCounts()),
    ];
    fill(root, this.state.crawl ? null : loading("Reading the crawl …"));
    if (this.state.crawl) this.showCrawl();
  }

  close() {
    clearTimeout(this.noting);
    clearTimeout(this.asking);
    this.endings.forEach((end) => end());
    this.best?.close();
    this.chart.close();
    this.strip.close();
  }

  /** Take other parameters, such as those of an older link. */
  take(params) {
    clearTimeout(this.noting);
    this.params = params;
    this.applyParams();
    this.showPages();
  }

  // Showing

  build() {
    this.isBuilt = true;
    const window = Number(this.params.window) || this.state.crawl.window;
    if (this.state.crawl.kind === "sites") {
      this.best = new BestSites(this.state, this.context.signal, (tally) => {
        this.tally = tally;
        this.showFigures();
      });
    }
    this.tools = new ChartTools(this.chart, this.state, window, (when) => this.chooseWhen(when));
    fill(
      this.root,
      el("h1", { class: "unseen" }, "Monitor"),
      el("div", { class: "row monitor-top" }, this.sentence.node, this.control.node),
      this.figures.node,
      el(
        "div",
        { class: "chart-and-details" },
        el(
          "section",
          { class: "panel chart-panel", "aria-label": "Relevance of the pages" },
          this.tools.node,
          this.nodes.alarms,
          this.chart.node,
          this.strip.canvas,
          this.nodes.caption,
        ),
        this.nodes.details,
      ),
      el(
        "div",
        { class: "columns" },
        panel("Latest pages", this.latest.node),
        this.best ? panel("Best sites", this.best.node) : panel("Pages by concept", this.census.node),
        panel("Dropped, by reason", this.reasons.node),
      ),
    );
    this.applyParams();
  }

  showCrawl() {
    if (!this.isBuilt) this.build();
    this.control.show();
    this.tools.show(this.when);
    this.showFigures();
    if (this.state.isLoaded && !this.isShown) {
      this.showPages();
      this.showCounts();
    }
  }

  showFigures() {
    const { series, scale } = this.chart;
    const average = scale.last ? series.average(scale.last) : NaN;
    this.figures.show(this.state.crawl, average, series.window);
    this.sentence.show(this.state.crawl, series, this.state.alarms, scale.last, this.tally);
    const { dropped } = this.state.crawl.progress;
    for (const list of [this.census, this.reasons]) list.tell(dropped !== null && dropped !== undefined);
  }

  /** Show the relevance of now or of when pages were fetched. */
  chooseWhen(when) {
    this.when = when;
    if (when === "fetched") this.askFirst();
    else this.showPages();
    if (this.isShown) this.noteState();
  }

  /** Ask for the relevances of when pages were fetched, again while new pages come. */
  async askFirst() {
    clearTimeout(this.asking);
    this.asking = setTimeout(() => this.state.crawl.state !== "stopped" && this.when === "fetched" && this.askFirst(), AGAIN);
    try {
      const first = await get("/api/first-relevances", {}, { signal: this.context.signal });
      this.first = first.map((value) => value ?? NaN);
      this.showPages();
    } catch (error) {
      if (error.name !== "AbortError") this.context.announce(error.message);
    }
  }

  showPages() {
    if (!this.isBuilt || !this.state.isLoaded) return;
    const { state, chart } = this;
    const values = this.when === "fetched" && this.first.length ? this.first : state.relevances;
    chart.update(values, state.times, state.crawl.threshold, state.alarms);
    if (!this.isShown) {
      this.isShown = true;
      this.applyParams();
    }
    this.showRange();
    this.showFigures();
    this.latest.show(state.latest, state.crawl.threshold);
  }

  showCounts() {
    if (!this.isBuilt || !this.state.isLoaded) return;
    const { nodes, state } = this;
    this.chart.alarms = state.alarms;
    this.chart.redraw();
    showAlarms(nodes.alarms, state.alarms, state.crawl);
    this.showFigures();
    this.reasons.show(state.errors);
    this.census.show(state.census);
  }

  // The range

  applyParams() {
    const { chart, params } = this;
    const [from, to, last] = ["from", "to", "last"].map((name) => Number(params[name]) || null);
    chart.series.window = Number(params.window) || this.state.crawl.window;
    chart.scale.isByTime = params.x === "time";
    chart.series.axis = ["sqrt", "log"].includes(params.axis) ? params.axis : "linear";
    if ((params.when === "fetched") !== (this.when === "fetched")) {
      this.when = params.when === "fetched" ? "fetched" : "now";
      if (this.when === "fetched") this.askFirst();
    }
    if (from && to && chart.scale.last) chart.scale.show(from, to, false);
    else chart.scale.follow(last);
    const step = Number(params.step) || null;
    if (step !== chart.chosen) this.open(step, false);
    chart.redraw();
    this.showRange();
  }

  rangeChanged() {
    this.showRange();
    this.showFigures();
    // Where the crawl is young, a link's range may not be there yet.
    if (this.isShown) this.noteState();
  }

  noteState(isStep = false) {
    const { scale, series, chosen } = this.chart;
    const isFixed = !scale.isFollowing;
    this.params = {
      x: scale.isByTime ? "time" : "",
      from: isFixed ? scale.from : "",
      to: isFixed ? scale.to : "",
      last: scale.isFollowing ? scale.span : "",
      window: series.window === this.state.crawl.window ? "" : series.window,
      step: chosen,
      axis: series.axis === "linear" ? "" : series.axis,
      when: this.when === "now" ? "" : this.when,
    };
    // Browsers slow down a page that changes its address at every turn of the wheel.
    clearTimeout(this.noting);
    if (isStep) this.context.note(this.params, true);
    else this.noting = setTimeout(() => this.context.note(this.params), PAUSE);
  }

  showRange() {
    this.strip.redraw();
    this.tools?.show(this.when);
    const isEmpty = this.chart.scale.last === 0;
    fill(this.nodes.caption, isEmpty ? NOTHING : captionOf(this.chart));
  }

  // Details

  open(step, isNoted = true) {
    const { details } = this.nodes;
    this.chart.choose(step);
    if (isNoted && this.isShown) this.noteState(true);
    if (step === null) {
      details.hidden = true;
      fill(details);
      return;
    }
    showDetails(details, step, this.context.signal, () => {
      this.open(null);
      this.chart.over.focus();
    });
  }
}

/** What the chart shows, and how many pages a dot of it stands for. */
function captionOf({ scale, series, most }) {
  const { pages, relevant } = series.counts(scale.from, scale.to);
  const range = `Pages ${count(scale.from)} to ${count(scale.to)}`;
  const dots = most > 1
    ? `The fullest dot stands for ${count(most)} pages; the stronger its colour, the more.`
    : "Each dot is a page; click it for details.";
  return `${range}: ${counted(pages, "page")}, ${count(relevant)} relevant. ${dots}`;
}
