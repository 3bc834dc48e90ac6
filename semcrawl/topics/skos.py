"""Thesauri in SKOS: concepts, broader and narrower, related, top concepts, SKOS-XL labels."""

from __future__ import annotations

from collections.abc import Iterator

from semcrawl.topics.concepts import ConceptGraphBuilder
from semcrawl.topics.rdf_statements import RdfStatements, is_iri, reachable
from semcrawl.topics.vocabularies import RDF, RDFS, SKOS

_ISO = "http://purl.org/iso25964/skos-thes#"
_NOT_CONCEPTS = tuple(SKOS + name for name in ("ConceptScheme", "Collection", "OrderedCollection"))


def skos_concepts(statements: RdfStatements) -> dict[str, None]:
    """Return the concepts of the thesauri in the statements, in the order of the file."""
    narrower: dict[str, list[str]] = {}
    for kind, broader in statements.resources(f"{RDFS}subClassOf"):
        narrower.setdefault(broader, []).append(kind)
    kinds = reachable(f"{SKOS}Concept", narrower)
    types = [pair for pair in statements.resources(f"{RDF}type") if is_iri(pair[0])]
    found = {node: None for node, kind in types if kind in kinds}
    for name in ("broader", "narrower", "broaderTransitive", "narrowerTransitive", "related"):
        for pair in _pairs(statements, name):
            found.update(dict.fromkeys(filter(is_iri, pair)))
    found.update({node: None for node, _ in _tops(statements) if is_iri(node)})
    for node, kind in types:
        if kind in _NOT_CONCEPTS:
            found.pop(node, None)
    return found


def add_hierarchy(
    statements: RdfStatements, concepts: dict[str, None], builder: ConceptGraphBuilder
) -> None:
    """Add the broader concepts and the related ones of each concept."""
    steps = _between(concepts, _both_ways(statements, "broader", "narrower"))
    has_broader = {narrower for narrower, _ in steps}
    # The transitive forms say all ancestors at once: of use only where the steps are not said.
    transitive = _both_ways(statements, "broaderTransitive", "narrowerTransitive")
    steps += [pair for pair in _between(concepts, transitive) if pair[0] not in has_broader]
    for narrower, broader in steps:
        builder.add(narrower, broader=[broader])
    for one, other in _between(concepts, _pairs(statements, "related")):
        builder.relate(one, "related", other, inverse="related")


def _between(concepts: dict[str, None], pairs: Iterator[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(a, b) for a, b in pairs if a in concepts and b in concepts and a != b]


def top_concepts(statements: RdfStatements, concepts: dict[str, None]) -> list[str]:
    """Return the concepts that a scheme names as its top ones."""
    return [node for node in dict.fromkeys(n for n, _ in _tops(statements)) if node in concepts]


def notations_of(statements: RdfStatements) -> dict[str, list[str]]:
    """Return the concepts of every notation, such as the classmark of a library."""
    found: dict[str, list[str]] = {}
    for concept, text in statements.texts(f"{SKOS}notation"):
        found.setdefault(text.value.strip(), []).append(concept)
    return found


def _tops(statements: RdfStatements) -> Iterator[tuple[str, str]]:
    yield from statements.resources(f"{SKOS}topConceptOf")
    yield from ((c, scheme) for scheme, c in statements.resources(f"{SKOS}hasTopConcept"))


def _both_ways(statements: RdfStatements, up: str, down: str) -> Iterator[tuple[str, str]]:
    yield from _pairs(statements, up)
    yield from ((narrower, broader) for broader, narrower in _pairs(statements, down))


def _pairs(statements: RdfStatements, name: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a SKOS property and of those declared or known to be kinds of it."""
    yield from statements.resources(SKOS + name)
    declared = {
        sub for sub, sup in statements.resources(f"{RDFS}subPropertyOf") if sup == SKOS + name
    }
    known = {f"{_ISO}{name}{kind}" for kind in ("Generic", "Instantial", "Partitive")}
    for iri in sorted(declared | known):
        if not iri.startswith(SKOS):
            yield from statements.resources(iri)
