"""Every name that a crawl graph is written or asked with is documented in the ontology."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import rdflib
from rdflib.namespace import OWL, RDF, RDFS

import semcrawl
from semcrawl.crawl import StopReason
from semcrawl.graph import SC
from semcrawl.resources import ontologies_folder, queries_folder
from semcrawl.web.response import DropReason

NAMESPACE = rdflib.Namespace(SC)
CODE = Path(semcrawl.__file__).parent

# A name after "sc:" in a query or an update, or in an f-string of the topic reader.
_USED = re.compile(r"(?<![\w.])sc:([A-Za-z]\w*)|\{_SC\}(\w+)")


@pytest.fixture(scope="module")
def ontology() -> rdflib.Graph:
    """The vocabulary, read."""
    return rdflib.Graph().parse(ontologies_folder() / "semcrawl.ttl")


def names_in(path: Path) -> set[str]:
    found = _USED.findall(path.read_text(encoding="utf-8"))
    return {first or second for first, second in found}


WRITERS = [
    *sorted(queries_folder().rglob("*.rq")),
    *sorted(path for path in CODE.rglob("*.py") if names_in(path)),
    ontologies_folder() / "semcrawl-shapes.ttl",
]


@pytest.mark.parametrize("path", WRITERS, ids=lambda path: path.name)
def test_every_name_used_is_defined(ontology: rdflib.Graph, path: Path) -> None:
    defined = {str(s).removeprefix(SC) for s in ontology.subjects() if str(s).startswith(SC)}
    assert names_in(path) - defined == set()


def test_the_test_sees_the_names_that_are_there() -> None:
    assert {"Page", "Seed"} <= names_in(CODE / "graph" / "changes.py")
    assert {"droppedBecause", "band"} <= names_in(CODE / "graph" / "columns.py")
    assert {"Topic", "interest"} <= names_in(CODE / "topics" / "topic.py")


def test_every_name_has_a_label_a_comment_and_a_type(ontology: rdflib.Graph) -> None:
    for name in {s for s in ontology.subjects() if str(s).startswith(SC)}:
        assert (name, RDFS.label, None) in ontology, name
        comment = ontology.value(name, RDFS.comment)
        assert str(comment).endswith("."), name
        assert (name, RDF.type, None) in ontology, name


def test_the_reasons_why_urls_are_dropped_are_those_of_the_code(ontology: rdflib.Graph) -> None:
    written = {str(s).removeprefix(SC) for s in ontology.subjects(RDF.type, NAMESPACE.DropReason)}
    named = {str(reason) for reason in DropReason}
    assert named <= written
    # Reading a page has reasons of its own, which it names as texts.
    reader = (CODE / "page" / "read.py").read_text(encoding="utf-8")
    assert {reason for reason in written - named if f'"{reason}"' not in reader} == set()
    for reason in DropReason:
        comment = ontology.value(NAMESPACE[str(reason)], RDFS.comment)
        assert str(comment) == reason.explanation


def test_the_reasons_why_crawls_stop_are_those_of_the_code(ontology: rdflib.Graph) -> None:
    written = {str(s).removeprefix(SC) for s in ontology.subjects(RDF.type, NAMESPACE.StopReason)}
    assert written == {str(reason) for reason in StopReason}


def test_domains_and_ranges_are_defined_themselves(ontology: rdflib.Graph) -> None:
    for relation in (RDFS.domain, RDFS.range):
        for value in ontology.objects(None, relation):
            if str(value).startswith(SC):
                assert (value, RDF.type, OWL.Class) in ontology, value


def test_a_property_that_is_functional_in_the_ontology_is_so_in_the_shapes(
    ontology: rdflib.Graph,
) -> None:
    shapes = rdflib.Graph().parse(ontologies_folder() / "semcrawl-shapes.ttl")
    shacl = rdflib.Namespace("http://www.w3.org/ns/shacl#")
    limited = {
        shapes.value(shape, shacl.path)
        for shape in shapes.subjects(shacl.maxCount, rdflib.Literal(1))
    }
    functional = set(ontology.subjects(RDF.type, OWL.FunctionalProperty))
    assert {name for name in functional if str(name).startswith(SC)} - limited == set()
