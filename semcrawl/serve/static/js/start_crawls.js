// The crawls in the folder: how far each is, and the way to its page.

import { el, fill } from "./dom.js";
import { count, counted, moment, percent } from "./format.js";
import { button, meter, problem } from "./parts.js";

const FEW = 6; // shown until the reader asks for all
const BADGES = { running: "running", stopped: "", broken: "bad", failed: "bad" };

/** A list of crawls in a node: show(crawls, canStart) fills it, again and again. */
export function crawlList(node, openPage, announce) {
  let [before, all, busy, crawls, canStart] = ["", false, "", [], false];
  const trouble = el("div", {});

  async function act(name, body, words) {
    busy = words + name;
    fill(trouble);
    draw();
    announce(`Opening ${name}.`);
    try {
      await openPage("/api/open", { name, ...body });
    } catch (error) {
      fill(trouble, problem(error));
    } finally {
      busy = "";
      draw();
    }
  }

  function row(crawl) {
    const { name, topic, state, reason, pages = 0, relevant = 0, waiting, kind, started, shards } = crawl;
    const isThere = state === "running" || state === "stopped";
    const goOn = state === "stopped" && waiting > 0;
    const share = pages ? relevant / pages : 0;
    const open = () => act(name, {}, "open ");
    const more = () => act(name, { pages: Math.max(100, pages * 2) }, "more ");
    return el(
      "tr",
      {},
      el(
        "th",
        { scope: "row" },
        isThere
          ? button(name, open, { class: "plain crawl-name", disabled: Boolean(busy) || !canStart })
          : el("span", { class: "crawl-name" }, name),
        topic && topic !== name && el("small", { class: "soft" }, topic, kind === "sites" && " (websites)"),
        shards > 0 && el("small", { class: "soft" }, counted(shards, "shard")),
      ),
      el(
        "td",
        { class: "crawl-state" },
        el("span", { class: `badge ${BADGES[state]}` }, busy === `open ${name}` ? "opening …" : state),
        reason && el("small", { class: "soft" }, reason),
      ),
      el("td", { class: "number", data: { label: "pages" } }, isThere && count(pages)),
      el(
        "td",
        { class: "number", data: { label: "relevant" } },
        isThere && meter(share, { text: `${count(relevant)} · ${percent(share)}` }),
      ),
      el("td", { class: "soft crawl-began", data: { label: "began" } }, started && moment(started)),
      el(
        "td",
        { class: "crawl-do" },
        goOn &&
          button(busy === `more ${name}` ? "Starting …" : "Go on", more, {
            disabled: Boolean(busy) || !canStart,
            title: `Go on until it has ${count(Math.max(100, pages * 2))} pages`,
            "aria-label": `Go on with ${name}`,
          }),
      ),
    );
  }

  function draw() {
    if (!crawls.length) {
      fill(node);
      return;
    }
    const shown = all ? crawls : crawls.slice(0, FEW);
    const heads = [["Crawl"], ["State"], ["Pages", "number"], ["Relevant", "number"], ["Began"]];
    const rest = crawls.length - shown.length;
    const focus = document.activeElement?.closest?.("#crawls tr")?.rowIndex;
    fill(
      node,
      el(
        "section",
        { class: "panel crawls" },
        el("h2", {}, "Crawls in this folder"),
        trouble,
        el(
          "div",
          { class: "data-table" },
          el(
            "table",
            {},
            el(
              "thead",
              {},
              el(
                "tr",
                {},
                heads.map(([text, kind]) => el("th", { scope: "col", class: kind }, text)),
                el("td", {}, el("span", { class: "unseen" }, "Go on")),
              ),
            ),
            el("tbody", {}, shown.map(row)),
          ),
        ),
        rest > 0 && button(`${count(rest)} more`, () => ((all = true), draw()), { class: "plain" }),
      ),
    );
    if (focus) node.querySelectorAll("tr")[focus]?.querySelector("button")?.focus();
  }

  return {
    show(found, can) {
      const now = JSON.stringify([found, can]);
      if (now === before) return; // so that nobody's focus is lost
      [before, crawls, canStart] = [now, found, can];
      draw();
    },
  };
}
