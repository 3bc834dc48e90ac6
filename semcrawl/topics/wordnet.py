"""WordNet 3.0, shipped with semcrawl: senses of words, base forms, and the concept graph."""

import bz2
import hashlib
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from importlib.resources import files
from operator import add
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from semcrawl.arrays import Ints
from semcrawl.errors import TopicError, told_as
from semcrawl.resources import facts_beside
from semcrawl.topics.concepts import MOST_SENSES, ConceptGraph, Edges, LabelTable
from semcrawl.topics.labels import normal_label

MAGIC = b"SCCOLS\r\n"
VERSION = 1
DEFINITIONS_IN_COLUMN = 1_500
_FILE_HEAD = struct.Struct("<8sI32sI")

PREFIX = "wordnet:"
IS_A = "is-a"
INSTANCE_OF = "instance-of"

_FACTS = facts_beside(__file__, "data/wordnet.toml")
INVERSES: dict[str, str] = _FACTS["inverses"]
_ENDINGS: dict[str, str] = _FACTS["endings"]
_POS_ORDER = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}


class ColumnFileError(ValueError):
    """The bytes are no column file, or a damaged one."""


class ColumnFile:
    """The columns of a column file that is held in memory."""

    def __init__(self, data: bytes) -> None:
        if len(data) < _FILE_HEAD.size or not data.startswith(MAGIC):
            raise ColumnFileError("it does not start as a column file does")
        _, version, digest, header_size = _FILE_HEAD.unpack_from(data)
        if version != VERSION:
            raise ColumnFileError(f"its format has version {version}, this program reads version 1")
        if hashlib.sha256(memoryview(data)[_FILE_HEAD.size - 4 :]).digest() != digest:
            raise ColumnFileError("its checksum is wrong")
        start = _FILE_HEAD.size + header_size
        with told_as(ColumnFileError, "its header is wrong", msgspec.MsgspecError):
            entries = msgspec.json.decode(data[_FILE_HEAD.size : start], type=list[tuple[str, str, int, int]])
        self._columns: dict[str, tuple[str, int, bytes]] = {}
        for name, kind, rows, size in entries:
            self._columns[name] = (kind, rows, data[start : start + size])
            start += size

    def texts(self, name: str) -> list[str]:
        """Return the strings of a column of text or prose."""
        _, rows, data = self._column(name, "text", "prose")
        return data.decode().split("\n") if rows else []

    def small_ints(self, name: str) -> NDArray[np.uint8]:
        """Return the numbers of a column of bytes."""
        return np.frombuffer(self._column(name, "bytes")[2], np.uint8)

    def ints(self, name: str) -> Ints:
        """Return the numbers of a column of ints or steps."""
        kind, rows, data = self._column(name, "ints", "steps")
        planes = np.frombuffer(data, np.uint8).reshape(4, rows)
        zigzag = np.ascontiguousarray(planes.T).view("<u4").reshape(rows).astype(np.int64)
        values: Ints = (zigzag >> 1) ^ -(zigzag & 1)
        return np.cumsum(values) if kind == "steps" else values

    def _column(self, name: str, *kinds: str) -> tuple[str, int, bytes]:
        column = self._columns.get(name)
        if column is None or column[0] not in kinds:
            raise ColumnFileError(f"it has no column {name!r} of kind {' or '.join(kinds)}")
        kind, rows, body = column
        with told_as(ColumnFileError, "a column cannot be unpacked", zlib.error, OSError, ValueError):
            return kind, rows, (bz2 if kind == "prose" else zlib).decompress(body)


def read_wordnet(file: ColumnFile) -> ConceptGraph:
    """Return the graph of a WordNet file; ColumnFileError if a column is not there."""
    pos = file.small_ints("pos")
    words = file.texts("words")
    synset = np.repeat(np.arange(len(pos)), file.small_ints("lemmas"))
    known = file.small_ints("known")
    numbers = np.cumsum(1 - known.astype(np.int64)) - 1
    numbers[known == 1] = file.ints("which")
    lemmas = Edges(synset, numbers, len(pos))
    first = lemmas.start[:-1]
    sense = file.small_ints("sense").astype(np.int64)
    ids = _ids(words, lemmas.target[first].tolist(), pos, sense[first])
    order = np.zeros(256, np.int64)
    order[list(map(ord, _POS_ORDER))] = list(_POS_ORDER.values())
    labels = LabelTable(lemmas, words, ranks=order[pos][synset] * MOST_SENSES + sense)
    ends = zip(_edges(file, IS_A), _edges(file, INSTANCE_OF), strict=True)
    source, target = map(np.concatenate, ends)
    return ConceptGraph("WordNet 3.0", ids, labels, Edges(source, target, len(ids)), _relations(file))


