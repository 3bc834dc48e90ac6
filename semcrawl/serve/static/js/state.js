// The crawl as this page knows it: read once, then kept up to date by the live stream.
//
// One stream serves all views. Listeners hear "crawl" (figures or state changed),
// "pages" (new pages), "alarms" (alarms, errors or census changed) and
// "connection" (the server is there, or gone).

import { get, stream } from "./api.js";

const PAUSES = [1, 2, 4, 8, 15];
const LATEST = 20;
const HIDDEN_FOR = 60_000;

export class CrawlState extends EventTarget {
  constructor() {
    super();
    /** The answer of /api/crawl; null before the first. */
    this.crawl = null;
    /** Relevance by step: relevances[0] is of step 1; NaN where a step has no page. */
    this.relevances = [];
    /** Pairs of a step and its seconds since the start, of some steps. */
    this.times = [];
    this.alarms = [];
    this.errors = [];
    this.census = [];
    this.latest = [];
    /** Why the server cannot be read; null while it can. */
    this.error = null;
    /** When it will be asked again, in milliseconds as Date.now(). */
    this.retryAt = null;
    this.isLoaded = false;
    this._tries = 0;
    this._round = null;
    this._wake = () => {};
  }

  /** Listen to some of the events; a function that ends it. */
  on(names, listener) {
    for (const name of names) this.addEventListener(name, listener);
    return () => names.forEach((name) => this.removeEventListener(name, listener));
  }

  /** Read the crawl, and follow it for as long as this page is open. */
  async follow() {
    this._restWhileHidden();
    for (;;) {
      try {
        await this._followOnce();
        this._tries = 0;
      } catch (error) {
        if (error.name !== "AbortError") this._failed(error);
      }
      await this._rest();
    }
  }

  /** Ask again now. */
  retry() {
    this._wake();
  }

  async _followOnce() {
    this._round = new AbortController();
    const { signal } = this._round;
    this.crawl = await get("/api/crawl", {}, { signal });
    this._connected();
    this._tell("crawl");
    this._takeHistory(await get("/api/monitor", { after: this.relevances.length }, { signal }));
    const after = this.relevances.length;
    await stream("/api/events", { after }, (name, data) => this._hear(name, data), { signal });
  }

  _takeHistory(data) {
    this._takePages(data);
    this.times = data.times;
    this._takeCounts(data);
    this.isLoaded = true;
    this._tell("pages");
    this._tell("alarms");
  }

  _hear(name, data) {
    if (name === "pages") {
      // Pages that were judged anew come again; their times are known.
      const areNew = data.first > this.relevances.length;
      this._takePages(data);
      if (areNew) this._takeTime(data.first);
      this._tell("pages");
    } else if (name === "progress") {
      this._takeProgress(data);
    } else if (name === "alarms") {
      this._takeCounts(data);
      this._tell("alarms");
    } else if (name === "end") {
      this._ended(data);
    }
  }

  _takePages({ first, relevances, latest = [] }) {
    // The crawl was begun anew where fewer steps are known there than here.
    this.relevances.length = Math.min(this.relevances.length, first - 1);
    for (const relevance of relevances) this.relevances.push(relevance ?? NaN);
    const known = new Set(latest.map((page) => page.step));
    const others = this.latest.filter((page) => !known.has(page.step));
    this.latest = [...latest, ...others].sort((a, b) => b.step - a.step).slice(0, LATEST);
  }

  /** Pages that have just come are of the last second or so, also after a long pause. */
  _takeTime(first) {
    const seconds = (Date.now() - Date.parse(this.crawl.started)) / 1000;
    const before = this.times.at(-1)?.[1] ?? 0;
    if (seconds - before > 3) this.times.push([first, seconds - 1.5]);
    this.times.push([this.relevances.length, Math.max(seconds, before)]);
  }

  _takeProgress({ state, reason, ...progress }) {
    Object.assign(this.crawl, { state, reason, progress });
    this._tell("crawl");
  }

  async _ended({ reason }) {
    Object.assign(this.crawl, { state: "stopped", reason });
    this._tell("crawl");
    try {
      this.crawl = await get("/api/crawl");
      this._tell("crawl");
      // The true times, in the place of those guessed here; of a replay nobody knows them.
      const { times } = await get("/api/monitor", { after: this.relevances.length });
      if (times.length) this.times = times;
      this._tell("pages");
    } catch {
      // The stream tells when the server is gone.
    }
  }

  _takeCounts({ alarms, errors, census }) {
    Object.assign(this, { alarms, errors, census });
  }

  _connected() {
    this.error = null;
    this.retryAt = null;
    this._tell("connection");
  }

  _failed(error) {
    this.error = error;
    this._tries += 1;
  }

  async _rest() {
    const seconds = PAUSES[Math.min(this._tries, PAUSES.length - 1)];
    const isRefused = this.error?.status === 401;
    this.retryAt = isRefused ? null : Date.now() + seconds * 1000;
    if (this.error) this._tell("connection");
    await new Promise((resolve) => {
      this._wake = resolve;
      // Without the token there is nothing to wait for.
      if (!isRefused && (!document.hidden || this.error)) setTimeout(resolve, seconds * 1000);
    });
  }

  /** A browser opens few connections to one server: a tab that nobody sees gives its own back. */
  _restWhileHidden() {
    let timer = null;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => this._round?.abort(), HIDDEN_FOR);
      else this._wake();
    });
    // So does a page that is kept for the Back button, which would hold it for good.
    addEventListener("pagehide", () => this._round?.abort());
  }

  _tell(name) {
    this.dispatchEvent(new Event(name));
  }
}
