// Routes are in the hash, so that every state of the page has a link:
// #/pages?sort=relevance&descending=1 is {name: "pages", params: {sort: …, descending: "1"}}.

const START = "monitor";

/** The route that a hash names; the monitor where it names none. */
export function parseHash(hash) {
  const [path, query = ""] = split(hash.replace(/^#\/?/, ""));
  return { name: path || START, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** The hash of a route; parameters that are empty, null, undefined or false are left out. */
export function hashFor(name, params = {}) {
  const kept = Object.entries(params)
    .filter(([, value]) => value !== "" && value !== null && value !== undefined && value !== false)
    .map(([key, value]) => [key, value === true ? "1" : String(value)]);
  const query = new URLSearchParams(kept).toString();
  return `#/${name}${query ? `?${query}` : ""}`;
}

/** Go to a route, as if a link had been followed. */
export function go(name, params = {}) {
  location.hash = hashFor(name, params);
}

/**
 * Let the address say what the view shows by now, without showing it again.
 * Where `isStep`, the Back button leads to what the address said before.
 */
export function note(name, params = {}, isStep = false) {
  const hash = hashFor(name, params);
  // Where the reader is on the way to another view, the address says so before the page hears of it.
  if (hash === location.hash || parseHash(location.hash).name !== name) return;
  if (isStep) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
}

/** Call `shown` with the route, now and whenever it changes. */
export function follow(shown) {
  const tell = () => shown(parseHash(location.hash));
  addEventListener("hashchange", tell);
  tell();
}

function split(text) {
  const at = text.indexOf("?");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
