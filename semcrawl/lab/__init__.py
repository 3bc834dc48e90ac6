"""The lab: crawlers side by side on a recorded web, against the best that is possible.

In reading order: ``experiment``, ``loading``; ``web``, ``ground_truth``;
``plan``, ``run``, ``training``, ``records``, ``racing``; ``metrics``, ``page_measures``,
``comparing``, ``evaluation``, ``results``; ``report_tables``, ``report``;
``lab``.
"""

from semcrawl.lab.lab import Lab
from semcrawl.lab.loading import load_experiment

__all__ = ["Lab", "load_experiment"]
