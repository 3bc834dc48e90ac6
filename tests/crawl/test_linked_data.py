"""Crawls of a web of linked data, over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from semcrawl import Crawl
from semcrawl.graph import CrawlGraph
from semcrawl.web.response import Response
from tests.crawl.linked_web import LUNGS, LinkedWeb, served

TOPIC = f"wordnet:{LUNGS}.n.01"
SEED = f"http://id.test/id/{LUNGS}"


@pytest.fixture(scope="module")
def crawls() -> Iterator[dict[str, tuple[CrawlGraph, LinkedWeb]]]:
    found, begun = {}, []
    for mode in ("off", "only", "follow"):
        web = LinkedWeb()
        with served(web) as proxy:
            crawl = Crawl(
                TOPIC, [SEED], proxy=proxy, linked_data=mode, delay=0, robots=False, workers=1,
                pages=600, sketches=False,
            )  # fmt: skip
            crawl.run()
        begun.append(crawl)
        found[mode] = crawl.graph, web
    yield found
    for crawl in begun:
        crawl.close()


def on_topic(graph: CrawlGraph) -> set[str]:
    """The visited documents that are about diseases of the lungs."""
    names = LinkedWeb().groups[LUNGS]
    found = {row["u"] for row in graph.query("SELECT ?u { ?u a sc:Page }")}
    return {url for url in found if url.rpartition("/")[2] in names}


def test_follow_finds_all_documents_on_topic_that_the_others_find(
    crawls: dict[str, tuple[CrawlGraph, LinkedWeb]],
) -> None:
    off, only, follow = (on_topic(crawls[mode][0]) for mode in ("off", "only", "follow"))
    assert len(off) > 30
    assert len(only) > 30
    assert off | only <= follow


def test_each_document_is_asked_for_once(crawls: dict[str, tuple[CrawlGraph, LinkedWeb]]) -> None:
    for _, web in crawls.values():
        assert set(web.asked.values()) == {1}


def test_a_redirect_to_data_is_one_page_with_its_statements_in_a_graph_of_its_own(
    crawls: dict[str, tuple[CrawlGraph, LinkedWeb]],
) -> None:
    graph, _ = crawls["only"]
    rows = graph.query(
        f"SELECT ?page ?label {{ <{SEED}> sc:redirectsTo ?page . GRAPH ?page "
        f"{{ <{SEED}> <http://www.w3.org/2000/01/rdf-schema#label> ?label }} }}"
    )
    assert [(row["page"], row["label"]) for row in rows] == [(f"http://id.test/data/{LUNGS}", "respiratory disease")]
    title = f"SELECT ?t {{ <http://id.test/data/{LUNGS}> dcterms:title ?t }}"
    assert graph.query(title).value() == "respiratory disease"


def test_without_it_no_rdf_is_a_page(crawls: dict[str, tuple[CrawlGraph, LinkedWeb]]) -> None:
    graph, _ = crawls["off"]
    assert all("/data/" not in url and "hash.test" not in url for url in on_topic(graph))


def test_the_default_crawler_learns_which_relations_lead_to_the_topic() -> None:
    names = [f"http://a.test/{kind}{number}" for number in range(40) for kind in "xy"]
    facts = " ; ".join(f"<http://v.test/{name[14]}> <{name}>" for name in names)
    hub = f'<> <http://www.w3.org/2000/01/rdf-schema#label> "Asthma" ; {facts} .'

    class Web:
        def fetch(self, url: str, **_: object) -> Response:
            if url == "http://a.test/":
                return Response(url, 200, {"content-type": "text/turtle"}, hub.encode(), 0, 0)
            text = "asthma and its treatment" if "/x" in url else "cars and their engines"
            body = f"<title>{text}</title><p>{text} {url[-2:]}"
            return Response(url, 200, {"content-type": "text/html"}, body.encode(), 0, 0)

        def close(self) -> None:
            pass

    with Crawl(
        "wordnet:asthma", ["http://a.test/"], fetcher=Web(), robots=False, delay=0, max_delay=0,
        workers=1, pages=41,
    ) as crawl:  # fmt: skip
        crawl.run()
        rows = crawl.query("SELECT ?u { ?u a sc:Page ; sc:step ?s FILTER(?s > 11) }")
        found = [row["u"] for row in rows]
    assert sum("/x" in url for url in found) > 0.9 * len(found)


CONCEPTS = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://voc.test/> .
:lung a skos:Concept ; skos:prefLabel "lung disease"@en ; skos:narrower :c17 .
:c17 a skos:Concept ; skos:prefLabel "quotidian wheeze"@en ; skos:broader :lung .
"""
LISTED = {
    "ttl": """@prefix dct: <http://purl.org/dc/terms/> .
        <> dct:hasPart <x1>, <x2>, <x3> . <x2> dct:subject <http://voc.test/c17> .
        <x1> dct:subject <http://voc.test/c99> . <x3> dct:creator <http://voc.test/c17> .""",
    "html": """<title>List</title><a href="x1">one</a> <a href="x2">two</a> <a href="x3">three</a>
        <p about="x2"><link property="dcterms:subject" href="http://voc.test/c17">""",
}


@pytest.mark.parametrize("form", list(LISTED))
def test_a_link_to_what_is_said_to_be_about_a_concept_comes_first(tmp_path: Path, form: str) -> None:
    (tmp_path / "concepts.ttl").write_text(CONCEPTS)
    (tmp_path / "list").write_text(LISTED[form])
    kind = {"ttl": "text/turtle", "html": "text/html"}[form]
    (tmp_path / "urls.tsv").write_text(f"http://a.test/list\tlist\t200\t{kind}\n")
    topic, replay = f"{tmp_path}/concepts.ttl#lung", [str(tmp_path)]
    with Crawl(topic, ["http://a.test/list"], replay=replay, pages=1) as crawl:
        crawl.run()
        waiting = {row["url"]: row["priority"] for row in crawl.query("waiting")}
    others = [waiting["http://a.test/x1"], waiting["http://a.test/x3"]]
    assert waiting["http://a.test/x2"] > 2 * max(others)
