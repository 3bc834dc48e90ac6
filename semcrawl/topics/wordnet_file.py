"""The shipped file of WordNet 3.0: its columns, and the graph that is made of them.

The file is a column file (:mod:`semcrawl.topics.columns`). Synsets are
numbered in the order of WordNet's own files: nouns, verbs, adjectives, adverbs.

==================  ===========================================================
``pos``             per synset: n, v, a, s or r as an ASCII byte
``lemmas``          per synset: the number of its lemmas
``words``           the different lemmas, as written, in order of first occurrence
``known``           per lemma of a synset: 0 if its word is the next new one, 1 if not
``which``           per lemma with ``known`` 1: the number of its word
``sense``           per lemma: the sense number that the word has for this synset
``X/source``        per edge of relation X: a synset
``X/target``        per edge of relation X: the number of the source minus that of the target
``exceptions``      irregular forms: part of speech, form, base forms
==================  ===========================================================

A sense is named as nltk does: first lemma, part of speech, sense number. The
sense number of an adjective counts all adjectives, as in WordNet and in nltk
before 3.9.2; newer versions count satellites (``s``) apart.
"""

from __future__ import annotations

from operator import add
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.topics.columns import ColumnFile, Steps, pack_columns
from semcrawl.topics.concepts import ConceptGraph
from semcrawl.topics.edges import Edges
from semcrawl.topics.labels import LabelTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

__all__ = ["INSTANCE_OF", "INVERSES", "IS_A", "PREFIX", "pack_wordnet", "read_wordnet"]

PREFIX = "wordnet:"
IS_A = "is-a"
INSTANCE_OF = "instance-of"

INVERSES = {
    INSTANCE_OF: "has-instance",
    "member-of": "has-member",
    "part-of": "has-part",
    "substance-of": "has-substance",
    "attribute": "attribute",
    "entails": "entailed-by",
    "causes": "caused-by",
    "also-see": None,
    "verb-group": "verb-group",
    "similar-to": "similar-to",
    "in-topic": "topic-of",
    "in-region": "region-of",
    "in-usage": "usage-of",
    "antonym": "antonym",
    "derivation": "derivation",
    "pertains-to": "has-pertainym",
}
"""The stored relations, each with its inverse, which is not stored; None: it has none."""

_POS_ORDER = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
_MOST_SENSES = 256


def pack_wordnet(
    synsets: Sequence[tuple[str, Sequence[str], Sequence[int]]],
    edges: Mapping[str, Sequence[tuple[int, int]]],
    exceptions: Sequence[str],
) -> bytes:
    """Return the file of synsets (pos, lemmas, sense number per lemma), edges and exceptions."""
    words: dict[str, int] = {}
    known, which = bytearray(), []
    for word in (lemma for _, lemmas, _ in synsets for lemma in lemmas):
        known.append(word in words)
        if word in words:
            which.append(words[word])
        words.setdefault(word, len(words))
    columns: dict[str, Sequence[str] | bytes | Steps | Sequence[int]] = {
        "pos": "".join(pos for pos, _, _ in synsets).encode("ascii"),
        "lemmas": bytes(len(lemmas) for _, lemmas, _ in synsets),
        "words": list(words),
        "known": bytes(known),
        "which": which,
        "sense": bytes(number for _, _, numbers in synsets for number in numbers),
    }
    for name, pairs in edges.items():
        columns[f"{name}/source"] = Steps([source for source, _ in pairs])
        columns[f"{name}/target"] = [source - target for source, target in pairs]
    columns["exceptions"] = exceptions
    return pack_columns(columns)


def read_wordnet(file: ColumnFile) -> ConceptGraph:
    """Return the graph of a WordNet file; ColumnFileError if a column is not there."""
    pos = file.small_ints("pos")
    start = np.zeros(len(pos) + 1, np.int64)
    np.cumsum(file.small_ints("lemmas"), out=start[1:])
    words = file.texts("words")
    word = _word_numbers(file)
    sense = file.small_ints("sense").astype(np.int64)
    ids = _ids(words, word[start[:-1]].tolist(), pos, sense[start[:-1]])
    order = np.zeros(256, np.int64)
    for letter, place in _POS_ORDER.items():
        order[ord(letter)] = place
    ranks = np.repeat(order[pos], np.diff(start)) * _MOST_SENSES + sense
    labels = LabelTable(start, word, words, languages="en", ranks=ranks)
    return ConceptGraph("WordNet 3.0", ids, labels, _is_a(file, len(ids)), _relations(file))


def _word_numbers(file: ColumnFile) -> NDArray[np.int64]:
    known = file.small_ints("known")
    numbers = np.cumsum(1 - known.astype(np.int64)) - 1
    numbers[known == 1] = file.ints("which")
    return numbers


def _ids(
    words: list[str], first: list[int], pos: NDArray[np.uint8], sense: NDArray[np.int64]
) -> list[str]:
    """Return ``wordnet:bank.n.01`` and so on; strings are only joined by C code, for speed."""
    folded = ("\n".join(words)).lower().replace(" ", "_").replace("\n", f"\n{PREFIX}")
    stems = f"{PREFIX}{folded}".split("\n")
    endings = {
        (ord(letter) << 8) + number: f".{letter}.{number:02}"
        for letter in _POS_ORDER
        for number in range(_MOST_SENSES)
    }
    codes = (pos.astype(np.int64) << 8) + sense
    return list(map(add, map(stems.__getitem__, first), map(endings.__getitem__, codes.tolist())))


def _edges(file: ColumnFile, name: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    source = file.ints(f"{name}/source")
    return source, source - file.ints(f"{name}/target")


def _is_a(file: ColumnFile, size: int) -> Edges:
    kinds, instances = _edges(file, IS_A), _edges(file, INSTANCE_OF)
    return Edges(
        np.concatenate((kinds[0], instances[0])), np.concatenate((kinds[1], instances[1])), size
    )


def _relations(
    file: ColumnFile,
) -> dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]]:
    relations = {}
    for name, inverse in INVERSES.items():
        source, target = _edges(file, name)
        if inverse == name:  # a symmetric relation is stored one way only
            source, target = np.concatenate((source, target)), np.concatenate((target, source))
        elif inverse is not None:
            relations[inverse] = (target, source)
        relations[name] = (source, target)
    return relations
