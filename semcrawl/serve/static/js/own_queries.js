// The reader's own queries, kept in this browser: the draft, those that were run, those with a name.

const KEY = "semcrawl-queries";
const MOST_RUN = 30;
const MOST_NAMED = 200;

/** What is kept: {draft, run: [{text, at}], named: [{name, text}]}. */
function kept() {
  try {
    const { draft = "", run = [], named = [] } = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { draft, run, named };
  } catch {
    return { draft: "", run: [], named: [] };
  }
}

function keep(changes) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), ...changes }));
  } catch {
    // A full or forbidden store: the page works without.
  }
}

/** The text that was being written when the view was left, "" for none. */
export function draft() {
  return String(kept().draft);
}

export function keepDraft(text) {
  keep({ draft: text });
}

/** The texts that were run, the latest first. */
export function runBefore() {
  return kept().run;
}

export function keepRun(text) {
  const others = kept().run.filter((one) => one.text !== text);
  keep({ run: [{ text, at: Date.now() }, ...others].slice(0, MOST_RUN) });
}

export function forgetRuns() {
  keep({ run: [] });
}

/** The texts that have names, in the order of these. */
export function named() {
  return [...kept().named].sort((a, b) => a.name.localeCompare(b.name));
}

export function keepNamed(name, text) {
  const others = kept().named.filter((one) => one.name !== name);
  keep({ named: [{ name, text }, ...others].slice(0, MOST_NAMED) });
}

export function forgetNamed(name) {
  keep({ named: kept().named.filter((one) => one.name !== name) });
}
