// Drawing the monitor's chart: alarms, grid, dots or cells, average and threshold.

import { count, duration } from "./format.js";
import { ticks, timeTicks } from "./chart_scale.js";

const MARGIN = { left: 42, right: 10, top: 10, bottom: 24 };
const STRIP = 20;
const CELL = 3;
const FONT = "12px system-ui, sans-serif";

/** The colours of the theme, by the names of css/colours.css. */
export function themeColours(node) {
  const style = getComputedStyle(node);
  const names = ["surface", "line", "ink", "ink-soft", "accent", "warn", "dot-relevant",
    "dot-other", "average", "threshold", "warn-soft"];
  const valueOf = (name) => style.getPropertyValue(`--${name}`).trim();
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

/** Where the plot is within a canvas of this size, in CSS pixels, below so many strips. */
export function plotArea(width, height, strips = 0) {
  const top = MARGIN.top + strips * STRIP;
  return {
    x: MARGIN.left,
    y: top,
    width: Math.max(10, width - MARGIN.left - MARGIN.right),
    height: Math.max(10, height - top - MARGIN.bottom),
  };
}

/** The kinds of alarms, each of which has a strip of its own above the plot. */
export function alarmKinds(alarms) {
  return [...new Set(alarms.map((alarm) => alarm.kind))].sort();
}

/** A canvas context scaled to CSS pixels, cleared. */
export function freshContext(canvas) {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) {
    Object.assign(canvas, { width: wide, height: high });
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Draw all; returns {most}: how many pages the fullest dot stands for. */
export function drawChart(context, area, { scale, series, alarms, colours }) {
  const place = scale.placer();
  const toX = (step) => area.x + place(step) * area.width;
  const toY = (value) => area.y + area.height * (1 - series.heightOf(value));
  context.font = FONT;
  drawAlarms(context, area, scale, alarms, colours, toX);
  drawGrid(context, area, scale, series, colours, toY);
  if (!scale.size) return { most: 0 };
  context.save();
  context.beginPath();
  context.rect(area.x - 5, area.y - 5, area.width + 10, area.height + 10);
  context.clip();
  const most = isDense(scale, area)
    ? drawCells(context, area, scale, series, colours)
    : drawDots(context, scale, series, colours, toX, toY, area);
  drawThreshold(context, area, series, colours, toY);
  drawAverage(context, area, scale, series, colours, toX, toY);
  context.restore();
  return { most };
}

/** Whether there are more pages than room for dots side by side. */
export function isDense(scale, area) {
  return scale.size > 1.5 * area.width;
}

/** Alarms as strips above the plot, one for each kind: the data stays as it is. */
function drawAlarms(context, area, scale, alarms, colours, toX) {
  const kinds = alarmKinds(alarms);
  Object.assign(context, { textBaseline: "middle", textAlign: "left" });
  for (const alarm of alarms) {
    const [from, to] = [alarm.raised, alarm.ended ?? scale.last];
    if (to < scale.from || from > scale.to) continue;
    const left = Math.max(area.x, toX(from));
    const width = Math.max(3, Math.min(area.x + area.width, toX(to)) - left);
    const y = MARGIN.top - 4 + kinds.indexOf(alarm.kind) * STRIP;
    context.fillStyle = colours["warn-soft"];
    context.fillRect(left, y, width, STRIP - 3);
    context.fillStyle = colours.warn;
    context.fillRect(left, y + STRIP - 5, width, 2);
    if (context.measureText(alarm.kind).width + 10 < width)
      context.fillText(alarm.kind, left + 5, y + (STRIP - 5) / 2);
  }
}

function drawGrid(context, area, scale, series, colours, toY) {
  context.strokeStyle = colours.line;
  context.fillStyle = colours["ink-soft"];
  context.lineWidth = 1;
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const value of series.marks()) {
    const y = Math.round(toY(value)) + 0.5;
    stroke(context, area.x, y, area.x + area.width, y);
    context.fillText(String(value), area.x - 6, y);
  }
  context.textAlign = "left";
  drawSteps(context, area, scale);
}

function drawSteps(context, area, scale) {
  context.textBaseline = "top";
  const most = Math.max(2, Math.floor(area.width / 90));
  const low = scale.isByTime ? scale.timeOf(scale.from) : scale.from;
  const high = scale.isByTime ? scale.timeOf(scale.to) : scale.to;
  const marks = scale.isByTime ? timeTicks(low, high, most) : ticks(low, high, most);
  for (const mark of marks.filter((value) => scale.isByTime || Number.isInteger(value))) {
    const position = scale.isByTime ? (mark - low) / (high - low) : scale.positionOf(mark);
    const x = area.x + position * area.width;
    const y = area.y + area.height;
    stroke(context, Math.round(x) + 0.5, y, Math.round(x) + 0.5, y + 4);
    const text = scale.isByTime ? duration(mark) : count(mark);
    const half = context.measureText(text).width / 2;
    const left = Math.max(area.x - 4, Math.min(area.x + area.width - 2 * half + 8, x - half));
    context.fillText(text, left, y + 7);
  }
  // Left of the first number, where it is never in its way.
  context.textAlign = "right";
  context.fillText(scale.isByTime ? "time" : "page", area.x - 6, area.y + area.height + 7);
  context.textAlign = "left";
}

function drawDots(context, scale, series, colours, toX, toY, area) {
  const radius = Math.max(1.6, Math.min(4, (area.width / scale.size) * 1.2));
  for (const isRelevant of [false, true]) {
    context.fillStyle = colours[isRelevant ? "dot-relevant" : "dot-other"];
    for (let step = scale.from; step <= scale.to; step += 1) {
      const value = series.values[step - 1];
      if (Number.isNaN(value) || value >= series.threshold !== isRelevant) continue;
      context.beginPath();
      context.arc(toX(step), toY(value), radius, 0, 2 * Math.PI);
      context.fill();
    }
  }
  return 1;
}

/** Cells instead of dots: the more pages a cell has, the stronger its colour. */
function drawCells(context, area, scale, series, colours) {
  const columns = Math.max(1, Math.floor(area.width / CELL));
  const rows = Math.max(1, Math.floor(area.height / CELL));
  const { relevant, other } = series.cells(scale, columns, rows);
  const picture = new ImageData(columns, rows);
  paintCells(picture, other, rgbOf(colours["dot-other"]));
  paintCells(picture, relevant, rgbOf(colours["dot-relevant"]));
  // One small picture, enlarged: tens of thousands of rectangles would take a while.
  const small = new OffscreenCanvas(columns, rows);
  small.getContext("2d").putImageData(picture, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, area.x, area.y, area.width, area.height);
  return Math.max(relevant.most, other.most);
}

function paintCells({ data, width, height }, { grid, most }, [red, green, blue]) {
  grid.forEach((number, index) => {
    if (!number) return;
    const [column, row] = [Math.floor(index / height), index % height];
    const at = 4 * ((height - 1 - row) * width + column);
    data.set([red, green, blue, Math.round(255 * strength(number, most))], at);
  });
}

function rgbOf(colour) {
  const number = parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

/** How opaque a cell is: one page can be seen well, and the fullest cell is solid. */
function strength(number, most) {
  if (most === 1) return 1;
  const least = Math.max(0.4, 0.85 - 0.1 * Math.log2(most));
  return least + ((1 - least) * Math.log(number)) / Math.log(most);
}

function drawThreshold(context, area, series, colours, toY) {
  context.strokeStyle = colours.threshold;
  context.lineWidth = 1;
  context.setLineDash([5, 4]);
  const y = Math.round(toY(series.threshold)) + 0.5;
  stroke(context, area.x, y, area.x + area.width, y);
  context.setLineDash([]);
}

/** The moving average; where a pixel has many steps, from its lowest to its highest there. */
function drawAverage(context, area, scale, series, colours, toX, toY) {
  const columns = averages(scale, series, toX);
  if (isDense(scale, area)) {
    context.fillStyle = colours.average;
    for (const { x, low, high } of columns) {
      context.fillRect(x, toY(high) - 1, 1.25, toY(low) - toY(high) + 2);
    }
    return;
  }
  context.beginPath();
  for (const { at, last } of columns) context.lineTo(at, toY(last));
  context.lineJoin = "round";
  // A rim of the ground's colour keeps the line apart from the dots.
  for (const [colour, width] of [[colours.surface, 3.4], [colours.average, 2]]) {
    Object.assign(context, { strokeStyle: colour, lineWidth: width });
    context.stroke();
  }
}

function averages(scale, series, toX) {
  const columns = [];
  let column = null;
  for (let step = scale.from; step <= scale.to; step += 1) {
    const mean = series.average(step);
    if (Number.isNaN(mean)) continue;
    const x = toX(step);
    if (column && Math.floor(x) === column.x) {
      column.low = Math.min(column.low, mean);
      column.high = Math.max(column.high, mean);
      column.last = mean;
    } else {
      // Columns begin where the last one ended, so that no step leaves a gap.
      const before = column?.last ?? mean;
      const [low, high] = [Math.min(mean, before), Math.max(mean, before)];
      column = { x: Math.floor(x), at: x, low, high, last: mean };
      columns.push(column);
    }
  }
  return columns;
}

function stroke(context, x, y, toX, toY) {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(toX, toY);
  context.stroke();
}
