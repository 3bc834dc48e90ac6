"""What an ontology says about its classes: told superclasses, definitions, members."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from semcrawl.topics.owl_expressions import And, Named, OneOf, Or, parts_of, read_expression
from semcrawl.topics.rdf_names import OWL, RDF, RDFS
from semcrawl.topics.statements import is_iri

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.topics.owl_expressions import Expression
    from semcrawl.topics.statements import Statements

__all__ = ["ClassAxioms", "read_axioms"]


@dataclass
class ClassAxioms:
    """The class axioms of an ontology, as far as they are about named classes.

    Attributes:
        told: per class (or individual) the expressions that it is a kind of.
        definitions: per class the expressions that it is equal to.
        members: pairs (kind, class) that unions and enumerations tell.
        same: pairs of named classes or individuals that are declared to be equal.
        broader_properties: per property all that it is a part of, itself included.
    """

    told: dict[str, list[Expression]] = field(default_factory=dict)
    definitions: dict[str, list[Expression]] = field(default_factory=dict)
    members: list[tuple[str, str]] = field(default_factory=list)
    same: list[tuple[str, str]] = field(default_factory=list)
    broader_properties: dict[str, set[str]] = field(default_factory=dict)

    def add_told(self, name: str, expression: Expression) -> None:
        """Note what a class is a kind of, part by part."""
        self.told.setdefault(name, []).extend(parts_of(expression))

    def add_definition(self, name: str, expression: Expression) -> None:
        """Note what a class is equal to: it is a kind of that, and its members are kinds of it."""
        if isinstance(expression, Named):
            self.same.append((name, expression.iri))
            return
        self.definitions.setdefault(name, []).append(expression)
        if isinstance(expression, Or):
            self.members += [(p.iri, name) for p in expression.parts if isinstance(p, Named)]
        elif isinstance(expression, OneOf):
            self.members += [(individual, name) for individual in expression.individuals]
        else:
            self.add_told(name, expression)


def read_axioms(statements: Statements) -> ClassAxioms:
    """Return the class axioms of the statements."""
    axioms = ClassAxioms()
    for name, node in _of_names(statements, f"{RDFS}subClassOf"):
        if expression := read_expression(statements, node):
            axioms.add_told(name, expression)
    for name, node in _of_names(statements, f"{OWL}equivalentClass"):
        if expression := read_expression(statements, node):
            axioms.add_definition(name, expression)
    for name, node in _of_names(statements, f"{RDF}type"):
        # An individual may be typed by a restriction: it is told what it is related to.
        if not is_iri(node) and (expression := read_expression(statements, node)):
            axioms.add_told(name, expression)
    axioms.same += list(_of_names(statements, f"{OWL}sameAs"))
    for name, expression in _direct_definitions(statements):
        axioms.add_definition(name, expression)
    axioms.broader_properties = _broader_properties(statements)
    return axioms


def _of_names(statements: Statements, predicate: str) -> Iterator[tuple[str, str]]:
    return (pair for pair in statements.resources(predicate) if is_iri(pair[0]))


def _direct_definitions(statements: Statements) -> Iterator[tuple[str, Expression]]:
    """Yield definitions that are written on the class itself, as the first OWL tools did."""
    for name in ("intersectionOf", "unionOf", "disjointUnionOf"):
        for subject, head in _of_names(statements, OWL + name):
            nodes = statements.members(head, RDF)
            parts = tuple(part for node in nodes if (part := read_expression(statements, node)))
            if parts:
                yield subject, And(parts) if name == "intersectionOf" else Or(parts)
    for subject, head in _of_names(statements, f"{OWL}oneOf"):
        yield subject, OneOf(tuple(filter(is_iri, statements.members(head, RDF))))


def _broader_properties(statements: Statements) -> dict[str, set[str]]:
    direct: dict[str, list[str]] = {}
    for name, broader in _of_names(statements, f"{RDFS}subPropertyOf"):
        direct.setdefault(name, []).append(broader)
    found: dict[str, set[str]] = {}
    for name in direct:
        reached, pending = {name}, [name]
        while pending:
            for broader in direct.get(pending.pop(), ()):
                if broader not in reached:
                    reached.add(broader)
                    pending.append(broader)
        found[name] = reached
    return found
