"""Writing column files, and those of WordNet; ``semcrawl.topics.wordnet`` reads them.

Numbers in a column file are little-endian::

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

from __future__ import annotations

import bz2
import hashlib
import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import msgspec
import numpy as np

from semcrawl.topics.wordnet import DEFINITIONS_IN_COLUMN, MAGIC, VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True)
class Prose:
    """Texts of many words, which bzip2 makes smaller than deflate does."""

    texts: Sequence[str]


@dataclass(frozen=True)
class Steps:
    """Numbers of which neighbours are close, to be stored as differences."""

    values: Sequence[int]


Column: TypeAlias = "Sequence[str] | bytes | Prose | Steps | Sequence[int]"


def pack_columns(columns: Mapping[str, Column]) -> bytes:
    """Return the column file of the given columns; the same columns give the same bytes."""
    entries: list[tuple[str, str, int, int]] = []
    bodies: list[bytes] = []
    for name, column in columns.items():
        kind, rows, raw = _encoded(column)
        body = bz2.compress(raw, 9) if kind == "prose" else zlib.compress(raw, 9)
        entries.append((name, kind, rows, len(body)))
        bodies.append(body)
    header = msgspec.json.encode(entries)
    rest = b"".join((struct.pack("<I", len(header)), header, *bodies))
    return MAGIC + struct.pack("<I", VERSION) + hashlib.sha256(rest).digest() + rest


def _encoded(column: Column) -> tuple[str, int, bytes]:
    """Return kind, number of rows, and bytes before they are compressed."""
    if isinstance(column, Prose):
        return "prose", len(column.texts), "\n".join(column.texts).encode()
    if isinstance(column, bytes):
        return "bytes", len(column), column
    if isinstance(column, Steps):
        steps: NDArray[np.int64] = np.asarray(column.values, np.int64).copy()
        steps[1:] -= steps[:-1].copy()
        return "steps", len(steps), _planes(steps)
    if len(column) and isinstance(column[0], str):
        return "text", len(column), "\n".join(map(str, column)).encode()
    return "ints", len(column), _planes(np.asarray(column, np.int64))


def _planes(values: NDArray[np.int64]) -> bytes:
    zigzag = (values << 1) ^ (values >> 63)
    if len(zigzag) and int(zigzag.max()) >= 1 << 32:
        raise ValueError("a column of ints holds a number of more than 31 bits")
    columns = zigzag.astype("<u4").view(np.uint8).reshape(len(zigzag), 4)
    return np.ascontiguousarray(columns.T).tobytes()


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
    columns: dict[str, Column] = {
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


def pack_definitions(definitions: Sequence[str], counts: Sequence[int], offsets: Sequence[int]) -> bytes:
    """Return the file of definitions and offsets per synset, and of counts per lemma."""
    columns: dict[str, Column] = {"count": counts, "offset": Steps(offsets)}
    for start in range(0, len(definitions), DEFINITIONS_IN_COLUMN):
        rows = definitions[start : start + DEFINITIONS_IN_COLUMN]
        columns[f"definitions/{start // DEFINITIONS_IN_COLUMN}"] = Prose(rows)
    return pack_columns(columns)
