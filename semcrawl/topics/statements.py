"""The statements of RDF files, kept as plain strings and grouped by property."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["BLANK", "Statements", "Text", "is_iri"]

BLANK = "_:"
"""A node without an IRI is a string that starts so."""


class Text(NamedTuple):
    """A literal: its text and its language tag, "" where it has none."""

    value: str
    language: str


def is_iri(node: str) -> bool:
    """Return whether a node is an IRI and not a blank node."""
    return not node.startswith(BLANK)


class Statements:
    """Statements of one or several files, by property and in the order of the files.

    >>> statements = Statements()
    >>> statements.add("ex:cat", "ex:eats", "ex:mouse")
    >>> list(statements.resources("ex:eats")), statements.objects("ex:cat", "ex:eats")
    ([('ex:cat', 'ex:mouse')], ['ex:mouse'])
    """

    def __init__(self) -> None:
        """Start without statements."""
        self.problems: list[str] = []
        self._pairs: dict[str, list[tuple[str, str | Text]]] = {}
        self._by_subject: dict[str, dict[str, list[str]]] = {}
        self._numbers: dict[str, dict[str, int]] = {}

    def add(self, subject: str, predicate: str, value: str | Text) -> None:
        """Add one statement."""
        self._pairs.setdefault(predicate, []).append((subject, value))
        self._by_subject.pop(predicate, None)
        self._numbers.pop(predicate, None)

    def properties(self) -> list[str]:
        """Return the properties that occur, in order of first occurrence."""
        return list(self._pairs)

    def resources(self, predicate: str) -> Iterator[tuple[str, str]]:
        """Yield the subject and object of the statements that lead to a node."""
        for subject, value in self._pairs.get(predicate, ()):
            if isinstance(value, str):
                yield subject, value

    def texts(self, predicate: str) -> Iterator[tuple[str, Text]]:
        """Yield the subject and text of the statements that hold a literal."""
        for subject, value in self._pairs.get(predicate, ()):
            if isinstance(value, Text):
                yield subject, value

    def objects(self, subject: str, predicate: str) -> list[str]:
        """Return the nodes that a property leads to from one subject."""
        if predicate not in self._by_subject:
            index: dict[str, list[str]] = {}
            for source, target in self.resources(predicate):
                index.setdefault(source, []).append(target)
            self._by_subject[predicate] = index
        return self._by_subject[predicate].get(subject, [])

    def number(self, subject: str, predicate: str) -> int | None:
        """Return the whole number that a property gives one subject, None if it gives none."""
        if predicate not in self._numbers:
            self._numbers[predicate] = {
                node: int(text.value)
                for node, text in self.texts(predicate)
                if text.value.isdecimal() and len(text.value) < 10
            }
        return self._numbers[predicate].get(subject)

    def members(self, head: str, rdf: str) -> list[str]:
        """Return the members of an RDF list; one that runs in a circle ends where it closes."""
        found: list[str] = []
        seen: set[str] = set()
        node: str | None = head
        while node and node not in seen:
            seen.add(node)
            found += self.objects(node, f"{rdf}first")[:1]
            node = next(iter(self.objects(node, f"{rdf}rest")), None)
        return found
