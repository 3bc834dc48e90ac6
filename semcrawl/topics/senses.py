"""What WordNet knows about the senses of a word, ready to be shown to a person."""

from __future__ import annotations

from dataclasses import dataclass

from semcrawl.topics.wordnet import gloss, wordnet
from semcrawl.topics.wordnet_file import PREFIX

__all__ = ["Sense", "describe_sense", "senses_of"]


@dataclass(frozen=True, slots=True)
class Sense:
    """One sense of a word.

    Attributes:
        id: the concept in the graph, ``wordnet:bank.n.01``.
        name: the same without the prefix.
        synonyms: all words with this sense, the most usual first.
        path: labels of the shortest is-a path, from the root down to the sense.
        gloss: the definition, where nltk's corpus is installed.
    """

    id: str
    name: str
    synonyms: tuple[str, ...]
    path: tuple[str, ...]
    gloss: str | None


def senses_of(word: str, *, limit: int | None = None) -> list[Sense]:
    """Return the senses of a word or of a sense name, the most usual first; [] if unknown.

    >>> [sense.name for sense in senses_of("asthma")]
    ['asthma.n.01']
    >>> senses_of("asthma.n.01")[0].path[-3:]
    ('disease', 'respiratory disease', 'asthma')
    """
    named = wordnet().sense(word)
    ids = [named] if named else wordnet().senses(word)
    return [describe_sense(concept) for concept in ids[:limit]]


def describe_sense(concept: str) -> Sense:
    """Return the description of one sense, given by its id; TopicError if there is none."""
    graph = wordnet().graph
    path = min(graph.paths_to_root(concept), key=len)
    return Sense(
        id=concept,
        name=concept.removeprefix(PREFIX),
        synonyms=tuple(label.text for label in graph.labels(concept)),
        path=tuple(graph.label(step) for step in path),
        gloss=gloss(concept),
    )
