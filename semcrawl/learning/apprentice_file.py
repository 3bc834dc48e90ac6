"""Model files of the apprentice: arrays and a description, nothing that could run.

A file is a zip of arrays (numpy's npz): ``slots`` with their counts ``low`` and
``high``, and ``about``, a description in JSON. It is read without pickle.
"""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from semcrawl.errors import ConfigError, StoreError
from semcrawl.learning.apprentice_model import ApprenticeModel
from semcrawl.learning.features import SLOTS, FeatureKinds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["TrainedApprentice", "load_apprentice", "save_apprentice"]

FORMAT = "semcrawl apprentice"
VERSION = 1


@dataclass(frozen=True, slots=True)
class TrainedApprentice:
    """A model with what it was made for: features, topic by its name, judge by its class."""

    model: ApprenticeModel
    kinds: FeatureKinds
    topic: str
    judge: str

    def require(self, kinds: FeatureKinds, topic: str | None, judge: str | None) -> None:
        """See to it that the model fits a crawl; None for a topic or judge that is not known.

        Raises:
            ConfigError: it was trained with other features, for another topic or judge.
        """
        if kinds != self.kinds:
            raise ConfigError(
                f"the model was trained with {self.kinds}, the crawl asks for {kinds}: "
                "give the strategy the options of the model"
            )
        for name, ours, theirs in (("topic", self.topic, topic), ("judge", self.judge, judge)):
            if theirs is not None and ours != theirs:
                raise ConfigError(
                    f"the model was trained with the {name} {ours!r}, this crawl has {theirs!r}: "
                    "train one for it, or add any_topic=true to use it all the same"
                )


def save_apprentice(trained: TrainedApprentice, path: Path) -> None:
    """Write a model file, whole or not at all.

    Raises:
        StoreError: it cannot be written.
    """
    model = trained.model
    seen = np.flatnonzero(model.counts[0] | model.counts[1]).astype(np.uint32)
    about = {
        "format": FORMAT,
        "version": VERSION,
        "slots": SLOTS,
        "topic": trained.topic,
        "judge": trained.judge,
        "features": trained.kinds.as_dict(),
        "boundary": model.boundary,
        "smoothing": model.smoothing,
        "links": model.links.tolist(),
    }
    text = np.frombuffer(json.dumps(about).encode(), np.uint8)
    low, high = model.counts[:, seen]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".npz", delete=False) as out:
            try:
                np.savez_compressed(out, about=text, slots=seen, low=low, high=high)
                out.close()
                os.chmod(out.name, 0o644)  # noqa: PTH101 - temporary files are closed to others
                Path(out.name).replace(path)
            except OSError:
                Path(out.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise StoreError(
            f"cannot write the model {path}: {error.strerror or error}; choose another place"
        ) from error


def load_apprentice(path: str | Path) -> TrainedApprentice:
    """Read a model file.

    Raises:
        ConfigError: there is none, it is of another kind or version, or damaged.
    """
    place = Path(path).expanduser()
    try:
        # Opened here, because numpy forgets to close what turns out to be no zip.
        with place.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            about = json.loads(bytes(arrays["about"]))
            _require_format(about, place)
            return _trained(about, {name: arrays[name] for name in ("slots", "low", "high")})
    except OSError as error:
        if error.strerror is None:
            raise _damaged(place, str(error)) from error
        raise ConfigError(
            f"cannot read the model {place}: {error.strerror}; make one with "
            "'semcrawl train apprentice'"
        ) from error
    # What numpy raises for a file that is none of its own is many things.
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, MemoryError) as error:
        raise _damaged(place, str(error)) from error


def _require_format(about: Any, place: Path) -> None:
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ConfigError(
            f"{place} is no model of an apprentice; make one with 'semcrawl train apprentice'"
        )
    if (about.get("version"), about.get("slots")) != (VERSION, SLOTS):
        raise ConfigError(
            f"the model {place} is of version {about.get('version')}, this semcrawl reads version "
            f"{VERSION}: train it anew with 'semcrawl train apprentice'"
        )


def _trained(about: dict[str, Any], arrays: Mapping[str, NDArray[Any]]) -> TrainedApprentice:
    slots, low, high = (arrays[name] for name in ("slots", "low", "high"))
    if not (slots.ndim == 1 and slots.shape == low.shape == high.shape):
        raise ValueError("its arrays do not fit together")
    if any(array.dtype != np.uint32 for array in (slots, low, high)):
        raise ValueError("its arrays are no counts")
    if len(slots) and (slots.max() >= SLOTS or not (np.diff(slots.astype(np.int64)) > 0).all()):
        raise ValueError("its slots are not in order")
    boundary, smoothing = float(about["boundary"]), float(about["smoothing"])
    links = np.array([int(count) for count in about["links"]], np.int64)
    if not (isfinite(boundary) and isfinite(smoothing) and smoothing > 0):
        raise ValueError("its boundary or smoothing is no number")
    if links.shape != (2,) or links.min() < 1:
        raise ValueError("it was not trained with low and high links")
    model = ApprenticeModel(boundary, smoothing)
    model.counts[0, slots], model.counts[1, slots] = low, high
    model.links += links
    kinds = FeatureKinds(**about["features"])
    return TrainedApprentice(model, kinds, str(about["topic"]), str(about["judge"]))


def _damaged(place: Path, problem: str) -> ConfigError:
    return ConfigError(
        f"{place} is no model of an apprentice, or damaged ({problem:.200}); make one with "
        "'semcrawl train apprentice'"
    )
