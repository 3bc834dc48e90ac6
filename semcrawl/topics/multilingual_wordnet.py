"""WordNet with the words of another language, from the Open Multilingual Wordnet.

Francis Bond, Kyonghee Paik (2012): A survey of wordnets and their licenses, GWC 2012. The user
has it as a corpus of nltk, whose files name synsets of WordNet 3.0 by their places in its files.
"""

import re
import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from zipfile import BadZipFile

import numpy as np

from semcrawl.errors import TopicError, told_as
from semcrawl.text.languages import find_language, language_code
from semcrawl.topics.concepts import MOST_SENSES, ConceptGraph, Edges, LabelTable
from semcrawl.topics.labels import normal_label
from semcrawl.topics.rdf_statements import grouped
from semcrawl.topics.wordnet import PREFIX, wordnet

CORPORA = ("omw-2.0", "omw-1.4", "omw")  # as nltk calls them; the first that is there is read

_UNREADABLE = (OSError, UnicodeError, BadZipFile, zlib.error)
_TAB_FILES = r".*/wn-data-.*\.tab"
_SYNSET = re.compile(r"([0-9]{8})-([nvasr])")
_LONGEST_WORD = 200
_MOST_WORDS = 2_000_000


class TranslatedWordNet(ConceptGraph):
    """WordNet whose concepts have the words of another language too, before the English ones."""

    def __init__(self, labels: LabelTable, language: str) -> None:
        base = wordnet().graph
        name = f"{base.name} in {_language_name(language)}"
        super().__init__(name, base.ids, labels, base.is_a, base.relation_ends)
        self.language = language

    def senses(self, word: str) -> list[str]:
        """Return the ids of the senses of a word of the language; [] if it has no such word."""
        key = normal_label(word)
        return [
            concept
            for concept in self.find(word)
            for label in self.labels(concept)
            if label.language == self.language and normal_label(label.text) == key
        ]

    def place(self, *, absolute: bool = False) -> str:  # noqa: ARG002 - for graphs of files
        """Return how references to its concepts start, without the last colon."""
        return f"{PREFIX}{self.language}"

    def reference(self, concept: str, *, absolute: bool = False) -> str:
        """Return the reference of a concept: ``wordnet:fr:asthma.n.01``."""
        return f"{self.place(absolute=absolute)}:{concept.removeprefix(PREFIX)}"


@lru_cache(maxsize=4)
def translated_wordnet(language: str) -> TranslatedWordNet:
    """Return WordNet with the words of a language, by any code; TopicError where nltk has none."""
    code = language_code(language)
    found = list(dict.fromkeys(_words(code)))
    texts = {text: number for number, text in enumerate(dict.fromkeys(text for _, text in found))}
    synsets = [synset for synset, _ in found]
    rows = Edges(synsets, [texts[text] for _, text in found], len(wordnet().graph))
    order = np.argsort(synsets, kind="stable")
    ranks = np.asarray(_sense_numbers(found), np.int64)[order]
    words = LabelTable(rows, list(texts), languages=code, ranks=ranks)
    everything = np.arange(len(wordnet().graph))
    return TranslatedWordNet(words.joined(wordnet().graph.label_table, everything, len(everything)), code)


def _words(code: str) -> Iterator[tuple[int, str]]:
    """Yield the position of a synset and a word for it, from all files of a language."""
    corpus, reader = _corpus()
    files = {name: language_code(re.split(r"[-.]", name)[-2]) for name in reader.fileids()}
    mine = [name for name, language in files.items() if language == code]
    if not mine:
        known = ", ".join(sorted(set(files.values()) - {"en"}))
        raise TopicError(f"nltk's corpus {corpus} has no wordnet in {_language_name(code)}; it has: {known}")
    places = wordnet().places()
    for name in mine:
        told = told_as(TopicError, f"cannot read {name} of nltk's corpus {corpus}", *_UNREADABLE)
        with told, reader.open(name) as lines:
            for number, line in enumerate(lines):
                if number >= _MOST_WORDS:
                    raise TopicError(f"{name} of nltk's corpus {corpus} has too many lines")
                if found := _word(line, places):
                    yield found


def _word(line: str, places: dict[tuple[str, int], int]) -> tuple[int, str] | None:
    """Return synset and word of a line ``00001740-n<TAB>fra:lemma<TAB>word``, None of others."""
    parts = line.rstrip("\r\n").split("\t")
    match = _SYNSET.fullmatch(parts[0])
    if line.startswith("#") or len(parts) < 3 or match is None or parts[1].rpartition(":")[2] != "lemma":
        return None
    text = " ".join(parts[-1].replace("_", " ").split())
    place = places.get(("a" if match[2] == "s" else match[2], int(match[1])))
    return (place, text) if place is not None and 0 < len(text) <= _LONGEST_WORD else None


def _sense_numbers(found: list[tuple[int, str]]) -> list[int]:
    """Return which sense of its word each row is, from 1: the order of English is taken over."""
    counts = wordnet().synset_counts()
    senses = grouped((normal_label(text), synset) for synset, text in found)
    for synsets in senses.values():
        synsets.sort(key=lambda synset: -counts[synset])
    return [min(senses[normal_label(text)].index(synset) + 1, MOST_SENSES - 1) for synset, text in found]


def _corpus() -> tuple[str, Any]:
    with told_as(TopicError, "WordNet in other languages is read with nltk", ImportError):
        from nltk.corpus.reader.api import CorpusReader
        from nltk.data import find
    for corpus in CORPORA:
        for form in (f"corpora/{corpus}", f"corpora/{corpus}.zip/{corpus}/"):
            try:
                return corpus, CorpusReader(find(form), _TAB_FILES, encoding="utf8")
            except LookupError:
                continue
            except _UNREADABLE as error:
                raise TopicError(f"cannot read nltk's corpus {corpus}: {error}") from error
    raise TopicError(
        "WordNet in other languages is in nltk's corpus omw-1.4 (Open Multilingual Wordnet), "
        "which is not there; get it with: python -m nltk.downloader omw-1.4"
    )


def _language_name(code: str) -> str:
    found = find_language(code)
    return found.name if found else code
