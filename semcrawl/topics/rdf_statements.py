"""The statements of RDF files by property, and the labels of concepts in them."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, TypeVar

import pyoxigraph as ox

from semcrawl.errors import TopicError
from semcrawl.progress import tell
from semcrawl.text.languages import language_code
from semcrawl.topics.labels import Label, last_part, words_of_name
from semcrawl.topics.rdf_files import read_triples
from semcrawl.topics.vocabularies import OTHER_LABELS, OTHER_TEXTS, PREFERRED_LABELS, RDF, SKOSXL

Node = TypeVar("Node", bound=Hashable)
Other = TypeVar("Other")

_BLANK = "_:"  # a node without an IRI is a string that starts so
_MOST_STATEMENTS = 5_000_000
_TOLD_EVERY = 20_000
_LONGEST_IRI = 2_000
_LONGEST_TEXT = 500
_MOST_LONG = 500_000_000  # characters of all that is left out
_MOST_LISTED, _READINGS = 100_000, 10  # members of lists that are read, and more for each statement
_LONG_IRI = f"IRIs of more than {_LONGEST_IRI:,} characters"

# Definitions, notes and codes of other databases are most of a file and not needed.
_KEPT_TEXTS = frozenset((*PREFERRED_LABELS, *OTHER_LABELS, *OTHER_TEXTS))


class Text(NamedTuple):
    """A literal: its text and its language tag, "" where it has none."""

    value: str
    language: str


def is_iri(node: str) -> bool:
    """Return whether a node is an IRI and not a blank node."""
    return not node.startswith(_BLANK)


def reachable(start: Node, steps: Mapping[Node, Iterable[Node]]) -> dict[Node, None]:
    """Return the nodes that steps lead to from a node, itself included, in order of discovery.

    >>> list(reachable("a", {"a": ["b"], "b": ["c", "a"], "x": ["y"]}))
    ['a', 'b', 'c']
    """
    found = {start: None}
    pending = [start]
    while pending:
        new = [node for node in steps.get(pending.pop(), ()) if node not in found]
        found.update(dict.fromkeys(new))
        pending += new
    return found


def grouped(pairs: Iterable[tuple[Node, Other]]) -> dict[Node, list[Other]]:
    """Return by the first of each pair all second ones.

    >>> grouped([("a", 1), ("b", 2), ("a", 3)])
    {'a': [1, 3], 'b': [2]}
    """
    found: dict[Node, list[Other]] = {}
    for one, other in pairs:
        found.setdefault(one, []).append(other)
    return found


class RdfStatements:
    """Statements of one or several files, by property and in the order of the files.

    >>> statements = RdfStatements()
    >>> statements.add("ex:cat", "ex:eats", "ex:mouse")
    >>> list(statements.resources("ex:eats")), statements.objects("ex:cat", "ex:eats")
    ([('ex:cat', 'ex:mouse')], ['ex:mouse'])
    """

    def __init__(self, labels: Sequence[str] = ()) -> None:
        self.problems: list[str] = []
        self.size = 0  # how many statements were read, those that are not kept included
        self._labels = frozenset(labels)  # properties, or last parts of them, for labels
        self._resources: dict[str, list[tuple[str, str]]] = {}
        self._texts: dict[str, list[tuple[str, Text]]] = {}
        self._objects: dict[str, dict[str, list[str]]] = {}  # by property and subject, when asked
        self._numbers: dict[str, dict[str, int]] = {}
        self._listed = 0  # members of lists that were read

    def add(self, subject: str, predicate: str, value: str | Text) -> None:
        """Add one statement."""
        if predicate not in self._resources:
            self._resources[predicate] = []
            self._texts[predicate] = []
        if isinstance(value, str):
            self._resources[predicate].append((subject, value))
        else:
            self._texts[predicate].append((subject, value))
        if self._objects or self._numbers:
            self._objects.clear()
            self._numbers.clear()

    def keeps_texts(self, predicate: str) -> bool:
        """Return whether the texts of a property are of use."""
        return predicate in _KEPT_TEXTS or (bool(self._labels) and self.is_label(predicate))

    def is_label(self, predicate: str) -> bool:
        """Return whether a property is one of those given for labels."""
        return predicate in self._labels or last_part(predicate) in self._labels

    def properties(self) -> list[str]:
        """Return the properties that occur, in order of first occurrence."""
        return list(self._resources)

    def resources(self, predicate: str) -> Iterator[tuple[str, str]]:
        """Yield the subject and object of the statements that lead to a node."""
        return iter(self._resources.get(predicate, ()))

    def texts(self, predicate: str) -> Iterator[tuple[str, Text]]:
        """Yield the subject and text of the statements that hold a literal."""
        return iter(self._texts.get(predicate, ()))

    def objects(self, subject: str, predicate: str) -> list[str]:
        """Return the nodes that a property leads to from one subject."""
        if predicate not in self._objects:
            self._objects[predicate] = grouped(self._resources.get(predicate, ()))
        return self._objects[predicate].get(subject, [])

    def number(self, subject: str, predicate: str) -> int | None:
        """Return the whole number that a property gives one subject last, None if it gives none."""
        if predicate not in self._numbers:
            texts = ((source, text.value) for source, text in self.texts(predicate))
            self._numbers[predicate] = {
                source: int(text) for source, text in texts if text.isdecimal() and len(text) < 10
            }
        return self._numbers[predicate].get(subject)

    def members(self, head: str) -> list[str]:
        """Return the members of an RDF list; one that runs in a circle ends where it closes.

        TopicError: lists that are shared by many make too much of a file.
        """
        found: list[str] = []
        seen: set[str] = set()
        node: str | None = head
        while node and node not in seen:
            seen.add(node)
            found += self.objects(node, f"{RDF}first")[:1]
            node = next(iter(self.objects(node, f"{RDF}rest")), None)
        self._listed += len(seen)
        if self._listed > _MOST_LISTED + _READINGS * self.size:
            raise TopicError(f"the lists of the ontology are shared too often: {self._listed:,} members were read")
        return found


def add_file(path: Path, statements: RdfStatements) -> None:
    """Add the statements of a file that concepts are made from; TopicError if it is not RDF."""
    keeps_texts = cache(statements.keeps_texts)
    left_out, long = Counter[str](), 0  # statements by their problem, and characters
    for triple in read_triples(path):
        statements.size += 1
        if statements.size > _MOST_STATEMENTS:
            raise TopicError(f"{path} has more than {_MOST_STATEMENTS:,} statements; take a part")
        if statements.size % _TOLD_EVERY == 0:
            tell(f"{path.name}: {statements.size:,} statements read")
        predicate, term = triple.predicate.value, triple.object
        subject = _node(triple.subject)
        value: str | Text | None
        if isinstance(term, ox.Literal):
            if not keeps_texts(predicate):
                continue
            value = Text(term.value, term.language or "")
            problem = _text_problem(term.value)
        else:
            value = _node(term)
            problem = _LONG_IRI if value is not None and len(value) > _LONGEST_IRI else ""
        if subject is None or value is None:
            problem = "statements about statements"
        elif len(subject) > _LONGEST_IRI:
            problem = _LONG_IRI
        if problem or subject is None or value is None:
            left_out[problem] += 1
            long += len(subject or "") + len(value or "")
            if long > _MOST_LONG:  # a short prefix can stand for a long IRI
                raise TopicError(f"{path} has too many IRIs of more than {_LONGEST_IRI:,} characters")
        else:
            statements.add(subject, predicate, value)
    for problem, number in left_out.items():
        statements.problems.append(f"{path}: left out: {number:,} {problem}")


def _text_problem(text: str) -> str:
    if len(text) > _LONGEST_TEXT:
        return f"labels of more than {_LONGEST_TEXT} characters"
    return "" if text and not text.isspace() else "empty labels"


def _node(term: object) -> str | None:
    if isinstance(term, ox.NamedNode):
        return term.value
    return _BLANK + term.value if isinstance(term, ox.BlankNode) else None


def labels_of(statements: RdfStatements, concepts: Iterable[str], language: str) -> dict[str, list[Label]]:
    """Return the labels of every concept: preferred ones first, then by language and weight."""
    found: dict[str, list[tuple[int, int, float, Label]]] = {concept: [] for concept in concepts}
    wanted = language_code(language)
    distances: dict[str, int] = {}
    for subject, text, kind, weight in _all_labels(statements):
        if subject in found and text.value.strip():
            far = distances.get(text.language)
            if far is None:
                far = distances[text.language] = _distance(text.language, wanted)
            found[subject].append((kind, far, -weight, Label(text.value, text.language, weight)))
    for rows in found.values():
        if len(rows) > 1:
            rows.sort(key=itemgetter(0, 1, 2))
    return {concept: _with_name(concept, [row[3] for row in rows], wanted) for concept, rows in found.items()}


def _all_labels(statements: RdfStatements) -> Iterator[tuple[str, Text, int, float]]:
    """Yield concept, label, 0 if it is a preferred one, and weight."""
    for name in PREFERRED_LABELS:
        yield from ((subject, text, 0, 1.0) for subject, text in statements.texts(name))
    for name, weight in OTHER_LABELS.items():
        yield from ((subject, text, 1, weight) for subject, text in statements.texts(name))
    for name in filter(statements.is_label, statements.properties()):
        yield from ((subject, text, 1, 1.0) for subject, text in statements.texts(name))
    forms = dict(statements.texts(f"{SKOSXL}literalForm"))
    for name, kind, weight in (("pref", 0, 1.0), ("alt", 1, 1.0), ("hidden", 1, 0.9)):
        for subject, label in statements.resources(f"{SKOSXL}{name}Label"):
            if label in forms:
                yield subject, forms[label], kind, weight


def _distance(language: str, wanted: str) -> int:
    return 1 if not language else 0 if language_code(language) == wanted else 2


def _with_name(concept: str, labels: list[Label], wanted: str) -> list[Label]:
    """Add the words of the concept's name where no label, or only that name, says it so far."""
    name = last_part(concept)
    words = words_of_name(name)
    if not words:
        return labels
    if not any(_distance(label.language, wanted) < 2 for label in labels):
        return [Label(words, ""), *labels]
    if words != name and any(label.text == name for label in labels):
        return [*labels, Label(words, "")]
    return labels
