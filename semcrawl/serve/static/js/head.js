// The head of the page: the crawl's name and state, the theme, and whether the server is there.

import { keepToken } from "./api.js";
import { el, fill } from "./dom.js";
import { counted, percent } from "./format.js";
import { button } from "./parts.js";

const STATES = { running: "running", paused: "paused", stopped: "stopped" };
const NO_TOKEN = "This server asks for its token: open the link that it printed, or give it here.";
// Views that stand in no menu, and the one in whose group they are.
const BELOW = { page: "pages" };
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
      announce(`The crawl is ${crawl.state}.`);
    }
    before = crawl.state;
    showLink("taxonomy", crawl.can.taxonomy);
    showLink("review", crawl.can.mark_pages);
    showLink("shards", crawl.can.shards);
  });
  for (const menu of document.querySelectorAll(".nav ul")) {
    // A phone that is turned, or a style sheet that comes late, changes what is in sight.
    new ResizeObserver(showCurrent).observe(menu);
    menu.addEventListener("scroll", () => showEnds(menu), { passive: true });
  }
  startConnection(state);
  startTheme();
}

function showLink(view, isThere) {
  const entry = document.querySelector(`.subnav a[href="#/${view}"]`).parentElement;
  if (entry.hidden === !isThere) return;
  entry.hidden = !isThere;
  showCurrent();
}

/** Mark the links of the current view and of its group, and bring them into sight. */
export function showCurrent() {
  const nav = document.querySelector(".nav");
  const { view } = nav.dataset;
  for (const anchor of document.querySelectorAll(".nav a, .about-link")) {
    const { group } = anchor.dataset;
    const isHere = anchor.getAttribute("href") === `#/${view}`;
    const members = group && document.getElementById(`nav-${group}`);
    const isInside = Boolean(members?.querySelector(`a[href="#/${BELOW[view] ?? view}"]`));
    if (members) members.hidden = !isInside || visible(members) < 2;
    // A group with one member is that member.
    const isPage = isHere && (!members || members.hidden);
    if (isPage) anchor.setAttribute("aria-current", "page");
    else if (isInside) anchor.setAttribute("aria-current", "true");
    else anchor.removeAttribute("aria-current");
  }
  nav.querySelectorAll("ul").forEach(intoSight);
}

function visible(menu) {
  return [...menu.children].filter((entry) => !entry.hidden).length;
}

function intoSight(menu) {
  const anchor = menu.querySelector("a[aria-current]");
  if (anchor) {
    const [outer, inner] = [menu, anchor].map((node) => node.getBoundingClientRect());
    // Only the menu is moved: a reader far down the page stays there.
    menu.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  }
  showEnds(menu);
}

/** Where a menu is wider than the screen, its ends fade: there is more. */
function showEnds(menu) {
  menu.classList.toggle("more-before", menu.scrollLeft > 2);
  menu.classList.toggle("more-after", menu.scrollLeft + menu.clientWidth < menu.scrollWidth - 2);
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

/** Let the reader give the token of the server. */
export function askForToken(bar) {
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

/** Let the reader choose dark or light. */
export function startTheme() {
  const chooser = document.getElementById("theme");
  const { theme } = window;
  for (const [name, text] of Object.entries(THEMES)) {
    chooser.append(el("option", { value: name, selected: theme.choice() === name }, text));
  }
  chooser.addEventListener("change", () => theme.choose(chooser.value));
}
