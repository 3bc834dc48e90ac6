"""Class expressions of OWL: read from Manchester syntax, answered, written in Turtle."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
import pyoxigraph as ox

from semcrawl.errors import TopicError
from semcrawl.topics.vocabularies import OWL, XSD

if TYPE_CHECKING:
    from semcrawl.topics.concepts import ConceptGraph
    from semcrawl.topics.rdf_concepts import ClassAxioms

DEEPEST = 40  # an expression that is nested deeper is not read
_LONGEST = 2_000
_TOKEN = re.compile(r"\s*(<[^<>\s]*>|'[^']*'|\"[^\"]*\"|[(){},]|[^\s(){},<>'\"]+)")
_AT_LEAST_ONE = ("some", "value", "min", "exactly")
_RESTRICTIONS = ("some", "only", "value", "min", "max", "exactly")
_RESERVED = {*_RESTRICTIONS, "and", "or", "not", "that", "(", ")", "{", "}", ","}
FILLERS = {"some": "someValuesFrom", "only": "allValuesFrom", "value": "hasValue"}
CARDINALITIES = {  # by kind, the properties without and with a class
    "min": ("minCardinality", "minQualifiedCardinality"),
    "max": ("maxCardinality", "maxQualifiedCardinality"),
    "exactly": ("cardinality", "qualifiedCardinality"),
}


class _Part(msgspec.Struct, frozen=True, tag=True, array_like=True):
    """The base of expressions, which are kept in the cache as they are."""


class Named(_Part, frozen=True):
    """A class, or an individual where an individual stands, by its IRI."""

    iri: str


class And(_Part, frozen=True):
    """What all parts are."""

    parts: tuple[Expression, ...]


class Or(_Part, frozen=True):
    """What one of the parts is."""

    parts: tuple[Expression, ...]


class Not(_Part, frozen=True):
    """What the part is not."""

    part: Expression


class OneOf(_Part, frozen=True):
    """Any of some individuals."""

    individuals: tuple[str, ...]


class Restriction(_Part, frozen=True):
    """What is related by a property to a filler."""

    kind: str  # some, only, value (the filler is an individual), min, max or exactly
    property: str
    filler: Expression | None  # None for anything, with min, max and exactly
    number: int = 1


Expression = Named | And | Or | Not | OneOf | Restriction


def joined(kind: type[And | Or], parts: list[Expression]) -> Expression:
    """Return several parts as one expression, a single one as it is."""
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


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


def matching_concepts(expression: Expression, graph: ConceptGraph, axioms: ClassAxioms) -> list[str]:
    """Return the concepts that fit an expression by what is told, in the order of the graph.

    A concept fits a restriction if it, or something that it is a kind of, is told one that
    is at least as narrow. A reasoner finds more; ``not`` needs one.
    """
    found = _Matcher(graph, axioms).matches(expression)
    return [concept for concept in graph if concept in found]


def topmost(concepts: Iterable[str], graph: ConceptGraph) -> list[str]:
    """Return those of some concepts that are no kinds of others among them."""
    wanted = list(concepts)
    members = set(wanted)
    found = [c for c in wanted if members.isdisjoint(graph.ancestors(c).keys() - {c})]
    return found or wanted


class _Matcher(msgspec.Struct):
    graph: ConceptGraph
    axioms: ClassAxioms
    known: dict[str, set[str]] = {}
    open: set[str] = set()

    def matches(self, expression: Expression) -> set[str]:
        if isinstance(expression, Named):
            return self._named(expression.iri)
        if isinstance(expression, And):
            return set.intersection(*map(self.matches, expression.parts))
        if isinstance(expression, Or):
            return set().union(*map(self.matches, expression.parts))
        if isinstance(expression, OneOf):
            return {one for one in expression.individuals if one in self.graph}
        if isinstance(expression, Not):
            raise TopicError(
                "what a concept is not can only be inferred: "
                "add ?reason after the file name, as in pizza.owl?reason#(not MeatTopping)"
            )
        return self._restricted(expression)

    def _named(self, iri: str) -> set[str]:
        if iri in self.known:
            return self.known[iri]
        found = self._kinds([iri])
        if iri in self.open:  # a definition that leads back to itself says no more here
            return found
        self.open.add(iri)
        for definition in self.axioms.definitions.get(iri, ()):
            with suppress(TopicError):  # a definition with "not" in it: only what is told counts
                found |= self._kinds(self.matches(definition))
        self.open.discard(iri)
        if not self.open:
            self.known[iri] = found
        return found

    def _kinds(self, concepts: Iterable[str]) -> set[str]:
        graph, reached = self.graph, set[int]()
        for concept in concepts:
            if concept in graph and (position := graph.position(concept)) not in reached:
                reached |= graph.has_kind.reached(position).keys()
        return {graph.ids[position] for position in reached}

    def _restricted(self, wanted: Restriction) -> set[str]:
        filler = wanted.filler
        fillers = None if filler is None else self.matches(filler)
        if fillers is not None and isinstance(filler, Named):
            fillers = fillers | {filler.iri}
        return self._kinds(
            concept
            for concept, parts in self.axioms.told.items()
            for part in parts
            if isinstance(part, Restriction) and self._fits(part, wanted, fillers)
        )

    def _fits(self, told: Restriction, wanted: Restriction, fillers: set[str] | None) -> bool:
        broader = self.axioms.broader_properties.get(told.property, {told.property})
        if wanted.property not in broader or not _same_or_stronger(told, wanted):
            return False
        return fillers is None or (told.filler is not None and self._within(told.filler, fillers))

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


def parse_expression(text: str, concept: Callable[[str], str], relation: Callable[[str], str]) -> Expression:
    """Return the expression of a text in Manchester syntax; TopicError if it is none.

    ``concept`` and ``relation`` give the IRIs of names of concepts and of properties.

    >>> parse_expression("A and not B", lambda name: f"ex:{name}", str)
    And(parts=(Named(iri='ex:A'), Not(part=Named(iri='ex:B'))))
    """
    if len(text) > _LONGEST:
        raise TopicError(f"a class expression of {len(text):,} letters is too long")
    parser = _Parser(text, _tokens(text), concept, relation)
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
            raise TopicError(f"the class expression {text!r} cannot be read from {text[place:]!r} on")
        tokens.append(token[1])
        place = token.end()
    return tokens


class _Parser(msgspec.Struct):
    text: str
    tokens: list[str]
    concept: Callable[[str], str]
    relation: Callable[[str], str]
    place: int = 0

    @property
    def next(self) -> str | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def error(self, what: str) -> TopicError:
        return TopicError(
            f"the class expression {self.text!r} cannot be read: {what}; "
            "write for example (Pizza and hasTopping some CheeseTopping)"
        )

    def union(self, depth: int) -> Expression:
        parts = [self._intersection(depth)]
        while self._skip("or"):
            parts.append(self._intersection(depth))
        return joined(Or, parts)

    def _intersection(self, depth: int) -> Expression:
        parts = [self._primary(depth)]
        while self._skip("and") or self._skip("that"):
            parts.append(self._primary(depth))
        return joined(And, parts)

    def _primary(self, depth: int) -> Expression:
        if depth > DEEPEST:
            raise self.error("it is nested too deep")
        if self._skip("not"):
            return Not(self._primary(depth + 1))
        if self._skip("("):
            inner = self.union(depth + 1)
            self._expect(")")
            return inner
        if self._skip("{"):
            found = [self._individual()]
            while self._skip(","):
                found.append(self._individual())
            self._expect("}")
            return OneOf(tuple(found))
        name = self._name("a class")
        if self.next is not None and self.next.lower() in _RESTRICTIONS:
            return self._restriction(name, depth)
        return Named(self.concept(name))

    def _restriction(self, name: str, depth: int) -> Expression:
        kind = self._take().lower()
        relation = self.relation(name)
        if kind == "value":
            return Restriction(kind, relation, Named(self._individual()))
        if kind in ("some", "only"):
            return Restriction(kind, relation, self._primary(depth + 1))
        number = self._take() if self.next else ""
        if not re.fullmatch("[0-9]{1,6}", number):
            raise self.error(f"{kind} is followed by no number")
        more = self.next not in (None, ")", "and", "or", "that", ",", "}")
        return Restriction(kind, relation, self._primary(depth + 1) if more else None, int(number))

    def _individual(self) -> str:
        return self.concept(self._name("an individual"))

    def _name(self, what: str) -> str:
        if self.next is None or self.next.lower() in _RESERVED:
            raise self.error(f"{what} is missing before {self.next or 'its end'!r}")
        name = self._take()
        return name[1:-1] if name[0] in "'\"" else name

    def _take(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1]

    def _skip(self, word: str) -> bool:
        found = self.next is not None and self.next.lower() == word
        self.place += found
        return found

    def _expect(self, word: str) -> None:
        if not self._skip(word):
            raise self.error(f"{word!r} is missing")


def turtle(expression: Expression) -> str:
    """Return an expression in Turtle; ValueError if a name in it is no IRI.

    >>> turtle(Not(Named("http://a.test/A")))
    '[ a <http://www.w3.org/2002/07/owl#Class> ; <http://www.w3.org/2002/07/owl#complementOf> \
<http://a.test/A> ]'
    """
    if isinstance(expression, Named):
        return str(ox.NamedNode(expression.iri))
    kind = "Restriction" if isinstance(expression, Restriction) else "Class"
    said = " ; ".join(f"<{OWL}{name}> {value}" for name, value in _described(expression))
    return f"[ a <{OWL}{kind}> ; {said} ]"


def _described(expression: And | Or | Not | OneOf | Restriction) -> Iterator[tuple[str, str]]:
    if isinstance(expression, Not):
        yield "complementOf", turtle(expression.part)
    elif isinstance(expression, OneOf):
        yield "oneOf", f"( {' '.join(map(turtle, map(Named, expression.individuals)))} )"
    elif isinstance(expression, And | Or):
        name = "intersectionOf" if isinstance(expression, And) else "unionOf"
        yield name, f"( {' '.join(map(turtle, expression.parts))} )"
    else:
        yield "onProperty", str(ox.NamedNode(expression.property))
        target = turtle(expression.filler or Named(f"{OWL}Thing"))
        if expression.kind in FILLERS:
            yield FILLERS[expression.kind], target
        else:
            yield CARDINALITIES[expression.kind][1], f'"{expression.number}"^^<{XSD}nonNegativeInteger>'
            yield "onClass", target
