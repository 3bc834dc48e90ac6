"""A crawl graph has the shapes of ontologies/semcrawl-shapes.ttl, and a broken one has not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import rdflib
from rdflib.namespace import RDF

from semcrawl import Crawl, CrawlGraph
from semcrawl.graph import SC, export
from semcrawl.resources import ontologies_folder

if TYPE_CHECKING:
    from pathlib import Path

NS = rdflib.Namespace(SC)
SHACL = rdflib.Namespace("http://www.w3.org/ns/shacl#")
SEED = rdflib.URIRef("http://a.test/")

TOPIC = """
name = "asthma"
description = "a disease"
seeds = ["http://a.test/"]
[keywords]
inhaler = 0.5
[concepts]
"wordnet:asthma.n.01" = 1.0
"""

WEB = {
    "http://a.test/": (200, '<p>asthma <a href="/old">a</a> <a href="/gone">b</a>'),
    "http://a.test/old": (301, "http://a.test/new"),
    "http://a.test/new": (
        200,
        (
            '<html lang="en"><meta name="description" content="all about it"><title>Asthma</title>'
            '<link rel="canonical" href="http://a.test/best"><a href="/deep">c</a>'
            '<a href="/deeper">d</a>'
        ),
    ),
    "http://a.test/deep": (200, "<p>deep"),
    "http://a.test/deeper": (200, "<p>deeper"),
}


def shapes() -> rdflib.Graph:
    return rdflib.Graph().parse(ontologies_folder() / "semcrawl-shapes.ttl")


@pytest.fixture(scope="module")
def crawl_graph(tmp_path_factory: pytest.TempPathFactory) -> rdflib.Graph:
    """The whole graph of a crawl with pages, a redirect, a dropped URL and one that waits."""
    place = tmp_path_factory.mktemp("shapes")
    folder = place / "web"
    folder.mkdir()
    lines = []
    for number, (url, (status, content)) in enumerate(WEB.items()):
        name = content if status == 301 else f"{number}.html"
        if status == 200:
            (folder / name).write_text(content)
        lines.append(f"{url}\t{name}\t{status}\ttext/html\n")
    (folder / "urls.tsv").write_text("".join(lines))
    (place / "topic.toml").write_text(TOPIC)
    topic = str(place / "topic.toml")
    with Crawl(topic, (), place / "crawl", replay=(str(folder),), pages=3) as crawl:
        crawl.run()
    return read_back(place)


def read_back(place: Path) -> rdflib.Graph:
    with CrawlGraph.read(place / "crawl") as graph:
        export(graph, place / "all.nt", whole=True)
    return rdflib.Graph().parse(place / "all.nt")


def test_the_crawl_holds_a_url_of_every_kind(crawl_graph: rdflib.Graph) -> None:
    for name in ("priority", "droppedBecause", "redirectsTo", "canonical", "interest"):
        assert (None, NS[name], None) in crawl_graph, name


def test_every_target_of_a_shape_is_in_the_crawl(crawl_graph: rdflib.Graph) -> None:
    found = shapes()
    for target in found.objects(None, SHACL.targetClass):
        assert (None, RDF.type, target) in crawl_graph
    for target in found.objects(None, SHACL.targetSubjectsOf):
        assert (None, target, None) in crawl_graph


@pytest.mark.parametrize("name", ["DropReason", "StopReason"])
def test_the_reasons_are_those_of_the_ontology(name: str) -> None:
    ontology = rdflib.Graph().parse(ontologies_folder() / "semcrawl.ttl")
    found = shapes()
    lists = [set(found.items(start)) for start in found.objects(None, SHACL["in"])]
    assert set(ontology.subjects(RDF.type, NS[name])) in lists


def validate(graph: rdflib.Graph) -> tuple[bool, str]:
    pyshacl = pytest.importorskip("pyshacl", reason="pyshacl is not installed: extra 'validate'")
    conforms, _, report = pyshacl.validate(graph, shacl_graph=shapes())
    return bool(conforms), str(report)


def test_a_crawl_conforms(crawl_graph: rdflib.Graph) -> None:
    conforms, report = validate(crawl_graph)
    assert conforms, report


@pytest.mark.parametrize(
    ("subject", "name", "value", "why"),
    [
        (SEED, "priority", rdflib.Literal("0.5", datatype=rdflib.XSD.decimal), "a page waits"),
        (SEED, "droppedBecause", NS.TimedOut, "a page was dropped"),
        (SEED, "relevance", rdflib.Literal("0.25", datatype=rdflib.XSD.decimal), "two of them"),
        (SEED, "foundOn", SEED, "a seed was found on a page"),
        (SEED, "linksTo", rdflib.Literal("http://b.test/"), "a link to a text"),
        (rdflib.URIRef("http://a.test/gone"), "droppedBecause", NS.TimedOut, "two reasons"),
        (rdflib.URIRef("http://b.test/"), "droppedBecause", NS.Bored, "an unknown reason"),
        (rdflib.URIRef("http://b.test/"), "order", rdflib.Literal(9), "no depth, no site"),
    ],
)
def test_a_broken_graph_does_not(
    crawl_graph: rdflib.Graph, subject: rdflib.URIRef, name: str, value: rdflib.term.Node, why: str
) -> None:
    broken = rdflib.Graph()
    broken += crawl_graph
    broken.add((subject, NS[name], value))
    assert not validate(broken)[0], why
