"""References to WordNet in topics: ``wordnet:asthma``, ``wordnet:bank.n.01``, and their IRIs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from semcrawl.errors import TopicError

if TYPE_CHECKING:
    from semcrawl.topics.concepts import ConceptGraph
    from semcrawl.topics.read_options import ReadOptions
    from semcrawl.topics.wordnet import WordNet

__all__ = ["WORDNET_IRI", "WordNetSource"]

WORDNET_IRI = "https://w3id.org/semcrawl/wordnet/"
"""Senses have this IRI, followed by their name."""

_PREFIX = "wordnet:"
_SENSE_NAME = re.compile(r"\S+\.[nvasr]\.[0-9]{1,3}")
_SENSES_SHOWN = 6
_LONGEST = 200


class WordNetSource:
    """Reads words with one sense, sense names, and lists of them.

    Several are joined with commas; sense names also with spaces. A word with
    several senses is refused: which one is meant makes the topic.
    """

    form = "wordnet:WORD or wordnet:SENSE (such as wordnet:asthma.n.01)"

    def accepts(self, reference: str, options: ReadOptions | None = None) -> bool:  # noqa: ARG002 - no options
        """Return whether the reference starts with ``wordnet:``."""
        return reference.startswith(_PREFIX)

    def read(
        self,
        reference: str,
        options: ReadOptions | None = None,  # noqa: ARG002 - WordNet is read one way only
    ) -> list[tuple[str, ConceptGraph]]:
        """Return the concepts of a reference; TopicError if a word is unknown or ambiguous."""
        from semcrawl.topics.wordnet import wordnet

        words = _words(reference.removeprefix(_PREFIX))
        if not words:
            raise TopicError(f"{reference!r} names no word; write for example wordnet:asthma")
        concepts = dict.fromkeys(_resolve(wordnet(), word) for word in words)
        return [(concept, wordnet().graph) for concept in concepts]

    def iri(self, concept: str) -> str | None:
        """Return the IRI of a sense."""
        if not concept.startswith(_PREFIX):
            return None
        return WORDNET_IRI + quote(concept.removeprefix(_PREFIX), safe="")

    def reference(self, iri: str) -> str | None:
        """Return the reference of a sense's IRI."""
        return (
            _PREFIX + unquote(iri.removeprefix(WORDNET_IRI))
            if iri.startswith(WORDNET_IRI)
            else None
        )


def _words(text: str) -> list[str]:
    words: list[str] = []
    for item in filter(None, (item.strip() for item in text.split(","))):
        pieces = item.split()
        words += pieces if any(map(_SENSE_NAME.fullmatch, pieces)) else [item]
    return words


def _resolve(words: WordNet, word: str) -> str:
    """Return the sense of a sense name or of a word that has one sense only."""
    if len(word) > _LONGEST:
        raise TopicError(f"WordNet has no word of {len(word)} letters: {word[:40]!r}...")
    if _SENSE_NAME.fullmatch(word):
        sense = words.sense(word)
        if sense is None:
            raise TopicError(_no_such_sense(words, word))
        return sense
    senses = words.senses(word)
    if not senses:
        raise TopicError(_no_such_word(words, word))
    if len(senses) > 1:
        raise TopicError(_ambiguous(words, word, senses))
    return senses[0]


def _no_such_sense(words: WordNet, name: str) -> str:
    lemma = name.rsplit(".", 2)[0]
    senses = words.senses(lemma)
    if not senses:
        return _no_such_word(words, lemma)
    return f"WordNet has no sense {name!r}; the senses of {lemma!r} are: {_listed(words, senses)}"


def _no_such_word(words: WordNet, word: str) -> str:
    near = ", ".join(words.graph.near_labels(word))
    offer = f"did you mean {near}? To" if near else "to"
    return f"WordNet has no word {word!r}; {offer} search for the text itself write keywords:{word}"


def _ambiguous(words: WordNet, word: str, senses: list[str]) -> str:
    return (
        f"{word!r} has {len(senses)} senses in WordNet; say which one you mean, for example "
        f"{senses[0]}: {_listed(words, senses)}"
    )


def _listed(words: WordNet, senses: list[str]) -> str:
    """Return the first senses, each with what tells it from the others."""
    shown = [f"{sense.removeprefix(_PREFIX)} ({_hint(words, sense)})" for sense in senses]
    more = f", and {len(senses) - _SENSES_SHOWN} more" if len(senses) > _SENSES_SHOWN else ""
    return ", ".join(shown[:_SENSES_SHOWN]) + more


def _hint(words: WordNet, sense: str) -> str:
    graph = words.graph
    synonyms = "; ".join(label.text for label in graph.labels(sense)[:3])
    broader = graph.broader(sense)
    return f"{synonyms}: a kind of {graph.label(broader[0])}" if broader else synonyms
