"""Thesauri in SKOS: concepts, broader and narrower, related, top concepts, SKOS-XL labels.

Concept schemes and collections are no concepts. Properties that a file declares
to be kinds of ``skos:broader`` and so on count as these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.topics.rdf_files import RDF, RDFS, SKOS, is_iri

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.topics.concepts import ConceptGraphBuilder
    from semcrawl.topics.rdf_files import Statements

RELATED = "related"
"""The name of the relation that ``skos:related`` becomes, in both directions."""

_ISO = "http://purl.org/iso25964/skos-thes#"
_KNOWN_KINDS = {
    f"{_ISO}{name}{kind}": f"{SKOS}{name}"
    for name in ("broader", "narrower")
    for kind in ("Generic", "Instantial", "Partitive")
}
_NOT_CONCEPTS = tuple(SKOS + name for name in ("ConceptScheme", "Collection", "OrderedCollection"))


def skos_concepts(statements: Statements) -> dict[str, None]:
    """Return the concepts of the thesauri in the statements, in the order of the file."""
    kinds = _classes_of_concepts(statements)
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


def _classes_of_concepts(statements: Statements) -> set[str]:
    """Return skos:Concept and the classes that the file declares to be kinds of it."""
    kinds: dict[str, list[str]] = {}
    for narrower, broader in statements.resources(f"{RDFS}subClassOf"):
        kinds.setdefault(broader, []).append(narrower)
    found, pending = {f"{SKOS}Concept"}, [f"{SKOS}Concept"]
    while pending:
        new = [kind for kind in kinds.get(pending.pop(), ()) if kind not in found]
        found.update(new)
        pending += new
    return found


def add_hierarchy(
    statements: Statements, concepts: dict[str, None], builder: ConceptGraphBuilder
) -> None:
    """Add the broader concepts and the related ones of each concept."""
    has_broader: set[str] = set()
    for narrower, broader in _both_ways(statements, "broader", "narrower"):
        if narrower in concepts and broader in concepts and narrower != broader:
            builder.add(narrower, broader=[broader])
            has_broader.add(narrower)
    # The transitive forms say all ancestors at once: of use only where the steps are not said.
    for narrower, broader in _both_ways(statements, "broaderTransitive", "narrowerTransitive"):
        known = narrower in concepts and broader in concepts and narrower != broader
        if known and narrower not in has_broader:
            builder.add(narrower, broader=[broader])
    for one, other in _pairs(statements, "related"):
        if one in concepts and other in concepts and one != other:
            builder.relate(one, RELATED, other, inverse=RELATED)


def top_concepts(statements: Statements, concepts: dict[str, None]) -> list[str]:
    """Return the concepts that a scheme names as its top ones."""
    return [node for node in dict.fromkeys(n for n, _ in _tops(statements)) if node in concepts]


def notations_of(statements: Statements) -> dict[str, list[str]]:
    """Return the concepts of every notation, such as the classmark of a library."""
    found: dict[str, list[str]] = {}
    for concept, text in statements.texts(f"{SKOS}notation"):
        found.setdefault(text.value.strip(), []).append(concept)
    return found


def _tops(statements: Statements) -> Iterator[tuple[str, str]]:
    yield from statements.resources(f"{SKOS}topConceptOf")
    yield from ((c, scheme) for scheme, c in statements.resources(f"{SKOS}hasTopConcept"))


def _both_ways(statements: Statements, up: str, down: str) -> Iterator[tuple[str, str]]:
    yield from _pairs(statements, up)
    yield from ((narrower, broader) for broader, narrower in _pairs(statements, down))


def _pairs(statements: Statements, name: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a SKOS property and of those declared or known to be kinds of it."""
    yield from statements.resources(SKOS + name)
    declared = {
        sub for sub, sup in statements.resources(f"{RDFS}subPropertyOf") if sup == SKOS + name
    }
    known = {iri for iri, kind in _KNOWN_KINDS.items() if kind == SKOS + name}
    for iri in sorted(declared | known):
        if not iri.startswith(SKOS):
            yield from statements.resources(iri)
