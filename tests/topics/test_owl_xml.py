"""OWL/XML: literals of every datatype, and the ontologies that owlready2 is tested with."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from semcrawl.errors import TopicError
from semcrawl.topics import read_ontology
from semcrawl.topics.rdf_files import read_triples

from .conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

XSD = "http://www.w3.org/2001/XMLSchema#"
ONTOLOGY = """<?xml version="1.0"?>
<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://example.org/o">
  <Declaration><Class IRI="#Cafe"/></Declaration>
  <AnnotationAssertion>
    <AnnotationProperty IRI="http://www.w3.org/2000/01/rdf-schema#label"/>
    <IRI>#Cafe</IRI><Literal datatypeIRI="{kind}">{text}</Literal>
  </AnnotationAssertion>
</Ontology>"""
# Of these the parser itself fails: they are no well-formed XML.
BROKEN = {"test_owlxml_bug.owl"}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *((name, "3") for name in ("integer", "int", "long", "short", "byte", "unsignedByte")),
        *((name, "+007") for name in ("nonNegativeInteger", "positiveInteger", "unsignedLong")),
        *((name, "-5") for name in ("negativeInteger", "nonPositiveInteger")),
        *((name, "1.50") for name in ("decimal", "double", "float")),
        *((name, "INF") for name in ("double", "float")),
        *(("boolean", text) for text in ("true", "0")),
        *(("string", "3"), ("token", "3"), ("anyURI", "http://a.test/"), ("language", "en")),
        *(("date", "2024-02-30"), ("dateTime", "2024-01-01T00:00:00Z"), ("gYear", "2024")),
        *(("duration", "P1D"), ("hexBinary", "0F"), ("base64Binary", "aGk=")),
        *(("integer", "three"), ("decimal", "a lot"), ("unknown", "x")),
    ],
)
def test_a_typed_literal_is_read_as_it_is_written(ontology: Callable[..., Path], kind: str, text: str) -> None:
    path = ontology(ONTOLOGY.format(kind=XSD + kind, text=text), "a.owx")
    literals = [t.object for t in read_triples(path) if isinstance(t.object, ox.Literal)]
    assert literals == [ox.Literal(text, datatype=ox.NamedNode(XSD + kind))]
    assert read_ontology(path).label("http://example.org/o#Cafe") == text


@pytest.mark.parametrize("name", ["", "owl:"])
def test_an_ontology_may_have_neither_name_nor_prefixes(ontology: Callable[..., Path], name: str) -> None:
    text = (
        f'<{name}Ontology xmlns{":owl" if name else ""}="http://www.w3.org/2002/07/owl#">'
        f'<{name}Declaration><{name}Class IRI="urn:x:Cafe"/></{name}Declaration>'
        f'<{name}Declaration><{name}Class IRI="Bar"/></{name}Declaration></{name}Ontology>'
    )
    cafe, bar = read_ontology(ontology(text, "a.owx"))
    assert cafe == "urn:x:Cafe"
    assert bar.endswith("/Bar")


def owlready2_tests() -> list[Path]:
    spec = find_spec("owlready2")
    assert spec is not None
    assert spec.origin is not None
    data = Path(os.environ.get("SEMCRAWL_DATA", ROOT.parent / "shared" / "data"))
    for folder in (Path(spec.origin).parent / "test", data / "owlready2-test"):
        if folder.is_dir():
            return sorted(p for p in folder.glob("*.owl") if b"<Ontology" in p.read_bytes())
    return []


def test_the_ontologies_that_owlready2_is_tested_with() -> None:
    files = owlready2_tests()
    if not files:
        pytest.skip("owlready2 is installed without its tests, and there is no copy of them")
    for path in files:
        if path.name in BROKEN:
            with pytest.raises(TopicError, match="not well-formed XML"):
                list(read_triples(path))
            continue
        found = set(map(str, read_triples(path)))
        assert found
        reference = path.with_suffix(".ntriples")
        if reference.exists():
            assert named(read_triples(path)) == named(read_triples(reference))


def named(triples: Iterator[ox.Triple]) -> list[str]:
    """The statements without the names of blank nodes, and without annotations of axioms."""
    found = list(triples)
    kind = ox.NamedNode("http://www.w3.org/2002/07/owl#Axiom")
    axioms = {triple.subject for triple in found if triple.object == kind}
    kept = (triple for triple in found if triple.subject not in axioms)
    return sorted(re.sub(r"_:\w+", "_:", str(triple)) for triple in kept)


AXIOMS = """<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://example.org/o">
  <Prefix name="" IRI="http://example.org/o#"/>
  <Annotation><AnnotationProperty abbreviatedIRI="rdfs:label"/><Literal>x</Literal></Annotation>
  <Declaration><Class IRI="#A"/></Declaration><Declaration><Class IRI="#C"/></Declaration>
  <Declaration><Class IRI="#Y"/></Declaration><Declaration><Class IRI="#B"/></Declaration>
  <EquivalentClasses><Class IRI="#A"/><Class IRI="#B"/><Class abbreviatedIRI=":C"/>
  </EquivalentClasses>
  <EquivalentClasses><ObjectUnionOf><Class IRI="#X"/><Class IRI="#Y"/></ObjectUnionOf>
    <Class IRI="#Z"/></EquivalentClasses>
  <DisjointClasses><Class IRI="#A"/><Class IRI="#X"/></DisjointClasses>
  <SubClassOf><Annotation><AnnotationProperty IRI="#note"/><Literal>why</Literal></Annotation>
    <Class IRI="#A"/><ObjectMinCardinality cardinality="2"><ObjectProperty IRI="#part"/>
    <Class IRI="#X"/></ObjectMinCardinality></SubClassOf>
  <SubClassOf><Class IRI="#B"/><ObjectSomeValuesFrom><ObjectInverseOf><ObjectProperty IRI="#part"/>
    </ObjectInverseOf><Class IRI="#X"/></ObjectSomeValuesFrom></SubClassOf>
  <SubClassOf><Class IRI="#X"/><DataSomeValuesFrom><DataProperty IRI="#age"/><DatatypeRestriction>
    <Datatype abbreviatedIRI="xsd:integer"/><FacetRestriction
      facet="http://www.w3.org/2001/XMLSchema#minInclusive"><Literal
      datatypeIRI="http://www.w3.org/2001/XMLSchema#integer">3</Literal></FacetRestriction>
    </DatatypeRestriction></DataSomeValuesFrom></SubClassOf>
  <SubClassOf><Class IRI="#Y"/><SomethingNew/></SubClassOf>
  <DLSafeRule><Body/><Head/></DLSafeRule>
  <AsymmetricObjectProperty><ObjectProperty IRI="#part"/></AsymmetricObjectProperty>
  <ClassAssertion><Class IRI="#A"/><NamedIndividual IRI="#a"/></ClassAssertion>
  <ObjectPropertyAssertion><ObjectProperty IRI="#part"/><NamedIndividual IRI="#a"/>
    <NamedIndividual IRI="#b"/></ObjectPropertyAssertion>
  <ClassAssertion><Class IRI="#X"/><NamedIndividual IRI="#b"/></ClassAssertion>
  <NegativeObjectPropertyAssertion><ObjectProperty IRI="#part"/><NamedIndividual IRI="#b"/>
    <NamedIndividual IRI="#a"/></NegativeObjectPropertyAssertion>
