"""Which concepts of an ontology fit a class expression, by what it tells, without a reasoner.

A concept fits a name if it is a kind of it or fits its definition; it fits a
restriction if it, or something that it is a kind of, is told one that is at
least as narrow. That is less than a reasoner finds and needs no Java. Of what
something is *not*, an ontology tells nothing this way: ``not`` needs reasoning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.errors import TopicError
from semcrawl.topics.owl_expressions import And, Named, Not, OneOf, Or, Restriction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from semcrawl.topics.class_axioms import ClassAxioms
    from semcrawl.topics.concepts import ConceptGraph
    from semcrawl.topics.owl_expressions import Expression

__all__ = ["matching_concepts", "topmost"]

_AT_LEAST_ONE = ("some", "value", "min", "exactly")


def matching_concepts(
    expression: Expression, graph: ConceptGraph, axioms: ClassAxioms
) -> list[str]:
    """Return the concepts that fit an expression, in the order of the graph."""
    found = _Matcher(graph, axioms).matches(expression)
    return [concept for concept in graph if concept in found]


def topmost(concepts: Iterable[str], graph: ConceptGraph) -> list[str]:
    """Return those of some concepts that are no kinds of others among them."""
    wanted = list(concepts)
    members = set(wanted)
    found = [c for c in wanted if members.isdisjoint(graph.ancestors(c).keys() - {c})]
    return found or wanted


class _Matcher:
    """Answers expressions over one graph; names are answered once."""

    def __init__(self, graph: ConceptGraph, axioms: ClassAxioms) -> None:
        self._graph = graph
        self._axioms = axioms
        self._known: dict[str, set[str]] = {}
        self._open: set[str] = set()

    def matches(self, expression: Expression) -> set[str]:
        if isinstance(expression, Named):
            return self._named(expression.iri)
        if isinstance(expression, And):
            return set.intersection(*map(self.matches, expression.parts))
        if isinstance(expression, Or):
            return set().union(*map(self.matches, expression.parts))
        if isinstance(expression, OneOf):
            return {
                individual for individual in expression.individuals if individual in self._graph
            }
        if isinstance(expression, Not):
            raise TopicError(
                "what a concept is not can only be inferred: "
                "add ?reason after the file name, as in pizza.owl?reason#(not MeatTopping)"
            )
        return self._restricted(expression)

    def _named(self, iri: str) -> set[str]:
        if iri in self._known:
            return self._known[iri]
        found = self._kinds([iri])
        if iri in self._open:  # a definition that leads back to itself says no more here
            return found
        self._open.add(iri)
        for definition in self._axioms.definitions.get(iri, ()):
            try:
                found |= self._kinds(self.matches(definition))
            except TopicError:
                continue  # a definition with "not" in it: only what is told counts
        self._open.discard(iri)
        if not self._open:
            self._known[iri] = found
        return found

    def _kinds(self, concepts: Iterable[str]) -> set[str]:
        """Return concepts with all that are kinds of them."""
        graph = self._graph
        pending = [graph.position(concept) for concept in concepts if concept in graph]
        reached = set(pending)
        while pending:
            new = [kind for kind in graph.has_kind.of(pending.pop()) if kind not in reached]
            reached.update(new)
            pending += new
        return {graph.ids[position] for position in reached}

    def _restricted(self, wanted: Restriction) -> set[str]:
        fillers = None if wanted.filler is None else self._fillers(wanted.filler)
        fitting = [
            concept
            for concept, parts in self._axioms.told.items()
            if any(
                isinstance(part, Restriction) and self._fits(part, wanted, fillers)
                for part in parts
            )
        ]
        return self._kinds(fitting)

    def _fillers(self, filler: Expression) -> set[str]:
        return (
            {filler.iri} | self.matches(filler)
            if isinstance(filler, Named)
            else self.matches(filler)
        )

    def _fits(self, told: Restriction, wanted: Restriction, fillers: set[str] | None) -> bool:
        """Return whether a told restriction is at least as narrow as the wanted one."""
        broader = self._axioms.broader_properties.get(told.property, {told.property})
        if wanted.property not in broader or not _same_or_stronger(told, wanted):
            return False
        if fillers is None:
            return True
        return told.filler is not None and self._within(told.filler, fillers)

    def _within(self, filler: Expression, wanted: set[str]) -> bool:
        if isinstance(filler, Named):
            return filler.iri in wanted
        if isinstance(filler, And):
            return any(self._within(part, wanted) for part in filler.parts)
        if isinstance(filler, Or):
            return all(self._within(part, wanted) for part in filler.parts)
        return isinstance(filler, OneOf) and set(filler.individuals) <= wanted


def _same_or_stronger(told: Restriction, wanted: Restriction) -> bool:
    """Compare kinds and numbers: ``exactly 3`` is told where ``min 2`` or ``some`` is wanted."""
    if wanted.kind == "some" or (wanted.kind == "min" and wanted.number == 1):
        return told.kind in _AT_LEAST_ONE and told.number >= 1
    if wanted.kind == "min":
        return told.kind in ("min", "exactly") and told.number >= wanted.number
    if wanted.kind == "max":
        return told.kind in ("max", "exactly") and told.number <= wanted.number
    if wanted.kind == "exactly":
        return told.kind == "exactly" and told.number == wanted.number
    return told.kind == wanted.kind
