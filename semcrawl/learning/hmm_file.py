"""Model files of the HMM crawlers: a ZIP archive of a manifest and arrays.

- ``manifest.json``: what the file is, its format, and how the model was made
- ``*.npy``: arrays in numpy's own format; never a pickled object
- ``terms.txt``: a term a line
- ``background.tsv.gz``: document frequencies, as ``Background.save`` writes them

Reading runs no code of the file, checks every number, and says what is wrong.
The same model always gives the same bytes.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from semcrawl.errors import ConfigError
from semcrawl.learning.hmm import MarkovModel
from semcrawl.learning.hmm_model import HmmFacts, HmmModel
from semcrawl.learning.model_archive import (
    DAMAGES,
    ModelHead,
    array_bytes,
    background_bytes,
    write_archive,
)
from semcrawl.learning.neighbours import Neighbours
from semcrawl.learning.page_vectors import TermTable
from semcrawl.text.background import Background
from semcrawl.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FORMAT", "KIND", "load_hmm", "save_hmm"]

KIND = "semcrawl-hmm"
"""What the manifest of a model file says it is."""

FORMAT = 1
"""The format of model files that this version writes and reads."""

_TRAIN = "make one with 'semcrawl train hmm PATHS -o MODEL'"
_LARGEST = 1 << 30


def save_hmm(model: HmmModel, path: str | Path) -> None:
    """Write a model to a file; a failure leaves the old file as it was.

    Raises:
        ConfigError: the file cannot be written.
    """
    write_archive(Path(path).expanduser(), _members(model))


def load_hmm(path: str | Path) -> HmmModel:
    """Read a model that :func:`save_hmm` wrote.

    Raises:
        ConfigError: the file cannot be read, is no such model, is damaged, or of another format.
    """
    path = Path(path).expanduser()
    try:
        archive = zipfile.ZipFile(path)
    except OSError as error:
        raise ConfigError(f"cannot read the model {path}: {error.strerror}; {_TRAIN}") from error
    except zipfile.BadZipFile as error:
        raise _no_model(path) from error
    try:
        with archive:
            return _model(_Members(archive), _facts(archive, str(path)))
    except (OSError, *DAMAGES) as error:
        raise ConfigError(f"the model {path} is damaged: {error}; train it again") from error
    except ConfigError as error:
        raise error if str(path) in str(error) else ConfigError(f"{path}: {error}") from error


def _members(model: HmmModel) -> Mapping[str, bytes]:
    vectors, neighbours = model.neighbours.vectors, model.neighbours
    arrays = {
        "initial": model.markov.initial,
        "transitions": model.markov.transitions,
        "emissions": model.markov.emissions,
        "weights": vectors.data.astype(np.float32),
        "columns": vectors.indices.astype(np.int32),
        "starts": vectors.indptr.astype(np.int64),
        "clusters": neighbours.clusters,
        "centroid": model.centroid,
    }
    manifest = {"kind": KIND, "format": FORMAT, "made_by": f"semcrawl {VERSION}"}
    return {
        "manifest.json": msgspec.json.encode(manifest | {"facts": model.facts}),
        "terms.txt": "\n".join(model.terms.terms).encode(),
        "background.tsv.gz": background_bytes(model.background),
        **{f"{name}.npy": array_bytes(array) for name, array in arrays.items()},
    }


def _facts(archive: zipfile.ZipFile, where: str) -> HmmFacts:
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
    return msgspec.json.decode(head.facts, type=HmmFacts)


def _no_model(where: str | Path) -> ConfigError:
    return ConfigError(f"{where} is no HMM of browsing; {_TRAIN}")


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > _LARGEST:
        raise ValueError(f"its part {name} is larger than {_LARGEST:,} bytes")
    return archive.read(name)


class _Members:
    """The parts of an open model file, each checked as it is taken out."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive

    def lines(self, name: str) -> list[str]:
        text = _member(self._archive, name).decode()
        return text.split("\n") if text else []

    def numbers(self, name: str) -> Any:
        data = io.BytesIO(_member(self._archive, f"{name}.npy"))
        try:
            array = np.load(data, allow_pickle=False)
        except ValueError:  # numpy would tell the user to allow what must not be
            raise ValueError(f"{name} is no array of numbers") from None
        if array.dtype.kind not in "if" or not np.isfinite(array).all():
            raise ValueError(f"{name} holds something that is no number")
        return array

    def background(self) -> Background:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder, "background.tsv.gz")
            place.write_bytes(_member(self._archive, place.name))
            return Background.load(place)


def _model(members: _Members, facts: HmmFacts) -> HmmModel:
    tables = (members.numbers(name) for name in ("initial", "transitions", "emissions"))
    markov = MarkovModel(*tables)
    background = members.background()
    terms, clusters = members.lines("terms.txt"), members.numbers("clusters")
    if not len(clusters) or clusters.min() < 0 or clusters.max() >= markov.clusters:
        raise ValueError("a page is in a cluster that is not there")
    neighbours = Neighbours(
        _matrix(members, (len(clusters), len(terms))),
        clusters.astype(np.int64),
        max(1, facts.neighbours),
    )
    centroid = members.numbers("centroid").astype(np.float32)
    if centroid.shape != (len(terms),) or (centroid < 0).any():
        raise ValueError("the centroid does not fit the terms")
    table = TermTable(terms, background, max(0, facts.terms))
    return HmmModel(markov, neighbours, table, centroid, background, facts)


def _matrix(members: _Members, shape: tuple[int, int]) -> Any:
    from scipy.sparse import csr_matrix

    parts = (members.numbers("weights"), members.numbers("columns"), members.numbers("starts"))
    matrix = csr_matrix(parts, shape=shape)
    matrix.check_format(full_check=True)
    return matrix
