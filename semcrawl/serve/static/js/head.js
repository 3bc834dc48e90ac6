// The head of the page: the crawl's name and state, the theme, and whether the server is there.

import { keepToken } from "./api.js";
import { el, fill } from "./dom.js";
import { counted, percent } from "./format.js";
import { button } from "./parts.js";

const STATES = { running: "runs", paused: "paused", stopped: "stopped" };
const NO_TOKEN = "This server asks for its token: open the link that it printed, or give it here.";
const THEMES = { auto: "Auto", dark: "Dark", light: "Light" };

/** Keep the head up to date for as long as the page is open. */
export function startHead(state, announce) {
  const name = document.getElementById("crawl-name");
  const badge = document.getElementById("crawl-state");
  const figures = document.getElementById("crawl-figures");
  let before = null;

  state.on(["crawl"], () => {
    const { crawl } = state;
    name.textContent = crawl.name;
    badge.textContent = STATES[crawl.state] ?? crawl.state;
    badge.className = `badge ${crawl.state}`;
    badge.title = crawl.reason;
    const { pages, harvest_rate: rate } = crawl.progress;
    figures.textContent = `${counted(pages, "page")}, ${percent(rate)} relevant`;
    if (before && before !== crawl.state) {
      announce(`The crawl ${crawl.state === "running" ? "runs" : `is ${crawl.state}`}.`);
    }
    before = crawl.state;
    showLink("taxonomy", crawl.can.taxonomy);
    showLink("review", crawl.can.mark_pages);
  });
  // A phone that is turned, or a style sheet that comes late, changes what is in sight.
  new ResizeObserver(showCurrent).observe(document.querySelector(".nav ul"));
  startConnection(state);
  startTheme();
}

function showLink(view, isThere) {
  const entry = document.querySelector(`.nav a[href="#/${view}"]`).parentElement;
  if (entry.hidden === !isThere) return;
  entry.hidden = !isThere;
  showCurrent();
}

/** Bring the current view's link into sight, where the menu is wider than the screen. */
export function showCurrent() {
  const menu = document.querySelector(".nav ul");
  const anchor = menu.querySelector('a[aria-current="page"]');
  if (!anchor) return;
  const [outer, inner] = [menu, anchor].map((node) => node.getBoundingClientRect());
  // Only the menu is moved: a reader far down the page stays there.
  menu.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}

function startConnection(state) {
  const bar = document.getElementById("connection");
  const rest = el("span", {});
  setInterval(() => {
    const left = Math.max(0, Math.round((state.retryAt - Date.now()) / 1000));
    rest.textContent = state.retryAt ? ` Asking again in ${left} s. ` : "";
  }, 500);
  state.on(["connection"], () => {
    bar.hidden = !state.error;
    if (!state.error) {
      fill(bar);
      return;
    }
    const old = state.crawl ? " What you see is from before." : "";
    const text = `${state.error.message}${old}`;
    if (state.error.status === 401) askForToken(bar);
    else fill(bar, text, rest, button("Ask now", () => state.retry()));
  });
}

function askForToken(bar) {
  if (bar.querySelector("input")) return; // the reader may be typing
  const use = () => {
    keepToken(input.value.trim());
    fill(bar);
    location.reload();
  };
  const onKey = (event) => event.key === "Enter" && use();
  const attributes = { type: "password", "aria-label": "Token", autocomplete: "off" };
  const input = el("input", { ...attributes, on: { keydown: onKey } });
  fill(bar, NO_TOKEN, input, button("Use this token", use));
}

function startTheme() {
  const chooser = document.getElementById("theme");
  const { theme } = window;
  for (const [name, text] of Object.entries(THEMES)) {
    chooser.append(el("option", { value: name, selected: theme.choice() === name }, text));
  }
  chooser.addEventListener("change", () => theme.choose(chooser.value));
}
