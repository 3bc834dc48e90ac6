"""Class expressions in Manchester syntax: ``Pizza and (hasTopping some MeatTopping)``.

Understood are and, or, not, that, some, only, value, min, max, exactly,
parentheses and braces. A name is the last part of an IRI or a label; one of
several words stands in quotes, a whole IRI in angle brackets.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semcrawl.errors import TopicError
from semcrawl.topics.owl_expressions import And, Named, Not, OneOf, Or, Restriction
from semcrawl.topics.rdf_names import OWL, RDF

if TYPE_CHECKING:
    from collections.abc import Callable

    from semcrawl.topics.owl_expressions import Expression

__all__ = ["expression_triples", "parse_expression"]

_TOKEN = re.compile(r"\s*(<[^<>\s]*>|'[^']*'|\"[^\"]*\"|[(){},]|[^\s(){},<>'\"]+)")
_RESTRICTIONS = ("some", "only", "value", "min", "max", "exactly")
_RESERVED = {*_RESTRICTIONS, "and", "or", "not", "that", "(", ")", "{", "}", ","}
_LONGEST = 2_000
_DEEPEST = 40


def parse_expression(
    text: str, concept: Callable[[str], str], relation: Callable[[str], str]
) -> Expression:
    """Return the expression of a text; TopicError if it is none.

    ``concept`` and ``relation`` give the IRIs of a class or individual and of a
    property by the names that are written.

    >>> parse_expression("A and not B", lambda name: f"ex:{name}", str)
    And(parts=(Named(iri='ex:A'), Not(part=Named(iri='ex:B'))))
    """
    if len(text) > _LONGEST:
        raise TopicError(f"a class expression of {len(text):,} letters is too long")
    parser = _Parser(_tokens(text), text, concept, relation)
    found = parser.union(0)
    if parser.next is not None:
        raise parser.error(f"{parser.next!r} is not expected")
    return found


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    place, end = 0, len(text.rstrip())
    while place < end:
        token = _TOKEN.match(text, place)
        if token is None:
            raise TopicError(
                f"the class expression {text!r} cannot be read from {text[place:]!r} on"
            )
        tokens.append(token[1])
        place = token.end()
    return tokens


class _Parser:
    """Reads tokens from left to right, one function per level of binding."""

    def __init__(
        self,
        tokens: list[str],
        text: str,
        concept: Callable[[str], str],
        relation: Callable[[str], str],
    ) -> None:
        self._tokens = tokens
        self._text = text
        self._place = 0
        self._concept = concept
        self._relation = relation

    @property
    def next(self) -> str | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def error(self, what: str) -> TopicError:
        return TopicError(
            f"the class expression {self._text!r} cannot be read: {what}; "
            "write for example (Pizza and hasTopping some CheeseTopping)"
        )

    def union(self, depth: int) -> Expression:
        parts = [self._intersection(depth)]
        while self._skip("or"):
            parts.append(self._intersection(depth))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _intersection(self, depth: int) -> Expression:
        parts = [self._primary(depth)]
        while self._skip("and") or self._skip("that"):
            parts.append(self._primary(depth))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _primary(self, depth: int) -> Expression:
        if depth > _DEEPEST:
            raise self.error("it is nested too deep")
        if self._skip("not"):
            return Not(self._primary(depth + 1))
        if self._skip("("):
            inner = self.union(depth + 1)
            self._expect(")")
            return inner
        if self._skip("{"):
            return self._enumeration()
        name = self._name("a class")
        if self.next is not None and self.next.lower() in _RESTRICTIONS:
            return self._restriction(name, depth)
        return Named(self._concept(name))

    def _restriction(self, name: str, depth: int) -> Expression:
        kind = self._take().lower()
        relation = self._relation(name)
        if kind == "value":
            return Restriction(kind, relation, Named(self._concept(self._name("an individual"))))
        if kind in ("some", "only"):
            return Restriction(kind, relation, self._primary(depth + 1))
        number = self._take() if self.next else ""
        if not re.fullmatch("[0-9]{1,6}", number):
            raise self.error(f"{kind} is followed by no number")
        more = self.next not in (None, ")", "and", "or", "that", ",", "}")
        filler = self._primary(depth + 1) if more else None
        return Restriction(kind, relation, filler, int(number))

    def _enumeration(self) -> Expression:
        found = [self._concept(self._name("an individual"))]
        while self._skip(","):
            found.append(self._concept(self._name("an individual")))
        self._expect("}")
        return OneOf(tuple(found))

    def _name(self, what: str) -> str:
        if self.next is None or self.next.lower() in _RESERVED:
            raise self.error(f"{what} is missing before {self.next or 'its end'!r}")
        name = self._take()
        return name[1:-1] if name[0] in "'\"" else name

    def _take(self) -> str:
        self._place += 1
        return self._tokens[self._place - 1]

    def _skip(self, word: str) -> bool:
        found = self.next is not None and self.next.lower() == word
        self._place += found
        return found

    def _expect(self, word: str) -> None:
        if not self._skip(word):
            raise self.error(f"{word!r} is missing")


_NUMBERS = {"min": "minQualified", "max": "maxQualified", "exactly": "qualified"}
_FILLERS = {"some": "someValuesFrom", "only": "allValuesFrom", "value": "hasValue"}


def expression_triples(
    expression: Expression, found: list[ox.Triple]
) -> ox.NamedNode | ox.BlankNode:
    """Return the node of an expression, and add the triples that describe it to ``found``."""
    if isinstance(expression, Named):
        return ox.NamedNode(expression.iri)
    node = ox.BlankNode()
    if isinstance(expression, Restriction):
        _describe_restriction(node, expression, found)
        return node
    _say(found, node, f"{RDF}type", ox.NamedNode(f"{OWL}Class"))
    if isinstance(expression, Not):
        _say(found, node, f"{OWL}complementOf", expression_triples(expression.part, found))
    elif isinstance(expression, OneOf):
        individuals = [ox.NamedNode(iri) for iri in expression.individuals]
        _say(found, node, f"{OWL}oneOf", _list(individuals, found))
    else:
        name = "intersectionOf" if isinstance(expression, And) else "unionOf"
        parts = [expression_triples(part, found) for part in expression.parts]
        _say(found, node, OWL + name, _list(parts, found))
    return node


def _describe_restriction(
    node: ox.BlankNode, restriction: Restriction, found: list[ox.Triple]
) -> None:
    _say(found, node, f"{RDF}type", ox.NamedNode(f"{OWL}Restriction"))
    _say(found, node, f"{OWL}onProperty", ox.NamedNode(restriction.property))
    filler = restriction.filler or Named(f"{OWL}Thing")
    target = expression_triples(filler, found)
    if restriction.kind in _FILLERS:
        _say(found, node, OWL + _FILLERS[restriction.kind], target)
        return
    kind = ox.NamedNode("http://www.w3.org/2001/XMLSchema#nonNegativeInteger")
    number = ox.Literal(str(restriction.number), datatype=kind)
    _say(found, node, f"{OWL}{_NUMBERS[restriction.kind]}Cardinality", number)
    _say(found, node, f"{OWL}onClass", target)


def _list(
    nodes: list[ox.NamedNode] | list[ox.NamedNode | ox.BlankNode], found: list[ox.Triple]
) -> ox.NamedNode | ox.BlankNode:
    rest: ox.NamedNode | ox.BlankNode = ox.NamedNode(f"{RDF}nil")
    for node in reversed(nodes):
        cell = ox.BlankNode()
        _say(found, cell, f"{RDF}first", node)
        _say(found, cell, f"{RDF}rest", rest)
        rest = cell
    return rest


def _say(
    found: list[ox.Triple],
    node: ox.NamedNode | ox.BlankNode,
    name: str,
    value: ox.NamedNode | ox.BlankNode | ox.Literal,
) -> None:
    found.append(ox.Triple(node, ox.NamedNode(name), value))
