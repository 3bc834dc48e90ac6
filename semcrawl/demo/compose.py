"""Sentences about concepts, made from WordNet's relations and templates of our own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from semcrawl.demo.subjects import Subject

__all__ = ["Composer", "listed", "sentence_case"]

_KIND_OF = (
    "{A} is a kind of {b}.",
    "{A} belongs among what is called {b}.",
    "Most people would file {a} under {b}, and rightly so.",
    "Those who sort things put {a} with every other {b}.",
    "Whoever asks for {b} is soon told about {a}.",
)
# The first sentence of these is for one item, the others are for several.
_KINDS = (
    "One form has a name of its own: {list}.",
    "Among its kinds are {list}.",
    "One tells apart {list}.",
    "Several forms are known: {list}.",
    "The word covers {list} as well.",
    "Nearer to the matter are {list}, each with a story of its own.",
)
_NAMES = (
    "It is known also as {list}.",
    "Other names for it are {list}.",
    "Older books write {list} instead.",
    "Some say {list} and mean the same.",
)
_PARTS = (
    "A part of it is {list}.",
    "Parts of it are {list}.",
    "To it belong {list}.",
    "Looking closer, one finds {list}.",
)
_WHOLES = (
    "It is itself part of {list}.",
    "One meets it as a part of {list}.",
)
_SIBLINGS = (
    "Its nearest relation is {list}.",
    "It is often taken for {list}, which it is not.",
    "Beside it stand {list}.",
    "Close relations are {list}.",
    "The same shelf holds {list}.",
)
_CHAIN = (
    "And {b} in turn is {c}.",
    "Going up one step further one comes to {c}.",
    "All of this falls under {c}.",
)
_PASSING = (
    "Somebody at the next table talked about {a}, but nobody listened for long.",
    "A poster for a talk on {a} still hangs in the corridor.",
    "The raffle was won by a reader who writes about {a}.",
    "There was a question about {a} in the quiz, and we lost a point.",
    "Our neighbour knows everything about {a} and will tell you.",
)
_PERSONAL = (
    "I first read about {a} on a rainy afternoon and could not stop.",
    "Here is what I know about {a}, and it is not much.",
    "Friends ask me about {a} more often than about anything else.",
    "I keep a folder on {a}, with cuttings and a few letters.",
    "Some of what follows on {a} I had wrong for years.",
)


def sentence_case(text: str) -> str:
    """Return the text with its first letter large."""
    return text[:1].upper() + text[1:]


def listed(items: Sequence[str]) -> str:
    """Return the items as prose writes a list.

    >>> listed(["ark", "barge", "ferry"])
    'ark, barge and ferry'
    """
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


class Composer:
    """Writes about the concepts of one subject; the same random numbers give the same text."""

    def __init__(self, subject: Subject, rng: Random) -> None:
        self._subject = subject
        self._graph = subject.graph
        self._rng = rng

    def name(self, concept: str) -> str:
        """Return the preferred label of a concept."""
        return self._graph.label(concept)

    def article(self, concept: str, density: float) -> list[str]:
        """Return paragraphs about a concept; density in [0, 1] is the share of what is told."""
        facts = [sentence for sentence in self._facts(concept) if self._rng.random() < density]
        first = self._kind_of(concept)
        count = max(1, round(density * len(self._subject.remarks)))
        remarks = [self._remark(concept, text) for text in self._some(self._subject.remarks, count)]
        rest = facts + remarks
        self._rng.shuffle(rest)
        return _paragraphs([first, *rest], self._rng)

    def personal(self, concept: str) -> list[str]:
        """Return the paragraphs of somebody who writes about a hobby."""
        opening = self._rng.choice(_PERSONAL).format(a=self.name(concept))
        return [opening, *self.article(concept, self._rng.uniform(0.2, 0.6))]

    def passing(self, concept: str) -> str:
        """Return a sentence that mentions a concept and says nothing about it."""
        return self._rng.choice(_PASSING).format(a=self.name(concept))

    def _facts(self, concept: str) -> list[str]:
        """Return a sentence for every relation that the concept has."""
        siblings = [
            kind
            for broader in self._graph.broader(concept)
            for kind in self._subject.kinds(broader)
            if kind != concept
        ]
        synonyms = [label.text for label in self._graph.labels(concept)[1:4]]
        facts = [
            self._list(_NAMES, synonyms),
            self._list(_KINDS, self._names(self._graph.narrower(concept))),
            self._list(_PARTS, self._names(self._related(concept, "has-part", "has-substance"))),
            self._list(_WHOLES, self._names(self._related(concept, "part-of", "member-of"))),
            self._list(_SIBLINGS, self._names(siblings)),
            self._chain(concept),
        ]
        return [fact for fact in facts if fact]

    def _related(self, concept: str, *names: str) -> list[str]:
        return [other for name in names for _, other in self._graph.relations(concept, name)]

    def _names(self, concepts: list[str]) -> list[str]:
        return list(dict.fromkeys(map(self.name, concepts)))

    def _list(self, templates: tuple[str, ...], names: list[str]) -> str:
        some = self._some(names, self._rng.randint(2, 4))
        template = self._rng.choice(templates[1:]) if len(some) > 1 else templates[0]
        return template.format(list=listed(some)) if some else ""

    def _kind_of(self, concept: str) -> str:
        broader = self._graph.broader(concept)
        if not broader:
            return f"This is about {self.name(concept)}."
        a = self._with_article(concept)
        template = self._rng.choice(_KIND_OF)
        return template.format(A=sentence_case(a), a=a, b=self.name(broader[0]))

    def _chain(self, concept: str) -> str:
        broader = self._graph.broader(concept)
        above = self._graph.broader(broader[0]) if broader else []
        if not above or concept == self._subject.spec:
            return ""
        template = self._rng.choice(_CHAIN)
        return template.format(b=self.name(broader[0]), c=self._with_article(above[0]))

    def _with_article(self, concept: str) -> str:
        label = self.name(concept)
        if not self._subject.countable or self._is_single(concept):
            return label
        return f"{_article(label)} {label}"

    def _remark(self, concept: str, template: str) -> str:
        label = self.name(concept)
        if self._is_single(concept):
            bare = re.sub(r"\b(?:[Tt]he|[Aa]) \{name\}", "{name}", template)
            return sentence_case(bare.format(name=label))
        return template.replace("A {name}", f"{_article(label).title()} {{name}}").format(
            name=label
        )

    def _is_single(self, concept: str) -> bool:
        """Return whether the concept is one thing with a name, such as a planet or a ship."""
        return bool(self._graph.relations(concept, "instance-of"))

    def _some(self, items: Sequence[str], most: int) -> list[str]:
        return self._rng.sample(list(items), min(most, len(items)))


def _article(label: str) -> str:
    return "an" if label[0].lower() in "aeio" or label.lower().startswith("up") else "a"


def _paragraphs(sentences: list[str], rng: Random) -> list[str]:
    """Return the sentences in paragraphs of two to five."""
    found: list[str] = []
    while sentences:
        size = rng.randint(2, 5)
        found.append(" ".join(sentences[:size]))
        sentences = sentences[size:]
    return found
