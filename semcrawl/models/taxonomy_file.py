"""Model files: a trained taxonomy in one file that is safe to take from anyone.

A ZIP archive with a manifest in JSON (``semcrawl.topics.category_files``), the
vocabulary and the sources of the examples as text, one line each, and columns
of 32-bit integers, little-endian. Reading it runs nothing that is in it. What
is kept are the examples' counts; the classifier is made from them anew, so a
file that was added to is as good as one made from all examples at once.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.models.taxonomy_classifier import TrainingOptions
from semcrawl.models.taxonomy_examples import Example, ExampleSet
from semcrawl.models.taxonomy_tree import CategoryTree
from semcrawl.topics.category_files import (
    FORMAT,
    KIND,
    MANIFEST,
    Manifest,
    is_trained_taxonomy,
    read_manifest,
    read_member,
)
from semcrawl.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from numpy.typing import NDArray

_TERMS = "terms.txt"
_SOURCES = "sources.txt"
_COLUMNS = ("category", "start", "term", "count")
_LARGEST = 4_000_000_000
_NUMBER = np.dtype("<i4")


class ModelParts(msgspec.Struct, frozen=True):
    """What a model file holds."""

    tree: CategoryTree
    examples: ExampleSet
    options: TrainingOptions
    good: tuple[str, ...]


def save_model(
    path: str | Path,
    tree: CategoryTree,
    examples: ExampleSet,
    options: TrainingOptions,
    good: Collection[str],
) -> None:
    """Write a model file; an interruption leaves what was there before.

    Raises:
        ConfigError: the file cannot be written, or what is there is no model.
    """
    check_writable(path)
    place = Path(path)
    manifest = Manifest(
        kind=KIND,
        format=FORMAT,
        made_by=f"semcrawl {VERSION}",
        name=tree.name,
        language=tree.language,
        categories=tree.categories(),
        good=tuple(good),
        options={name: float(getattr(options, name)) for name in _option_names()},
        documents=len(examples),
    )
    try:
        handle, draft = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                _write(zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED), manifest, examples)
                file.flush()
                os.fsync(file.fileno())
            _let_others_read(draft)
            Path(draft).replace(place)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(draft).unlink()
            raise
    except OSError as error:
        raise ConfigError(f"cannot write the model {path}: {error.strerror}") from error


def check_writable(path: str | Path) -> None:
    """Raise ConfigError where a model cannot be written, before any work is done for it."""
    place = Path(path)
    if place.exists() and not is_trained_taxonomy(place):
        raise ConfigError(f"{path} holds something else, which is not overwritten; name another")
    if not place.parent.is_dir():
        raise ConfigError(f"cannot write the model {path}: there is no folder {place.parent}")


def _let_others_read(path: str) -> None:
    """Give a temporary file, which is private at first, the usual permissions."""
    mask = os.umask(0)
    os.umask(mask)
    Path(path).chmod(0o666 & ~mask)


def _option_names() -> tuple[str, ...]:
    return tuple(TrainingOptions.__slots__)


def _write(archive: zipfile.ZipFile, manifest: Manifest, examples: ExampleSet) -> None:
    rows, none = list(examples), np.empty(0, np.int32)
    place = {category.id: number for number, category in enumerate(manifest.categories)}
    columns = {
        "category": np.array([place[row.category] for row in rows]),
        "start": np.concatenate(([0], np.cumsum([len(row.terms) for row in rows]))),
        "term": np.concatenate([row.terms for row in rows] or [none]),
        "count": np.concatenate([row.counts for row in rows] or [none]),
    }
    with archive:
        archive.writestr(MANIFEST, msgspec.json.encode(manifest))
        archive.writestr(_TERMS, _text(examples.vocabulary))
        archive.writestr(_SOURCES, _text(row.source for row in rows))
        for name, values in columns.items():
            archive.writestr(f"{name}.i4", values.astype(_NUMBER).tobytes())


def _text(lines: Iterable[str]) -> bytes:
    # The name of a file may hold bytes that are no text.
    return "\n".join(lines).encode("utf-8", "backslashreplace")


def load_model(path: str | Path) -> ModelParts:
    """What a model file holds.

    Raises:
        ConfigError: the file cannot be read, is no model, is damaged, or of another format.
    """
    manifest, where = read_manifest(path), str(path)
    try:
        with zipfile.ZipFile(path) as archive:
            terms, sources = (_lines(archive, name, where) for name in (_TERMS, _SOURCES))
            columns = {name: _column(archive, name, where) for name in _COLUMNS}
    except (OSError, zipfile.BadZipFile) as error:
        raise ConfigError(f"cannot read the model {path}: {error}; train it again") from error
    if not _fits(columns, len(terms), len(sources), len(manifest.categories)):
        raise ConfigError(f"{path} is damaged: its parts do not fit together; train it again")
    examples = ExampleSet()
    examples.learn(terms)
    starts = columns["start"].tolist()
    for number, (source, category) in enumerate(
        zip(sources, columns["category"].tolist(), strict=True)
    ):
        part = slice(starts[number], starts[number + 1])
        examples.put(
            Example(
                source,
                manifest.categories[category].id,
                columns["term"][part],
                columns["count"][part],
            )
        )
    known = {name: manifest.options[name] for name in _option_names() if name in manifest.options}
    return ModelParts(
        CategoryTree(manifest.name, manifest.categories, language=manifest.language, place=where),
        examples,
        _options(known),
        manifest.good,
    )


def _options(given: dict[str, float]) -> TrainingOptions:
    return TrainingOptions(
        smoothing=given.get("smoothing", TrainingOptions().smoothing),
        features=int(given.get("features", TrainingOptions().features)),
        length=given.get("length", 0.0),
        mixture=bool(given.get("mixture", True)),
    )


def _lines(archive: zipfile.ZipFile, name: str, where: str) -> list[str]:
    data = read_member(archive, name, where, _LARGEST)
    try:
        return data.decode("utf-8").split("\n") if data else []
    except UnicodeDecodeError as error:
        raise ConfigError(f"{where} is damaged: {name} is no text; train it again") from error


def _column(archive: zipfile.ZipFile, name: str, where: str) -> NDArray[np.int32]:
    data = read_member(archive, f"{name}.i4", where, _LARGEST)
    if len(data) % _NUMBER.itemsize:
        raise ConfigError(f"{where} is damaged: {name}.i4 is cut; train it again")
    return np.frombuffer(data, _NUMBER).astype(np.int32)


def _fits(columns: dict[str, NDArray[np.int32]], terms: int, sources: int, categories: int) -> bool:
    """Whether every number of a file points at something that is there."""
    start, term, count = columns["start"], columns["term"], columns["count"]
    return bool(
        len(columns["category"]) == sources
        and len(start) == sources + 1
        and start[0] == 0
        and start[-1] == len(term) == len(count)
        and np.all(np.diff(start.astype(np.int64)) >= 0)
        and _within(term, 0, terms)
        and _within(count, 0, 1 << 31)
        and _within(columns["category"], 0, categories)
    )


def _within(values: NDArray[np.int32], low: int, high: int) -> bool:
    return not len(values) or (int(values.min()) >= low and int(values.max()) < high)
