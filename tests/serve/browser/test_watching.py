"""Watching a crawl that runs: dots appear as pages come; pause, resume and stop."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from tests.serve.browser.conftest import Live
    from tests.serve.browser.reader import Reader
    from tests.serve.conftest import Served

# Where dots of relevant pages are drawn: pairs of pixels, of CSS, within the chart.
DOTS = """
const canvas = document.querySelector(".chart-base");
if (!canvas?.width) return []; // not laid out yet
const wanted = getComputedStyle(canvas).getPropertyValue("--dot-relevant").trim();
const rgb = [1, 3, 5].map((at) => parseInt(wanted.slice(at, at + 2), 16));
const { width, height } = canvas;
const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
const found = [];
for (let at = 0; at < data.length; at += 4) {
  if (rgb.every((value, part) => data[at + part] === value) && data[at + 3] === 255) {
    const pixel = at / 4;
    found.push([pixel % width, Math.floor(pixel / width)].map((p) => p / devicePixelRatio));
  }
}
return found;
"""


def pages(reader: Reader) -> int:
    return int(reader.see('[data-figure="pages"] strong').text.replace(",", ""))


def dots(reader: Reader) -> list[tuple[float, float]]:
    # Chromium complains when a test reads the canvas often, while it waits for the dots.
    reader.expects = ["willReadFrequently"]
    return [(x, y) for x, y in reader.run(DOTS)]


def picture(reader: Reader) -> str:
    return str(reader.run("return document.querySelector('.chart-base').toDataURL()"))


def test_without_the_token_the_crawl_can_be_seen_and_not_stopped(reader: Reader, live: Live) -> None:
    reader.visit(live.url)
    reader.see(".control", "open this page by the link that the server printed")
    assert [one.is_enabled() for one in reader.all(".control button")] == [False, False]
    reader.until(lambda: pages(reader) > 0, "a page")


def test_a_stop_can_be_thought_over(reader: Reader, live: Live) -> None:
    reader.visit(live.url, token=live.token)
    reader.click(".control button", "Stop")
    reader.click("dialog button", "Let it run")
    reader.until(lambda: not reader.all("dialog"), "no question")
    reader.see("#crawl-state", "running")


# The last of a live crawl, since it stops it.
def test_a_live_crawl_grows_pauses_goes_on_and_stops(reader: Reader, live: Live) -> None:
    reader.visit(live.url, token=live.token)
    reader.see("#crawl-state", "running")
    reader.until(lambda: pages(reader) > 3, "a few pages")
    first, drawn = pages(reader), picture(reader)
    reader.until(lambda: pages(reader) > first, "more pages")
    reader.until(lambda: picture(reader) != drawn, "more dots")
    assert reader.see(".latest li").text

    reader.click(".control button", "Pause")
    reader.see("#crawl-state", "paused")
    reader.see(".control button", "Resume")
    speed = reader.see('[data-figure="speed"] strong')
    reader.until(lambda: speed.text == "0", "a speed of 0")
    paused = pages(reader)

    reader.click(".control button", "Resume")
    reader.see("#crawl-state", "running")
    reader.until(lambda: pages(reader) > paused, "more pages after the pause")

    reader.click(".control button", "Stop")
    reader.click("dialog button", "Stop the crawl")
    reader.see("#crawl-state", "stopped")
    reader.see(".control", "it was told to stop")
    assert live.process.poll() is None

    # The terminal says where the page stays, and there it is.
    assert live.process.stderr is not None
    stays = next(line for line in live.process.stderr if "the page stays at" in line)
    assert f"{live.url}/#token={live.token} until Ctrl-C" in stays
    ended = pages(reader)
    reader.visit(live.url, token=live.token)
    reader.see("#crawl-state", "stopped")
    reader.see(".control", "Stopped: it was told to stop.")
    assert pages(reader) == ended
    assert not reader.all(".control button")
    reader.go("pages")
    reader.see(".table-status", f"of {ended} pages")
    assert not reader.all("#connection, .problem")


def test_a_click_on_a_dot_shows_its_page(reader: Reader, served: Served) -> None:
    reader.visit(served.url)
    found = reader.until(lambda: dots(reader), "dots")
    x, y = found[len(found) // 2]
    reader.point_and_click(reader.see(".chart-over"), x, y)
    title = reader.see(".details .details-title a")
    step = reader.until(lambda: parse_qs(urlsplit(f"/{reader.route}").query).get("step"))[0]
    page = served.client.get("/api/page", params={"step": step}).json()
    assert title.text == page["title"]
    assert page["is_relevant"]
    title.click()
    reader.see("h1", page["title"])


def test_the_chart_can_be_read_by_keys(reader: Reader, served: Served) -> None:
    reader.visit(served.url)
    reader.until(lambda: dots(reader), "dots")
    chart = reader.see(".chart-over")
    reader.run("arguments[0].focus()", chart)
    reader.press("\ue014", "\ue014")  # right
    assert chart.get_attribute("aria-valuenow") == "2"
    assert "relevance" in str(chart.get_attribute("aria-valuetext"))
    reader.press("\ue007")  # enter
    reader.see(".details h2", "Page 2")


def test_the_census_names_concepts_and_keeps_their_ids_beside(reader: Reader, served: Served) -> None:
    census = served.client.get("/api/monitor").json()["census"]
    reader.visit(served.url)
    for row in census[:12]:
        assert not re.search(r"\.[nvasr]\.\d+$", row["label"])
        reader.see(f'.bar-name[title="{row["concept"]}"]', row["label"])
        noun = "page" if row["pages"] == 1 else "pages"
        reader.see(f'.bar-number[title="{row["relevant"]} of {row["pages"]} {noun} relevant"]', str(row["pages"]))
    bare = "ASK { ?page sc:bestConcept ?c . FILTER NOT EXISTS { ?c skos:prefLabel ?label } }"
    asked = served.client.get("/sparql", params={"query": bare, "format": "json"})
    assert not asked.json()["boolean"], "a concept without a label"


def test_back_leads_to_the_page_that_was_chosen_before(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "monitor?step=1")
    reader.see(".details h2", "Page 1")
    reader.run("arguments[0].focus()", reader.see(".chart-over"))
    reader.press("\ue014", "\ue007")  # right, enter
    reader.see(".details h2", "Page 2")
    reader.driver.back()
    reader.see(".details h2", "Page 1")
    reader.driver.forward()
    reader.see(".details h2", "Page 2")


def test_a_link_to_a_range_shows_that_range(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "monitor?from=11&to=20&step=12")
    reader.see(".chart-caption", "Pages 11 to 20")
    reader.see(".details h2", "Page 12")


def test_what_is_not_counted_yet_is_not_said_to_be_nothing(reader: Reader, served: Served) -> None:
    reader.visit(served.url)
    script = """
    const done = arguments[0];
    import("/static/js/monitor_lists.js").then(({ Census, Reasons }) => {
      const lists = [new Census(), new Reasons()];
      for (const list of lists) list.show([]);
      const said = (isCounted) => lists.map((list) => (list.tell(isCounted), list.node.textContent));
      done([said(false), said(true)]);
    });
    """
    before, after = reader.driver.execute_async_script(script)
    assert all(text.startswith("Not counted yet.") for text in before)
    assert after[0].startswith("No page has a concept yet.")
    assert after[1] == "No URL has been dropped."


def test_concepts_of_one_name_are_told_apart(reader: Reader, served: Served) -> None:
    reader.visit(served.url)
    script = """
    const done = arguments[0];
    import("/static/js/monitor_lists.js").then(({ Census }) => {
      const census = new Census();
      const row = (label, end) => ({ label, concept: `https://a.test/${end}`, pages: 1, relevant: 1 });
      census.show([row("medicine", "medicine.n.01"), row("medicine", "medicine.n.02"), row("cold", "cold.n.01")]);
      done([...census.node.querySelectorAll(".bar-name")].map((name) => name.textContent));
    });
    """
    names = ["medicine medicine.n.01", "medicine medicine.n.02", "cold"]
    assert reader.driver.execute_async_script(script) == names


def test_a_crawl_that_ended_astray_tells_of_its_last_pages(reader: Reader, served: Served) -> None:
    reader.visit(served.url)
    told = reader.driver.execute_async_script("""
        const crawl = { state: "stopped", progress: { pages: 200, relevant: 100, harvest_rate: 0.5 } };
        const series = { window: 100, counts: () => ({ pages: 100, relevant: 4 }) };
        const done = arguments[0];
        import("/static/js/monitor_sentence.js").then((sentence) =>
          done([[crawl, []], [crawl, [{ ended: null }]], [{ ...crawl, ended: null, can: { shards: true } }, []]].map(
            ([one, alarms]) => sentence.howItGoes(one, series, alarms, 200))));
    """)
    had = "The crawl has ended: 100 of 200 pages are relevant (50 %)"
    assert told == [
        {"text": f"{had}.", "tone": "good"},
        {"text": f"{had}; 4 % of the last 100.", "tone": ""},
        {"text": "As it was gathered from its shards: 100 of 200 pages are relevant (50 %).", "tone": ""},
    ]
