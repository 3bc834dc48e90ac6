// Drawing a picture of pages or sites: links, nodes, and labels that leave each other room.

const RAMP = 6;
const STEPS = 24;
/** How many clusters have a colour of their own. */
export const CLUSTERS = 9;
const FONT = "12px system-ui, sans-serif";
const HIGH = 15;
const SQUARE = 48;
// Nodes smaller than this need not be round while they move.
const ROUND = 7;
const MOST_LABELS = 500;
// So many labels may cover nodes, where these stand too close: those of the first nodes.
const FIRST = 10;

/** The colours of a picture, from css/colours.css; `ramp` in steps from relevance 0 to 1. */
export function pictureColours(node) {
  const style = getComputedStyle(node);
  const read = (name) => style.getPropertyValue(`--${name}`).trim();
  const ramp = Array.from({ length: RAMP }, (_, at) => parts(read(`ramp-${at}`)));
  return {
    // As many steps as can be told apart, made once: a picture has thousands of nodes.
    ramp: Array.from({ length: STEPS + 1 }, (_, at) => rampColour(ramp, at / STEPS)),
    ink: read("ink"),
    soft: read("ink-soft"),
    ground: read("surface"),
    line: read("line-strong"),
    accent: read("accent"),
    strong: read("average"),
    pale: read("line"),
    clusters: Array.from({ length: CLUSTERS }, (_, at) => read(`cluster-${at}`)),
  };
}

/** The colour of a relevance, between the two of the ramp that are next to it. */
function rampColour(ramp, share) {
  const at = Math.max(0, Math.min(1, share)) * (ramp.length - 1);
  const low = Math.min(Math.floor(at), ramp.length - 2);
  const mixed = ramp[low].map((value, index) =>
    Math.round(value + (ramp[low + 1][index] - value) * (at - low)),
  );
  return `rgb(${mixed.join(" ")})`;
}

/**
 * Draw all. `scene`: nodes, edges, camera, colours, chosen, hovered, near (a set of nodes that stay
 * strong while the others are faint, or null), path (edges from the seed), isCalm, isMoving (it is
 * drawn again soon, so without rims).
 */
export function drawPicture(context, scene) {
  drawEdges(context, scene);
  drawNodes(context, scene);
  drawLabels(context, scene);
}

/** The radius of a node on the screen. */
export function screenRadius(node, camera) {
  return Math.max(2.5, node.radius * Math.min(1.6, Math.sqrt(camera.scale)));
}

function drawEdges(context, scene) {
  const { edges, camera, colours, chosen, hovered, near, path } = scene;
  const centre = hovered ?? chosen;
  const isNear = (edge) => centre && (edge.source === centre || edge.target === centre);
  context.strokeStyle = colours.line;
  context.globalAlpha = near ? 0.1 : edges.length > 3000 ? 0.14 : edges.length > 600 ? 0.22 : 0.38;
  // All of one width in one stroke: a stroke for each takes ten times as long.
  for (const [width, some] of byWidth(edges)) {
    context.lineWidth = width;
    context.beginPath();
    for (const edge of some) if (!isNear(edge)) trace(context, camera, edge);
    context.stroke();
  }
  context.globalAlpha = 1;
  for (const edge of edges) if (isNear(edge)) drawNearEdge(context, edge, camera, colours.strong);
  for (const edge of path ?? []) drawNearEdge(context, edge, camera, colours.accent, 1.5);
}

function byWidth(edges) {
  const found = new Map();
  for (const edge of edges) {
    const width = widthOf(edge);
    if (!found.has(width)) found.set(width, []);
    found.get(width).push(edge);
  }
  return found;
}

/** Thicker for more links, in a few steps. */
function widthOf({ weight }) {
  return Math.min(4, 1 + 0.5 * Math.round(Math.log2(weight || 1)));
}

function trace(context, camera, edge) {
  const [from, to] = [camera.toScreen(edge.source), camera.toScreen(edge.target)];
  context.moveTo(from.x, from.y);
  context.lineTo(to.x, to.y);
}

function drawNearEdge(context, edge, camera, colour, more = 0.3) {
  context.strokeStyle = colour;
  context.lineWidth = widthOf(edge) + more;
  context.beginPath();
  trace(context, camera, edge);
  context.stroke();
  drawArrow(
    context,
    camera.toScreen(edge.source),
    camera.toScreen(edge.target),
    screenRadius(edge.target, camera) + 2,
    colour,
  );
}

