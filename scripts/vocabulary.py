"""The page of the docs on the vocabulary, made from ontologies/semcrawl.ttl by the docs' site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import rdflib
from rdflib.collection import Collection
from rdflib.namespace import OWL, RDF, RDFS, SKOS

from semcrawl.graph.vocabulary import PREFIXES, SC

ROOT = Path(__file__).resolve().parent.parent
VOCABULARY = ROOT / "ontologies" / "semcrawl.ttl"

_PREFIXES = {**PREFIXES, "qb": "http://purl.org/linked-data/cube#"}
_HEAD = (
    "# The vocabulary\n\n"
    f"What the terms `sc:…` of a crawl graph and of a collection mean: `sc:` is `{SC}`. "
    "The file is `ontologies/semcrawl.ttl`, in OWL 2. Titles, descriptions and languages are "
    "`dcterms:`, times `prov:`, concepts `skos:`. What they must look like is in the SHACL shapes "
    "beside it.\n"
)


def page() -> str:
    """The page as it should be."""
    graph = rdflib.Graph().parse(VOCABULARY)
    own: set[Any] = {name for name in graph.subjects() if str(name).startswith(SC)}
    classes = sorted(one for one in own if (one, RDF.type, OWL.Class) in graph)
    kinds: set[Any] = {OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty}
    properties = sorted(one for one in own if kinds & set(graph.objects(one, RDF.type)))
    parts = [_HEAD]
    parts += ["## Classes\n", *_table(["class", "is a", "means"], _classes(graph, classes))]
    parts.append("\n## Properties\n")
    head = ["property", "of a", "value", "is a", "means"]
    parts += _table(head, (_property(graph, name) for name in properties))
    for kind in sorted(one for one in classes if one in set(graph.objects(None, RDF.type))):
        parts.append(f"\n## {str(graph.value(kind, RDFS.label)).capitalize()}s\n")
        named = sorted(one for one in own if (one, RDF.type, kind) in graph)
        parts += _table(["name", "means"], ([_name(one), _comment(graph, one)] for one in named))
    return "\n".join(parts) + "\n"


def _table(head: list[str], rows: Any) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(cells)} |" for cells in lines]


def _classes(graph: rdflib.Graph, classes: list[Any]) -> Any:
    for name in classes:
        yield [_name(name), _names(graph, name, RDFS.subClassOf), _comment(graph, name)]


def _property(graph: rdflib.Graph, name: Any) -> list[str]:
    note = graph.value(name, SKOS.editorialNote)
    meaning = _comment(graph, name) + (f" {note}" if note else "")
    is_one = (name, RDF.type, OWL.FunctionalProperty) in graph
    value = _names(graph, name, RDFS.range) + (", one" if is_one else "")
    above = _names(graph, name, RDFS.subPropertyOf)
    return [_name(name), _names(graph, name, RDFS.domain), value.lstrip(", "), above, meaning]


def _names(graph: rdflib.Graph, subject: Any, relation: Any) -> str:
    found = []
    for value in graph.objects(subject, relation):
        union = graph.value(value, OWL.unionOf)
        found += [value] if union is None else list(Collection(graph, union))
    return ", ".join(sorted(map(_name, found)))


def _name(term: Any) -> str:
    for name, namespace in _PREFIXES.items():
        if str(term).startswith(namespace):
            return f"`{name}:{str(term).removeprefix(namespace)}`"
    return f"`{term}`"


def _comment(graph: rdflib.Graph, name: Any) -> str:
    return str(graph.value(name, RDFS.comment)).replace("|", "\\|")
