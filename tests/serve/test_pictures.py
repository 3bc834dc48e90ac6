"""Pictures: nodes and edges are those of the graph, and no more than asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semcrawl.graph import CrawlGraph

if TYPE_CHECKING:
    from tests.serve.conftest import Served


def ask(served: Served, path: str, **query: Any) -> Any:
    answer = served.client.get(f"/api/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_neighbourhood_of_a_page_has_its_links(served: Served) -> None:
    url = ask(served, "pages", limit=1)["rows"][0]["url"]
    picture = ask(served, "neighbourhood", url=url, limit=500)
    page = ask(served, "page", url=url)
    expected = {one["url"] for one in (*page["links_in"], *page["links_out"])} | {url}
    assert {node["id"] for node in picture["nodes"]} == expected
    assert picture["nodes"][0]["id"] == url
    assert picture["left_out"] == 0
    out = {edge["target"] for edge in picture["edges"] if edge["source"] == url}
    assert out == {one["url"] for one in page["links_out"]} - {url}
    kinds = {node["id"]: node["kind"] for node in picture["nodes"]}
    assert kinds[url] == "page"
    assert set(kinds.values()) <= {"page", "waiting", "dropped", "unknown"}


def test_a_small_picture_keeps_the_best_and_says_how_many_are_left_out(served: Served) -> None:
    url = ask(served, "pages", limit=1)["rows"][0]["url"]
    whole = ask(served, "neighbourhood", url=url, limit=500)
    small = ask(served, "neighbourhood", url=url, limit=3)
    assert len(small["nodes"]) == 3
    assert small["left_out"] == len(whole["nodes"]) - 3
    others = sorted((node["relevance"] or -1 for node in whole["nodes"][1:]), reverse=True)
    assert [node["relevance"] or -1 for node in small["nodes"][1:]] == others[:2]
    shown = {node["id"] for node in small["nodes"]}
    assert all({edge["source"], edge["target"]} <= shown for edge in small["edges"])


def test_the_sites_are_linked_as_their_pages_are(served: Served) -> None:
    picture = ask(served, "site-graph", limit=500)
    sites = ask(served, "sites", limit=500)
    assert {node["id"] for node in picture["nodes"]} == {row["site"] for row in sites["rows"]}
    with CrawlGraph.read(served.folder) as graph:
        expected = {
            (row["a"], row["b"]): row["pages"]
            for row in graph.query(
                "SELECT ?a ?b (COUNT(DISTINCT ?p) AS ?pages) { ?p sc:linksTo ?q ; sc:step ?s ; "
                "sc:site ?a . ?q sc:step ?t ; sc:site ?b FILTER(?a != ?b) } GROUP BY ?a ?b"
            )
        }
    found = {(edge["source"], edge["target"]): edge["weight"] for edge in picture["edges"]}
    assert found == expected


def test_a_picture_around_nothing_is_an_error(served: Served) -> None:
    assert served.client.get("/api/neighbourhood").status_code == 400
    unknown = served.client.get("/api/neighbourhood", params={"url": "http://nowhere.test/"})
    assert unknown.status_code == 404


def test_the_graph_of_pages_has_the_best_and_their_links(served: Served) -> None:
    best = ask(served, "pages", limit=10)["rows"]
    picture = ask(served, "page-graph", limit=10)
    assert {node["id"] for node in picture["nodes"]} == {row["url"] for row in best}
    assert picture["left_out"] == ask(served, "pages", limit=1)["total"] - 10
    for node in picture["nodes"]:
        page = ask(served, "page", url=node["id"])
        assert node["site"] == page["host"]
        assert node.get("concept") == page["label"]
        assert node.get("parent") == (page["path"][-2]["url"] if len(page["path"]) > 1 else None)
    links = {(edge["source"], edge["target"]) for edge in picture["edges"]}
    ids = {node["id"] for node in picture["nodes"]}
    out = {one["url"] for one in ask(served, "page", url=best[0]["url"])["links_out"]}
    assert {target for source, target in links if source == best[0]["url"]} == out & ids - {best[0]["url"]}
