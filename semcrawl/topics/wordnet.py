"""WordNet 3.0, shipped with semcrawl: senses of words, base forms, and the concept graph."""

from __future__ import annotations

import re
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semcrawl.errors import TopicError
from semcrawl.topics.columns import ColumnFile, ColumnFileError
from semcrawl.topics.labels import normal_label
from semcrawl.topics.morphy import PARTS_OF_SPEECH, Morphology
from semcrawl.topics.wordnet_file import PREFIX, read_wordnet

if TYPE_CHECKING:
    from semcrawl.topics.concepts import ConceptGraph

__all__ = ["WordNet", "gloss", "wordnet"]

_SENSE_NAME = re.compile(r"(?P<lemma>.+)\.(?P<pos>[nvasr])\.(?P<number>[0-9]{1,3})", re.DOTALL)


class WordNet:
    """The words of WordNet over its concept graph.

    A sense is named by its id in the graph, ``wordnet:bank.n.01``; methods that
    take one also take it without the prefix.
    """

    def __init__(self, file: ColumnFile) -> None:
        """Read the graph from a column file; :func:`wordnet` gives the shipped one."""
        self.graph: ConceptGraph = read_wordnet(file)
        self._file = file

    @classmethod
    def load(cls, path: Path) -> WordNet:
        """Read a WordNet file; TopicError if it is not there or damaged."""
        try:
            return cls(ColumnFile(path.read_bytes()))
        except (OSError, ColumnFileError) as error:
            raise TopicError(
                f"cannot read WordNet from {path.name}: {error}; "
                "install semcrawl again, the file is part of the package"
            ) from error

    def senses(self, word: str, pos: str | None = None) -> list[str]:
        """Return the ids of the senses of a word or any of its inflected forms.

        Nouns come first, then verbs, adjectives and adverbs, each in WordNet's
        order of frequency; ``pos`` (n, v, a or r) keeps one of them.

        >>> wordnet().senses("asthma")
        ['wordnet:asthma.n.01']
        """
        word = normal_label(word)
        found: dict[str, None] = {}
        for part in PARTS_OF_SPEECH if pos is None else pos:
            for form in self._morphology.base_forms(word, part):
                found.update(dict.fromkeys(self._senses_of_lemma(form, part)))
        return list(found)

    def morphy(self, word: str, pos: str | None = None) -> str | None:
        """Return the likeliest lemma that a word is a form of, None if WordNet has none.

        >>> wordnet().morphy("churches"), wordnet().morphy("better", "a")
        ('church', 'better')
        """
        word = normal_label(word)
        for part in PARTS_OF_SPEECH if pos is None else pos:
            forms = self._morphology.base_forms(word, part)
            if forms:
                return forms[0]
        return None

    def sense(self, name: str) -> str | None:
        """Return the id of a named sense, None if there is none.

        A sense is known by each of its words: ``bank.n.02``, the second sense
        of the noun "bank", is ``depository_financial_institution.n.01``. The
        letter ``a`` stands for all adjectives.

        >>> wordnet().sense("Bank.n.1"), wordnet().sense("full.a.06"), wordnet().sense("bank.n.99")
        ('wordnet:bank.n.01', 'wordnet:full.s.06', None)
        """
        parts = _SENSE_NAME.fullmatch(name.removeprefix(PREFIX).strip())
        if parts is None:
            return None
        senses = self._senses_of_lemma(normal_label(parts["lemma"]), parts["pos"])
        number = int(parts["number"])
        found = senses[number - 1] if 1 <= number <= len(senses) else None
        if found and parts["pos"] == "s" and _pos(found) != "s":
            return None
        return found

    def _senses_of_lemma(self, lemma: str, pos: str) -> list[str]:
        wanted = "as" if pos in "as" else pos
        return [concept for concept in self.graph.find(lemma) if _pos(concept) in wanted]

    @cached_property
    def _morphology(self) -> Morphology:
        return Morphology(
            self._file.texts("exceptions"), lambda word, pos: bool(self._senses_of_lemma(word, pos))
        )


@cache
def wordnet() -> WordNet:
    """Return the WordNet that is shipped with semcrawl; it is read once."""
    return WordNet.load(Path(str(files("semcrawl.topics") / "data" / "wordnet-3.0.bin")))


def gloss(name: str) -> str | None:
    """Return the definition of a sense from nltk's WordNet corpus, None where that is missing.

    Glosses are not shipped. Nothing is downloaded; who wants glosses gets the
    corpus with ``python -m nltk.downloader wordnet``.
    """
    concept = wordnet().sense(name)
    reader = _nltk_reader() if concept else None
    if concept is None or reader is None:
        return None
    # All versions of nltk find a satellite under "a", not all under "s".
    nltk_name = re.sub(r"\.s\.(\d+)$", r".a.\1", concept.removeprefix(PREFIX))
    try:
        synset = reader.synset(nltk_name)
        same = synset.lemma_names()[0].replace("_", " ") == wordnet().graph.label(concept)
        definition = str(synset.definition())
    except Exception:  # noqa: BLE001 - a corpus of another version or damaged: no gloss, no crash
        return None
    return definition if same else None


@cache
def _nltk_reader() -> Any:
    """Return nltk's reader if the user has the corpus, else None."""
    try:
        from nltk.corpus import wordnet as reader

        reader.ensure_loaded()
    except Exception:  # noqa: BLE001 - nltk raises many kinds of errors; a gloss is a courtesy
        return None
    return reader


def _pos(concept: str) -> str:
    return concept.rsplit(".", 2)[1]
