"""Exploring a crawl: tables, one page, how it was found and why, the picture, the topic."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote
from xml.etree import ElementTree as ET

from selenium.webdriver.common.keys import Keys

from tests.serve.conftest import TOKEN

if TYPE_CHECKING:
    from tests.serve.browser.reader import Reader
    from tests.serve.conftest import Served

TITLES = "tbody .cell-title a"


def page_at(served: Served, depth: int) -> str:
    """The URL of the best page at a depth."""
    rows = served.client.get("/api/pages", params={"limit": 500}).json()["rows"]
    return next(str(row["url"]) for row in rows if row["depth"] == depth)


def relevances(reader: Reader) -> list[float]:
    return [float(text) for text in reader.texts("tbody .column-relevance .meter-text")]


def test_a_table_is_sorted_by_a_click_on_a_heading(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "pages")
    reader.see(TITLES)
    best_first = relevances(reader)
    assert best_first == sorted(best_first, reverse=True)
    reader.click('th button[data-column="step"]')
    reader.see('th[aria-sort="descending"]', "Step")
    reader.click('th button[data-column="step"]')
    reader.see('th[aria-sort="ascending"]', "Step")
    reader.until(lambda: reader.texts("tbody .column-step")[0] == "1", "the first step first")
    assert "sort=step&descending=0" in reader.route


def test_a_table_is_searched_while_one_types(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "pages")
    reader.see(TITLES)
    reader.write("input[type=search]", "clinic")
    reader.until(lambda: "q=clinic" in reader.route, "the search in the address")
    found = served.client.get("/api/pages", params={"q": "clinic"}).json()
    reader.see(".table-status", f"of {found['total']} pages")
    assert reader.texts(TITLES) == [row["title"] for row in found["rows"]]
    reader.write("input[type=search]", "no page has this")
    reader.see("tbody", "Nothing has “no page has this” in it.")
    reader.click("tbody button", "Show all")
    reader.see(".table-status", "of 40 pages")


def test_a_table_is_turned_page_by_page_and_back_by_the_browser(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "pages?limit=25")
    reader.see(".table-status", "1 to 25 of 40 pages")
    first = reader.texts(TITLES)
    reader.click(".pager button", "Next")
    reader.see(".table-status", "26 to 40 of 40 pages")
    assert len(reader.texts(TITLES)) == 15
    reader.driver.back()
    reader.see(".table-status", "1 to 25 of 40 pages")
    assert reader.texts(TITLES) == first


def test_a_page_shows_what_it_says_itself(reader: Reader, served: Served) -> None:
    asked = "SELECT ?page { ?page sc:statements ?n } ORDER BY DESC(?n) LIMIT 1"
    answer = served.client.post("/api/query", json={"text": asked}).json()
    url = answer["rows"][0][0]["value"]
    own = served.client.get("/api/page", params={"url": url}).json()["own"]
    reader.visit(served.url, f"page?url={quote(url, safe='')}")
    reader.see(".own-statements", f"What it says itself {own['count']}")
    reader.see(".things .badge", own["things"][0]["types"][0])
    reader.click(".own-statements a", f"Ask for all {own['count']} statements")
    reader.see(".results tbody", "schema:name")
    assert len(reader.texts(".results tbody tr")) == own["count"]


def test_the_way_from_a_page_to_its_seed_can_be_followed(reader: Reader, served: Served) -> None:
    url = page_at(served, 3)
    path = served.client.get("/api/page", params={"url": url}).json()["path"]
    reader.visit(served.url, f"page?url={quote(url, safe='')}")
    reader.see(".nav [aria-current=true]", "Results")  # it stands in no menu itself
    reader.see(".found-path [aria-current=page]", path[-1]["title"])
    for step in reversed(path[:-1]):
        reader.click(f'.found-path li:nth-last-child(2) a[title="{step["url"]}"]')
        reader.see(".page-url", step["url"])
    reader.see(".panel", "It is a seed of the crawl.")


def test_a_page_says_why_with_the_words_that_count(reader: Reader, served: Served) -> None:
    url = page_at(served, 3)
    told = served.client.get("/api/explain", params={"url": url}).json()
    reader.visit(served.url, f"page?url={quote(url, safe='')}")
    marked = reader.see(".snippet mark").text.lower()
    assert any(marked in words.lower() for match in told["matches"] for words in match["words"])
    assert reader.texts(".matches tbody th")


def test_a_page_that_was_never_visited_is_told_in_a_sentence(reader: Reader, served: Served) -> None:
    reader.expects = ["404"]
    reader.visit(served.url, "page?url=http%3A%2F%2Fnowhere.test%2F")
    reader.see(".problem", "nowhere.test")


def test_the_picture_leads_from_node_to_page(reader: Reader, served: Served) -> None:
    url = page_at(served, 2)
    reader.visit(served.url, f"picture?url={quote(url, safe='')}")
    picture = reader.see("canvas")
    reader.run("arguments[0].focus()", picture)
    reader.press(Keys.TAB)
    reader.click(".picture-card a", "Its page view")
    reader.see(".page-head h1")


def test_the_topic_shows_its_concepts_and_their_pages(reader: Reader, served: Served) -> None:
    topic = served.client.get("/api/topic").json()
    concept = next(one for one in topic["concepts"] if one["pages"])
    reader.visit(served.url, f"topic?concept={quote(concept['id'], safe='')}")
    reader.see("h1", topic["name"])
    covered = sum(one["relevant"] > 0 for one in topic["concepts"])
    told = reader.see("p.soft", f"of which {covered} have relevant pages of their own").text
    near = sum(one["parent"] is None and one["weight"] is None for one in topic["concepts"])
    assert (f"The last {near} are near the topic, not below it." in told) == (near > 0)
    reader.see('[role=treeitem][aria-selected="true"]', concept["label"])
    reader.see(".tree-about, aside", concept["label"])


def test_other_weights_of_a_concept_are_tried_on_the_pages(reader: Reader, served: Served) -> None:
    concepts = served.client.get("/api/topic").json()["concepts"]
    below = max((one for one in concepts if one["weight"] is None), key=lambda one: one["relevant"])
    body = {"weights": {below["id"]: 5}}
    tried = served.client.post("/api/try-weights", json=body, headers=served.authorised).json()
    reader.visit(served.url, f"topic?concept={quote(below['id'], safe='')}", token=TOKEN)
    assert not reader.see(".trial button", "Try them").is_enabled()
    reader.write(".tree-about input[type=number]", f"5{Keys.TAB}")
    reader.see(".trial .badge", below["label"])
    reader.click(".trial button", "Try them")
    reader.see(".trial", f"{tried['pages']} pages judged anew")
    assert len(reader.texts(".trial li a")) == len(tried["moved"]) > 0


def test_a_column_that_the_page_does_not_know_is_shown_as_it_is(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "pages")
    reader.see(TITLES)
    shown = reader.driver.execute_async_script(
        """
        const done = arguments[arguments.length - 1];
        import("/static/js/table.js").then(({ Table }) => {
          const known = { name: "title", label: "Page", show: (row) => row.title };
          const table = new Table({ what: ["page", "pages"], columns: [known], sort: "title" });
          const row = { title: "Asthma", url: "http://a.test/", image_count: 1200, camera: null };
          table._show({ columns: Object.keys(row), rows: [row], total: 1 });
          const texts = (found) => [...table.node.querySelectorAll(found)].map((n) => n.innerText);
          const sorted = table.headings.querySelectorAll("button").length;
          done([texts("thead th"), texts("tbody th, tbody td"), sorted]);
        });
        """
    )
    assert [text.rstrip("↑") for text in shown[0]] == ["Page", "Image count", "Camera"]
    assert shown[1] == ["Asthma", "1,200", "–"]
    assert shown[2] == 2, "what is no number is not sorted by"


def test_a_table_is_filtered_and_its_columns_are_chosen(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "pages")
    reader.click(".filters summary")
    reader.see(".filters select[name=relevant]")
    reader.run(
        "const chooser = document.querySelector('.filters select[name=relevant]');"
        "chooser.value = '1'; chooser.dispatchEvent(new Event('change'))"
    )
    total = served.client.get("/api/pages", params={"relevant": "1"}).json()["total"]
    reader.see(".table-status", f"of {total} pages")
    reader.click(".column-chooser summary")
    reader.click(".column-chooser label", "Language")
    reader.see("thead", "Language")
    reader.click('.chip button[aria-label^="Without the filter"]')
    reader.see(".table-status", "of 40 pages")
    reader.driver.refresh()
    reader.see("thead", "Language")


def test_rows_of_a_table_are_walked_through_by_keys(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "pages")
    reader.see("tbody .cell-title")
    reader.run("document.querySelector('tbody tr').focus()")
    reader.press(Keys.ARROW_DOWN)
    second = reader.focus
    title = second.find_element("css selector", ".cell-title").text
    assert second.tag_name == "tr"
    reader.press(Keys.ENTER)
    reader.see("h1", title)


def test_pages_are_drawn_found_clustered_and_saved(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "picture?of=pages")
    reader.see(".picture-legend", "40 pages")
    reader.write(".picture-bar input[type=search]", "clinic")
    reader.press(Keys.ENTER)
    reader.see(".picture-card .card-title")
    reader.run(
        "const chooser = document.querySelector('.picture-bar select');"
        "chooser.value = 'site'; chooser.dispatchEvent(new Event('change'))"
    )
    reader.see(".picture-clusters li", "www.")
    assert "colour=site" in reader.route
    assert not reader.see(".picture-legend").find_element("css selector", ".ramp-key").is_displayed()
    # What would be saved is looked at, and no file is written.
    reader.run(
        "window.files = {}; const make = URL.createObjectURL;"
        "HTMLAnchorElement.prototype.click = function () { files[this.download] = window.last };"
        "URL.createObjectURL = (blob) => { window.last = blob; return make(blob) }"
    )
    for form in ("SVG", "PNG", "GEXF", "GraphML"):
        reader.click(".picture-bar button", form)
    reader.until(lambda: reader.run("return Object.keys(files).length") == 4, "four files")
    read = "const done = arguments[1]; files[arguments[0]].text().then(done)"
    for name in ("pages.svg", "pages.gexf", "pages.graphml"):
        text = reader.driver.execute_async_script(read, name)
        ET.fromstring(text)
    assert text.count("<node ") == 40
