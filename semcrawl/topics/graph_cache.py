"""Concept graphs of large ontologies, kept in the user's cache, so that the next command is quick.

An entry is found by the content of the files that a person named, the settings, and this
package's readers; it counts as long as the imported files are what they were. Class
axioms, which only class expressions need, are decoded when they are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from semcrawl.topics.class_expressions import And, Expression, Named, Not, OneOf, Or, Restriction
from semcrawl.topics.concepts import ConceptGraph, Edges, LabelTable
from semcrawl.topics.file_graph import FileGraph, FileNotes
from semcrawl.topics.owl import ClassAxioms
from semcrawl.user_cache import cache_folder, load_entry, store_entry
from semcrawl.version import VERSION

SMALLEST = 2_000_000  # files of fewer bytes are read anew, in less than a second

_FOLDER = "ontologies"


class _EdgeArrays(msgspec.Struct, array_like=True):
    """Edges: the bytes of their starts and of their targets."""

    start: bytes
    target: bytes


class _CachedGraph(msgspec.Struct, array_like=True):
    imports: list[tuple[str, str]]  # path and digest of the files that were read beside
    beside: str  # the files among which imports were looked for; "" where there are none
    name: str
    ids: list[str]
    labels: _EdgeArrays
    texts: list[str]
    languages: list[str]
    language: bytes  # per label the number of its language
    weights: bytes
    ranks: bytes
    broader: _EdgeArrays
    relations: dict[str, tuple[bytes, bytes]]
    options: str
    files: list[str]
    problems: list[str]
    tops: list[str]
    mappings: dict[str, tuple[str, ...]]
    notations: dict[str, list[str]]
    properties: dict[str, str]
    aliases: dict[str, str]
    axioms: bytes


def cache_key(files: Sequence[Path], *settings: object) -> str:
    """Return the key of what is made of files with some settings; "" where the cache is off."""
    if cache_folder(_FOLDER) is None:
        return ""
    facts = [VERSION, _readers_digest(), *map(repr, settings), *map(_file_digest, files)]
    return sha256("\n".join(facts).encode(errors="replace")).hexdigest()


def load_graph(key: str, path: str, beside: str) -> FileGraph | None:
    """Return the graph of a key, if it is there and its imports are what they were."""
    folder = cache_folder(_FOLDER)
    data = load_entry(folder, key) if folder and key else None
    if data is None:
        return None
    try:
        entry = msgspec.msgpack.decode(data, type=_CachedGraph)
        unchanged = entry.beside in ("", beside) and all(
            _file_digest(Path(file)) == digest for file, digest in entry.imports
        )
        return _graph_of(entry, path) if unchanged else None
    except (OSError, ValueError):
        return None


def store_graph(key: str, graph: FileGraph, imports: Sequence[Path], beside: str) -> None:
    """Keep a graph, with the files that it imports and those they were looked for among."""
    folder = cache_folder(_FOLDER)
    if not folder or not key:
        return
    try:
        digests = [(str(file), _file_digest(file)) for file in imports]
        content = msgspec.msgpack.encode(_cached(graph, digests, beside))
    except (OSError, ValueError):
        return  # it cannot be kept: the next command reads the files again
    store_entry(folder, key, content)


def load_names(key: str) -> list[str] | None:
    """Return the names that were stored under a key, None if there are none."""
    folder = cache_folder(_FOLDER)
    data = load_entry(folder, key) if folder and key else None
    try:
        return None if data is None else msgspec.msgpack.decode(data, type=list[str])
    except ValueError:
        return None


def store_names(key: str, names: Sequence[str]) -> None:
    """Keep names under a key."""
    folder = cache_folder(_FOLDER)
    if folder and key:
        store_entry(folder, key, msgspec.msgpack.encode(list(names)))


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


@cache
def _readers_digest() -> str:
    """The digest of the modules that make graphs: another version of them may make others."""
    found = sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()


def _cached(graph: FileGraph, imports: list[tuple[str, str]], beside: str) -> _CachedGraph:
    table, notes = graph._labels, graph.notes
    languages = list(dict.fromkeys(table._languages))
    number = {language: place for place, language in enumerate(languages)}
    return _CachedGraph(
        imports=imports,
        beside=beside,
        name=graph.name,
        ids=list(graph.ids),
        labels=_arrays(table._rows),
        texts=list(table._texts),
        languages=languages,
        language=_bytes([number[language] for language in table._languages]),
        weights=np.asarray(table._weights, np.float64).tobytes(),
        ranks=_bytes(table._ranks),
        broader=_arrays(graph.is_a),
        relations={name: (_bytes(a), _bytes(b)) for name, (a, b) in graph._relations.items()},
        options=notes.options,
        files=list(notes.files),
        problems=list(notes.problems),
        tops=list(notes.tops),
        mappings=dict(notes.mappings),
        notations=dict(notes.notations),
        properties=dict(notes.properties),
        aliases=dict(notes.aliases),
        axioms=_encoded(notes.axioms),
    )


def _graph_of(entry: _CachedGraph, path: str) -> FileGraph:
    labels = LabelTable(
        _edges(entry.labels),
        entry.texts,
        languages=[entry.languages[number] for number in _ints(entry.language).tolist()],
        weights=np.frombuffer(entry.weights, np.float64).tolist(),
        ranks=_ints(entry.ranks),
    )
    relations = {name: (_ints(a), _ints(b)) for name, (a, b) in entry.relations.items()}
    graph = ConceptGraph(entry.name, entry.ids, labels, _edges(entry.broader), relations)
    notes = FileNotes(
        path,
        entry.options,
        files=tuple(entry.files),
        problems=tuple(entry.problems),
        tops=tuple(entry.tops),
        mappings=entry.mappings,
        notations=entry.notations,
        read_axioms=lambda: _decoded(entry.axioms),
        properties=entry.properties,
        aliases=entry.aliases,
    )
    return FileGraph(graph, notes)


def _bytes(numbers: ArrayLike) -> bytes:
    return np.asarray(numbers, np.int64).tobytes()


def _ints(data: bytes) -> NDArray[np.int64]:
    return np.frombuffer(data, np.int64)


def _arrays(edges: Edges) -> _EdgeArrays:
    return _EdgeArrays(_bytes(edges.start), _bytes(edges.target))


def _edges(arrays: _EdgeArrays) -> Edges:
    start = _ints(arrays.start)
    sources = np.repeat(np.arange(len(start) - 1), np.diff(start))
    return Edges(sources, _ints(arrays.target), len(start) - 1)


class _PlainAxioms(msgspec.Struct, array_like=True):
    told: dict[str, list[Any]]
    definitions: dict[str, list[Any]]
    members: list[tuple[str, str]]
    same: list[tuple[str, str]]
    broader_properties: dict[str, set[str]]


def _encoded(axioms: ClassAxioms) -> bytes:
    plain = _PlainAxioms(
        {name: [_plain(part) for part in parts] for name, parts in axioms.told.items()},
        {name: [_plain(part) for part in parts] for name, parts in axioms.definitions.items()},
        axioms.members,
        axioms.same,
        axioms.broader_properties,
    )
    return msgspec.msgpack.encode(plain)


def _decoded(data: bytes) -> ClassAxioms:
    plain = msgspec.msgpack.decode(data, type=_PlainAxioms)
    return ClassAxioms(
        {name: [_expression(part) for part in parts] for name, parts in plain.told.items()},
        {name: [_expression(part) for part in parts] for name, parts in plain.definitions.items()},
        plain.members,
        plain.same,
        plain.broader_properties,
    )


def _plain(expression: Expression | None) -> Any:
    """Return an expression as lists and strings; a name is most of them, and a mere string."""
    if expression is None or isinstance(expression, Named):
        return expression and expression.iri
    if isinstance(expression, And | Or):
        return [type(expression).__name__, *map(_plain, expression.parts)]
    if isinstance(expression, Not):
        return ["Not", _plain(expression.part)]
    if isinstance(expression, OneOf):
        return ["OneOf", *expression.individuals]
    return [expression.kind, expression.property, _plain(expression.filler), expression.number]


def _expression(plain: Any) -> Any:
    if plain is None or isinstance(plain, str):
        return plain if plain is None else Named(plain)
    kind, *rest = plain
    if kind in ("And", "Or"):
        return (And if kind == "And" else Or)(tuple(map(_expression, rest)))
    if kind == "Not":
        return Not(_expression(rest[0]))
    if kind == "OneOf":
        return OneOf(tuple(rest))
    return Restriction(kind, rest[0], _expression(rest[1]), rest[2])
