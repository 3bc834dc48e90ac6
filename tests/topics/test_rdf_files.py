"""Reading RDF files: syntaxes, encodings, and everything that a bad file may hold."""

from __future__ import annotations

import gzip
import os
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import TopicError
from semcrawl.topics import rdf_files, rdf_statements
from semcrawl.topics.ontology import read_ontology
from semcrawl.topics.rdf_files import read_triples
from semcrawl.topics.rdf_statements import RdfStatements, add_file
from semcrawl.topics.sources import OntologySource, ReadOptions
from semcrawl.topics.vocabularies import RDFS

from .conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RDF_XML = """<?xml version="1.0"{encoding}?>{doctype}
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#">
  <owl:Class rdf:about="http://example.org/o#Cafe"><rdfs:label>{label}</rdfs:label></owl:Class>
</rdf:RDF>"""
OWL_XML = """<?xml version="1.0"?>{doctype}
<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://example.org/o">
  <Declaration><Class IRI="#Cafe"/></Declaration>
  <AnnotationAssertion>
    <AnnotationProperty IRI="http://www.w3.org/2000/01/rdf-schema#label"/>
    <IRI>#Cafe</IRI><Literal>{label}</Literal>
  </AnnotationAssertion>
</Ontology>"""
PLAIN_OWL_XML = OWL_XML.format(doctype="", label="café")
PLAIN_XML = RDF_XML.format(encoding="", doctype="", label="café")
TRIPLES = (
    "<http://example.org/o#Cafe> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "
    "<http://www.w3.org/2002/07/owl#Class> .\n"
    '<http://example.org/o#Cafe> <http://www.w3.org/2000/01/rdf-schema#label> "café" .\n'
)
TURTLE = (
    "# a café\nPREFIX owl: <http://www.w3.org/2002/07/owl#>\n"
    "<http://example.org/o#Cafe> a owl:Class ;\n"
    '  <http://www.w3.org/2000/01/rdf-schema#label> "café" .\n'
)
JSON_LD = """{"@id": "http://example.org/o#Cafe",
 "@type": "http://www.w3.org/2002/07/owl#Class",
 "http://www.w3.org/2000/01/rdf-schema#label": "café"}"""
BOMB = (
    '<!DOCTYPE r [<!ENTITY a0 "lol">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)) + "]>"
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.owl", PLAIN_XML),
        ("a.rdf", PLAIN_XML),
        ("a.xml", RDF_XML.format(encoding=' encoding="utf-8"', doctype="", label="café")),
        ("a.nt", TRIPLES),
        ("a.nq", TRIPLES.replace(" .", " <http://example.org/graph> .")),
        ("a.trig", "GRAPH <http://example.org/graph> {" + TRIPLES + "}"),
        ("a.n3", TRIPLES),
        ("a.jsonld", JSON_LD),
        ("a.owx", PLAIN_OWL_XML),
        ("turtle-named.owl", TRIPLES),
        ("json-named.owl", JSON_LD),
        ("xml-named.ttl.rdf", PLAIN_XML),
        ("xml-named.nt", PLAIN_XML),
        ("turtle-named.json", TRIPLES),
        ("owl-xml-named.owl", PLAIN_OWL_XML),
        ("a.unknown", PLAIN_XML),
        ("triples-in-graphs.nt", TRIPLES.replace(" .", " <http://example.org/graph> .")),
        ("graphs.ttl", "GRAPH <http://example.org/graph> {" + TRIPLES + "}"),
        ("turtle.nq", TURTLE),
        ("packed.owl.gz", gzip.compress(PLAIN_XML.encode())),
        ("packed.ttl", gzip.compress(TURTLE.encode())),
        ("packed-twice", gzip.compress(PLAIN_XML[:99].encode()) + gzip.compress(PLAIN_XML[99:].encode())),
        ("no-suffix", TRIPLES),
        ("bom.owl", "\ufeff" + PLAIN_XML),
    ],
)
def test_what_a_file_holds_decides_how_it_is_read(ontology: Callable[..., Path], name: str, content: str) -> None:
    graph = read_ontology(ontology(content, name))
    assert [(concept, graph.label(concept)) for concept in graph] == [("http://example.org/o#Cafe", "café")]


