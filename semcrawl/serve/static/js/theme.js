// Dark and light: as the system is, unless the reader has chosen. This is a plain
// script that runs before the first paint, so that no dark page flashes up light;
// main.js uses what it leaves in window.theme.

window.theme = (() => {
  const KEY = "semcrawl-theme";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const listeners = new Set();

  function choice() {
    const kept = localStorage.getItem(KEY);
    return kept === "dark" || kept === "light" ? kept : "auto";
  }

  function apply() {
    const chosen = choice();
    const shown = chosen === "auto" ? (system.matches ? "dark" : "light") : chosen;
    document.documentElement.dataset.theme = shown;
    for (const listener of listeners) listener(shown);
  }

  function choose(name) {
    localStorage.setItem(KEY, name);
    apply();
  }

  /** Call `listener` whenever colours change; a function that ends it. */
  function changed(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  system.addEventListener("change", apply);
  addEventListener("storage", (event) => event.key === KEY && apply());
  apply();
  return { choice, choose, changed };
})();
