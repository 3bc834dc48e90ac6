"""Tables: sorted, searched and paged, the same with and without the index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from semcrawl.graph import CrawlGraph
from semcrawl.graph.snapshots import open_snapshot
from semcrawl.graph.vocabulary import decimal
from semcrawl.serve.table_index import TABLES, TableIndex, index_of
from semcrawl.serve.tables import FirstRows, TablePage
from semcrawl.serve.worker import ServedGraph
from tests.serve.conftest import PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.serve.conftest import Served

TITLES = {"a": "Zebra", "b": "asthma", "c": "Élan", "d": None, "e": "Asthma attack"}


def ask(served: Served, path: str, **query: Any) -> Any:
    answer = served.client.get(f"/api/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
def graph() -> Iterator[ServedGraph]:
    """Five pages, one without a title; one URL waits."""
    with ServedGraph.create() as graph:
        for step, (name, title) in enumerate(TITLES.items(), 1):
            relevance = decimal(step / 10)
            said = f'; dcterms:title "{title}"' if title else ""
            graph.store.update(
                f"INSERT DATA {{ <http://{name}.test/> sc:relevance {relevance} ; sc:step {step} ; "
                f"sc:depth {5 - step} {said} }}"
            )
        graph.store.update("INSERT DATA { <http://w.test/> sc:priority 0.5 ; sc:depth 9 }")
        yield graph


def names(index: TableIndex, graph: CrawlGraph, *how: Any) -> str:
    return "".join(index.urls[row].split("/")[2][0] for row in index.page(graph, *how))


@pytest.mark.parametrize(
    ("sort", "descending", "words", "expected"),
    [
        ("step", False, "", "abcde"),
        ("step", True, "", "edcba"),
        ("depth", False, "", "edcba"),
        ("url", True, "", "edcba"),
        ("title", False, "", "beacd"),  # small and capital letters together, no title last
        ("title", True, "", "caebd"),
        ("step", False, "asthma", "be"),  # in any case
        ("step", False, "A.TEST", "a"),  # the URL too
        ("step", False, "élan", "c"),
        ("step", False, "nothing has this", ""),
    ],
)
def test_an_index_sorts_and_searches(graph: CrawlGraph, sort: str, descending: bool, words: str, expected: str) -> None:
    index = TableIndex(graph, TABLES["pages"])
    assert names(index, graph, sort, descending, words) == expected


def test_new_pages_are_added_to_an_index_with_all_its_columns(graph: CrawlGraph) -> None:
    index = TableIndex(graph, TABLES["pages"])
    assert names(index, graph, "title", False, "") == "beacd"
    graph.store.update('INSERT DATA { <http://n.test/> sc:relevance 0.9 ; sc:step 7 ; dcterms:title "Bee" }')
    index.catch_up(graph)
    assert names(index, graph, "title", False, "") == "benacd"
    assert names(index, graph, "relevance", True, "") == "nedcba"
    assert names(index, graph, "step", False, "bee") == "n"


def test_an_index_follows_a_crawl_and_is_exact_once_that_has_ended(tmp_path: Path) -> None:
    def best(*, is_final: bool) -> list[str]:
        snapshot = ServedGraph(open_snapshot(crawl.snapshot()))
        snapshot.is_final = is_final
        found = index_of(snapshot, "pages")
        order = found.page(snapshot, "relevance", True, "")
        return [found.urls[row] for row in order.tolist()]

    with CrawlGraph.create(tmp_path / "crawl") as crawl:
        write = crawl.store.update
        write("INSERT DATA { <urn:a> sc:relevance 0.5 ; sc:step 1 }")
        assert best(is_final=True) == ["urn:a"]
        write("INSERT DATA { <urn:b> sc:relevance 0.7 ; sc:step 2 }")
        assert best(is_final=False) == ["urn:b", "urn:a"]
        # A page that was visited again and is better now.
        write("DELETE DATA { <urn:a> sc:relevance 0.5 } ; INSERT DATA { <urn:a> sc:relevance 0.9 }")
        assert best(is_final=True) == ["urn:a", "urn:b"]


@pytest.mark.parametrize("table", ["pages", "waiting"])
@pytest.mark.parametrize("descending", [True, False])
def test_the_first_look_shows_what_the_index_will(served: Served, table: str, descending: bool) -> None:
    sort = TABLES[table].base.name
    with ServedGraph.read(served.folder) as graph:
        first = msgspec.to_builtins(FirstRows(table, sort, descending, 10).do(graph))
        later = msgspec.to_builtins(TablePage(table, sort, descending, "", 0, 10).do(graph))
    # Rows with the same number may come in another order.
    assert [row.pop(sort) for row in first["rows"]] == [row.pop(sort) for row in later["rows"]]
    assert first.pop("rows")[0].keys() == later.pop("rows")[0].keys()
    assert first == later


def test_all_pages_of_a_table_together_are_the_whole(served: Served) -> None:
    seen: list[str] = []
    for offset in range(0, PAGES, 15):
        part = ask(served, "pages", sort="title", offset=offset, limit=15)
        assert part["total"] == PAGES
        seen += [row["url"] for row in part["rows"]]
    assert len(seen) == len(set(seen)) == PAGES


def test_a_number_may_begin_with_zeros(served: Served) -> None:
    told = ask(served, "pages", limit="0000000000005", offset="0000000000002")
    assert (told["limit"], told["offset"]) == (5, 2)


def test_pages_have_what_the_graph_says(served: Served) -> None:
    best = ask(served, "pages", limit=5)
    assert best["sort"] == "relevance"
    assert best["descending"]
    numbers = [row["relevance"] for row in best["rows"]]
    assert numbers == sorted(numbers, reverse=True)
    row = best["rows"][0]
    assert set(best["columns"]) == set(row)
    with CrawlGraph.read(served.folder) as graph:
        recorded = next(iter(graph.query("analyse/page", url=row["url"])))
    assert (row["title"], row["step"]) == (recorded["title"], recorded["step"])
    assert row["concept"] == recorded["best_concept"]
    assert row["label"]


@pytest.mark.parametrize("table", ["pages", "hubs", "authorities", "sites", "waiting", "dropped"])
def test_every_table_can_be_sorted_by_all_that_it_offers(served: Served, table: str) -> None:
    kind = TABLES.get(table)
    sorts = [key.name for key in kind.keys] if kind else ["host", "pages", "confidence"]
    for sort in sorts:
        for descending in ("0", "1"):
            found = ask(served, table, sort=sort, descending=descending, limit=500)
            assert found["total"] == len(found["rows"])
            values = [row[sort] for row in found["rows"] if row.get(sort) is not None]
            if values and isinstance(values[0], int | float):
                assert values == sorted(values, reverse=descending == "1")


def test_sites_are_counted_from_their_pages(served: Served) -> None:
    sites = ask(served, "sites", sort="pages", limit=500)
    assert sum(row["pages"] for row in sites["rows"]) == PAGES
    with CrawlGraph.read(served.folder) as graph:
        threshold = graph.describe().threshold
        for row in graph.query("analyse/sites", min_relevance=threshold, limit=500):
            mine = next(one for one in sites["rows"] if one["site"] == row["site"])
            assert mine["pages"] == row["pages"]
            assert mine["relevant"] == row["relevant"]
            assert mine["mean_relevance"] == pytest.approx(row["mean_relevance"], abs=1e-6)
            assert mine["best_relevance"] == row["best_relevance"]
    host = sites["rows"][0]["host"]
    assert ask(served, "sites", q=host.upper())["rows"][0]["host"] == host


def test_dropped_urls_have_readable_reasons(served: Served) -> None:
    found = ask(served, "dropped", q="notinreplay")
    assert found["total"]
    assert {row["reason"] for row in found["rows"]} == {"NotInReplay"}


def test_the_pages_of_a_site_are_those_of_exactly_its_host(served: Served) -> None:
    everything = ask(served, "pages", limit=500)["rows"]
    for site in ask(served, "sites", limit=500)["rows"]:
        found = ask(served, "pages", site=site["host"], sort="step", limit=500)
        assert found["total"] == len(found["rows"]) == site["pages"]
        expected = {row["url"] for row in everything if row["site"] == site["site"]}
        assert {row["url"] for row in found["rows"]} == expected
        steps = [row["step"] for row in found["rows"]]
        assert steps == sorted(steps, reverse=True)
    host = site["host"]
    assert ask(served, "pages", site=host[:-1])["total"] == 0
    assert ask(served, "pages", q=host[:-1])["total"] > 0


def test_a_host_may_be_written_in_any_case(served: Served) -> None:
    found = ask(served, "pages", site="WWW.Breath-Clinic.test")
    assert found == ask(served, "pages", site="www.breath-clinic.test")
    assert found["total"]


@pytest.mark.parametrize("table", ["waiting", "dropped"])
def test_other_urls_can_be_had_by_site_too(served: Served, table: str) -> None:
    everything = [row["url"] for row in ask(served, table, limit=500)["rows"]]
    host = everything[0].split("/")[2]
    found = ask(served, table, site=host, limit=500)
    assert {row["url"] for row in found["rows"]} == {url for url in everything if url.split("/")[2] == host}


def test_a_site_may_be_more_than_a_host_and_a_dropped_url_may_know_none(graph: ServedGraph) -> None:
    graph.store.update(
        "INSERT DATA { <http://a.test/> sc:site <urn:semcrawl:site:folder.test/a> . "
        "<http://b.test/> sc:site <urn:semcrawl:site:%5B::1%5D> . "
        "<http://d.test/1> sc:droppedBecause sc:NotHtml . "
        "<http://www.d.test/2> sc:droppedBecause sc:NotHtml }"
    )

    def urls(table: str, sort: str, site: str) -> list[str]:
        page = TablePage(table, sort, False, "", 0, 10, site)
        return [row["url"] for row in page.do(graph).rows]

    assert urls("pages", "step", "folder.test/a") == ["http://a.test/"]
    assert urls("pages", "step", "a.test") == []
    assert urls("pages", "step", "[::1]") == ["http://b.test/"]
    assert urls("dropped", "url", "d.test") == ["http://d.test/1"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"sort": "colour"}, "can be sorted by relevance, title"),
        ({"offset": "-1"}, "offset=-1 is no number"),
        ({"limit": "9999"}, "from 1 to 500"),
        ({"limit": "\u0663"}, "is no number"),
        ({"q": "x" * 300}, "at most 200"),
        ({"site": "a test"}, "site=a test is no host"),
    ],
)
def test_a_bad_request_says_what_to_give(served: Served, query: dict[str, str], said: str) -> None:
    answer = served.client.get("/api/pages", params=query)
    assert answer.status_code == 400
    assert said in answer.json()["error"]


@pytest.mark.parametrize(
    ("name", "value", "is_kept"),
    [
        ("relevant", "1", lambda row, threshold: row["relevance"] >= threshold),
        ("relevant", "0", lambda row, threshold: row["relevance"] < threshold),
        ("depth", "1", lambda row, _: row["depth"] == 1),
        ("language", "en", lambda row, _: row["language"] == "en"),
        ("status", "200", lambda row, _: row["status"] == 200),
        ("marked", "none", lambda row, _: row["marked"] is None),
        ("marked", "true", lambda row, _: row["marked"] is True),
        ("concept", "none", lambda row, _: row["concept"] is None),
    ],
)
def test_pages_can_be_filtered_by_what_they_have(served: Served, name: str, value: str, is_kept: Any) -> None:
    threshold = ask(served, "crawl")["threshold"]
    everything = ask(served, "pages", limit=500)["rows"]
    expected = {row["url"] for row in everything if is_kept(row, threshold)}
    found = ask(served, "pages", limit=500, **{name: value})
    assert {row["url"] for row in found["rows"]} == expected
    assert found["total"] == len(expected)


def test_filters_count_together(served: Served) -> None:
    rows = ask(served, "pages", limit=500, relevant="1", depth="1")["rows"]
    each = [ask(served, "pages", limit=500, **one)["rows"] for one in ({"relevant": "1"}, {"depth": "1"})]
    first, second = ({row["url"] for row in some} for some in each)
    assert {row["url"] for row in rows} == first & second


def test_the_relevance_when_fetched_is_told_by_step(served: Served) -> None:
    rows = ask(served, "pages", limit=500)["rows"]
    found = ask(served, "first-relevances")
    assert {row["step"]: found[row["step"] - 1] for row in rows} == {
        row["step"]: row["relevance"] if row["first_relevance"] is None else row["first_relevance"] for row in rows
    }
