"""Training a model once, whoever asks first, and finding it afterwards."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from semcrawl.errors import LabError
from semcrawl.lab.model_names import fill_in, models_in
from semcrawl.lab.models.apprentice import train_apprentice_model
from semcrawl.lab.models.context_graph import train_context_graph_model
from semcrawl.lab.models.hmm import train_hmm_model
from semcrawl.lab.models.lesson import Lesson
from semcrawl.lab.models.sites import train_sites_model
from semcrawl.lab.models.taxonomy import train_taxonomy_model
from semcrawl.lab.run_key import model_key
from semcrawl.lab.whole_files import write_whole

try:
    import fcntl
except ImportError:  # pragma: no cover - elsewhere two may train the same, to the same end
    HAS_LOCKS = False
else:
    HAS_LOCKS = True

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from semcrawl.lab.experiment import ModelPlan
    from semcrawl.lab.ground_truth import GroundTruth
    from semcrawl.lab.lab_web import LabWeb
    from semcrawl.lab.plan import RunPlan

__all__ = ["TrainedModel", "train_model"]

_TRAINERS = {
    "hmm": train_hmm_model,
    "context-graph": train_context_graph_model,
    "apprentice": train_apprentice_model,
    "taxonomy": train_taxonomy_model,
    "sites": train_sites_model,
}


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A model that is ready.

    Attributes:
        path: its file.
        sentence: what it was trained on, for the report.
        topic: a topic that the run must have instead of its own; "" where that stays. The
            models of today all work with the run's own.
    """

    path: Path
    sentence: str
    topic: str = ""


class _Note(msgspec.Struct):
    """What is kept beside a model's file."""

    sentence: str
    topic: str = ""


def train_model(
    plan: ModelPlan, run: RunPlan, web: LabWeb, truth: GroundTruth, folder: Path
) -> TrainedModel:
    """Train a model for a run, or find it where it was trained before.

    What is in the folder depends on the model's key alone. Where two processes want the same
    model, one trains and the other waits.

    Raises:
        SemcrawlError: there is too little to learn from, or the folder cannot be written.
    """
    key = model_key(plan, run, web, truth)
    path, note = folder / f"{plan.kind}-{key}.model", folder / f"{plan.kind}-{key}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LabError(f"cannot make the folder {folder}: {error.strerror}") from error
    judge = _judge(run, web, truth, folder) if plan.kind == "apprentice" else ""
    with _alone(folder / f"{plan.kind}-{key}.lock"):
        known = _known(note)
        if known is None or not path.is_file():
            sentence = _TRAINERS[plan.kind](Lesson(plan, run, web, truth, judge), path)
            known = _Note(sentence)
            _write(note, msgspec.json.encode(known))
    return TrainedModel(path, known.sentence, known.topic)


def _judge(run: RunPlan, web: LabWeb, truth: GroundTruth, folder: Path) -> str:
    """The judge of a run, with the models that it needs trained first."""
    names = models_in(run.contender.judge)
    trained = {
        model.name: str(train_model(model, run, web, truth, folder).path)
        for model in run.models
        if model.name in names
    }
    return fill_in(run.contender.judge, trained)


def _known(note: Path) -> _Note | None:
    try:
        return msgspec.json.decode(note.read_bytes(), type=_Note)
    except (OSError, msgspec.MsgspecError):
        return None


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    try:
        write_whole(path, data)
    except OSError as error:
        raise LabError(f"cannot write {path}: {error.strerror}") from error


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Wait until no other process holds a lock; it goes with the process that dies."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if HAS_LOCKS:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)
