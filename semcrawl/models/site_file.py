"""Model files of page classifiers: a ZIP archive of a manifest and arrays.

- ``manifest.json``: what the file is, its format, and how the model was made
- ``terms.txt``: a term a line
- ``centroids.npy``, ``owners.npy``: the centroids and their classes; or ``counts.npy``, the
  counts of naive Bayes
- ``background.tsv.gz``: document frequencies, for centroids

Reading runs no code of the file, checks every number, and says what is wrong.
The same model always gives the same bytes.
"""

from __future__ import annotations

import hashlib
import io
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.models.archive import DAMAGES, ModelHead, array_bytes, background_bytes, write_archive
from semcrawl.models.site_classifiers import (
    CentroidClassifier,
    CentroidTable,
    NaiveBayesClassifier,
    SiteFacts,
    SiteModel,
)
from semcrawl.text.background import Background
from semcrawl.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

KIND = "semcrawl-sites"
"""What the manifest of a model file says it is."""

FORMAT = 1
"""The format of model files that this version writes and reads."""

_LARGEST = 1 << 30


def save_site_model(model: SiteModel, path: str | Path) -> None:
    """Write a model to a file; a failure leaves the old file as it was.

    Raises:
        ConfigError: the file cannot be written.
    """
    write_archive(Path(path), _members(model))


def load_site_model(path: str | Path) -> SiteModel:
    """Read a model that :func:`save_site_model` wrote.

    Raises:
        ConfigError: the file cannot be read, is no such model, is damaged, or of another format.
    """
    try:
        file = Path(path).open("rb")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise ConfigError(f"cannot read the model {path}: {error.strerror}") from error
    # One open file for both: what is digested is what is read, even if it is replaced meanwhile.
    with file:
        return replace(_read(file, path), digest=_digest(file, path))


def _read(file: io.BufferedReader, path: str | Path) -> SiteModel:
    try:
        archive = zipfile.ZipFile(file)
    except OSError as error:
        raise ConfigError(f"cannot read the model {path}: {error.strerror}") from error
    except zipfile.BadZipFile as error:
        raise _damaged(path, error) if _is_zip(file) else _no_model(path) from error
    try:
        with archive:
            return _model(archive, _facts(archive, str(path)))
    except (OSError, *DAMAGES) as error:
        raise _damaged(path, error) from error
    except ConfigError as error:
        raise error if str(path) in str(error) else ConfigError(f"{path}: {error}") from error


def _digest(file: io.BufferedReader, path: str | Path) -> str:
    try:
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigError(f"cannot read the model {path}: {error.strerror}") from error


def _members(model: SiteModel) -> Mapping[str, bytes]:
    classifier = model.classifier
    manifest = {"kind": KIND, "format": FORMAT, "made_by": f"semcrawl {VERSION}"}
    head = {"manifest.json": msgspec.json.encode(manifest | {"facts": model.facts})}
    if isinstance(classifier, NaiveBayesClassifier):
        return head | {
            "terms.txt": "\n".join(classifier.terms).encode(),
            "counts.npy": array_bytes(classifier.counts),
        }
    return head | {
        "terms.txt": "\n".join(classifier.table.terms).encode(),
        "centroids.npy": array_bytes(classifier.table.rows),
        "owners.npy": array_bytes(classifier.table.owners.astype(np.int64)),
        "background.tsv.gz": background_bytes(classifier.background),
    }


def _facts(archive: zipfile.ZipFile, where: str) -> SiteFacts:
    try:
        head = msgspec.json.decode(_member(archive, "manifest.json"), type=ModelHead)
    except (KeyError, msgspec.DecodeError) as error:
        raise _no_model(where) from error
    if head.kind != KIND:
        raise _no_model(where)
    if head.format != FORMAT:
        raise ConfigError(
            f"{where} is a model of format {head.format}, written by {head.made_by[:40]!r}, and "
            f"this version reads format {FORMAT}; train it again, or use the version that made it"
        )
    facts = msgspec.json.decode(head.facts, type=SiteFacts)
    if not 0 <= facts.error <= 1 or len(facts.classes) < 2:
        raise ValueError("its facts cannot be true")
    if len(set(facts.classes)) < len(facts.classes):
        raise ValueError("two of its classes have the same name")
    return facts


def _is_zip(file: io.BufferedReader) -> bool:
    """Whether a file begins as an archive does, be it whole or cut off."""
    file.seek(0)
    return file.read(2) == b"PK"


def _damaged(where: str | Path, error: Exception) -> ConfigError:
    return ConfigError(f"the model {where} is damaged: {error}; train it again")


def _no_model(where: str | Path) -> ConfigError:
    return ConfigError(
        f"{where} is no model of sites; make one with "
        "'semcrawl train sites --relevant FILE --other FILE -o MODEL'"
    )


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > _LARGEST:
        raise ValueError(f"its part {name} is larger than {_LARGEST:,} bytes")
    return archive.read(name)


def _numbers(archive: zipfile.ZipFile, name: str) -> Any:
    array = np.load(io.BytesIO(_member(archive, f"{name}.npy")), allow_pickle=False)
    if array.dtype.kind not in "if" or not np.isfinite(array).all() or (array < 0).any():
        raise ValueError(f"{name} holds something that is no number of 0 or more")
    return array


def _background(archive: zipfile.ZipFile) -> Background:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "background.tsv.gz")
        place.write_bytes(_member(archive, place.name))
        return Background.load(place)


def _model(archive: zipfile.ZipFile, facts: SiteFacts) -> SiteModel:
    terms = tuple(_member(archive, "terms.txt").decode().split("\n"))
    if facts.classifier == "naive-bayes":
        counts = _numbers(archive, "counts").astype(np.float64)
        bayes = NaiveBayesClassifier(
            facts.classes, terms, counts, facts.error,
            smoothing=facts.smoothing, length=max(0.0, facts.length),
        )  # fmt: skip
        return SiteModel(bayes, facts)
    if facts.classifier != "centroids":
        raise ValueError(f"it names a classifier {facts.classifier[:40]!r}, which there is not")
    if facts.softness <= 0:
        raise ValueError("its softness is not above 0")
    rows = _numbers(archive, "centroids").astype(np.float32)
    table = CentroidTable(terms, rows, _numbers(archive, "owners").astype(np.int64))
    if (np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1)) > 1 + 1e-3).any():
        raise ValueError("a centroid is longer than 1")
    nearest = CentroidClassifier(
        facts.classes, table, _background(archive), facts.error,
        most=max(0, facts.terms), softness=facts.softness,
    )  # fmt: skip
    return SiteModel(nearest, facts)
