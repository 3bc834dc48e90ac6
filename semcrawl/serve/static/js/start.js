// The start page: the crawls in the folder, and a form for a new one.

import { get, post, takeToken, token } from "./api.js";
import { el, fill } from "./dom.js";
import { askForToken, startTheme } from "./head.js";
import { crawlList } from "./start_crawls.js";
import { newCrawl } from "./start_form.js";

const OFTEN = 2000; // milliseconds between two looks while a crawl runs
const SELDOM = 10000;
const connection = document.getElementById("connection");

/** Go to the page of a crawl, which has a server of its own beside this one; shards that go on are watched here. */
export async function openPage(path, body) {
  const { port } = await post(path, body);
  if (!port) return look();
  const { protocol, hostname } = location;
  location.assign(`${protocol}//${hostname}:${port}/#token=${encodeURIComponent(token())}`);
}

function announce(text) {
  document.getElementById("live").textContent = text;
}

const [crawls, fresh] = [el("div", { id: "crawls" }), el("div", {})];
document.title = "Crawls · semcrawl";
document.querySelector(".brand").href = "/";
fill(
  document.getElementById("view"),
  el("div", { class: "view start" }, el("h1", { class: "unseen" }, "Crawls in this folder"), crawls, fresh),
);
const list = crawlList(crawls, openPage, announce);
const form = newCrawl(fresh, openPage, announce);
let timer = 0;
let isAsking = false;

/** Look what is in the folder by now, and again later. */
async function look() {
  if (isAsking || document.hidden) return;
  isAsking = true;
  clearTimeout(timer);
  let pause = SELDOM;
  try {
    const { crawls: found, can_start: canStart } = await get("/api/crawls");
    list.show(found, canStart);
    form.know(found, canStart);
    if (found.some(({ state }) => state === "running")) pause = OFTEN;
    connection.hidden = canStart;
    if (!canStart) askForToken(connection);
  } catch (error) {
    connection.hidden = false;
    if (error.status === 401) askForToken(connection);
    else fill(connection, error.message);
  } finally {
    isAsking = false;
    timer = setTimeout(look, pause);
  }
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("view").focus();
});
takeToken("/");
startTheme();
// Going back from a crawl shows this page as it was left.
addEventListener("pageshow", (event) => event.persisted && form.ready());
document.addEventListener("visibilitychange", look);
look();
