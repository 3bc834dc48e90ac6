"""An exported collection is a dataset: described, counted, with its provenance, and public."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import DCTERMS, FOAF, PROV, RDF, SKOS, VOID

from semcrawl import Crawl
from semcrawl.errors import ConfigError
from semcrawl.graph import SC, CrawlGraph, export
from semcrawl.graph.dataset import About, licence_address
from semcrawl.graph.export import json_ld, own_statements_left_out
from semcrawl.redaction import exported_settings
from semcrawl.version import VERSION
from tests.graph.export.conftest import PAGES, make_crawl

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")

NS = rdflib.Namespace(SC)
DCAT = rdflib.Namespace("http://www.w3.org/ns/dcat#")
SCHEMA = rdflib.Namespace("https://schema.org/")
ASTHMA = rdflib.URIRef("http://a.test/asthma")
ABOUT: dict[str, Any] = {
    "title": 'Say "hi"\n\ttwice',
    "creator": ["Ann Lee <https://orcid.org/0000-0002-1825-0097>", "Bob"],
    "licence": "cc-by-4.0",
    "contact": "ann@a.test",
}


def exported(graph: CrawlGraph, place: Path, **about: Any) -> rdflib.Graph:
    export(graph, place / "a.ttl", **about)
    return rdflib.Graph().parse(place / "a.ttl")


def collection_of(graph: rdflib.Graph) -> Any:
    [collection] = graph.subjects(RDF.type, NS.Collection)
    return collection


def test_what_a_person_says_of_it_is_in_the_dataset(crawl: Crawl, tmp_path: Path) -> None:
    graph = exported(crawl.graph, tmp_path, **ABOUT)
    collection = collection_of(graph)
    assert {DCAT.Dataset, VOID.Dataset} <= set(graph.objects(collection, RDF.type))
    assert str(graph.value(collection, DCTERMS.title)) == 'Say "hi" twice'
    names = {str(graph.value(one, FOAF.name)) for one in graph.objects(collection, DCTERMS.creator)}
    assert names == {"Ann Lee", "Bob"}
    orcid = rdflib.URIRef("https://orcid.org/0000-0002-1825-0097")
    assert (collection, DCTERMS.creator, orcid) in graph
    assert str(graph.value(collection, DCTERMS.license)) == ("https://creativecommons.org/licenses/by/4.0/")
    contact = graph.value(collection, DCAT.contactPoint)
    assert rdflib.URIRef("mailto:ann@a.test") in set(graph.objects(contact))
    file = graph.value(collection, DCAT.distribution)
    assert str(graph.value(file, DCAT.mediaType)).endswith("/text/turtle")


def test_what_nobody_says_is_not_there(crawl: Crawl, tmp_path: Path) -> None:
    graph = exported(crawl.graph, tmp_path)
    collection = collection_of(graph)
    assert str(graph.value(collection, DCTERMS.title)) == "asthma"
    for name in (DCTERMS.creator, DCTERMS.license, DCAT.contactPoint):
        assert (None, name, None) not in graph


@pytest.mark.parametrize(
    ("topic", "said", "described"),
    [
        ("", "", "3 web pages on the topic 'asthma', found by a crawl of semcrawl."),
        ("", "Mine.", "Mine."),
        ("Of lungs.", "", "Of lungs."),
        ("Of lungs.", "Mine.", "Mine."),
    ],
)
def test_a_description_is_given_or_the_topics_or_says_how_many_pages_on_what(
    tmp_path: Path, topic: str, said: str, described: str
) -> None:
    file = tmp_path / "asthma.toml"
    file.write_text(f'name = "asthma"\ndescription = "{topic}"\n[concepts]\n"wordnet:asthma" = 1.0\n')
    with make_crawl(tmp_path, PAGES, str(file)) as crawl:
        graph = exported(crawl.graph, tmp_path, description=said)
    assert [str(one) for one in graph.objects(collection_of(graph), DCTERMS.description)] == [described]


def test_void_counts_what_the_file_holds(crawl: Crawl, tmp_path: Path) -> None:
    graph = exported(crawl.graph, tmp_path)
    collection = collection_of(graph)
    described = {
        subject
        for subject in graph.subjects()
        if str(subject).partition("#")[2].startswith(("class-", "property-", "pages-of-", "links-"))
    }
    counted = [
        (s, p, o) for s, p, o in graph if s not in described and not (s == collection and str(p).startswith(str(VOID)))
    ]
    assert int(str(graph.value(collection, VOID.triples))) == len(counted)
    assert int(str(graph.value(collection, VOID.entities))) == 3
    [part] = graph.subjects(VOID["class"], NS.Page)
    assert int(str(graph.value(part, VOID.entities))) == 3
    assert rdflib.URIRef(SC) in set(graph.objects(collection, VOID.vocabulary))
    assert len(set(graph.objects(collection, VOID.exampleResource))) == 3


def test_links_between_sites_are_linksets(tmp_path: Path) -> None:
    pages = {
        "http://a.test/": '<p>asthma <a href="http://b.test/">asthma</a>',
        "http://b.test/": '<p>asthma <a href="http://a.test/">asthma</a> <a href="/2">asthma</a>',
        "http://b.test/2": '<p>asthma <a href="http://a.test/">asthma</a>',
    }
    with make_crawl(tmp_path, pages) as crawl:
        graph = exported(crawl.graph, tmp_path)
    found = {
        tuple(
            str(graph.value(graph.value(one, end), DCTERMS.title)) for end in (VOID.subjectsTarget, VOID.objectsTarget)
        ): int(str(graph.value(one, VOID.triples)))
        for one in graph.subjects(RDF.type, VOID.Linkset)
    }
    assert found == {("a.test", "b.test"): 1, ("b.test", "a.test"): 2}


def test_the_crawl_is_an_activity_with_its_plan(crawl: Crawl, tmp_path: Path) -> None:
    graph = exported(crawl.graph, tmp_path)
    activity = graph.value(collection_of(graph), PROV.wasGeneratedBy)
    assert (activity, RDF.type, PROV.Activity) in graph
    assert (activity, PROV.used, ASTHMA) in graph
    association = graph.value(activity, PROV.qualifiedAssociation)
    plan = graph.value(association, PROV.hadPlan)
    assert str(graph.value(plan, NS.strategy)) == "best-first-page-anchor"
    assert str(graph.value(plan, NS.judge)) == "labels"
    assert str(graph.value(plan, NS.seed)) == "http://a.test/"
    software = graph.value(activity, PROV.wasAssociatedWith)
    assert str(graph.value(software, SCHEMA.softwareVersion)) == VERSION
    [use] = graph.subjects(PROV.entity, ASTHMA)
    assert graph.value(use, PROV.atTime) == graph.value(ASTHMA, NS.fetchedAt)


def test_a_page_has_its_concept_and_the_concept_its_label(crawl: Crawl, tmp_path: Path) -> None:
    graph = exported(crawl.graph, tmp_path)
    concept = graph.value(ASTHMA, DCTERMS.subject)
    assert str(graph.value(concept, SKOS.prefLabel)) == "asthma"
    [row] = [row for row in crawl.graph.query("export/pages") if row["url"] == str(ASTHMA)]
    assert (row["concept"], row["concept_label"]) == (str(concept), "asthma")
    assert (ASTHMA, RDF.type, SCHEMA.WebPage) in graph
    assert int(str(graph.value(ASTHMA, NS.depth))) == 1
    assert str(graph.value(ASTHMA, NS.foundOn)) == "http://a.test/"
    assert (rdflib.URIRef("http://a.test/"), RDF.type, NS.Seed) in graph


def test_a_concept_that_is_only_related_to_the_topic_has_its_label(tmp_path: Path) -> None:
    page = "<title>Metacarpus</title><p>How the metacarpus grows."
    with make_crawl(tmp_path, {"http://a.test/": page}, "wordnet:hand.n.01") as crawl:
        graph = exported(crawl.graph, tmp_path, min_relevance=0.05)
        concept = graph.value(rdflib.URIRef("http://a.test/"), DCTERMS.subject)
        assert str(concept).endswith("/metacarpus.n.01")
        assert str(graph.value(concept, SKOS.prefLabel)) == "metacarpus"
        [row] = crawl.graph.query("export/pages", min_relevance=0.05)
        assert row["concept_label"] == "metacarpus"


ONTOLOGY = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<#asthma> a skos:Concept ; skos:prefLabel "asthma"@en ; skos:broader <#disease> .
<#disease> a skos:Concept ; skos:prefLabel "disease"@en .
"""


