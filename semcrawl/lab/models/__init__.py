"""What is trained before a race: one file per kind of model.

Training sees the recorded web, and of the ground truth only the pages and sites
that are then counted in no run (`GroundTruth.training`, ``samples``,
``site_lessons``).
"""

from __future__ import annotations

from semcrawl.lab.models.options import check_options
from semcrawl.lab.models.training import TrainedModel, train_model

__all__ = ["TrainedModel", "check_options", "train_model"]
