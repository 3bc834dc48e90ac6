// A picture as a file: SVG and PNG as it is seen, GEXF (Gephi) and GraphML with all that is known.

import { drawPicture } from "./graph_draw.js";
import { GraphCamera } from "./graph_camera.js";
import { save, saveBlob } from "./downloads.js";

const WIDE = 1600;
const HIGH = 1000;
const RATIO = 2;
const FIELDS = ["label", "kind", "relevance", "hub", "size", "site", "concept", "parent"];
const NUMBERS = new Set(["relevance", "hub", "size"]);

/** Save a picture as "svg", "png", "gexf" or "graphml". */
export function exportPicture(picture, form, name) {
  if (form === "png") return savePng(picture, name);
  const [make, type] = {
    svg: [toSvg, "image/svg+xml"],
    gexf: [toGexf, "application/gexf+xml"],
    graphml: [toGraphml, "application/graphml+xml"],
  }[form];
  save(`${name}.${form}`, make(picture), type);
  return Promise.resolve();
}

function framed(picture) {
  const camera = new GraphCamera();
  Object.assign(camera, { width: WIDE, height: HIGH });
  camera.fit(picture.nodes);
  return { ...picture.scene(), edges: picture.shownEdges, camera, hovered: null, isCalm: true, isMoving: false };
}

async function savePng(picture, name) {
  const canvas = new OffscreenCanvas(WIDE * RATIO, HIGH * RATIO);
  const context = canvas.getContext("2d");
  context.scale(RATIO, RATIO);
  context.fillStyle = picture.colours.ground;
  context.fillRect(0, 0, WIDE, HIGH);
  drawPicture(context, framed(picture));
  saveBlob(`${name}.png`, await canvas.convertToBlob({ type: "image/png" }));
}

/** The same drawing, with a context that writes SVG instead of pixels. */
function toSvg(picture) {
  const context = new SvgContext();
  drawPicture(context, framed(picture));
  const ground = `<rect width="100%" height="100%" fill="${picture.colours.ground}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDE} ${HIGH}" font-family="sans-serif" font-size="12">${ground}\n${context.parts.join("\n")}\n</svg>\n`;
}

/** What drawPicture uses of a canvas's context. */
class SvgContext {
  constructor() {
    this.parts = [];
    Object.assign(this, { globalAlpha: 1, lineWidth: 1, strokeStyle: "#000", fillStyle: "#000", dash: "" });
    this.beginPath();
  }

  beginPath() {
    this.path = [];
  }

  moveTo(x, y) {
    this.path.push(`M${x.toFixed(1)} ${y.toFixed(1)}`);
  }

  lineTo(x, y) {
    this.path.push(`L${x.toFixed(1)} ${y.toFixed(1)}`);
  }

  arc(x, y, r) {
    const [left, at, radius] = [x - r, y, r].map((value) => value.toFixed(1));
    this.path.push(`M${left} ${at}a${radius} ${radius} 0 1 0 ${(2 * r).toFixed(1)} 0a${radius} ${radius} 0 1 0 ${(-2 * r).toFixed(1)} 0`);
  }

  setLineDash(dash) {
    this.dash = dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "";
  }

  stroke() {
    if (this.path.length)
      this.parts.push(`<path d="${this.path.join("")}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" opacity="${this.globalAlpha}"${this.dash}/>`);
  }

  fill() {
    if (this.path.length)
      this.parts.push(`<path d="${this.path.join("")}" fill="${this.fillStyle}" opacity="${this.globalAlpha}"/>`);
  }

  measureText(text) {
    return { width: text.length * 6.4 };
  }

  strokeText(text, x, y) {
    this.parts.push(`<text x="${x.toFixed(1)}" y="${(y + 4).toFixed(1)}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" stroke-linejoin="round">${escaped(text)}</text>`);
  }

  fillText(text, x, y) {
    this.parts.push(`<text x="${x.toFixed(1)}" y="${(y + 4).toFixed(1)}" fill="${this.fillStyle}">${escaped(text)}</text>`);
  }
}

/** GEXF 1.3, the format of Gephi. */
function toGexf({ nodes, edges }) {
  const fields = FIELDS.slice(1);
  const attribute = (name, index) => `<attribute id="${index}" title="${name}" type="${NUMBERS.has(name) ? "double" : "string"}"/>`;
  const value = (node) => (name, index) =>
    isKnown(node[name]) ? `<attvalue for="${index}" value="${escaped(node[name])}"/>` : "";
  const node = (one) =>
    `<node id="${escaped(one.id)}" label="${escaped(one.label || one.id)}"><attvalues>${fields.map(value(one)).join("")}</attvalues><viz:position x="${one.x.toFixed(1)}" y="${(-one.y).toFixed(1)}"/></node>`;
  const edge = ({ source, target, weight }, index) =>
    `<edge id="${index}" source="${escaped(source.id)}" target="${escaped(target.id)}" weight="${weight}"/>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" xmlns:viz="http://gexf.net/1.3/viz" version="1.3">
<graph defaultedgetype="directed"><attributes class="node">${fields.map(attribute).join("")}</attributes>
<nodes>${nodes.map(node).join("\n")}</nodes>
<edges>${edges.map(edge).join("\n")}</edges></graph></gexf>
`;
}

/** GraphML, which networkx and yEd read. */
function toGraphml({ nodes, edges }) {
  const key = (name) =>
    `<key id="${name}" for="node" attr.name="${name}" attr.type="${NUMBERS.has(name) ? "double" : "string"}"/>`;
  const data = (one) => (name) => (isKnown(one[name]) ? `<data key="${name}">${escaped(one[name])}</data>` : "");
  const node = (one) => `<node id="${escaped(one.id)}">${FIELDS.map(data(one)).join("")}</node>`;
  const edge = ({ source, target, weight }) =>
    `<edge source="${escaped(source.id)}" target="${escaped(target.id)}"><data key="weight">${weight}</data></edge>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
${FIELDS.map(key).join("\n")}
<key id="weight" for="edge" attr.name="weight" attr.type="double"/>
<graph edgedefault="directed">
${nodes.map(node).join("\n")}
${edges.map(edge).join("\n")}
</graph></graphml>
`;
}

function isKnown(value) {
  return value !== null && value !== undefined && value !== "";
}

/** A text for XML; what XML cannot have at all is left out. */
function escaped(value) {
  return String(value)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
