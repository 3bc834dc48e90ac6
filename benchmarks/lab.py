"""A run of the lab on schools-wikipedia: CPU of 1,000 pages, best-first by page and anchor.

The recorded web is read into the lab's page store first, as the first run of any
experiment does; what that took is printed. Then several crawlers run once for each of
the first development topics. From their mean follows how long 20 crawlers on ten topics would
take on two cores that have nothing else to do.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.checks import Check, spread
from semcrawl.lab.ground_truth import read_truth
from semcrawl.lab.loading import load_experiment, vary
from semcrawl.lab.plan import plan_runs
from semcrawl.lab.run import run_one
from semcrawl.lab.web import open_web

if TYPE_CHECKING:
    from semcrawl.lab.experiment import Experiment

__all__ = ["run"]

EXPERIMENT = Path(__file__).parent.parent / "examples" / "lab" / "all.toml"
PLAIN = "best-first-page-anchor"
CRAWLERS = (PLAIN, "breadth-first", "dom", "apprentice", "ssrm, near concepts")
RUNS, CORES = 20 * 10, 2


def run(*, quick: bool) -> list[Check]:
    """Run some of the crawlers of ``all.toml``; compare CPU with the targets."""
    data = Path(os.environ.get("SEMCRAWL_DATA", "../shared/data")).resolve()
    if not (data / "schools-wikipedia").is_dir():
        print("left out: there is no schools-wikipedia in $SEMCRAWL_DATA")
        return []
    os.environ["SEMCRAWL_DATA"] = str(data)
    pages, topics = (200, 1) if quick else (1_000, 3)
    loaded = vary(load_experiment(EXPERIMENT), pages=pages, only=CRAWLERS)
    figures = _figures(loaded, topics)
    print(f"{pages} pages of schools-wikipedia, {topics} topics")
    for name, seconds in figures.items():
        print(f"  {name}: {spread(seconds)} s of CPU a run")
    plain = statistics.median(figures[PLAIN]) * 1_000 / pages
    mean = statistics.mean(second for seconds in figures.values() for second in seconds)
    minutes = mean * 1_000 / pages * RUNS / CORES / 60
    return [
        Check("CPU of 1,000 pages, best-first page and anchor", plain, "at most", 10.0, " s"),
        Check("20 crawlers, 10 topics, 1,000 pages, two cores", minutes, "at most", 90.0, " min"),
    ]


def _figures(experiment: Experiment, topics: int) -> dict[str, list[float]]:
    """The CPU of the runs of the first topics, by crawler."""
    wanted = {topic.name for topic in experiment.topic[:topics]}
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        with open_web(experiment.web, Path(folder) / "pages") as web:
            truth = read_truth(experiment, web)
            plans = plan_runs(experiment, web, truth)
            print(f"reading the web: {time.process_time() - started:.0f} s of CPU")
            for plan in plans:
                if plan.topic.name in wanted and plan.contender.name in CRAWLERS:
                    record = run_one(plan, web, truth, Path(folder))
                    found.setdefault(record.contender, []).append(record.cpu)
    return found
