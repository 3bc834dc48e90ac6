"""Sites in the browser: their pages and no others, and why a page of a website crawl counts."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote

import pytest

from semcrawl import Crawl
from tests.cli.conftest import write_web
from tests.serve.conftest import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.serve.browser.reader import Reader
    from tests.serve.conftest import Served

SIX = "[2001:db8::1]"
WEB = {
    "http://a.test/": "<title>One</title><p>Asthma <a href='/two'>asthma</a> "
    f"<a href='http://www.a.test/'>asthma</a> <a href='http://{SIX}/'>asthma</a>"
    "<a href='http://b.test/?from=a.test'>asthma</a>",
    "http://a.test/two": "<title>Two</title><p>Asthma and a.test.",
    "http://www.a.test/": "<title>Another host</title><p>Asthma.",
    "http://b.test/?from=a.test": "<title>Names a.test</title><p>Asthma.",
    f"http://{SIX}/": "<title>Six</title><p>Asthma <a href='http://a.test/'>asthma</a>",
}
TITLES = "tbody .cell-title a"
MARK = ".table-mark"


@pytest.fixture(scope="module")
def alike(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A crawl of hosts with names that are parts of each other, and of one without a name."""
    place = tmp_path_factory.mktemp("alike")
    web = str(write_web(place / "web", WEB))
    seeds, folder = ["http://a.test/"], place / "crawl"
    # An address from the block for documentation is a reserved one.
    with Crawl("wordnet:asthma", seeds, folder, replay=(web,), allow_private=True) as crawl:
        crawl.run()
    with running_server(folder) as served:
        yield served


def site_of(reader: Reader) -> list[str]:
    """The site that the address says."""
    return parse_qs(reader.route.partition("?")[2]).get("site", [])


def test_a_site_leads_to_its_pages_and_no_others(reader: Reader, alike: Served) -> None:
    reader.visit(alike.url, "sites")
    reader.until(lambda: "a.test" in reader.texts("tbody .column-host"), "the sites")
    first = next(one for one in reader.all("tbody .column-host a") if one.text == "a.test")
    first.click()
    reader.see(MARK, "of site a.test")
    reader.see(".table-status", "1 to 2 of 2 pages")
    assert sorted(reader.texts(TITLES)) == ["One", "Two"]
    assert site_of(reader) == ["a.test"]


def test_the_mark_of_a_site_stays_until_it_is_removed(reader: Reader, alike: Served) -> None:
    reader.visit(alike.url, "pages?site=a.test")
    reader.see(MARK, "of site a.test")
    reader.click('th button[data-column="title"]')
    reader.until(lambda: reader.texts(TITLES) == ["One", "Two"], "the pages by title")
    assert site_of(reader) == ["a.test"]
    reader.write("input[type=search]", "two")
    reader.see(".table-status", "1 page")
    assert site_of(reader) == ["a.test"]
    reader.write("input[type=search]", "t")
    reader.see(".table-status", "of 2 pages")
    reader.click(f"{MARK} button")
    reader.see(".table-status", f"of {len(WEB)} pages")
    assert not reader.all(MARK)
    assert site_of(reader) == []
    reader.driver.back()
    reader.see(MARK, "of site a.test")


def test_a_site_without_rows_says_so(reader: Reader, alike: Served) -> None:
    reader.visit(alike.url, "pages?site=nowhere.test")
    reader.see("tbody", "There are no pages of this site.")
    reader.click("tbody button", "Show all")
    reader.see(".table-status", f"of {len(WEB)} pages")


def test_a_page_links_to_the_pages_of_its_site(reader: Reader, alike: Served) -> None:
    reader.visit(alike.url, f"page?url={quote('http://a.test/two', safe='')}")
    reader.click(".facts a", "a.test")
    reader.see(".table-status", "of 2 pages")


def test_a_host_of_ipv6_is_found_from_everywhere(reader: Reader, alike: Served) -> None:
    reader.visit(alike.url, "picture")
    reader.click("details.panel summary", "As a list")
    reader.click(".picture-list a", SIX)
    reader.see(MARK, f"of site {SIX}")
    reader.until(lambda: reader.texts(TITLES) == ["Six"], "its page")
    text = "SELECT DISTINCT ?site { ?page sc:site ?site }"
    reader.go(f"ask?run=1&as=table&text={quote(text, safe='')}")
    reader.click(".results tbody a", SIX)
    reader.until(lambda: reader.texts(TITLES) == ["Six"], "its page")
    assert site_of(reader) == [SIX]


def test_a_page_of_a_website_crawl_tells_what_it_did_for_its_site(reader: Reader, websites: Served) -> None:
    url = websites.client.get("/api/page", params={"step": 5}).json()["url"]
    told = websites.client.get("/api/explain", params={"url": url}).json()
    reader.visit(websites.url, f"page?url={quote(url, safe='')}")
    why = reader.see(".site-standing", told["site"]["name"])
    assert f"Page {told['site']['number']} of {told['site']['pages']}" in why.text
    words = {"target": "relevant", "other": "not relevant"}
    assert f"taken for {words[told['site']['verdict']]}" in why.text
    beliefs = [f"{told['site'][name]:.3f}" for name in ("prior", "before", "after", "confidence")]
    assert reader.texts(".site-standing .meter-text") == beliefs
    assert reader.texts(".page-main .bar-name") == [words[one["name"]] for one in told["classes"]]
    assert len(reader.texts(".matches tbody tr")) == len(told["lens"]["explanation"]["matches"])
    reader.see(".page-main", f"a confidence of {told['relevance']:.3f}")


def test_the_monitor_of_a_crawl_for_websites_tells_of_sites(reader: Reader, websites: Served) -> None:
    query = {"sort": "confidence", "descending": "1", "limit": "100"}
    rows = websites.client.get("/api/sites", params=query).json()["rows"]
    relevant = [row["host"] for row in rows if row.get("verdict") == "target"]
    assert relevant
    reader.visit(websites.url)
    reader.see(".sentence", f"{len(relevant)} of {len(rows)} sites")
    assert reader.texts(".bars .bar-name")[: len(relevant)] == relevant
    assert "Pages by concept" not in reader.texts(".panel > h2")
    reader.go("sites")
    reader.until(lambda: len(reader.texts("tbody .column-verdict .badge.good")) == len(relevant), "the verdicts")
    assert set(reader.texts("tbody .column-verdict")) <= {"relevant", "not relevant", "–"}
