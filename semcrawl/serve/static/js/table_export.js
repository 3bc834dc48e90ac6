// What a table shows, as a file: all rows that fit its search and filters, not only those in sight.

import { get, sparql } from "./api.js";
import { save, toCsv } from "./downloads.js";
import { count } from "./format.js";

const AT_ONCE = 500;
const NAMED_AT_ONCE = 200;
const MOST = 50_000;

/** All rows of a table, asked for part by part; `told(text)` hears how far it is. */
async function allRows(table, told) {
  const rows = [];
  for (let total = 1; rows.length < Math.min(total, MOST); ) {
    const query = { ...table.query, offset: rows.length, limit: AT_ONCE };
    const part = await get(table.path, query, { signal: table.signal });
    if (!part.rows.length) break;
    rows.push(...part.rows);
    total = part.total;
    told(`${count(rows.length)} of ${count(Math.min(total, MOST))} …`);
  }
  return rows;
}

/** Save the shown columns of all rows as CSV; `names` are those of the reply. */
export async function exportCsv(table, name, names, told) {
  const rows = await allRows(table, told);
  save(`${name}.csv`, toCsv(names, rows.map((row) => names.map((key) => row[key]))), "text/csv");
}

/** Save all that the graph says of the rows' URLs, or sites, as Turtle. */
export async function exportTurtle(table, name, told) {
  const rows = await allRows(table, told);
  // What no IRI may hold cannot be asked for.
  const things = rows.map((row) => row.url ?? row.site).filter((iri) => iri && !/[<>"{}|^`\\\s]/.test(iri));
  const parts = [];
  for (let at = 0; at < things.length; at += NAMED_AT_ONCE) {
    const some = things.slice(at, at + NAMED_AT_ONCE).map((iri) => `<${iri}>`).join(" ");
    const query = `CONSTRUCT { ?s ?p ?o } WHERE { VALUES ?s { ${some} } ?s ?p ?o }`;
    parts.push(await sparql(query, "text/turtle", { signal: table.signal }));
    told(`${count(Math.min(things.length, at + NAMED_AT_ONCE))} of ${count(things.length)} …`);
  }
  save(`${name}.ttl`, parts.join("\n"), "text/turtle");
}