@pytest.mark.parametrize("form", ["turtle", "jsonld", "nquads"])
@pytest.mark.parametrize("whole", [False, True], ids=["collection", "whole"])
def test_no_folder_proxy_or_account_leaves(tmp_path: Path, form: str, whole: bool) -> None:
    place = tmp_path / "home of ann"
    (place / "web").mkdir(parents=True)
    (place / "web" / "0.html").write_text("<p>asthma")
    (place / "web" / "urls.tsv").write_text("http://a.test/\t0.html\t200\ttext/html\n")
    (place / "mine.ttl").write_text(ONTOLOGY)
    (place / "example.html").write_text("<p>asthma attack")
    topic = 'seeds = ["http://a.test/"]\nexamples = ["example.html"]\n'
    topic += '[concepts]\n"mine.ttl#asthma" = 0.5\n'
    (place / "topic.toml").write_text(f'name = "mine"\n{topic}')
    with Crawl(
        str(place / "topic.toml"),
        replay=(str(place / "web"),),
        proxy="http://ann:s3cret@proxy.example:3128",
        contact="ann@private.test",
    ) as crawl:
        crawl.run()
        export(crawl.graph, tmp_path / "a.out", form, whole=whole)
    text = (tmp_path / "a.out").read_text(encoding="utf-8")
    for private in ("home of ann", "home%20of", "s3cret", "proxy.example", "private.test"):
        assert private not in text, private
    assert "mine.ttl" in text