def _ids(words: list[str], first: list[int], pos: NDArray[np.uint8], sense: Ints) -> list[str]:
    """Return ``wordnet:bank.n.01`` and so on; strings are only joined by C code, for speed."""
    folded = "\n".join(words).lower().replace(" ", "_").replace("\n", f"\n{PREFIX}")
    stems = f"{PREFIX}{folded}".split("\n")
    endings = {
        (ord(letter) << 8) + number: f".{letter}.{number:02}" for letter in _POS_ORDER for number in range(MOST_SENSES)
    }
    codes = (pos.astype(np.int64) << 8) + sense
    return list(map(add, map(stems.__getitem__, first), map(endings.__getitem__, codes.tolist())))


def _edges(file: ColumnFile, name: str) -> tuple[Ints, Ints]:
    source = file.ints(f"{name}/source")
    return source, source - file.ints(f"{name}/target")


def _relations(file: ColumnFile) -> dict[str, tuple[Ints, Ints]]:
    relations = {}
    for name, inverse in INVERSES.items():
        source, target = _edges(file, name)
        if inverse == name:  # a symmetric relation is stored one way only
            source, target = np.concatenate((source, target)), np.concatenate((target, source))
        elif inverse:
            relations[inverse] = (target, source)
        relations[name] = (source, target)
    return relations


WORDNET_FILE = "wordnet-3.0.bin"
DEFINITIONS_FILE = "wordnet-3.0-definitions.bin"

_SENSE_NAME = re.compile(r"(?P<lemma>.+)\.(?P<pos>[nvasr])\.(?P<number>[0-9]{1,3})", re.DOTALL)