@pytest.mark.parametrize("encoding", ["iso-8859-1", "utf-16", "windows-1252"])
def test_other_encodings_are_read_where_they_are_declared(ontology: Callable[..., Path], encoding: str) -> None:
    text = RDF_XML.format(encoding=f' encoding="{encoding}"', doctype="", label="café")
    graph = read_ontology(ontology(text.encode(encoding), "a.owl"))
    assert graph.label("http://example.org/o#Cafe") == "café"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.owl", b"", "is empty"),
        ("a.owl", b" \n ", "is empty"),
        ("a.owl", b"\x00\x01\x02\xff" * 99, "is not text"),
        ("a.ttl", b"a\x00b", "NUL characters"),
        ("a.owl", PLAIN_XML[:-20], "not well-formed XML"),
        ("a.owl", PLAIN_XML.replace("<rdfs:label>", "<rdfs:label"), "not well-formed XML"),
        ("a.owl", PLAIN_XML.replace("rdf:about", "rdf:nodeID='x' rdf:about"), "is not in RDF/XML"),
        ("a.owl", "<html xmlns='http://www.w3.org/1999/xhtml'/>", "root element is"),
        ("a.owl", "<svg/>", "is XML, but no ontology"),
        ("a.ttl", ":a :b", "is not in Turtle: .*line"),
        ("a.nt", "<http://a.test/> <b> .", "is not in N-Triples"),
        ("a.jsonld", '{"@id": ', "is not in JSON-LD"),
        ("a.jsonld", '{"@context": "http://127.0.0.1:9/", "a": 1}', "is not in JSON-LD"),
        ("a.owl", "This is a letter, not an ontology.", "is not in Turtle"),
        ("a.owl", PLAIN_OWL_XML.replace("<IRI>", "<Class>"), "not well-formed XML"),
        ("a.owl", PLAIN_OWL_XML.replace('IRI="#Cafe"', ""), "is not in OWL/XML"),
        ("a.ofn", "Prefix(:=<http://a.test/>)\nOntology(<http://a.test/>)", "functional syntax"),
        ("a.omn", "Prefix: : <http://a.test/>\nOntology: <x>", "Manchester syntax"),
        ("a.ttl", "", "holds no concepts"),
        ("a.owl", RDF_XML.format(encoding="", doctype=BOMB, label="&a9;"), "other entities"),
        ("a.owl", OWL_XML.format(doctype=BOMB, label="&a9;"), "other entities"),
    ],
)
def test_a_file_that_is_no_ontology_is_refused_in_one_line(
    ontology: Callable[..., Path], name: str, content: str | bytes, message: str
) -> None:
    path = ontology(content, name)
    with pytest.raises(TopicError, match=message) as caught:
        read_ontology(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400 + len(str(path))


@pytest.mark.parametrize("form", [RDF_XML, OWL_XML])
def test_an_external_entity_discloses_no_file(ontology: Callable[..., Path], tmp_path: Path, form: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden treasure")
    doctype = f'<!DOCTYPE r [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    path = ontology(form.format(encoding="", doctype=doctype, label="&x;"), "a.owl")
    with pytest.raises(TopicError, match="external or parameter entity 'x'") as caught:
        read_ontology(path)
    assert "treasure" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(PLAIN_XML.encode())[:-20], "packed with gzip, and cut off"),
        (b"\x1f\x8b\x08" + b"x" * 100, "packed with gzip, and damaged"),
        (gzip.compress(b"") * 400_000, "packed with gzip, and damaged: more than 10,000 members"),
    ],
)
def test_what_cannot_be_unpacked_is_refused(ontology: Callable[..., Path], content: bytes, message: str) -> None:
    with pytest.raises(TopicError, match=message):
        read_ontology(ontology(content, "a.owl.gz"))


def test_unpacking_is_bounded(ontology: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdf_files, "LARGEST_FILE", 1_000_000)
    with pytest.raises(TopicError, match="larger than 1 MB when it is unpacked"):
        read_ontology(ontology(gzip.compress(b" " * 2_000_000), "a.owl.gz"))


@pytest.mark.parametrize(
    "content",
    [
        *(PLAIN_XML, PLAIN_OWL_XML, TRIPLES, TURTLE, JSON_LD, f"[{JSON_LD}]"),
        TRIPLES.replace(" .", " <http://example.org/graph> ."),
        "GRAPH <http://example.org/graph> {" + TRIPLES + "}",
        gzip.compress(PLAIN_XML.encode()),
        PLAIN_XML.encode("utf-16"),
        "! made by hand\nontology: x\n\n[Term]\nid: X:1\nname: x\n",
    ],
)
def test_what_a_file_holds_tells_an_ontology(ontology: Callable[..., Path], content: str | bytes) -> None:
    path = ontology(content, "export-2024.dat")
    assert rdf_files.is_rdf(path)
    assert OntologySource().accepts(str(path), ReadOptions())
    assert len(read_ontology(path)) == 1


@pytest.mark.parametrize(
    "content",
    [
        *("", "A letter.", "Dear Anna,\nhow are you?", "<html><body/></html>", "<svg/>", "{}"),
        *('{"name": "x"}', "[concepts]\n'a' = 1", "Science\n  Biology\n", "http://a.test/\tBirds"),
        *(b"\x1f\x8b\x08", b"\x1f\x8b\x08junk", b"\x89PNG\r\n", b"\0\0", "# a heading\n\ntext"),
        *("name: x\nid: y", "---\na: b\n", "import os\n", "a b c\n", "<a> <b>"),
    ],
)
def test_other_files_are_not_taken_for_ontologies(ontology: Callable[..., Path], content: str | bytes) -> None:
    assert not rdf_files.is_rdf(ontology(content, "x.dat"))


def test_empty_lines_of_a_file_are_looked_at_once(ontology: Callable[..., Path]) -> None:
    # Ten minutes if each were tried as the end of the stanza's first line.
    path = ontology("[Term]" + "\n" * 65_000 + "x", "x.dat")
    assert not any(rdf_files.is_rdf(path) for _ in range(100))


