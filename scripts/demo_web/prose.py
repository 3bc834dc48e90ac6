"""What the demo web is about, and sentences about it: WordNet's relations put into templates."""

import re
import tomllib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from semcrawl.topics import ConceptGraph, wordnet


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


_SENTENCES = _read("sentences.toml")
SITES = _read("sites.toml")
MARKUP: dict[str, str] = _read("markup.toml")
ODDITIES = _read("oddities.toml")

_MOST_CONCEPTS = 90
_LONGEST_LABEL = 32


@dataclass(frozen=True)
class Subject:
    """A field that sites of the demo web write about: a WordNet sense with all its kinds."""

    name: str
    heading: str
    sense: str
    countable: bool  # its concepts take an article
    category: str  # in directories
    remarks: list[str]  # sentences about any of its concepts, {name}

    @property
    def spec(self) -> str:
        """The subject as a topic is written, ``wordnet:bird_of_prey.n.01``."""
        return f"wordnet:{self.sense}"

    @cached_property
    def graph(self) -> ConceptGraph:
        """The concept graph of WordNet."""
        return wordnet().graph

    @cached_property
    def concepts(self) -> tuple[str, ...]:
        """The kinds of the sense, nearest first; one per label, none with a very long one."""
        by_label: dict[str, str] = {}
        seen = {self.spec}
        queue = deque(seen)
        while queue and len(by_label) < _MOST_CONCEPTS:
            concept = queue.popleft()
            by_label.setdefault(self.graph.label(concept).casefold(), concept)
            kinds = [kind for kind in self.graph.narrower(concept) if kind not in seen]
            seen.update(kinds)
            queue.extend(kinds)
        return tuple(concept for label, concept in by_label.items() if len(label) <= _LONGEST_LABEL)[1:]

    def kinds(self, concept: str) -> list[str]:
        """Return the narrower concepts that belong to the subject."""
        return [kind for kind in self.graph.narrower(concept) if kind in self.concepts]


SUBJECTS = {name: Subject(name=name, **said) for name, said in _read("subjects.toml").items()}


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
        opening = self._template("personal").format(a=self.name(concept))
        return [opening, *self.article(concept, self._rng.uniform(0.2, 0.6))]

    def passing(self, concept: str) -> str:
        """Return a sentence that mentions a concept and says nothing about it."""
        return self._template("passing").format(a=self.name(concept))

    def _facts(self, concept: str) -> list[str]:
        siblings = [
            kind for broader in self._graph.broader(concept) for kind in self._subject.kinds(broader) if kind != concept
        ]
        synonyms = [label.text for label in self._graph.labels(concept)[1:4]]
        facts = [
            self._list("names", synonyms),
            self._list("kinds", self._names(self._graph.narrower(concept))),
            self._list("parts", self._names(self._related(concept, "has-part", "has-substance"))),
            self._list("wholes", self._names(self._related(concept, "part-of", "member-of"))),
            self._list("siblings", self._names(siblings)),
            self._chain(concept),
        ]
        return [fact for fact in facts if fact]

    def _related(self, concept: str, *names: str) -> list[str]:
        return [other for name in names for _, other in self._graph.relations(concept, name)]

    def _names(self, concepts: list[str]) -> list[str]:
        return list(dict.fromkeys(map(self.name, concepts)))

    def _template(self, relation: str) -> str:
        return str(self._rng.choice(_SENTENCES[relation]))

    def _list(self, relation: str, names: list[str]) -> str:
        templates: list[str] = _SENTENCES[relation]
        some = self._some(names, self._rng.randint(2, 4))
        template = self._rng.choice(templates[1:]) if len(some) > 1 else templates[0]
        return template.format(list=listed(some)) if some else ""

    def _kind_of(self, concept: str) -> str:
        broader = self._graph.broader(concept)
        if not broader:
            return f"This is about {self.name(concept)}."
        a = self._with_article(concept)
        template = self._template("kind_of")
        return template.format(A=sentence_case(a), a=a, b=self.name(broader[0]))

    def _chain(self, concept: str) -> str:
        broader = self._graph.broader(concept)
        above = self._graph.broader(broader[0]) if broader else []
        if not above or concept == self._subject.spec:
            return ""
        template = self._template("chain")
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
        return template.replace("A {name}", f"{_article(label).title()} {{name}}").format(name=label)

    def _is_single(self, concept: str) -> bool:
        # One thing with a name, such as a planet or a ship.
        return bool(self._graph.relations(concept, "instance-of"))

    def _some(self, items: Sequence[str], most: int) -> list[str]:
        return self._rng.sample(list(items), min(most, len(items)))


def _article(label: str) -> str:
    return "an" if label[0].lower() in "aeio" or label.lower().startswith("up") else "a"


def _paragraphs(sentences: list[str], rng: Random) -> list[str]:
    found: list[str] = []
    while sentences:
        size = rng.randint(2, 5)
        found.append(" ".join(sentences[:size]))
        sentences = sentences[size:]
    return found


def filler(rng: Random, sentences: int) -> str:
    """Return a paragraph of about this many general sentences, of one or two themes."""
    themes = _SENTENCES["themes"]
    pool = [sentence for theme in rng.sample(sorted(themes), 2) for sentence in themes[theme]]
    return " ".join(rng.sample(pool, min(sentences, len(pool))))
