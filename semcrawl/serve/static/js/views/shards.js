// Shards: where each runs, how fast, how full, for as long as the reader looks.

import { get } from "../api.js";
import { el, fill } from "../dom.js";
import { count, counted, percent, speed } from "../format.js";
import { empty, loading, meter, problem } from "../parts.js";

const EVERY = 2_000; // milliseconds
const COLUMNS = ["Shard", "Where", "Pages", "Relevant", "Speed", "Waiting", "Frontier full", "Hosts"];

export function show(root, _params, { signal }) {
  const body = el("div", {}, loading());
  let timer = null;

  async function look() {
    try {
      fill(body, table(await get("/api/shards", {}, { signal })));
    } catch (error) {
      if (error.name === "AbortError") return;
      fill(body, problem(error));
    }
    if (!signal.aborted) timer = setTimeout(look, EVERY);
  }

  fill(
    root,
    el(
      "div",
      {},
      el("h1", {}, "Shards"),
      el("p", { class: "soft" }, "Live. All other views show the crawl as it was when the server was started."),
    ),
    body,
  );
  look();
  return () => clearTimeout(timer);
}

function table(rows) {
  if (!rows.length) return empty("Nothing is known of shards: the crawl has none, or has not run yet.");
  const running = rows.filter((row) => row.where).length;
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  return [
    el(
      "p",
      { class: "above-table" },
      running ? `${count(running)} of ${counted(rows.length, "shard")} run, at ${speed(sum("speed"))}: ` : `None of ${counted(rows.length, "shard")} runs: `,
      `${counted(sum("pages"), "page")}, ${counted(sum("waiting"), "URL")} waiting.`,
    ),
    el(
      "div",
      { class: "table-box data-table", tabindex: "0", role: "region", "aria-label": "Shards" },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, COLUMNS.map((name, at) => el("th", { scope: "col", class: classAt(at) }, name)))),
        el("tbody", {}, rows.map(line)),
      ),
    ),
  ];
}

function line(row) {
  const share = row.pages ? row.relevant / row.pages : 0;
  return el(
    "tr",
    {},
    [
      row.shard,
      row.where || "not running",
      count(row.pages),
      `${count(row.relevant)} (${percent(share)})`,
      row.where ? speed(row.speed) : "–",
      count(row.waiting),
      meter(row.full, { text: percent(row.full) }),
      count(row.hosts),
    ].map((cell, at) => el("td", { class: classAt(at), data: { label: COLUMNS[at] } }, cell)),
  );
}

/** Numbers stand at the right: all but the name of the shard and where it runs. */
function classAt(column) {
  return column > 1 ? "number" : null;
}
