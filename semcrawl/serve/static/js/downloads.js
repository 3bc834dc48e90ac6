// Files for the reader: texts to save, and rows as CSV.

/** Let the browser save a text as a file. */
export function save(name, text, type) {
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** The same for bytes. */
export function saveBlob(name, blob) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  // The browser reads the blob after this turn.
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/** Rows as CSV (RFC 4180): a line of names, then values. */
export function toCsv(names, rows) {
  const lines = [names, ...rows.map((row) => row.map((value) => String(value ?? "")))];
  return lines.map((line) => `${line.map(quoted).join(",")}\r\n`).join("");
}

function quoted(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
