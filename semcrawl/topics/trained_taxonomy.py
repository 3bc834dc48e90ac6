"""Trained taxonomies: the tree of categories inside a model file.

A model file (see ``semcrawl.taxonomy``) is a ZIP archive. Its member
``manifest.json`` says what a topic needs to know: the categories, and which of
them are marked good. The other members, the counted words of the examples,
matter to the classifier only and are not looked at here.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from semcrawl.errors import ConfigError
from semcrawl.topics.file_graph import FileGraph, FileNotes
from semcrawl.topics.graph_builder import ConceptGraphBuilder
from semcrawl.topics.labels import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = [
    "FORMAT",
    "KIND",
    "MANIFEST",
    "Category",
    "Manifest",
    "category_graph",
    "is_trained_taxonomy",
    "read_manifest",
    "read_member",
    "read_trained_taxonomy",
]

KIND = "semcrawl-taxonomy"
"""What the manifest of a model file says it is."""

FORMAT = 1
"""The format of model files that this version writes and reads."""

MANIFEST = "manifest.json"
"""The member that holds the manifest."""

_LARGEST_MANIFEST = 100_000_000
_DAMAGES = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
_NO_MODEL = "is no trained taxonomy; make one with 'semcrawl taxonomy train TREE -o MODEL'"
_BEGINNING = b"PK\x03\x04"
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`\x7f]+")


class Category(msgspec.Struct, frozen=True):
    """A node of the tree: its IRI, its step in a path, its labels, what it is under."""

    id: str
    name: str
    labels: tuple[str, ...] = ()
    parent: str | None = None


class Manifest(msgspec.Struct, frozen=True):
    """What a model file says of itself; a category comes after the one that it is under."""

    kind: str
    format: int
    made_by: str = ""
    name: str = ""
    language: str = "en"
    categories: tuple[Category, ...] = ()
    good: tuple[str, ...] = ()
    options: dict[str, float] = {}
    documents: int = 0


class _Head(msgspec.Struct):
    """What can be read of a manifest of any format."""

    kind: str = ""
    format: int = 0


def is_trained_taxonomy(path: Path) -> bool:
    """Whether a file begins as a model file does; False for what cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(len(_BEGINNING)) == _BEGINNING
    except OSError:
        return False


def read_manifest(path: str | Path) -> Manifest:
    """The manifest of a model file.

    Raises:
        ConfigError: the file cannot be read, is none, is damaged, or is of another format.
    """
    place = Path(path)
    try:
        if not zipfile.is_zipfile(place):
            place.stat()
            raise ConfigError(f"{path} {_NO_MODEL}")
        with zipfile.ZipFile(place) as archive:
            text = read_member(archive, MANIFEST, str(path), _LARGEST_MANIFEST)
    except zipfile.BadZipFile as error:
        raise ConfigError(f"{path} is damaged: {error}; train it again") from error
    except OSError as error:
        raise ConfigError(f"cannot read the model {path}: {error.strerror}") from error
    return _checked(_decoded(text, str(path)), str(path))


def read_member(archive: zipfile.ZipFile, name: str, where: str, largest: int) -> bytes:
    """The bytes of a member of a model file; ConfigError if it is missing, damaged or too large."""
    try:
        if archive.getinfo(name).file_size > largest:
            raise ConfigError(f"{where}: its part {name} is larger than {largest:,} bytes")
        return archive.read(name)
    except KeyError as error:
        missing = _NO_MODEL if name == MANIFEST else f"is damaged: it has no {name}; train it again"
        raise ConfigError(f"{where} {missing}") from error
    except _DAMAGES as error:
        raise ConfigError(f"{where} is damaged: {error}; train it again") from error


def _decoded(text: bytes, where: str) -> Manifest:
    try:
        head = msgspec.json.decode(text, type=_Head)
        if head.kind != KIND:
            raise ConfigError(f"{where} {_NO_MODEL}")
        if head.format != FORMAT:
            raise ConfigError(
                f"{where} is a model of format {head.format}, and this version reads "
                f"format {FORMAT}; train it again, or use the version that made it"
            )
        return msgspec.json.decode(text, type=Manifest)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ConfigError(f"{where} is damaged: its manifest: {error}; train it again") from error


def _checked(manifest: Manifest, where: str) -> Manifest:
    known: set[str] = set()
    for category in manifest.categories:
        parent = category.parent
        if not _IRI.fullmatch(category.id) or category.id in known:
            raise ConfigError(f"{where} is damaged: the category {category.id[:80]!r}")
        if parent is not None and parent not in known:
            raise ConfigError(f"{where} is damaged: {category.id[:80]!r} is under no category")
        known.add(category.id)
    if not known or not known.issuperset(manifest.good):
        raise ConfigError(f"{where} is damaged: it marks what it does not have; train it again")
    return manifest


def read_trained_taxonomy(path: str | Path) -> FileGraph:
    """The categories of a model file as a concept graph, the good ones in ``notes.good``.

    Raises:
        ConfigError: as from :func:`read_manifest`.
    """
    manifest = read_manifest(path)
    return category_graph(
        manifest.categories, str(path), language=manifest.language, good=manifest.good
    )


def category_graph(
    categories: Sequence[Category],
    place: str,
    *,
    language: str = "en",
    good: Iterable[str] = (),
) -> FileGraph:
    """The graph of a trained taxonomy's categories; ``place`` is its file."""
    builder = ConceptGraphBuilder(Path(place).name)
    paths: dict[str | None, tuple[str, ...]] = {None: ()}
    notations: dict[str, list[str]] = {}
    for category in categories:
        broader = None if category.parent is None else [category.parent]
        labels = [Label(text, language) for text in category.labels or (category.name,)]
        builder.add(category.id, *labels, broader=broader)
        path = paths[category.id] = (*paths[category.parent], category.name)
        for written in dict.fromkeys(("/".join(path), ".".join(path), category.name)):
            notations.setdefault(written, []).append(category.id)
    notes = FileNotes(
        place,
        prefix="taxonomy:",
        tops=tuple(category.id for category in categories if category.parent is None),
        notations=notations,
        trained=True,
        good=tuple(good),
    )
    return FileGraph(builder.build(), notes)
