"""Class expressions of OWL: ``Pizza and hasTopping some MeatTopping`` as a tree of parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.topics.rdf_names import OWL, RDF
from semcrawl.topics.statements import is_iri

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.topics.statements import Statements

__all__ = [
    "And",
    "Expression",
    "Named",
    "Not",
    "OneOf",
    "Or",
    "Restriction",
    "names_in",
    "parts_of",
    "read_expression",
]

_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Named:
    """A class, or an individual where an individual stands, by its IRI."""

    iri: str


@dataclass(frozen=True, slots=True)
class And:
    """What all parts are."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """What one of the parts is."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """What the part is not."""

    part: Expression


@dataclass(frozen=True, slots=True)
class OneOf:
    """Any of some individuals."""

    individuals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Restriction:
    """What is related by a property to a filler.

    ``kind`` is some, only, value (the filler is an individual), min, max or
    exactly; the last three have a ``number``, and None as a filler for anything.
    """

    kind: str
    property: str
    filler: Expression | None
    number: int = 1


Expression = Named | And | Or | Not | OneOf | Restriction

_KINDS = {
    "someValuesFrom": "some",
    "allValuesFrom": "only",
    "hasValue": "value",
    "onClass": "",
}
_NUMBERS = {
    "minCardinality": "min",
    "maxCardinality": "max",
    "cardinality": "exactly",
    "minQualifiedCardinality": "min",
    "maxQualifiedCardinality": "max",
    "qualifiedCardinality": "exactly",
}


def read_expression(statements: Statements, node: str, depth: int = 0) -> Expression | None:
    """Return the expression that a node stands for; None for what is not understood.

    Expressions over data values, inverse properties and ``hasSelf`` are passed
    over, and so is anything nested deeper than people write.
    """
    if is_iri(node):
        return Named(node)
    return None if depth > _DEEPEST else _of_blank(statements, node, depth)


def _of_blank(statements: Statements, node: str, depth: int) -> Expression | None:
    for name, kind in (("intersectionOf", And), ("unionOf", Or)):
        for head in statements.objects(node, OWL + name):
            return _joined(kind, _listed(statements, head, depth))
    for part in statements.objects(node, f"{OWL}complementOf"):
        inner = read_expression(statements, part, depth + 1)
        return Not(inner) if inner else None
    for head in statements.objects(node, f"{OWL}oneOf"):
        return OneOf(tuple(filter(is_iri, statements.members(head, RDF))))
    return _restriction(statements, node, depth)


def _listed(statements: Statements, head: str, depth: int) -> list[Expression]:
    members = statements.members(head, RDF)
    return [part for node in members if (part := read_expression(statements, node, depth + 1))]


def _joined(kind: type[And | Or], parts: list[Expression]) -> Expression | None:
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def _restriction(statements: Statements, node: str, depth: int) -> Expression | None:
    properties = [name for name in statements.objects(node, f"{OWL}onProperty") if is_iri(name)]
    if not properties:
        return None
    filler: Expression | None = None
    for name, kind in _KINDS.items():
        for target in statements.objects(node, OWL + name):
            filler = read_expression(statements, target, depth + 1)
            if kind:
                return Restriction(kind, properties[0], filler) if filler else None
    for name, kind in _NUMBERS.items():
        number = statements.number(node, OWL + name)
        if number is not None:
            return Restriction(kind, properties[0], filler, number)
    return None


def parts_of(expression: Expression) -> Iterator[Expression]:
    """Yield the parts of an intersection, nested ones too, or the expression itself."""
    if isinstance(expression, And):
        for part in expression.parts:
            yield from parts_of(part)
    else:
        yield expression


def names_in(expression: Expression | None) -> Iterator[str]:
    """Yield the IRIs that an expression is about; what it denies is left out."""
    if isinstance(expression, Named):
        yield expression.iri
    elif isinstance(expression, And | Or):
        for part in expression.parts:
            yield from names_in(part)
    elif isinstance(expression, OneOf):
        yield from expression.individuals
    elif isinstance(expression, Restriction) and expression.kind != "max":
        yield from names_in(expression.filler)