@given(st.binary(max_size=200) | st.text('<>:"@{}[]. \n#ax', max_size=60).map(str.encode))
def test_any_file_can_be_looked_at(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.dat"
    path.write_bytes(data)
    assert rdf_files.is_rdf(path) in (True, False)


def test_files_that_cannot_be_opened_are_named(tmp_path: Path) -> None:
    (tmp_path / "folder.owl").mkdir()
    with (tmp_path / "huge.owl").open("wb") as huge:
        huge.truncate(rdf_files.LARGEST_FILE + 1)
    os.mkfifo(tmp_path / "pipe.owl")
    for name, message in (
        ("none.owl", "No such file"),
        ("folder.owl", "holds no file with an ontology"),
        ("huge.owl", "larger than 250 MB"),
        ("pipe.owl", "no regular file"),
    ):
        with pytest.raises(TopicError, match=f"{name}.*{message}"):
            read_ontology(tmp_path / name)


def test_a_file_with_too_many_statements_is_refused(
    ontology: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rdf_statements, "_MOST_STATEMENTS", 3)
    with pytest.raises(TopicError, match="more than 3 statements"):
        read_ontology(ontology(":a a owl:Class . :b a owl:Class . :c a owl:Class, owl:Thing ."))


def test_too_many_long_iris_are_not_read_to_the_end(
    ontology: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rdf_statements, "_MOST_LONG", 100_000)
    prefix = f"@prefix big: <http://example.org/{'x' * 10_000}> .\n"
    with pytest.raises(TopicError, match="too many IRIs of more than 2,000 characters"):
        read_ontology(ontology(prefix + "".join(f"big:{n} a owl:Class .\n" for n in range(50))))


@pytest.mark.parametrize("written", ["@base <a/> .\n", "BASE <a/>\n", "@base\n<a/>.", "base<a/>", "@base # >\n<a/> ."])
def test_a_base_cannot_grow_without_end(ontology: Callable[..., Path], written: str) -> None:
    assert list(read_ontology(ontology(written * 1_000 + ":a a owl:Class .")))
    with pytest.raises(TopicError, match="too many bases"):
        read_ontology(ontology(written * 5_000 + ":a a owl:Class ."))


def test_a_prefix_cannot_blow_up_a_file(ontology: Callable[..., Path]) -> None:
    prefix = f"@prefix big: <http://example.org/{'x' * 10_000}> .\n"
    path = ontology(prefix + "".join(f"big:{n} a owl:Class .\n" for n in range(50)) + ":a a owl:Class .")
    graph = read_ontology(path)
    assert list(graph) == ["http://example.org/o#a"]
    assert graph.problems == (f"{path}: left out: 50 IRIs of more than 2,000 characters",)


def test_texts_that_are_no_labels_are_not_kept(ontology: Callable[..., Path]) -> None:
    statements = RdfStatements()
    add_file(ontology(f':a a owl:Class ; rdfs:comment "long" ; rdfs:label "{"x" * 501}", "a" .'), statements)
    assert [text.value for _, text in statements.texts(f"{RDFS}label")] == ["a"]
    assert not list(statements.texts(f"{RDFS}comment"))


def test_a_bad_iri_does_not_cost_the_whole_file(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(":a a owl:Class ; rdfs:seeAlso <http://a b> . :b a owl:Class ."))
    assert len(graph) == 2


@pytest.mark.parametrize("content", ["(" * 50_000 + ")" * 50_000, "[ :p " * 50_000 + "1" + "]" * 50_000, "(" * 50_000])
def test_deeply_nested_turtle_is_read_or_refused(ontology: Callable[..., Path], content: str) -> None:
    path = ontology(f":a a owl:Class ; owl:equivalentClass {content} .")
    with suppress(TopicError):
        assert len(read_ontology(path)) == 1


SAMPLES = {
    "beekeeping.ttl": (ROOT / "ontologies" / "beekeeping.ttl").read_bytes(),
    "asthma.ttl": (ROOT / "ontologies" / "asthma.ttl").read_bytes(),
    "a.owl": PLAIN_XML.encode(),
    "b.owl": PLAIN_OWL_XML.encode(),
    "a.jsonld": JSON_LD.encode(),
    "a.nq": TRIPLES.encode(),
    "a.n3": TRIPLES.encode(),
}


@pytest.mark.data
def test_every_triple_of_a_real_file_is_read(real_ontologies: Path) -> None:
    assert sum(1 for _ in read_triples(real_ontologies / "pizza.owl")) == 4_179


@pytest.mark.parametrize("first", ["<a> <b> ", "<Cafe> a owl:Class ;", "<Cafe>  a  owl:Class ,", "<Cafe> a :x ;"])
def test_turtle_that_begins_with_a_relative_iri_is_not_taken_for_xml(tmp_path: Path, first: str) -> None:
    path = tmp_path / "a.ttl"
    path.write_text(first)
    with pytest.raises(TopicError, match="is not in Turtle"):
        list(read_triples(path))
    path.write_text("<Cafe> <b> <c> .\n")
    assert len(list(read_triples(path))) == 1
