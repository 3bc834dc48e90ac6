// How the crawl is doing, in a sentence; and what can be done where it goes astray.

import { el, fill } from "./dom.js";
import { count, counted, percent } from "./format.js";
import { hashFor } from "./router.js";

/**
 * The sentence: {text, tone}; tone is "good", "warn" or "". Lasting alarms are in `alarms`; `tally`
 * has the numbers {sites, relevant} of a crawl for websites.
 */
export function howItGoes(crawl, series, alarms, last, tally = null) {
  const { progress, state } = crawl;
  if (!progress.pages)
    return { text: state === "stopped" ? "The crawl has visited no page." : "No page has come yet.", tone: "" };
  const { window } = series;
  const { pages, relevant } = last
    ? series.counts(Math.max(1, last - window + 1), last)
    : { pages: 0, relevant: 0 };
  const now = pages ? relevant / pages : null;
  const whole = progress.harvest_rate;
  const found = tally && `${count(tally.relevant)} of ${counted(tally.sites, "site")} ${tally.relevant === 1 ? "is" : "are"} relevant, and `;
  const had = `${found ?? ""}${count(progress.relevant)} of ${counted(progress.pages, "page")} ${progress.relevant === 1 ? "is" : "are"} relevant (${percent(whole)})`;
  const lasting = alarms.some((alarm) => alarm.ended === null);
  const lately = `${percent(now)} of the last ${count(pages)}`;
  if (state === "stopped") {
    const end = lasting && now !== null ? `; ${lately}` : "";
    if (crawl.can?.shards && !crawl.ended) return { text: `As it was gathered from its shards: ${had}${end}.`, tone: "" };
    return { text: `The crawl has ended: ${had}${end}.`, tone: whole >= 0.2 && !lasting ? "good" : "" };
  }
  if (progress.waiting === 0) return { text: `Nothing is left to visit: ${had}.`, tone: "warn" };
  if (now === null || pages < Math.min(20, window)) return { text: `The crawl has just begun: ${had}.`, tone: "" };
  if (relevant === 0) return { text: `The crawl has lost the topic: none of the last ${count(pages)} pages is relevant; ${had}.`, tone: "warn" };
  if (lasting || now < whole / 2) return { text: `The crawl finds less than before: ${lately} pages, where all in all ${had}.`, tone: "warn" };
  if (now > whole * 1.25) return { text: `The crawl gets better: ${lately} pages are relevant; all in all ${had}.`, tone: "good" };
  return { text: `The crawl goes well: ${had}; ${lately}.`, tone: whole >= 0.1 ? "good" : "" };
}

/** The line with the sentence. */
export class Sentence {
  constructor() {
    this.node = el("p", { class: "sentence" });
  }

  show(crawl, series, alarms, last, tally) {
    const { text, tone } = howItGoes(crawl, series, alarms, last, tally);
    if (this.node.textContent !== text) fill(this.node, text);
    this.node.dataset.tone = tone;
  }
}

/** What can be done about alarms, as nodes. */
export function adviceFor(alarms, crawl) {
  const { depth, pages_per_host: perHost } = crawl.settings;
  const parts = [];
  const isSlow = (alarm) => /a second|per second/.test(alarm.note);
  if (alarms.some(isSlow))
    parts.push(["see what fails in ", link("dropped", "what was dropped"), ", or give it more workers"]);
  if (!alarms.every(isSlow)) {
    parts.push(["add seeds for ", link("topic", "concepts that have no pages yet", { only: "empty" })]);
    parts.push(["widen the topic with narrower or related concepts, or a lower threshold"]);
    if (depth) parts.push([`raise --depth, which is ${depth}`]);
    if (perHost && crawl.progress.hosts === 1 && crawl.progress.pages >= perHost) parts.push([`raise --pages-per-host, which is ${perHost}`]);
    if (crawl.can.mark_pages) parts.push([link("review", "mark some pages"), ", so that the judge learns"]);
  }
  return ["What helps: ", parts.map((part, at) => [at ? "; " : "", part]), "."];
}

function link(view, text, params = {}) {
  return el("a", { href: hashFor(view, params) }, text);
}
