"""The list of found sites, in every form, and the queries behind it."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import networkx
import pytest
import rdflib

from semcrawl import Crawl
from semcrawl.crawl.sites import SiteCrawl, SiteStop
from semcrawl.crawl.sites.listing import list_sites, site_list_text
from semcrawl.demo.web import demo_web
from semcrawl.errors import ConfigError
from semcrawl.graph import SC, CrawlGraph, export, named_queries
from semcrawl.resources import ontologies_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NS = rdflib.Namespace(SC)


@pytest.fixture
def graph(whole: Path) -> Iterator[CrawlGraph]:
    with CrawlGraph.read(whole) as graph:
        yield graph


def test_sites_are_listed_best_first_with_their_best_pages(graph: CrawlGraph) -> None:
    sites = list_sites(graph).sites
    assert [one.confidence for one in sites] == sorted((s.confidence for s in sites), reverse=True)
    for one in sites:
        assert one.site_class == "target"
        assert 1 <= len(one.evidence) <= 3
        assert one.evidence[0].confidence >= one.evidence[-1].confidence > 0.5
        assert all(page.url.startswith(one.homepage) for page in one.evidence)
        assert set(one.links) <= demo_web().main_topic.sites - {one.site}
    assert any(one.links for one in sites)


def test_a_lower_confidence_lists_more(graph: CrawlGraph) -> None:
    assert len(list_sites(graph, 0.0).sites) == 31 > len(list_sites(graph, 0.5).sites)
    assert list_sites(graph, 1.0).sites == ()


def test_the_table_names_site_evidence_and_links(graph: CrawlGraph) -> None:
    text = site_list_text(graph)
    for site in demo_web().main_topic.sites:
        assert f"  {site}  " in text
    assert "       links to " in text


def test_csv_and_json_say_the_same(graph: CrawlGraph) -> None:
    rows = list(csv.DictReader(io.StringIO(site_list_text(graph, "csv"))))
    listed = json.loads(site_list_text(graph, "json"))
    assert [row["site"] for row in rows] == [one["site"] for one in listed]
    assert [row["links"].split() for row in rows] == [one["links"] for one in listed]
    assert rows[0]["evidence"].split()[0] == listed[0]["evidence"][0]["url"]


def test_graphml_is_the_graph_of_the_sites(graph: CrawlGraph) -> None:
    read = networkx.parse_graphml(site_list_text(graph, "graphml", 0.0))
    assert len(read) == 31
    source, target, data = next(iter(read.edges(data=True)))
    assert {source, target} <= set(read)
    assert 0 <= data["weight"] <= 1
    assert read.nodes["www.breath-clinic.test"]["class"] == "target"


def test_turtle_holds_sites_pages_and_edges(graph: CrawlGraph) -> None:
    read = rdflib.Graph().parse(data=site_list_text(graph, "turtle"), format="turtle")
    sites = set(read.subjects(rdflib.RDF.type, NS.Site))
    assert {str(site).removeprefix("urn:semcrawl:site:") for site in sites} == demo_web().main_topic.sites
    assert set(read.objects(None, NS.linksToSite)) <= sites
    assert {read.value(page, NS.site) for page in read.subjects(NS.relevance, None)} == sites


def test_a_crawl_for_pages_has_no_list_of_sites() -> None:
    with Crawl("keywords:asthma", ["http://a.test/"]) as crawl, pytest.raises(ConfigError, match="a crawl for pages"):
        site_list_text(crawl.graph)


def test_every_query_about_sites_answers(graph: CrawlGraph) -> None:
    for name, query in named_queries().items():
        if name.startswith("sites/"):
            needs = {p.name for p in query.parameters if p.default is None}
            site = "urn:semcrawl:site:www.breath-clinic.test"
            answer = graph.query(name, **dict.fromkeys(needs, site))
            nothing = ("sites/waiting-", "sites/site-tries", "sites/site-redirects", "sites/idle-")
            assert answer or name.startswith(nothing), name


def test_the_ranks_of_waiting_sites_are_the_means_of_their_edges(web_folder: str) -> None:
    web = demo_web()
    with SiteCrawl(web.main_topic.spec, web.seeds, replay=[web_folder], pages=8) as crawl:
        waits = [row["site"] for row in crawl.query("waiting-sites")]
        assert waits == ["urn:semcrawl:site:www.morning-portal.test"]
        crawl.run()
        rows = list(crawl.query("waiting-sites", limit=100))
        ranks = [row["rank"] for row in rows]
        assert ranks == sorted(ranks, reverse=True)
        assert len(rows) == crawl.progress.waiting


def test_the_graph_has_the_shapes_of_a_crawl_graph(graph: CrawlGraph, tmp_path: Path) -> None:
    pyshacl = pytest.importorskip("pyshacl", reason="pyshacl is not installed: extra 'validate'")
    export(graph, tmp_path / "all.nt", whole=True)
    data = rdflib.Graph().parse(tmp_path / "all.nt")
    shapes = rdflib.Graph().parse(ontologies_folder() / "semcrawl-shapes.ttl")
    conforms, _, report = pyshacl.validate(data, shacl_graph=shapes)
    assert conforms, report
    site = rdflib.URIRef("urn:semcrawl:site:www.breath-clinic.test")
    data.add((site, NS.siteStoppedBecause, NS.SiteFailing))
    assert not pyshacl.validate(data, shacl_graph=shapes)[0]


def test_the_reasons_are_those_of_the_ontology_and_the_shapes() -> None:
    ontology = rdflib.Graph().parse(ontologies_folder() / "semcrawl.ttl")
    written = {
        str(reason).removeprefix(SC): str(ontology.value(reason, rdflib.RDFS.comment))
        for reason in ontology.subjects(rdflib.RDF.type, NS.SiteStopReason)
    }
    sentences = {str(one): one.sentence[0].upper() + one.sentence[1:] + "." for one in SiteStop}
    assert written == sentences
    shapes = rdflib.Graph().parse(ontologies_folder() / "semcrawl-shapes.ttl")
    path = rdflib.URIRef("http://www.w3.org/ns/shacl#in")
    lists = [{str(item) for item in shapes.items(start)} for start in shapes.objects(None, path)]
    assert {SC + str(one) for one in SiteStop} in lists
