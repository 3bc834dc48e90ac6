// In a crawl for websites: the surest sites beside the chart, and how many are relevant.

import { get, post } from "./api.js";
import { el } from "./dom.js";
import { score } from "./format.js";
import { setBar, siteBar } from "./monitor_lists.js";
import { showKept } from "./kept_list.js";
import { empty } from "./parts.js";
import { TARGET } from "./sites.js";

const MOST = 12;
const EVERY = 5000; // milliseconds, while the crawl runs
const BY_CLASS = "SELECT ?class (COUNT(*) AS ?sites) { ?site a sc:Site ; sc:siteClass ?class } GROUP BY ?class";

export class BestSites {
  /** `counted` is called with {sites, relevant} whenever these were counted. */
  constructor(state, signal, counted) {
    Object.assign(this, { state, signal, counted });
    this._list = el("ul", { class: "bars" });
    this._empty = empty("Not counted yet.");
    this.node = el("div", {}, this._empty, this._list);
    this._look();
  }

  close() {
    clearTimeout(this._timer);
  }

  async _look() {
    const { signal } = this;
    try {
      const asked = { sort: "confidence", descending: 1, limit: MOST };
      const [{ rows }, { rows: classes }] = await Promise.all([
        get("/api/sites", asked, { signal }),
        post("/api/query", { text: BY_CLASS }, { signal }),
      ]);
      this._show(rows.filter(({ confidence }) => confidence !== null && confidence !== undefined));
      const numbers = classes.map(([kind, number]) => [kind.value, Number(number.value)]);
      const sites = numbers.reduce((sum, [, number]) => sum + number, 0);
      this.counted({ sites, relevant: new Map(numbers).get(TARGET) ?? 0 });
    } catch (error) {
      if (error.name === "AbortError") return; // else it is asked again
    }
    if (!signal.aborted && this.state.crawl.state !== "stopped") this._timer = setTimeout(() => this._look(), EVERY);
  }

  _show(rows) {
    this._empty.hidden = rows.length > 0;
    this._empty.textContent = "No site has been read yet.";
    const update = (node, { confidence, verdict }) => {
      const isRelevant = verdict === TARGET;
      setBar(node, isRelevant ? confidence : 0, confidence, 1, "how sure the crawl is that the site is relevant", score(confidence));
    };
    showKept(this._list, rows, (row) => row.host, siteBar, update);
  }
}
