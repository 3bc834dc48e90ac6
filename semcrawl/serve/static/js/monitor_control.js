// Pause, resume and stop, where the crawl was started with this server.

import { post, token } from "./api.js";
import { el, fill } from "./dom.js";
import { button } from "./parts.js";

const NO_CRAWL =
  "To pause or stop a crawl from here, start it with “semcrawl crawl --serve” or " +
  "“semcrawl resume --serve”.";
const NO_TOKEN = "To pause or stop the crawl, open this page by the link that the server printed.";

export class Control {
  constructor(state, announce) {
    this._state = state;
    this._announce = announce;
    this._isBusy = false;
    this._error = "";
    this._turn = button("Pause", () => this._act(this._turn.dataset.action), { class: "turn" });
    this._stop = button("Stop …", () => this._dialog.showModal(), { class: "danger stop" });
    this._why = el("span", { class: "soft small", id: "control-why" });
    this._dialog = this._question();
    const parts = [this._turn, this._stop, this._why, this._dialog];
    this.node = el("div", { class: "row control" }, parts);
  }

  /** Show what can be done now. */
  show() {
    const { crawl } = this._state;
    const isPaused = crawl.state === "paused";
    const hindrance = this._hindrance();
    this._turn.textContent = isPaused ? "Resume" : "Pause";
    this._turn.dataset.action = isPaused ? "resume" : "pause";
    const isStopping = crawl.state !== "stopped" && Boolean(crawl.reason);
    this._turn.disabled = Boolean(hindrance) || this._isBusy || isStopping;
    this._stop.disabled = Boolean(hindrance) || this._isBusy || isStopping;
    const isOver = crawl.state === "stopped";
    this._turn.hidden = this._stop.hidden = isOver;
    fill(this._why, this._error || reasonOf(crawl) || hindrance);
  }

  _hindrance() {
    if (!this._state.crawl.can.control) return NO_CRAWL;
    return token() ? "" : NO_TOKEN;
  }

  async _act(action) {
    this._isBusy = true;
    this._error = "";
    this.show();
    try {
      const { state, reason } = await post("/api/control", { action });
      Object.assign(this._state.crawl, { state, reason });
      this._announce(`The crawl is told to ${action}.`);
    } catch (error) {
      this._error = error.message;
      this._announce(error.message);
    }
    this._isBusy = false;
    this._state.dispatchEvent(new Event("crawl"));
  }

  _question() {
    const close = () => this._dialog.close();
    const act = () => {
      close();
      this._act("stop");
    };
    const stop = button("Stop the crawl", act, { class: "main danger" });
    return el(
      "dialog",
      { class: "question", "aria-labelledby": "stop-title" },
      el("h2", { id: "stop-title" }, "Stop the crawl?"),
      el("p", {}, "It ends after the visits under way. “semcrawl resume” goes on with it later."),
      el("div", { class: "row" }, stop, button("Let it run", close, { autofocus: true })),
    );
  }
}

function reasonOf({ state, reason }) {
  if (!reason) return "";
  const text = reason.charAt(0).toUpperCase() + reason.slice(1);
  return state === "stopped" ? `Stopped: ${reason}.` : `${text}.`;
}
