"""The shipped files of WordNet 3.0: their columns, and the graph that is made of them.

They are column files, written by ``scripts.pack_wordnet``; numbers are little-endian::

    8 bytes   magic "SCCOLS\\r\\n" (the line break shows transfers that mangle bytes)
    4 bytes   version of the format, 1
    32 bytes  SHA-256 of all that follows
    4 bytes   length of the header
    ...       header: JSON list of [name, kind, rows, bytes] in the order of the columns
    ...       the compressed columns, one after the other

Columns of ``text`` are strings joined by line breaks, of ``bytes`` one byte per row, of
``ints`` zigzag-coded 32-bit numbers (all lowest bytes first, then all second bytes and
so on), of ``steps`` the differences between neighbouring rows, coded as ``ints``. All are
deflated; ``prose`` is ``text`` packed by bzip2. A column is unpacked when it is asked for.
Synsets are in the order of WordNet's own files::

    pos         per synset: n, v, a, s or r as an ASCII byte
    lemmas      per synset: the number of its lemmas
    words       the different lemmas, as written, in order of first occurrence
    known       per lemma of a synset: 0 if its word is the next new one, 1 if not
    which       per lemma with ``known`` 1: the number of its word
    sense       per lemma: the sense number that the word has for this synset
    X/source    per edge of relation X: a synset
    X/target    per edge of relation X: the number of the source minus that of the target
    exceptions  irregular forms: part of speech, form, base forms

The second file has what only some commands need::

    count          per lemma: how often it has this sense in the texts that WordNet counted
    offset         per synset: its place in WordNet's file, by which other wordnets name it
    definitions/N  the definitions of so many synsets from number N * DEFINITIONS_IN_COLUMN on

The sense number of an adjective counts all adjectives; nltk since 3.9.2 counts
satellites (``s``) apart.
"""

import bz2
import hashlib
import struct
import zlib
from operator import add

import msgspec
import numpy as np
from numpy.typing import NDArray

from semcrawl.resources import facts_beside
from semcrawl.topics.concepts import ConceptGraph, Edges, IntArray, LabelTable

MAGIC = b"SCCOLS\r\n"
VERSION = 1
DEFINITIONS_IN_COLUMN = 1_500
_FILE_HEAD = struct.Struct("<8sI32sI")

PREFIX = "wordnet:"
IS_A = "is-a"
INSTANCE_OF = "instance-of"

INVERSES: dict[str, str] = facts_beside(__file__, "data/wordnet.toml")["inverses"]
_POS_ORDER = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}
_MOST_SENSES = 256


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
        try:
            entries = msgspec.json.decode(
                data[_FILE_HEAD.size : start], type=list[tuple[str, str, int, int]]
            )
        except msgspec.MsgspecError as error:
            raise ColumnFileError(f"its header is wrong: {error}") from error
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

    def ints(self, name: str) -> IntArray:
        """Return the numbers of a column of ints or steps."""
        kind, rows, data = self._column(name, "ints", "steps")
        planes = np.frombuffer(data, np.uint8).reshape(4, rows)
        zigzag = np.ascontiguousarray(planes.T).view("<u4").reshape(rows).astype(np.int64)
        values: IntArray = (zigzag >> 1) ^ -(zigzag & 1)
        return np.cumsum(values) if kind == "steps" else values

    def _column(self, name: str, *kinds: str) -> tuple[str, int, bytes]:
        column = self._columns.get(name)
        if column is None or column[0] not in kinds:
            raise ColumnFileError(f"it has no column {name!r} of kind {' or '.join(kinds)}")
        kind, rows, body = column
        try:
            return kind, rows, (bz2 if kind == "prose" else zlib).decompress(body)
        except (zlib.error, OSError, ValueError) as error:
            raise ColumnFileError(f"a column cannot be unpacked: {error}") from error


def read_wordnet(file: ColumnFile) -> ConceptGraph:
    """Return the graph of a WordNet file; ColumnFileError if a column is not there."""
    pos = file.small_ints("pos")
    words = file.texts("words")
    synset = np.repeat(np.arange(len(pos)), file.small_ints("lemmas"))
    lemmas = Edges(synset, _word_numbers(file), len(pos))
    first = lemmas.start[:-1]
    sense = file.small_ints("sense").astype(np.int64)
    ids = _ids(words, lemmas.target[first].tolist(), pos, sense[first])
    order = np.zeros(256, np.int64)
    order[list(map(ord, _POS_ORDER))] = list(_POS_ORDER.values())
    labels = LabelTable(lemmas, words, ranks=order[pos][synset] * _MOST_SENSES + sense)
    ends = zip(_edges(file, IS_A), _edges(file, INSTANCE_OF), strict=True)
    source, target = map(np.concatenate, ends)
    is_a = Edges(source, target, len(ids))
    return ConceptGraph("WordNet 3.0", ids, labels, is_a, _relations(file))


def _word_numbers(file: ColumnFile) -> IntArray:
    known = file.small_ints("known")
    numbers = np.cumsum(1 - known.astype(np.int64)) - 1
    numbers[known == 1] = file.ints("which")
    return numbers


def _ids(words: list[str], first: list[int], pos: NDArray[np.uint8], sense: IntArray) -> list[str]:
    """Return ``wordnet:bank.n.01`` and so on; strings are only joined by C code, for speed."""
    folded = "\n".join(words).lower().replace(" ", "_").replace("\n", f"\n{PREFIX}")
    stems = f"{PREFIX}{folded}".split("\n")
    endings = {
        (ord(letter) << 8) + number: f".{letter}.{number:02}"
        for letter in _POS_ORDER
        for number in range(_MOST_SENSES)
    }
    codes = (pos.astype(np.int64) << 8) + sense
    return list(map(add, map(stems.__getitem__, first), map(endings.__getitem__, codes.tolist())))


def _edges(file: ColumnFile, name: str) -> tuple[IntArray, IntArray]:
    source = file.ints(f"{name}/source")
    return source, source - file.ints(f"{name}/target")


def _relations(file: ColumnFile) -> dict[str, tuple[IntArray, IntArray]]:
    relations = {}
    for name, inverse in INVERSES.items():
        source, target = _edges(file, name)
        if inverse == name:  # a symmetric relation is stored one way only
            source, target = np.concatenate((source, target)), np.concatenate((target, source))
        elif inverse:
            relations[inverse] = (target, source)
        relations[name] = (source, target)
    return relations