def test_a_licence_is_a_name_of_spdx_or_an_address() -> None:
    assert licence_address("ODbL-1.0") == "https://opendatacommons.org/licenses/odbl/1-0/"
    assert licence_address(" http://a.test/terms ") == "http://a.test/terms"
    with pytest.raises(ConfigError, match=r"'CC-BY' is not known \(did you mean CC-BY-"):
        licence_address("CC-BY")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"licence": "all mine"}, "give a name of SPDX"),
        ({"licence": "http://a b/"}, "give a name of SPDX"),
        ({"contact": "ann"}, "neither an e-mail address nor"),
        ({"contact": "ann@a.test>"}, "neither an e-mail address nor"),
        ({"creator": "https://orcid.org/1"}, "is no name: write 'Ann Lee'"),
        ({"creator": "Ann <x>"}, "is no name: write 'Ann Lee'"),
        ({"creator": "Ann Lee <https://orcid.org/0000-0002-1825-0098>"}, "is nobody's: one of its digits is wrong"),
    ],
)
def test_what_cannot_be_understood_is_refused(said: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        About.of(**said)


def test_an_orcid_may_end_in_x() -> None:
    ann = "Ann Lee <https://orcid.org/0000-0002-1694-233X>"
    assert About.of(creator=ann).creator == (ann,)


@given(st.text(max_size=30), st.lists(st.text(max_size=20), max_size=3))
def test_any_text_is_a_title_and_any_name_a_creator_or_refused(title: str, creators: list[str]) -> None:
    try:
        about = About.of(title, creators)
    except ConfigError:
        return
    assert "\n" not in about.title
    assert all(name.strip() and "\n" not in name for name in about.creator)


def test_json_ld_has_names_that_can_be_read(crawl: Crawl, tmp_path: Path) -> None:
    export(crawl.graph, tmp_path / "a.jsonld", **ABOUT)
    document = json.loads((tmp_path / "a.jsonld").read_text(encoding="utf-8"))
    first = document["@graph"][0]
    assert first["id"] == "this:collection"
    assert first["title"] == 'Say "hi" twice'
    decimal = "http://www.w3.org/2001/XMLSchema#decimal"
    assert document["@context"]["relevance"] == {"@id": f"{SC}relevance", "@type": decimal}
    [page] = [node for node in document["@graph"] if node["id"] == str(ASTHMA)]
    assert page["depth"] == "1"
    assert page["linksTo"] == "http://a.test/q"


_NODES = st.sampled_from(
    [
        *(ox.BlankNode(name) for name in "abc"),
        *map(ox.NamedNode, ("http://a.test/", "schema:Person", "this:x", f"{SC}Page", "urn:a:b")),
    ]
)
_LITERALS = st.sampled_from(
    [
        ox.Literal("x"),
        ox.Literal("x", language="en"),
        ox.Literal(3),
        ox.Literal(2**60),
        ox.Literal("007", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#integer")),
        ox.Literal(True),
        ox.Literal("0.5", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#decimal")),
        ox.Literal("soon", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#integer")),
    ]
)
_PROPERTIES = st.sampled_from(
    [
        ox.NamedNode(name)
        for name in (
            str(RDF.type),
            f"{SC}title",
            "http://purl.org/dc/terms/title",
            "http://x.test/p",
            "schema:p",
            f"{SC}type",
        )
    ]
)
_GRAPHS = st.sampled_from([ox.DefaultGraph(), ox.NamedNode("http://a.test/")])


@given(st.lists(st.builds(ox.Quad, _NODES, _PROPERTIES, st.one_of(_NODES, _LITERALS), _GRAPHS)))
def test_json_ld_says_exactly_what_the_quads_say(quads: list[ox.Quad]) -> None:
    back = ox.Dataset(ox.parse(json_ld(quads), format=ox.RdfFormat.JSON_LD))
    given_quads = ox.Dataset(quads)
    for dataset in (back, given_quads):
        dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    assert back == given_quads


def test_statements_that_a_format_cannot_hold_are_counted(tmp_path: Path) -> None:
    person = '<p itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ann</b>'
    with make_crawl(tmp_path, {"http://a.test/": f"<p>asthma {person}"}) as crawl:
        assert own_statements_left_out(crawl.graph, "turtle") == 2
        assert own_statements_left_out(crawl.graph, "rdfxml", whole=True) == 2
        assert own_statements_left_out(crawl.graph, "trig") == 0
        assert own_statements_left_out(crawl.graph, "turtle", 1.0) == 0


def test_settings_too_deep_to_be_read_are_not_told() -> None:
    assert exported_settings('{"a":' * 100_000) == ""
