from __future__ import annotations

import csv
import io
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
import rdflib
from rdflib.namespace import DCTERMS, PROV, RDF

from semcrawl.errors import ConfigError, QueryError, SemcrawlError, StoreError
from semcrawl.graph import SC, export
from semcrawl.graph.export import FORMATS, format_of
from semcrawl.graph.result_formats import RDF_FORMATS, csv_text
from tests.graph.export.conftest import PAGES, RELEVANT, make_crawl

if TYPE_CHECKING:
    from semcrawl import Crawl

# rdflib warns of its own use of its older classes.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")

NS = rdflib.Namespace(SC)
READERS = {
    "turtle": "turtle",
    "ntriples": "nt",
    "nquads": "nquads",
    "trig": "trig",
    "jsonld": "json-ld",
    "rdfxml": "xml",
}


def read_back(path: Path, form: str) -> rdflib.Graph:
    """All triples of a file as rdflib reads it."""
    dataset = rdflib.Dataset(default_union=True)
    dataset.parse(path, format=READERS[form])
    graph = rdflib.Graph()
    for triple in dataset.triples((None, None, None)):
        graph.add(triple)
    return graph


@pytest.mark.parametrize("form", RDF_FORMATS)
def test_every_rdf_format_holds_the_same_collection(crawl: Crawl, tmp_path: Path, form: str) -> None:
    assert export(crawl.graph, tmp_path / "a.out", form) == 3
    graph = read_back(tmp_path / "a.out", form)
    [collection] = graph.subjects(RDF.type, NS.Collection)
    assert {str(page) for page in graph.objects(collection, DCTERMS.hasPart)} == RELEVANT
    assert {str(page) for page in graph.subjects(RDF.type, NS.Page)} == RELEVANT
    assert str(graph.value(collection, DCTERMS.title)) == "asthma"
    assert (graph.value(collection, PROV.wasGeneratedBy), RDF.type, NS.Crawl) in graph
    asthma = rdflib.URIRef("http://a.test/asthma")
    assert str(graph.value(asthma, DCTERMS.title)) == 'Asthma, "wheeze" & <cough>'
    assert (asthma, NS.linksTo, rdflib.URIRef("http://a.test/q")) in graph
    # Only links between pages of the collection: the cars are not in it.
    assert (asthma, NS.linksTo, rdflib.URIRef("http://a.test/cars")) not in graph


@pytest.mark.parametrize("form", RDF_FORMATS)
def test_the_whole_graph_holds_everything(crawl: Crawl, tmp_path: Path, form: str) -> None:
    assert export(crawl.graph, tmp_path / "a.out", form, whole=True) == 4
    graph = read_back(tmp_path / "a.out", form)
    assert {str(page) for page in graph.subjects(RDF.type, NS.Page)} == set(PAGES)
    assert len(graph) == len(list(crawl.graph.store.quads()))
    assert (None, NS.settings, None) in graph


def test_a_table_has_a_row_for_each_page_best_first(crawl: Crawl, tmp_path: Path) -> None:
    assert export(crawl.graph, tmp_path / "a.csv") == 3
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["url"] for row in rows} == RELEVANT
    relevances = [float(row["relevance"]) for row in rows]
    assert relevances == sorted(relevances, reverse=True)
    [asthma] = [row for row in rows if row["url"] == "http://a.test/asthma"]
    assert asthma["title"] == 'Asthma, "wheeze" & <cough>'
    assert asthma["language"] == "en"
    assert asthma["site"] == "a.test"
    assert asthma["depth"] == "1"
    assert asthma["found_on"] == "http://a.test/"


@pytest.mark.parametrize(("least", "pages"), [(0.0, 4), (0.05, 3), (1.0, 0)])
def test_the_least_relevance_can_be_chosen(crawl: Crawl, tmp_path: Path, least: float, pages: int) -> None:
    assert export(crawl.graph, tmp_path / "a.ttl", min_relevance=least) == pages
    graph = read_back(tmp_path / "a.ttl", "turtle")
    assert len(set(graph.subjects(RDF.type, NS.Page))) == pages


@pytest.mark.parametrize("form", FORMATS)
def test_a_crawl_without_relevant_pages_gives_a_valid_file(empty_crawl: Crawl, tmp_path: Path, form: str) -> None:
    assert export(empty_crawl.graph, tmp_path / "a.out", form) == 0
    if form in READERS:
        graph = read_back(tmp_path / "a.out", form)
        assert (None, RDF.type, NS.Collection) in graph
        assert (None, DCTERMS.hasPart, None) not in graph
    else:
        assert (tmp_path / "a.out").stat().st_size > 0


@pytest.mark.parametrize(
    ("name", "form"), [("a.ttl", "turtle"), ("a.TTL", "turtle"), ("a.b.nq", "nquads"), ("x/a.xml", "rdfxml")]
)
def test_the_ending_tells_the_format(name: str, form: str) -> None:
    assert format_of(Path(name)) == form