function drawArrow(context, from, to, gap, colour) {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const tip = { x: to.x - gap * Math.cos(angle), y: to.y - gap * Math.sin(angle) };
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(tip.x, tip.y);
  for (const side of [-0.42, 0.42]) {
    context.lineTo(tip.x - 8 * Math.cos(angle + side), tip.y - 8 * Math.sin(angle + side));
  }
  context.fill();
}

/** Nodes of one look at once: two thousand strokes would take longer than a frame. */
function drawNodes(context, { nodes, camera, colours, chosen, hovered, near, isMoving }) {
  const looks = new Map();
  for (const node of nodes) {
    const { x, y } = camera.toScreen(node);
    const radius = screenRadius(node, camera);
    if (x < -radius || y < -radius || x > camera.width + radius || y > camera.height + radius) continue;
    const isFaint = near !== null && !near.has(node);
    const colour = colourOf(node, colours);
    const look = node.isCentre || !node.isKnown || isFaint ? `${isFaint} ${colour} ${node.isKnown} ${node.isCentre}` : colour;
    let group = looks.get(look);
    if (!group) looks.set(look, (group = { node, isFaint, colour, discs: [] }));
    group.discs.push(x, y, radius);
  }
  // Faint ones first, so that they cover none of the others.
  for (const look of [...looks.values()].sort((a, b) => b.isFaint - a.isFaint)) drawLook(context, look, colours, isMoving);
  for (const node of new Set([chosen, hovered])) {
    if (!node) continue;
    const { x, y } = camera.toScreen(node);
    drawRing(context, x, y, screenRadius(node, camera), colours.accent);
  }
}

