"""The lab, as a person meets it: a folder in which experiments are run and their results kept.

It has ``pages/`` (what was read once), ``models/``, ``runs/KEY.json`` (a record for each run of any
experiment) and ``experiments/NAME/`` (experiment.toml, results.json, the report).
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from semcrawl.errors import LabError
from semcrawl.lab.evaluation import evaluate
from semcrawl.lab.experiment import Experiment
from semcrawl.lab.ground_truth import GroundTruth, read_truth
from semcrawl.lab.loading import load_experiment
from semcrawl.lab.plan import RunPlan, plan_runs
from semcrawl.lab.racing import LabEvent, PagesRead, Workplace, known_records, race
from semcrawl.lab.records import write_in_folder
from semcrawl.lab.results import Results
from semcrawl.lab.web import LabWeb, open_web

RESULTS = "results.json"


class TopicPreview(msgspec.Struct, frozen=True):
    """A topic of an experiment: how many pages are on it, may be trained on, and start crawls."""

    name: str
    pages: int
    training: int
    seeds: int


class Preview(msgspec.Struct, frozen=True):
    """What an experiment would do; runs of the same key count once."""

    topics: tuple[TopicPreview, ...]
    runs: int
    known: int
    warnings: tuple[str, ...]


class Lab:
    """A folder of experiments; it is made when something is run."""

    def __init__(self, folder: str | Path = "lab") -> None:
        self.folder = Path(folder)

    def run(
        self,
        experiment: str | Path | Experiment,
        *,
        name: str = "",
        file: str | Path | None = None,
        varied: str = "",
        jobs: int | None = None,
        fresh: bool = False,
        seconds: float = 0.0,
        listener: Callable[[LabEvent], None] | None = None,
    ) -> Results:
        """Run an experiment: make the runs that are not known, measure all, keep the results.

        Results are kept under ``name``, by default that of the file. Of a loaded experiment, ``file`` is copied beside
        them, and ``varied`` says how it was changed. ``jobs`` is how many processes run, 0 for this one alone, None for
        one per core. ``fresh`` makes all runs again; a run in another process may take ``seconds``, 0 for any time.
        LabError or ReplayError where the experiment or its web cannot be used.
        """
        loaded = experiment if isinstance(experiment, Experiment) else load_experiment(experiment)
        place = self.place(name or _name_of(experiment, loaded))
        with self._prepared(loaded, listener) as (web, truth, plans, workplace):
            records = race(plans, workplace, web=web, jobs=jobs, fresh=fresh, seconds=seconds, listener=listener)
            results = evaluate(loaded, plans, records, truth, web)
        facts = (*results.facts, *([("changed by", varied)] if varied else ()))
        results = msgspec.structs.replace(results, name=place.name, facts=facts)
        written = file if isinstance(experiment, Experiment) else experiment
        self._keep(place, results, written, varied)
        return results

    def preview(
        self, experiment: str | Path | Experiment, listener: Callable[[LabEvent], None] | None = None
    ) -> Preview:
        """Tell what an experiment would do, and run nothing; its web is opened."""
        loaded = experiment if isinstance(experiment, Experiment) else load_experiment(experiment)
        with self._prepared(loaded, listener) as (web, truth, plans, workplace):
            seeds = {plan.topic.name: len(plan.seeds) for plan in plans}
            topics = tuple(
                TopicPreview(name, len(truth.on_topic[name]), len(truth.training[name]), number)
                for name, number in seeds.items()
            )
            known = len(known_records(plans, workplace))
            warnings = (*web.problems, *truth.warnings)
            return Preview(topics, len({plan.key for plan in plans}), known, warnings)

    def place(self, name: str) -> Path:
        """The folder of an experiment's results; LabError for no name of a folder."""
        if not name or name in (".", "..") or "/" in name or "\\" in name or "\0" in name:
            raise LabError(f"{name!r} is no name of an experiment: give it without folders")
        return self.folder / "experiments" / name

    def experiments(self) -> list[str]:
        """The names of the experiments with results, sorted."""
        return sorted(path.parent.name for path in self.folder.glob(f"experiments/*/{RESULTS}"))

    def results(self, name: str) -> Results:
        """The results under a name or of a file ``results.json``; LabError if there are none."""
        path = Path(name) if name.endswith(".json") else self.place(name) / RESULTS
        try:
            return msgspec.json.decode(path.read_bytes(), type=Results)
        except OSError as error:
            known = ", ".join(self.experiments()) or "none"
            raise LabError(
                f"there are no results at {path} ({error.strerror}); run the experiment first. "
                f"Results of this lab: {known}"
            ) from error
        except msgspec.MsgspecError as error:
            raise LabError(f"{path} holds no results of this version ({error}); run the experiment again") from error

    @contextmanager
    def _prepared(
        self, experiment: Experiment, listener: Callable[[LabEvent], None] | None
    ) -> Iterator[tuple[LabWeb, GroundTruth, tuple[RunPlan, ...], Workplace]]:
        def each(done: int, total: int) -> None:
            if listener is not None:
                listener(PagesRead(done, total))

        # Crawls may be run from elsewhere: what they are given is absolute.
        folder = self.folder.resolve()
        with open_web(experiment.web, folder / "pages", each) as web:
            truth = read_truth(experiment, web)
            plans = plan_runs(experiment, web, truth)
            yield web, truth, plans, Workplace(experiment.web, truth, folder)

    def _keep(self, place: Path, results: Results, written: str | Path | None, varied: str) -> None:
        write_in_folder(place / RESULTS, msgspec.json.encode(results))
        if written is not None:
            note = f"# Run with {' '.join(varied.split())}\n" if varied else ""
            with suppress(OSError, LabError):  # a copy, for who finds the results
                copy = note.encode() + Path(written).expanduser().read_bytes()
                write_in_folder(place / "experiment.toml", copy)


def _name_of(written: str | Path | Experiment, loaded: Experiment) -> str:
    """The stem of its file, or what can be made of its title.

    >>> _name_of("examples/lab/classic.toml", None)
    'classic'
    """
    if isinstance(written, Experiment):
        return re.sub(r"\W+", "-", loaded.title.lower()).strip("-") or "experiment"
    return Path(written).stem