class WordNet:
    """The words of WordNet over its concept graph; an id is ``wordnet:bank.n.01``."""

    def __init__(self, file: ColumnFile, definitions: Path) -> None:
        self.graph: ConceptGraph = read_wordnet(file)
        self._file = file
        self._definitions_path = definitions

    @classmethod
    def load(cls, path: Path) -> "WordNet":
        """Read a WordNet file; TopicError if it is damaged. Definitions are read when asked for."""
        with _read_from(path):
            return cls(ColumnFile(path.read_bytes()), path.with_name(DEFINITIONS_FILE))

    def senses(self, word: str, pos: str | None = None) -> list[str]:
        """Return the ids of the senses of a word or its inflected forms, of one ``pos`` or of all.

        >>> wordnet().senses("asthma")
        ['wordnet:asthma.n.01']
        """
        found: dict[str, None] = {}
        for part in "nvar" if pos is None else pos:
            for form in self.base_forms(word, part):
                found.update(dict.fromkeys(self._senses_of_lemma(form, part)))
        return list(found)

    def base_forms(self, word: str, pos: str) -> list[str]:
        """Return the lemmas of a part of speech that a word can be a form of, as nltk does.

        >>> wordnet().base_forms("churches", "n"), wordnet().base_forms("axes", "n")
        (['church'], ['ax', 'axis'])
        """
        word = normal_label(word)
        pos = "a" if pos == "s" else pos
        forms = self._exceptions.get((pos, word))
        if forms is None:
            rules = (rule.split(":") for rule in _ENDINGS.get(pos, "").split())
            forms = [word.removesuffix(old) + new for old, new in rules if word.endswith(old)]
        return [form for form in dict.fromkeys((word, *forms)) if self._senses_of_lemma(form, pos)]

    def sense(self, name: str) -> str | None:
        """Return the id of a sense name, None if unknown; ``a`` stands for all adjectives.

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

    def definition(self, concept: str) -> str:
        """Return what a sense means, in a few words; TopicError if there is no such sense.

        >>> wordnet().definition("wordnet:bank.n.01")
        'sloping land (especially the slope beside a body of water)'
        """
        column, row = divmod(self.graph.position(concept), DEFINITIONS_IN_COLUMN)
        with _read_from(self._definitions_path):
            return self._definitions.texts(f"definitions/{column}")[row]

    def count(self, concept: str, word: str) -> int:
        """Return how often a word had a sense in the texts that WordNet's authors counted.

        >>> [wordnet().count(f"wordnet:bank.n.0{number}", "bank") for number in (1, 3, 9)]
        [25, 2, 0]
        """
        forms = self.base_forms(word, _pos(concept))
        first = int(self._first_lemmas[self.graph.position(concept)])
        labels = [normal_label(label.text) for label in self.graph.labels(concept)]
        counts = [int(self._counts[first + n]) for n, text in enumerate(labels) if text in forms]
        return max(counts, default=0)

    def synset_counts(self) -> Ints:
        """Return by position how often the words of a sense had it, all together."""
        return np.asarray(np.add.reduceat(self._counts, self._first_lemmas))

    def places(self) -> dict[tuple[str, int], int]:
        """Return the position of each sense in the graph, by where it is in WordNet's own files.

        That is the part of speech and the offset in its file, by which other wordnets name it;
        satellites are among the adjectives, ``a``.
        """
        with _read_from(self._definitions_path):
            offsets = self._definitions.ints("offset").tolist()
        letters = self._file.small_ints("pos").tobytes().decode("ascii").replace("s", "a")
        return {place: number for number, place in enumerate(zip(letters, offsets, strict=True))}

    def _senses_of_lemma(self, lemma: str, pos: str) -> list[str]:
        wanted = "as" if pos in "as" else pos
        return [concept for concept in self.graph.find(lemma) if _pos(concept) in wanted]

    @cached_property
    def _exceptions(self) -> dict[tuple[str, str], list[str]]:
        found = {}
        for line in self._file.texts("exceptions"):
            pos, form, *bases = (part.replace("_", " ") for part in line.split(" "))
            found[pos, form] = bases
        return found

    @cached_property
    def _definitions(self) -> ColumnFile:
        return ColumnFile(self._definitions_path.read_bytes())

    @cached_property
    def _counts(self) -> Ints:
        with _read_from(self._definitions_path):
            return self._definitions.ints("count")

    @cached_property
    def _first_lemmas(self) -> Ints:
        lemmas = self._file.small_ints("lemmas").astype(np.int64)
        return np.cumsum(lemmas) - lemmas


@contextmanager
def _read_from(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ColumnFileError) as error:
        raise TopicError(
            f"cannot read WordNet from {path.name}: {error}; install semcrawl again, the file is part of the package"
        ) from error


@cache
def wordnet() -> WordNet:
    """Return the WordNet that is shipped with semcrawl; it is read once."""
    return WordNet.load(Path(str(files("semcrawl.topics") / "data" / WORDNET_FILE)))


def _pos(concept: str) -> str:
    return concept.rsplit(".", 2)[1]


class Sense(msgspec.Struct, frozen=True):
    """One sense of a word."""

    id: str  # the concept in the graph, ``wordnet:bank.n.01``
    name: str  # the same without the prefix
    synonyms: tuple[str, ...]  # all words with this sense, the most usual first
    definition: str  # what it means, in a few words
    path: tuple[str, ...]  # labels of the shortest is-a path, from the root down to the sense


def frequent_senses(word: str) -> list[str]:
    """Return the ids of the senses of a word or of a sense name, the most frequent first; [] if unknown."""
    words = wordnet()
    named = words.sense(word)
    ids = [named] if named else words.senses(word)
    return sorted(ids, key=lambda concept: -words.count(concept, word)) if len(ids) > 1 else ids


def describe_sense(concept: str, graph: ConceptGraph | None = None) -> Sense:
    """Return a sense with the words of a graph or WordNet's; TopicError if there is none."""
    graph = graph or wordnet().graph
    path = graph.path_to_root(concept)
    return Sense(
        id=concept,
        name=concept.removeprefix(PREFIX),
        synonyms=tuple(label.text for label in graph.labels(concept)),
        definition=wordnet().definition(concept) if concept.startswith(PREFIX) else "",
        path=tuple(graph.label(step) for step in path),
    )
