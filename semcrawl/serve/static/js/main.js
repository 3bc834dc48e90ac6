// The start of the page: the token, the crawl's state, the head, and the view of the route.

import { takeToken } from "./api.js";
import { el, fill } from "./dom.js";
import { cut } from "./format.js";
import { showCurrent, startHead } from "./head.js";
import { loading, problem } from "./parts.js";
import { follow, go, note } from "./router.js";
import { CrawlState } from "./state.js";

// The module of each route in views/, and the title of the page there.
const VIEWS = {
  monitor: ["monitor", "Monitor"],
  pages: ["tables", "Pages"],
  hubs: ["tables", "Hubs"],
  authorities: ["tables", "Authorities"],
  sites: ["tables", "Sites"],
  waiting: ["tables", "Waiting"],
  dropped: ["tables", "Dropped"],
  page: ["page", "Page"],
  review: ["review", "Review"],
  shards: ["shards", "Shards"],
  picture: ["picture", "Picture"],
  topic: ["topic", "Topic"],
  taxonomy: ["taxonomy", "Taxonomy"],
  ask: ["ask", "Ask"],
  about: ["about", "About"],
};
const LONGEST_TITLE = 120;

const state = new CrawlState();
const main = document.getElementById("view");
let leave = () => {};
let title = "";

/**
 * Show the view of a route. Views are modules with `show(root, params, context)`,
 * which gives a function that is called when the reader leaves (or nothing). Where
 * that function has a property `update`, the view takes new parameters of its own
 * route by `update(params)` and is not made anew.
 */
async function showRoute({ name, params }) {
  if (leave.update && leave.name === name) {
    leave.update(params);
    return;
  }
  leave();
  const mine = new AbortController();
  leave = () => mine.abort();
  const hadFocus = main.contains(document.activeElement);
  markCurrent(name);
  const root = el("div", { class: `view view-${name}` });
  fill(main, root);
  scrollTo(0, 0);
  if (hadFocus) main.focus({ preventScroll: true });
  if (!Object.hasOwn(VIEWS, name)) {
    setTitle("No such view");
    fill(root, el("h1", {}, "No such view"), problem(`There is no view called “${name}”. The menu above has all that there are.`));
    return;
  }
  const [file, words] = VIEWS[name];
  setTitle(words);
  fill(root, loading());
  try {
    const view = await import(`./views/${file}.js`);
    if (mine.signal.aborted) return;
    fill(root);
    const cleanup = view.show(root, params, contextFor(name, mine.signal));
    leave = leaving(name, mine, cleanup);
  } catch (error) {
    if (mine.signal.aborted) return;
    console.error(error);
    const text = state.error?.message ?? `This view could not be shown: ${error.message}`;
    fill(root, problem(text, () => showRoute({ name, params })));
  }
}

function leaving(name, controller, cleanup) {
  const done = () => {
    controller.abort();
    cleanup?.();
  };
  Object.defineProperty(done, "name", { value: name });
  return Object.assign(done, { update: cleanup?.update });
}

/** What a view gets besides its parameters. */
function contextFor(name, signal) {
  return {
    /** The name of the route. */
    name,
    /** The crawl; see state.js. */
    state,
    /** Aborted when the reader leaves the view: give it to get() and post(). */
    signal,
    /** Go to another route. */
    go,
    /** Let the address say what this view shows: note({sort: "title"}); see router.js. */
    note: (params, isStep) => note(name, params, isStep),
    /** Tell something to those who hear the page. */
    announce,
    /** The title of the window. */
    setTitle,
  };
}

function setTitle(text) {
  title = text;
  const name = state.crawl?.name;
  document.title = cut([text, name, "semcrawl"].filter(Boolean).join(" · "), LONGEST_TITLE);
}

function announce(text) {
  document.getElementById("live").textContent = text;
}

function markCurrent(name) {
  document.querySelector(".nav").dataset.view = name;
  showCurrent();
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the hash is for routes
  main.focus();
});
takeToken();
addEventListener("hashchange", () => takeToken());
startHead(state, announce);
state.on(["crawl"], () => setTitle(title));
follow(showRoute);
state.follow();
