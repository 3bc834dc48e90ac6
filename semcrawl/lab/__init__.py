"""The lab: crawlers side by side on a recorded web, against the best that is possible.

- ``experiment``, ``loading``: what is to be raced, from a TOML file (``cross_references``)
- ``lab_web``: the recorded web; ``page_store``, ``survey``: its pages, each read once
- ``ground_truth``: what is on topic; ``seed_sets``, ``models``: what is drawn and trained
- ``plan``, ``run_key``: the runs; ``run``, ``racing``, ``worker``: making them; ``oracle``
- ``record``, ``records``: what is kept of a run
- ``measuring``, ``measures``, ``statistics``: from records to ``results``; ``report``: telling
- ``lab``: all of it, as a person meets it
"""

from __future__ import annotations

from semcrawl.lab.experiment import Experiment
from semcrawl.lab.lab import Lab
from semcrawl.lab.loading import load_experiment
from semcrawl.lab.racing import LabEvent, PagesRead, ResultsMeasured, RunEvent
from semcrawl.lab.records import RunRecord
from semcrawl.lab.results import Results

__all__ = [
    "Experiment",
    "Lab",
    "LabEvent",
    "PagesRead",
    "Results",
    "ResultsMeasured",
    "RunEvent",
    "RunRecord",
    "load_experiment",
]
