// What a query answered, as a file: CSV and JSON as the SPARQL 1.1 results formats have them.

/** Let the browser save a text as a file. */
export function save(name, text, type) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  anchor.download = name;
  anchor.click();
  // The browser reads the blob after this turn.
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/** Rows as CSV: a line of variables, plain values, CRLF. */
export function toCsv({ variables, rows }) {
  const lines = [variables, ...rows.map((row) => row.map(csvValue))];
  return lines.map((line) => `${line.map(quoted).join(",")}\r\n`).join("");
}

/** Rows, or a yes or no, as SPARQL 1.1 JSON. */
export function toJson({ kind, variables, rows, boolean }) {
  if (kind === "ask" || boolean === true || boolean === false) {
    return JSON.stringify({ head: {}, boolean }, null, 1);
  }
  const bindings = rows.map((row) =>
    Object.fromEntries(variables.map((name, at) => [name, row[at]]).filter(([, term]) => term)),
  );
  return JSON.stringify({ head: { vars: variables }, results: { bindings } }, null, 1);
}

function csvValue(term) {
  if (!term) return "";
  if (term.type === "bnode") return `_:${term.value}`;
  return term.type === "triple" ? JSON.stringify(term.value) : term.value;
}

function quoted(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
