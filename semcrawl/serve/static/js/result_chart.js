// An answer with numbers as a line or as dots, in SVG; the reader chooses the columns.

import { el, fill, svg } from "./dom.js";
import { ticks } from "./chart_scale.js";
import { counted, digits } from "./format.js";
import { field } from "./parts.js";

const WIDE = 860;
const HIGH = 340;
const MARGIN = { left: 62, right: 14, top: 28, bottom: 40 };
const MOST = 5000;

/**
 * A chart of rows: `kind` "line" or "scatter"; `numbers` are the indexes of numeric columns,
 * `writer` writes terms.
 */
export function resultChart({ variables, rows }, kind, numbers, writer) {
  const chosen = { x: numbers[0], y: numbers[1] ?? numbers[0] };
  const figure = el("figure", { class: "panel result-chart" });
  const chooser = (axis, label) => {
    const options = numbers.map((at) =>
      el("option", { value: String(at), selected: at === chosen[axis] }, variables[at]),
    );
    const changed = (event) => {
      chosen[axis] = Number(event.target.value);
      draw();
    };
    return field(label, el("select", { on: { change: changed } }, options));
  };
  const box = el("div", {});
  function draw() {
    const others = variables.map((_, at) => at).filter((at) => !numbers.includes(at));
    const points = rows
      .slice(0, MOST)
      .filter((row) => row[chosen.x] && row[chosen.y])
      .map((row) => ({
        x: Number(row[chosen.x].value),
        y: Number(row[chosen.y].value),
        name: others.map((at) => writer.text(row[at])).join(" "),
      }))
      .filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y));
    if (kind === "line") points.sort((a, b) => a.x - b.x);
    fill(box, picture(points, kind, variables[chosen.x], variables[chosen.y]));
  }
  draw();
  return fill(
    figure,
    el("figcaption", { class: "row small" }, chooser("x", "across"), chooser("y", "up"),
      rows.length > MOST && el("span", { class: "soft" }, `the first ${MOST} rows`)),
    box,
  );
}

function picture(points, kind, nameX, nameY) {
  if (!points.length) return el("p", { class: "empty" }, "No row has both numbers.");
  const [lowX, highX] = ends(points.map(({ x }) => x));
  const [lowY, highY] = ends(points.map(({ y }) => y), 0);
  const toX = (x) => MARGIN.left + ((x - lowX) / (highX - lowX)) * (WIDE - MARGIN.left - MARGIN.right);
  const toY = (y) => HIGH - MARGIN.bottom - ((y - lowY) / (highY - lowY)) * (HIGH - MARGIN.top - MARGIN.bottom);
  const line = points.map(({ x, y }, at) => `${at ? "L" : "M"}${toX(x).toFixed(1)} ${toY(y).toFixed(1)}`);
  const label = `${nameY} by ${nameX}, ${counted(points.length, "point")}`;
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label },
    ticks(lowY, highY, 5).map((value) => [
      svg("line", { x1: MARGIN.left, x2: WIDE - MARGIN.right, y1: toY(value), y2: toY(value), class: "grid" }),
      svg("text", { x: MARGIN.left - 7, y: toY(value) + 4, class: "end" }, digits(value)),
    ]),
    ticks(lowX, highX, 7).map((value) =>
      svg("text", { x: toX(value), y: HIGH - MARGIN.bottom + 18, class: "middle" }, digits(value)),
    ),
    svg("text", { x: WIDE - MARGIN.right, y: HIGH - 6, class: "end" }, nameX),
    svg("text", { x: 4, y: 12 }, nameY),
    kind === "line" && svg("path", { d: line.join(""), class: "line" }),
    (kind === "scatter" || points.length < 60) &&
      points.map(({ x, y, name }) =>
        svg(
          "circle",
          { cx: toX(x), cy: toY(y), r: kind === "line" ? 2.5 : 4, class: "dots" },
          svg("title", {}, `${name} ${nameX} ${digits(x)}, ${nameY} ${digits(y)}`.trim()),
        ),
      ),
  );
}

/** The ends of an axis; `base` is shown too where it is not far off. */
function ends(values, base = null) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (base !== null && low > base && low - base < high - low) low = base;
  return low === high ? [low - 1, high + 1] : [low, high];
}