@pytest.mark.parametrize("name", ["a", "a.doc", ".ttl"])
def test_an_ending_that_tells_nothing_is_refused(crawl: Crawl, tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="does not tell the format: give one of turtle"):
        export(crawl.graph, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_format_is_refused(crawl: Crawl, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no format 'word': choose one of turtle"):
        export(crawl.graph, tmp_path / "a", "word")


@pytest.mark.parametrize("form", ["csv", "graphml"])
def test_a_whole_graph_needs_an_rdf_format(crawl: Crawl, tmp_path: Path, form: str) -> None:
    with pytest.raises(ConfigError, match=f"cannot be written as {form}: choose an RDF format"):
        export(crawl.graph, tmp_path / "a", form, whole=True)


@pytest.mark.parametrize("form", FORMATS)
def test_a_failed_export_leaves_the_old_file_and_nothing_else(crawl: Crawl, tmp_path: Path, form: str) -> None:
    (tmp_path / "old").mkdir()
    with pytest.raises(StoreError, match=r"cannot write .*old: .*choose another place"):
        export(crawl.graph, tmp_path / "old", form)
    with pytest.raises(SemcrawlError):
        export(crawl.graph, tmp_path / "gone" / "a", form)
    assert list(tmp_path.rglob("*")) == [tmp_path / "old"]


def test_a_second_export_replaces_the_first_at_once(crawl: Crawl, tmp_path: Path) -> None:
    target = tmp_path / "a.ttl"
    target.write_text("old")
    with target.open() as reader:
        export(crawl.graph, target)
        assert reader.read() == "old"  # who reads the old file is not disturbed
    assert "sc:Collection" in target.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_to_a_file_stays_a_link(crawl: Crawl, tmp_path: Path) -> None:
    (tmp_path / "real.ttl").touch()
    (tmp_path / "link.ttl").symlink_to("real.ttl")
    export(crawl.graph, tmp_path / "link.ttl")
    assert (tmp_path / "link.ttl").is_symlink()
    assert (tmp_path / "real.ttl").stat().st_size > 0


@pytest.mark.parametrize("form", ["trig", "nquads", "jsonld"])
def test_formats_with_graphs_hold_what_pages_say_themselves(tmp_path: Path, form: str) -> None:
    person = '<p itemscope itemtype="http://schema.org/Person"><b itemprop="name">{}</b>'
    pages = {
        "http://a.test/": f'<p>asthma <a href="/cars">cars</a>{person.format("Ann")}',
        "http://a.test/cars": f"<p>wheels {person.format('Bob')}",
    }
    with make_crawl(tmp_path, pages) as crawl:
        assert export(crawl.graph, tmp_path / "a.out", form) == 1
    dataset = rdflib.Dataset()
    dataset.parse(tmp_path / "a.out", format=READERS[form])
    names = dataset.quads((None, rdflib.URIRef("https://schema.org/name"), None, None))
    assert [(str(name), str(page)) for _, _, name, page in names] == [("Ann", "http://a.test/")]


def test_a_title_that_a_spreadsheet_would_run_is_a_text_in_tables(tmp_path: Path) -> None:
    title = "=HYPERLINK(&quot;http://evil.test/&quot;)"
    with make_crawl(tmp_path, {"http://a.test/": f"<title>{title}</title><p>asthma"}) as crawl:
        export(crawl.graph, tmp_path / "a.csv")
    (row,) = csv.DictReader((tmp_path / "a.csv").read_text(encoding="utf-8").splitlines())
    assert row["title"] == '\'=HYPERLINK("http://evil.test/")'
    assert float(row["relevance"]) > 0


@pytest.mark.parametrize("text", ["=1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", " =1"])
def test_texts_that_spreadsheets_run_have_an_apostrophe(text: str) -> None:
    (row,) = csv.reader(io.StringIO(csv_text([[text]]), newline=""))
    assert row == [f"'{text}".replace("\r", "\n")]


@pytest.mark.parametrize("cell", ["-1", "+1.5", "-2.5e-7", "a=b", "http://a.test/", "", -3, None])
def test_numbers_and_other_texts_have_none(cell: object) -> None:
    (row,) = csv.reader(io.StringIO(csv_text([[cell, "x"]])))
    assert row[0] == ("" if cell is None else str(cell))


ODD = [r"\u003e <urn:p> <urn:o> . <urn:x", r"\u000a<urn:s> <urn:p> <urn:o> .", r"\u005cu003e"]


@pytest.mark.parametrize("odd", ODD)
def test_an_iri_that_is_none_is_not_written(tmp_path: Path, odd: str) -> None:
    for sign in " <>":
        odd = odd.replace(sign, f"\\u{ord(sign):04x}")
    with make_crawl(tmp_path, PAGES) as crawl:
        graph = crawl.graph
        pattern = ox.NamedNode("http://a.test/asthma"), None, None
        said = [f"{quad.predicate} {quad.object} .\n" for quad in graph.store.raw.quads_for_pattern(*pattern)]
        lines = "".join(f"<http://a.test/{odd}> {one}" for one in said)
        graph.store.raw.load(lines, ox.RdfFormat.N_TRIPLES, lenient=True)
        for form, whole in product(RDF_FORMATS, (False, True)):
            with pytest.raises((StoreError, ValueError), match=r"no IRI can have|Invalid IRI"):
                export(graph, tmp_path / "a.out", form, whole=whole)
            with pytest.raises(StoreError, match="no IRI can have"):
                graph.query("CONSTRUCT WHERE { ?s ?p ?o }").serialize(form)
        with pytest.raises(QueryError, match="XML cannot hold"):
            graph.query("SELECT * { ?s ?p ?o }").serialize("xml")
        rows = graph.query("SELECT ?s { ?s a sc:Page }").serialize("tsv")
    assert not (tmp_path / "a.out").exists()
    assert len(rows.splitlines()) == 1 + len(PAGES) + 1