function drawLook(context, { node, isFaint, colour, discs }, colours, isMoving) {
  context.globalAlpha = isFaint ? 0.22 : 1;
  context.beginPath();
  for (let at = 0; at < discs.length; at += 3) {
    const [x, y, radius] = [discs[at], discs[at + 1], discs[at + 2]];
    if (isMoving && radius < ROUND) traceEdged(context, x, y, radius);
    else {
      context.moveTo(x + radius, y);
      context.arc(x, y, radius, 0, 2 * Math.PI);
    }
  }
  context.fillStyle = colour;
  context.fill();
  if (isMoving && node.isKnown) {
    context.globalAlpha = 1;
    return;
  }
  context.lineWidth = node.isCentre ? 3 : 1;
  context.strokeStyle = node.isCentre ? colours.strong : colours.soft;
  context.setLineDash(node.isKnown ? [] : [2, 2]);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** Eight edges, which take half the time of a circle. */
function traceEdged(context, x, y, radius) {
  const half = 0.42 * radius;
  context.moveTo(x + radius, y + half);
  context.lineTo(x + half, y + radius);
  context.lineTo(x - half, y + radius);
  context.lineTo(x - radius, y + half);
  context.lineTo(x - radius, y - half);
  context.lineTo(x - half, y - radius);
  context.lineTo(x + half, y - radius);
  context.lineTo(x + radius, y - half);
}

/** By its cluster, or by its relevance. */
function colourOf(node, colours) {
  if (node.colour !== undefined && node.colour !== null) return colours.clusters[node.colour] ?? colours.pale;
  if (!node.isKnown) return colours.ground;
  return colours.ramp[Math.round(node.share * STEPS)];
}

function drawRing(context, x, y, radius, colour) {
  context.beginPath();
  context.arc(x, y, radius + 4, 0, 2 * Math.PI);
  context.lineWidth = 2.5;
  context.strokeStyle = colour;
  context.stroke();
}

/** The labels of large and relevant nodes first, each where it covers no label that was there before, and no node. */
function drawLabels(context, { nodes, camera, colours, chosen, hovered, near, isCalm }) {
  context.font = FONT;
  context.textBaseline = "middle";
  const first = [...new Set([hovered, chosen])].filter(Boolean);
  const others = isCalm
    ? nodes.filter((node) => !first.includes(node) && (near === null || near.has(node)))
    : nodes.filter((node) => node.isCentre);
  if (!first.length && !others.length) return;
  others.sort((one, other) => weightOf(other) - weightOf(one));
  const taken = new Boxes();
  const discs = new Boxes();
  for (const node of nodes) discs.add(disc(node, camera));
  let tried = 0;
  for (const [rank, node] of [...first, ...others].entries()) {
    const isMust = first.includes(node) || node.isCentre;
    const box = placeFor(context, node, camera, taken, discs, isMust, rank < FIRST);
    // The rest are less important, and the picture is full.
    if ((tried += 1) > MOST_LABELS) break;
    if (!box) continue;
    taken.add(box);
    drawLabel(context, node, box, colours, isMust);
  }
}

function weightOf({ radius, share }) {
  return radius * (1 + share);
}

/** Boxes by the squares of the screen that they touch, so that few must be compared. */
class Boxes {
  constructor() {
    this.squares = new Map();
  }

  add(box) {
    for (const key of squaresOf(box)) {
      if (!this.squares.has(key)) this.squares.set(key, []);
      this.squares.get(key).push(box);
    }
  }

  /** Whether a box meets one of these, but for that of a node. */
  meets(box, node = null) {
    return this.largest(box, node) > 0;
  }

  /** The width of the widest of these that a box meets, but for that of a node; 0 where it meets none. */
  largest(box, node = null) {
    let found = 0;
    for (const key of squaresOf(box))
      for (const other of this.squares.get(key) ?? [])
        if ((node === null || other.node !== node) && other.width > found && meet(box, other)) found = other.width;
    return found;
  }
}

function squaresOf({ x, y, width, height }) {
  const found = [];
  for (let column = Math.floor(x / SQUARE); column <= Math.floor((x + width) / SQUARE); column += 1)
    for (let row = Math.floor(y / SQUARE); row <= Math.floor((y + height) / SQUARE); row += 1)
      found.push(column * 65536 + row);
  return found;
}

function drawLabel(context, node, box, colours, isStrong) {
  context.lineWidth = 3.5;
  context.lineJoin = "round";
  context.strokeStyle = colours.ground;
  context.strokeText(node.short, box.x + 2, box.y + HIGH / 2);
  context.fillStyle = isStrong || node.isKnown ? colours.ink : colours.soft;
  context.fillText(node.short, box.x + 2, box.y + HIGH / 2);
}

function placeFor(context, node, camera, taken, discs, isMust, mayCover) {
  const own = disc(node, camera);
  if (
    own.x + own.width < 0 ||
    own.x > camera.width ||
    own.y + own.height < 0 ||
    own.y > camera.height
  )
    return null;
  node.labelWidth ??= context.measureText(node.short).width + 4;
  const width = node.labelWidth;
  const middle = own.x + own.width / 2 - width / 2;
  const level = own.y + own.height / 2 - HIGH / 2;
  const places = [
    { x: own.x + own.width + 1, y: level },
    { x: own.x - width - 1, y: level },
    { x: middle, y: own.y + own.height + 1 },
    { x: middle, y: own.y - HIGH - 1 },
    { x: own.x + 0.8 * own.width, y: own.y + 0.8 * own.height },
    { x: own.x + 0.8 * own.width, y: own.y - HIGH + 0.2 * own.height },
    { x: own.x + 0.2 * own.width - width, y: own.y + 0.8 * own.height },
    { x: own.x + 0.2 * own.width - width, y: own.y - HIGH + 0.2 * own.height },
  ].map((place) => ({ ...place, width, height: HIGH }));
  const isClear = (box) => isWithin(box, camera) && !taken.meets(box);
  const isFree = (box) => isClear(box) && !discs.meets(box, node);
  // No node that is larger than its own may be covered, the smallest rather than others.
  const covered = (box) => discs.largest(box, node);
  const least = () =>
    places
      .filter((box) => isClear(box) && covered(box) < 1.2 * own.width)
      .sort((one, other) => covered(one) - covered(other))[0];
  const found = places.find(isFree) ?? (mayCover ? least() : null);
  return found ?? (isMust ? (places.find((box) => isWithin(box, camera)) ?? places[0]) : null);
}

function disc(node, camera) {
  const { x, y } = camera.toScreen(node);
  const radius = screenRadius(node, camera);
  return { node, x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
}

function meet(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function isWithin(box, camera) {
  return (
    box.x >= 2 &&
    box.y >= 2 &&
    box.x + box.width <= camera.width - 2 &&
    box.y + box.height <= camera.height - 2
  );
}

function parts(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}
