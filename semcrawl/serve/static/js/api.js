// Asking the server: JSON, errors as sentences, the token, and the live stream.

const KEY = "semcrawl-token";
// What a busy server answers, and the seconds after which it is asked again.
const BUSY = new Set([503, 504]);
const AGAIN = [1, 3];

/** What the server refused or failed to do, in a sentence for the reader. */
export class ApiError extends Error {
  constructor(message, status = 0, { line = null, column = null, retryAfter = null } = {}) {
    super(message);
    this.name = "ApiError";
    /** The HTTP status; 0 where no answer came. */
    this.status = status;
    this.line = line;
    this.column = column;
    this.retryAfter = retryAfter;
  }
}

/** The token of this tab, "" where it has none. */
export function token() {
  return sessionStorage.getItem(KEY) ?? "";
}

/** Keep a token for as long as this tab lives. */
export function keepToken(text) {
  sessionStorage.setItem(KEY, text);
}

/** Take the token out of the address #token=…, the link that the server prints. */
export function takeToken(next = "#/monitor") {
  // Only there: a route may have a parameter or a text with this word in it.
  const found = /^#token=([^&]+)/.exec(location.hash);
  if (!found) return;
  keepToken(decoded(found[1]));
  history.replaceState(null, "", next);
}

/**
 * GET: await get("/api/pages", {q: "asthma", offset: 50}, {signal}).
 *
 * Where the server is busy or an answer took too long, it is asked again by itself.
 */
export async function get(path, params = {}, { signal } = {}) {
  for (let tries = 0; ; tries += 1) {
    try {
      const response = await ask(withParams(path, params), { signal });
      return await response.json();
    } catch (error) {
      if (!BUSY.has(error.status) || tries >= AGAIN.length) throw error;
      await pause((error.retryAfter || AGAIN[tries]) * 1000, signal);
    }
  }
}

/** POST of JSON. */
export async function post(path, body, { signal } = {}) {
  const response = await ask(path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
    signal,
  });
  return response.json();
}

/** The answer of the SPARQL endpoint to a query, in a format, as a text. */
export async function sparql(query, mediaType, { signal } = {}) {
  const headers = { Accept: mediaType, "Content-Type": "application/sparql-query" };
  const response = await ask("/sparql", { method: "POST", body: query, headers, signal });
  return response.text();
}

/**
 * Read a stream of server-sent events until it ends; `heard(name, data)` for each.
 *
 * It is read by fetch, because EventSource cannot send the token.
 */
export async function stream(path, params, heard, { signal } = {}) {
  const headers = { Accept: "text/event-stream" };
  const response = await ask(withParams(path, params), { headers, signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) hearOne(part, heard);
  }
}

/** An address with parameters; those that are empty, null or undefined are left out. */
export function withParams(path, params) {
  const kept = Object.entries(params ?? {}).filter(
    ([, value]) => value !== "" && value !== null && value !== undefined,
  );
  const query = new URLSearchParams(kept).toString();
  return query ? `${path}?${query}` : path;
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that escapes nothing
  }
}

function hearOne(text, heard) {
  let name = "message";
  const data = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    if (line.startsWith("data: ")) data.push(line.slice(6));
  }
  if (data.length) heard(name, JSON.parse(data.join("\n")));
}

async function ask(path, { headers = {}, ...options }) {
  const own = token() ? { Authorization: `Bearer ${token()}` } : {};
  let response;
  try {
    response = await fetch(path, { ...options, headers: { ...headers, ...own } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server does not answer. Does it still run?");
  }
  if (!response.ok) throw await problem(response);
  return response;
}

async function problem(response) {
  let said = {};
  try {
    said = await response.json();
  } catch {
    // An answer from something in between, such as a proxy.
  }
  const message = said.error ?? `The server answered ${response.status} ${response.statusText}.`;
  const retryAfter = Number(response.headers.get("Retry-After")) || null;
  return new ApiError(sentence(message), response.status, { ...said, retryAfter });
}

function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?:]$/.test(begun) ? begun : `${begun}.`;
}