</Ontology>"""


def test_axioms_become_the_edges_that_they_mean(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(AXIOMS, "axioms.owx"))
    start = "http://example.org/o#"
    assert sorted(c.removeprefix(start) for c in graph) == ["A", "B", "C", "X", "Y", "Z", "a", "b"]
    assert graph.relations(f"{start}A") == [("part", f"{start}X"), ("same-as", f"{start}B"), ("same-as", f"{start}C")]
    assert sorted(graph.narrower(f"{start}Z")) == [f"{start}X", f"{start}Y"]
    assert graph.relations(f"{start}a") == [("part", f"{start}b")]
    assert graph.broader(f"{start}a") == [f"{start}A"]


@pytest.mark.usefixtures("needs_java")
def test_a_reasoner_understands_the_axioms(ontology: Callable[..., Path]) -> None:
    graph = read_ontology(ontology(AXIOMS, "axioms.owx"), reason=True)
    assert graph.notes.aliases == {f"http://example.org/o#{n}": "http://example.org/o#A" for n in "BC"}


@pytest.mark.parametrize(
    ("axiom", "message"),
    [
        ('<SubClassOf><Class IRI="#A"/></SubClassOf>', "SubClassOf lacks a part"),
        ('<Declaration><Class abbreviatedIRI="x:A"/></Declaration>', "prefix that is not there"),
        ("<Declaration/>", "Declaration lacks a part"),
    ],
)
def test_an_axiom_that_is_none_is_named(ontology: Callable[..., Path], axiom: str, message: str) -> None:
    path = ontology(AXIOMS.replace("<DLSafeRule>", f"{axiom}<DLSafeRule>"), "a.owx")
    with pytest.raises(TopicError, match=f"is not in OWL/XML: .*{message}"):
        read_ontology(path)


def test_an_expression_without_end_is_left_out(ontology: Callable[..., Path]) -> None:
    deep = f'{"<ObjectComplementOf>" * 900}<Class IRI="#X"/>{"</ObjectComplementOf>" * 900}'
    axiom = f'<SubClassOf><Class IRI="#A"/>{deep}</SubClassOf>'
    path = ontology(AXIOMS.replace("<DLSafeRule>", f"{axiom}<DLSafeRule>"), "a.owx")
    assert len(read_ontology(path)) == 8
