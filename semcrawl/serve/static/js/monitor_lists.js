// What stands around the chart: alarms, census, latest pages, and why URLs were dropped.

import { el, fill } from "./dom.js";
import { count, counted, score, shortUrl, words } from "./format.js";
import { showKept } from "./kept_list.js";
import { adviceFor } from "./monitor_sentence.js";
import { button, empty, pageLink } from "./parts.js";
import { hashFor } from "./router.js";
import { siteLink } from "./sites.js";

const MOST_BARS = 12;
const MOST_LATEST = 12;
const UNCOUNTED = "Not counted yet.";

/** A line for every alarm that lasts, and below them what can be done. */
export function showAlarms(node, alarms, crawl) {
  const lasting = alarms.filter((alarm) => alarm.ended === null);
  const advice = lasting.length ? [{ kind: "advice", raised: lasting.at(-1).kind }] : [];
  showKept(node, [...lasting, ...advice], (alarm) => `${alarm.kind} ${alarm.raised}`, (alarm) =>
    alarm.kind === "advice" ? el("p", { class: "advice small" }, adviceFor(lasting, crawl)) :
    el(
      "p",
      { class: "banner alarm" },
      el("strong", {}, `${words(alarm.kind)} since page ${count(alarm.raised)}`),
      el("span", {}, `${alarm.note.replace(/(\d)%/g, "$1 %")}.`),
    ),
  );
}

/** The pages visited last, the newest first. */
export class LatestPages {
  constructor() {
    this._list = el("ol", { class: "latest" });
    this._empty = empty("No page has been visited yet.");
    this.node = el("div", {}, this._empty, this._list);
  }

  show(pages, threshold) {
    this._empty.hidden = pages.length > 0;
    const make = (page) => latest(page, threshold);
    showKept(this._list, pages.slice(0, MOST_LATEST), (page) => page.step, make);
  }
}

function latest(page, threshold) {
  const isRelevant = page.relevance >= threshold;
  const title = isRelevant ? "relevant" : "not relevant";
  const address = el("small", { class: "soft" }, shortUrl(page.url));
  return el(
    "li",
    {},
    el("span", { class: `dot ${isRelevant ? "relevant" : ""}`, title }),
    el("span", { class: "latest-score" }, score(page.relevance)),
    el("span", { class: "latest-page" }, pageLink(page), " ", address),
  );
}

/** Bars: how many pages fit each concept best, and how many of these are relevant. */
export class Census {
  constructor() {
    this._isOpen = false;
    this._rows = [];
    this._list = el("ul", { class: "bars" });
    this._empty = empty(UNCOUNTED);
    this._more = button("", () => this._turn(), { class: "plain" });
    this.node = el("div", {}, this._empty, this._list, this._more);
  }

  /** Say why there are no bars: nothing was found, or nobody has counted. */
  tell(isCounted) {
    this._empty.textContent = isCounted ? "No page has a concept yet. Only judges that know concepts give them." : UNCOUNTED;
  }

  show(rows) {
    this._rows = rows;
    const rest = rows.length - MOST_BARS;
    const most = Math.max(...rows.map((row) => row.pages));
    this._empty.hidden = rows.length > 0;
    this._more.hidden = rest <= 0;
    this._more.textContent = this._isOpen ? "Fewer" : counted(rest, "more concept");
    this._more.setAttribute("aria-expanded", String(this._isOpen));
    const shown = this._isOpen ? rows : rows.slice(0, MOST_BARS);
    const isAlone = ({ label }) => rows.filter((row) => row.label === label).length === 1;
    const name = (row) =>
      el("span", { class: "bar-name", title: row.concept }, row.label, !isAlone(row) && el("span", { class: "soft" }, ` ${lastPart(row.concept)}`));
    const update = (node, { pages, relevant = pages }) =>
      setBar(node, relevant, pages, most, `${count(relevant)} of ${counted(pages, "page")} relevant`);
    showKept(this._list, shown, (row) => `${row.concept} ${isAlone(row)}`, (row) => bar(name(row)), update);
  }

  _turn() {
    this._isOpen = !this._isOpen;
    this.show(this._rows);
  }
}

/** The end of an IRI, which tells concepts of one name apart. */
function lastPart(iri) {
  return iri.slice(Math.max(iri.lastIndexOf("/"), iri.lastIndexOf("#")) + 1);
}

/** Reasons for which URLs were dropped, the most frequent first. */
export class Reasons {
  constructor() {
    this._list = el("ul", { class: "bars" });
    this._empty = empty(UNCOUNTED);
    this.node = el("div", {}, this._empty, this._list);
  }

  /** Say why there are no bars: nothing was dropped, or nobody has counted. */
  tell(isCounted) {
    this._empty.textContent = isCounted ? "No URL has been dropped." : UNCOUNTED;
  }

  show(errors) {
    const rows = [...errors].sort((a, b) => b.urls - a.urls);
    this._empty.hidden = rows.length > 0;
    const update = (node, { urls }) => setBar(node, 0, urls, rows[0].urls);
    showKept(this._list, rows, (row) => row.reason, (row) => bar(reasonLink(row)), update);
  }
}

function reasonLink({ reason }) {
  return el("a", { class: "bar-name", href: hashFor("dropped", { q: reason }) }, words(reason));
}

function bar(name) {
  const parts = [el("span", { class: "bar-part relevant" }), el("span", { class: "bar-part" })];
  return el(
    "li",
    { class: "bar" },
    name,
    el("span", { class: "bar-track", "aria-hidden": "true" }, parts),
    el("span", { class: "bar-number" }),
  );
}

/** A bar that is named by its site. */
export function siteBar({ host }) {
  return bar(el("span", { class: "bar-name" }, siteLink(host)));
}

/** Set the two parts of a bar, and its number. */
export function setBar(node, part, all, most, title = "", text = count(all)) {
  const [one, other] = node.querySelectorAll(".bar-part");
  one.style.width = `${(part / most) * 100}%`;
  other.style.width = `${((all - part) / most) * 100}%`;
  const number = node.querySelector(".bar-number");
  fill(number, text);
  number.title = title;
}
