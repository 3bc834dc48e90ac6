// Numbers with units, times and addresses, as people read them.

const WHOLE = new Intl.NumberFormat("en");
const ONE_PLACE = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** "12,345". */
export function count(number) {
  return number === null || number === undefined ? "–" : WHOLE.format(number);
}

/** "1 page", "12,345 pages"; the plural where it is not only an s. */
export function counted(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** A share from 0 to 1 as "38 %" or, when small, "0.4 %". */
export function percent(share) {
  if (share === null || share === undefined) return "–";
  const hundred = share * 100;
  return `${hundred > 0 && hundred < 10 ? ONE_PLACE.format(hundred) : Math.round(hundred)} %`;
}

/** A relevance, priority, score or weight: "0.412". */
export function score(number, places = 3) {
  return number === null || number === undefined ? "–" : number.toFixed(places);
}

/** A number with at most, and a fraction with at least, so many significant digits: "0.0412", "12,345", "1.2e-9". */
export function digits(number, most = 4, least = 1) {
  if (number === null || number === undefined || Number.isNaN(number)) return "–";
  const size = Math.abs(number);
  if (number === 0 || Number.isInteger(number)) return WHOLE.format(number);
  if (size < 1e-6 || size >= 1e15) return number.toExponential(most - 1);
  const maximumSignificantDigits = Math.max(most, Math.ceil(Math.log10(size)));
  return number.toLocaleString("en", { minimumSignificantDigits: least, maximumSignificantDigits });
}

/** Decimal places that numbers of a column share: those of its longest, as many as its largest has. */
export function placesOf(numbers, most = 4) {
  const size = Math.max(...numbers.map(Math.abs), 1e-6);
  const longest = Math.max(...numbers.map((number) => /\.(\d+)$/.exec(digits(number, most))?.[1].length ?? 0), 0);
  return Math.max(0, Math.min(longest, most - 1 - Math.floor(Math.log10(size * 1.0001))));
}

/** A number as digits() writes it, with zeros up to so many decimal places. */
export function padded(number, places) {
  const text = digits(number);
  const missing = places - (/\.(\d*)$/.exec(text)?.[1].length ?? 0);
  return missing > 0 && /^-?[\d,.]+$/.test(text) ? `${text}${text.includes(".") ? "" : "."}${"0".repeat(missing)}` : text;
}

/** "3.2 pages/s", "12 pages/min" when slow. */
export function speed(perSecond) {
  const [value, unit] = speedParts(perSecond);
  return `${value} ${unit}`;
}

/** The same as value and unit. */
export function speedParts(perSecond) {
  if (!perSecond) return ["0", "pages/s"];
  if (perSecond >= 10) return [count(Math.round(perSecond)), "pages/s"];
  if (perSecond >= 0.5) return [ONE_PLACE.format(perSecond), "pages/s"];
  return [ONE_PLACE.format(perSecond * 60), "pages/min"];
}

/** "12.3 kB". */
export function bytes(number) {
  if (number === null || number === undefined) return "–";
  const units = ["B", "kB", "MB", "GB"];
  let at = 0;
  for (; number >= 1000 && at < units.length - 1; at += 1) number /= 1000;
  return `${at && number < 100 ? number.toFixed(1) : Math.round(number)} ${units[at]}`;
}

/** A length of time: "0.4 s", "42 s", "3 min 5 s", "2 h 10 min", "3 d 4 h". */
export function duration(seconds) {
  if (seconds < 10) return `${ONE_PLACE.format(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return pair(whole, 60, "min", "s");
  if (whole < 86400) return pair(Math.round(whole / 60), 60, "h", "min");
  return pair(Math.round(whole / 3600), 24, "d", "h");
}

/** A moment, in the reader's own time: "16 Nov 2026, 11:07:13". */
export function moment(text) {
  const date = typeof text === "number" ? new Date(text * 1000) : new Date(text ?? NaN);
  if (Number.isNaN(date.getTime())) return "–";
  const options = { dateStyle: "medium", timeStyle: "medium" };
  return new Intl.DateTimeFormat("en-GB", options).format(date);
}

/** A URL without its scheme, for reading; other texts as they are. */
export function shortUrl(url) {
  return String(url).replace(/^https?:\/\//, "");
}

/** A word of code as people write it: "RobotsDisallow" is "robots disallow". */
export function words(name) {
  const text = String(name).replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[-_]/g, " ").toLowerCase();
  return text.replace(/\b(?:html|http|url|rdf)\b/g, (word) => word.toUpperCase());
}

/** The title of a page, or what stands for it. */
export function titleOf(page) {
  return page.title?.trim() || shortUrl(page.url ?? "") || "without a title";
}

/** A text of at most so many characters; one that was longer ends in "…". */
export function cut(text, most) {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}

function pair(number, base, large, small) {
  const rest = number % base;
  const head = `${Math.floor(number / base)} ${large}`;
  return rest ? `${head} ${rest} ${small}` : head;
}

/** The beginning of a text, up to the end of a word. */
export function beginning(text, most) {
  if (text.length <= most) return text;
  const end = text.lastIndexOf(" ", most - 1);
  return `${text.slice(0, end > most / 2 ? end : most - 1)} …`;
}
