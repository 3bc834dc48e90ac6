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
from semcrawl.learning.origin import judge_digest, require_topic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from semcrawl.judges import Judge
    from semcrawl.topics import Topic

__all__ = ["TrainedApprentice", "load_apprentice", "save_apprentice"]

FORMAT = "semcrawl apprentice"
VERSION = 1
_LATER = ("topic_digest", "judge_digest", "judge_spec")


@dataclass(frozen=True, slots=True)
class TrainedApprentice:
    """A model with what it was made for.

    Attributes:
        model: what was learned.
        kinds: the features that it was learned from.
        topic: the name of the topic.
        judge: the class of the judge.
        topic_digest: of what the topic is about; "" in models of earlier versions.
        judge_digest: of what the judge looks for; "" where that cannot be seen.
        judge_spec: the judge with its options as it was named; "" where that is not known.
    """

    model: ApprenticeModel
    kinds: FeatureKinds
    topic: str
    judge: str
    topic_digest: str = ""
    judge_digest: str = ""
    judge_spec: str = ""

    def require(self, kinds: FeatureKinds, topic: Topic | None, judge: Judge | None) -> None:
        """See to it that the model fits a crawl; None for a topic or judge that is not known.

        Raises:
            ConfigError: it was trained with other features, for another topic or judge.
        """
        if kinds != self.kinds:
            raise ConfigError(
                f"the model was trained with {self.kinds}, the crawl asks for {kinds}: "
                "give the strategy the options of the model"
            )
        if topic is not None:
            require_topic("the model", self.topic, self.topic_digest, topic)
        if judge is not None:
            self._require_judge(judge)

    def _require_judge(self, judge: Judge) -> None:
        ours, theirs = self.judge, type(judge).__name__
        if ours == theirs:
            seen = judge_digest(judge)
            if not (self.judge_digest and seen) or self.judge_digest == seen:
                return
            ours += f" with the digest {self.judge_digest}"
            theirs += f" with other options, and the digest {seen}"
        spec = f" ({self.judge_spec})" if self.judge_spec else ""
        raise ConfigError(
            f"the model was trained with the judge {ours}{spec}, this crawl has {theirs}: "
            "train one for it, or add any_topic=true to use it all the same"
        )


def save_apprentice(trained: TrainedApprentice, path: Path) -> None:
    """Write a model file, whole or not at all; its folder must be there.

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
        "topic_digest": trained.topic_digest,
        "judge": trained.judge,
        "judge_digest": trained.judge_digest,
        "judge_spec": trained.judge_spec,
        "features": trained.kinds.as_dict(),
        "boundary": model.boundary,
        "smoothing": model.smoothing,
        "links": model.links.tolist(),
    }
    text = np.frombuffer(json.dumps(about).encode(), np.uint8)
    low, high = model.counts[:, seen]
    try:
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
        with place.open("rb") as file:
            if not zipfile.is_zipfile(file):
                raise _damaged(place, "it is no npz archive")
            file.seek(0)
            with np.load(file, allow_pickle=False) as arrays:
                about = json.loads(bytes(_array(arrays, "about")))
                _require_format(about, place)
                parts = ("slots", "low", "high")
                return _trained(about, {name: _array(arrays, name) for name in parts})
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


def _array(arrays: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any]:
    try:
        return arrays[name]
    except ValueError:  # numpy would tell the user to allow what must not be
        raise ValueError(f"its part {name} is no array of numbers") from None


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
    # What came with a later version is "" in models of an earlier one.
    later = {name: str(about.get(name, "")) for name in _LATER}
    return TrainedApprentice(model, kinds, str(about["topic"]), str(about["judge"]), **later)


def _damaged(place: Path, problem: str) -> ConfigError:
    return ConfigError(
        f"{place} is no model of an apprentice, or damaged ({problem:.200}); make one with "
        "'semcrawl train apprentice'"
    )
