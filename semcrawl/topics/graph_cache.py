"""Concept graphs of large ontologies, kept in the user's cache, so that the next command is quick.

An entry is found by the content of the files that a person named, the settings, and this
package's readers; it counts as long as the imported files are what they were.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from semcrawl.arrays import Ints
from semcrawl.topics.concepts import ConceptGraph, Edges, LabelTable
from semcrawl.topics.file_graph import FileGraph, FileNotes
from semcrawl.user_cache import cache_folder, load_entry, store_entry
from semcrawl.version import VERSION

SMALLEST = 2_000_000  # files of fewer bytes are read anew, in less than a second

_FOLDER = "ontologies"
_Kind = TypeVar("_Kind")


class _CachedGraph(msgspec.Struct, array_like=True):
    """A graph, whose arrays are kept as bytes; edges are their sources and their targets."""

    imports: list[tuple[str, str]]  # path and digest of the files that were read beside
    beside: str  # the files among which imports were looked for; "" where there are none
    name: str
    ids: list[str]
    labels: tuple[Ints, Ints]
    texts: list[str]
    languages: list[str]
    language: Ints  # per label the number of its language
    weights: list[float]
    ranks: Ints
    broader: tuple[Ints, Ints]
    relations: dict[str, tuple[Ints, Ints]]
    notes: FileNotes


def cache_key(files: Sequence[Path], *settings: object) -> str:
    """Return the key of what is made of files with some settings; "" where the cache is off."""
    if cache_folder(_FOLDER) is None:
        return ""
    facts = [VERSION, _readers_digest(), *map(repr, settings), *map(_file_digest, files)]
    return sha256("\n".join(facts).encode(errors="replace")).hexdigest()


def load_cached(key: str, kind: type[_Kind]) -> _Kind | None:
    """Return what was stored under a key, None if there is nothing of that kind."""
    data = load_entry(cache_folder(_FOLDER), key) if key else None
    with suppress(ValueError):
        if data is not None:
            return msgspec.msgpack.decode(data, type=kind, dec_hook=lambda _, ints: np.frombuffer(ints, np.int64))
    return None


def store_cached(key: str, content: object) -> None:
    """Keep something under a key."""
    if key:
        store_entry(cache_folder(_FOLDER), key, msgspec.msgpack.encode(content, enc_hook=np.ndarray.tobytes))


def load_graph(key: str, beside: str) -> FileGraph | None:
    """Return the graph of a key, if it is there and its imports are what they were."""
    entry = load_cached(key, _CachedGraph)
    with suppress(OSError, ValueError):
        if entry and entry.beside in ("", beside) and all(_file_digest(Path(one)) == was for one, was in entry.imports):
            return _graph_of(entry)
    return None


def store_graph(key: str, graph: FileGraph, imports: Sequence[Path], beside: str) -> None:
    """Keep a graph, with the files that it imports and those they were looked for among."""
    with suppress(OSError, ValueError):  # where it cannot be kept, the next command reads the files again
        store_cached(key, _cached(graph, [(str(file), _file_digest(file)) for file in imports], beside))


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


@cache
def _readers_digest() -> str:
    """The digest of what makes graphs, code and facts: another version may make others."""
    found, here = sha256(), Path(__file__).parent
    for path in sorted((*here.glob("*.py"), *here.glob("data/*.toml"))):
        found.update(path.read_bytes())
    return found.hexdigest()


def _cached(graph: FileGraph, imports: list[tuple[str, str]], beside: str) -> _CachedGraph:
    table = graph.label_table
    languages = list(dict.fromkeys(table.languages))
    number = {language: place for place, language in enumerate(languages)}
    return _CachedGraph(
        imports=imports,
        beside=beside,
        name=graph.name,
        ids=list(graph.ids),
        labels=(table.rows.sources(), table.rows.target),
        texts=list(table.texts),
        languages=languages,
        language=np.asarray([number[language] for language in table.languages], np.int64),
        weights=list(table.weights),
        ranks=table.ranks,
        broader=(graph.is_a.sources(), graph.is_a.target),
        relations={n: (np.asarray(a, np.int64), np.asarray(b, np.int64)) for n, (a, b) in graph.relation_ends.items()},
        notes=graph.notes,
    )


def _graph_of(entry: _CachedGraph) -> FileGraph:
    size = len(entry.ids)
    labels = LabelTable(
        Edges(*entry.labels, size),
        entry.texts,
        languages=[entry.languages[number] for number in entry.language.tolist()],
        weights=entry.weights,
        ranks=entry.ranks,
    )
    is_a = Edges(*entry.broader, size)
    return FileGraph(ConceptGraph(entry.name, entry.ids, labels, is_a, entry.relations), entry.notes)
