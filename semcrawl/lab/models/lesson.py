"""What a training is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.topics import Topic

if TYPE_CHECKING:
    from semcrawl.lab.experiment import ModelPlan
    from semcrawl.lab.ground_truth import GroundTruth
    from semcrawl.lab.lab_web import LabWeb
    from semcrawl.lab.plan import RunPlan

__all__ = ["Lesson", "many"]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A model that is to be trained for a run, with all that may be looked at.

    Attributes:
        plan: the model.
        run: the run that it is for.
        web: the recorded web.
        truth: the ground truth; only what is left out of the count may be learned from.
        judge: the judge of the run, with the models that it names in their places.
    """

    plan: ModelPlan
    run: RunPlan
    web: LabWeb
    truth: GroundTruth
    judge: str

    @property
    def topic(self) -> Topic:
        """The topic as the run's crawler is given it."""
        return Topic.parse(self.run.spec)

    @property
    def targets(self) -> frozenset[str]:
        """The pages on the topic that training may see."""
        return self.truth.training[self.run.topic.name]

    @property
    def held_out(self) -> frozenset[str]:
        """The pages on the topic that are to be found: no training reads them."""
        return self.truth.on_topic[self.run.topic.name] - self.targets

    @property
    def place(self) -> tuple[str, str]:
        """Where the ground truth keeps what this model is taught with."""
        return self.plan.name, self.run.topic.name


def many(number: int, noun: str) -> str:
    """A number with its noun.

    >>> many(1, "page"), many(1200, "page")
    ('1 page', '1,200 pages')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
