"""The lab: crawlers side by side on a recorded web, against the best that is possible.

In reading order: ``experiment``, ``loading``; ``web``, ``ground_truth``;
``plan``, ``run``, ``training``, ``records``, ``racing``; ``metrics``, ``page_measures``,
``comparing``, ``evaluation``, ``results``; ``report_tables``, ``report``;
``lab``.
"""

from semcrawl.lab.experiment import Experiment
from semcrawl.lab.lab import Lab
from semcrawl.lab.loading import load_experiment
from semcrawl.lab.racing import LabEvent, PagesRead, RunEvent
from semcrawl.lab.records import RunRecord
from semcrawl.lab.results import Results

__all__ = ["Experiment", "Lab", "LabEvent", "PagesRead", "Results", "RunEvent", "RunRecord", "load_experiment"]
