"""Every name that a crawl graph is written or asked with is documented in the ontology."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import rdflib
from rdflib.namespace import OWL, RDF, RDFS, SKOS

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


def test_every_name_used_is_defined(ontology: rdflib.Graph) -> None:
    defined = {str(s).removeprefix(SC) for s in ontology.subjects() if str(s).startswith(SC)}
    writers = [
        *queries_folder().rglob("*.rq"),
        *(path for end in ("py", "toml") for path in CODE.rglob(f"*.{end}")),
        ontologies_folder() / "semcrawl-shapes.ttl",
    ]
    used = {path: found for path in writers if (found := names_in(path))}
    assert len(used) > 100
    assert {path.name: names - defined for path, names in used.items() if names - defined} == {}


def test_the_test_sees_the_names_that_are_there() -> None:
    assert {"Page", "Seed"} <= names_in(CODE / "graph" / "changes.py")
    assert {"droppedBecause", "band"} <= names_in(CODE / "graph" / "columns.toml")
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
        assert str(comment) == reason.sentence


def test_the_reasons_why_crawls_stop_are_those_of_the_code(ontology: rdflib.Graph) -> None:
    written = {str(s).removeprefix(SC) for s in ontology.subjects(RDF.type, NAMESPACE.StopReason)}
    assert written == {str(reason) for reason in StopReason}


def test_domains_and_ranges_are_defined_themselves(ontology: rdflib.Graph) -> None:
    for relation in (RDFS.domain, RDFS.range):
        for value in ontology.objects(None, relation):
            if str(value).startswith(SC):
                assert (value, RDF.type, OWL.Class) in ontology, value


def test_a_property_that_is_functional_in_the_ontology_is_so_in_the_shapes(ontology: rdflib.Graph) -> None:
    shapes = rdflib.Graph().parse(ontologies_folder() / "semcrawl-shapes.ttl")
    shacl = rdflib.Namespace("http://www.w3.org/ns/shacl#")
    limited = {shapes.value(shape, shacl.path) for shape in shapes.subjects(shacl.maxCount, rdflib.Literal(1))}
    functional = set(ontology.subjects(RDF.type, OWL.FunctionalProperty))
    assert {name for name in functional if str(name).startswith(SC)} - limited == set()


def properties_of(ontology: rdflib.Graph) -> set[rdflib.URIRef]:
    kinds = (OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty, RDF.Property)
    found = {name for kind in kinds for name in ontology.subjects(RDF.type, kind)}
    return {name for name in found if isinstance(name, rdflib.URIRef) and name.startswith(SC)}


def test_every_property_has_a_domain_and_a_range_or_says_why_not(ontology: rdflib.Graph) -> None:
    for name in properties_of(ontology):
        for relation, word in ((RDFS.domain, "No domain:"), (RDFS.range, "No range:")):
            values = list(ontology.objects(name, relation))
            why_not = str(ontology.value(name, SKOS.editorialNote))
            assert len(values) == 1 or (not values and why_not.startswith(word)), (name, relation)


def test_a_property_is_of_one_kind_and_all_that_is_named_is_declared(ontology: rdflib.Graph) -> None:
    kinds: set[Any] = {OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty}
    for name in properties_of(ontology):
        [kind] = kinds & set(ontology.objects(name, RDF.type))
        for above in ontology.objects(name, RDFS.subPropertyOf):
            assert (above, RDF.type, kind) in ontology, above
    for relation in (RDFS.subClassOf, RDFS.domain):
        for value in ontology.objects(None, relation):
            assert (value, RDF.type, OWL.Class) in ontology, value
    built_in = (str(RDFS), str(OWL), str(RDF), SC)
    for used in set(ontology.predicates()):
        assert str(used).startswith(built_in) or (used, RDF.type, None) in ontology, used


def test_owlready2_loads_it(ontology: rdflib.Graph, tmp_path: Path) -> None:
    import owlready2  # type: ignore[import-untyped]

    ontology.serialize(tmp_path / "semcrawl.nt", format="nt", encoding="utf-8")
    world = owlready2.World()
    loaded = world.get_ontology((tmp_path / "semcrawl.nt").as_uri()).load()
    names = {one.iri.removeprefix(SC): one for one in loaded.properties()}
    assert {str(name).removeprefix(SC) for name in properties_of(ontology)} <= names.keys()
    [page] = [one for one in loaded.classes() if one.iri == f"{SC}Page"]
    assert {above.iri for above in page.is_a} >= {f"{SC}FoundUrl", "https://schema.org/WebPage"}
    assert [kind.iri for kind in names["relevance"].domain] == [f"{SC}Page"]


def test_the_page_of_the_docs_has_every_name(ontology: rdflib.Graph) -> None:
    from scripts.vocabulary import page

    made = page()
    for name in properties_of(ontology):
        assert f"| `sc:{str(name).removeprefix(SC)}` |" in made


def test_it_is_in_the_profile_owl_2_dl(ontology: rdflib.Graph, tmp_path: Path) -> None:
    horned = pytest.importorskip("pyhornedowl", reason="pip install 'py-horned-owl>=2'")
    profiles = pytest.importorskip("pyhornedowl.profile", reason="pip install 'py-horned-owl>=2'")
    ontology.serialize(tmp_path / "semcrawl.owl", format="xml")
    report = profiles.check_profile(horned.open_ontology(str(tmp_path / "semcrawl.owl")), "DL")
    assert report.conformant, [str(one) for one in report.violations]
