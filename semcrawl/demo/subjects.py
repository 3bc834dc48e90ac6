"""What the demo web is about: nine subjects, each a WordNet sense with all its kinds."""

from __future__ import annotations

import tomllib
from collections import deque
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from semcrawl.topics import ConceptGraph, wordnet

MAIN = "breathing"
"""The subject that `semcrawl demo` crawls for: it has a site more than the others."""

_MOST_CONCEPTS = 90
_LONGEST_LABEL = 32


@dataclass(frozen=True)
class Subject:
    """A field that sites of the demo web write about.

    Attributes:
        name: one word, the key of the subject.
        heading: the name for people.
        sense: the WordNet sense whose kinds are the field's concepts.
        countable: whether its concepts are things that take an article.
        category: where directories and portals file it.
        remarks: sentences of the field about any of its concepts, ``{name}``.
    """

    name: str
    heading: str
    sense: str
    countable: bool
    category: str
    remarks: list[str]

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
        return tuple(
            concept for label, concept in by_label.items() if len(label) <= _LONGEST_LABEL
        )[1:]

    def kinds(self, concept: str) -> list[str]:
        """Return the narrower concepts that belong to the subject."""
        return [kind for kind in self.graph.narrower(concept) if kind in self._members]

    @cached_property
    def _members(self) -> frozenset[str]:
        return frozenset(self.concepts)


SUBJECTS: dict[str, Subject] = {
    name: Subject(name=name, **said)
    for name, said in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
}
"""The subjects by name."""
