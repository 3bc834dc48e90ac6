"""Which runs an experiment is made of, and the key of each: a digest of all that it depends on."""

import hashlib
import inspect
import json
import re
from contextlib import suppress
from functools import cache, lru_cache
from itertools import product
from modulefinder import ModuleFinder
from pathlib import Path
from typing import Any

import msgspec

import semcrawl
from semcrawl.errors import SemcrawlError
from semcrawl.lab.experiment import (
    ORACLES,
    Contender,
    Experiment,
    LabTopic,
    ModelPlan,
    each_text,
    fill_in,
    is_oracle,
    models_in,
)
from semcrawl.lab.ground_truth import GroundTruth, seed_sets
from semcrawl.lab.loading import merged_settings
from semcrawl.lab.records import FORMAT
from semcrawl.lab.web import LabWeb
from semcrawl.registry import Registry, split_spec
from semcrawl.relevance import JUDGES
from semcrawl.resources import facts_beside, queries_folder
from semcrawl.strategies import STRATEGIES
from semcrawl.topics import Topic
from semcrawl.topics.file_graph import FileGraph
from semcrawl.topics.sources import holds
from semcrawl.version import VERSION
from semcrawl.web.urls import host_of

DIGEST_SIZE = 16

_PACKAGE = Path(semcrawl.__file__).parent
APART = tuple[str, ...](facts_beside(__file__, "plan.toml")["apart"])
_SPEC_PARTS = re.compile(r"[?#,:=]")


class RunPlan(msgspec.Struct, frozen=True, kw_only=True):
    """One run that is to be made."""

    key: str  # the digest of all that it depends on
    contender: Contender
    topic: LabTopic
    spec: str  # the topic as the crawler is given it
    repetition: int
    seeds: tuple[str, ...]
    left_out: tuple[str, ...]  # counted for no crawler: training pages, drawn seeds
    pages: int
    settings: dict[str, Any]
    models: tuple[ModelPlan, ...]

    @property
    def names(self) -> dict[str, Any]:
        """What its record says of it; equal runs of two crawlers share all the rest."""
        said = {"contender": self.contender.name, "topic": self.topic.name, "repetition": self.repetition}
        return {**said, "left_out": self.left_out}


def plan_runs(experiment: Experiment, web: LabWeb, truth: GroundTruth) -> tuple[RunPlan, ...]:
    """All runs of an experiment, by crawler, topic and repetition; the oracles last."""
    starts, left_out = {}, {}
    for topic in experiment.topic:
        pages = truth.on_topic[topic.name] - truth.training[topic.name]
        starts[topic.name] = seed_sets(experiment, topic, pages, web)
        left_out[topic.name] = _left_out(experiment, topic, starts[topic.name], truth)
    models = {model.name: model for model in experiment.model}
    plans = []
    for contender, topic in product(_contenders(experiment), experiment.topic):
        for repetition, seeds in enumerate(starts[topic.name]):
            plan = RunPlan(
                key="",
                contender=contender,
                topic=topic,
                spec=topic.descriptions.get(contender.description, topic.topic),
                repetition=repetition,
                seeds=seeds,
                left_out=left_out[topic.name],
                pages=experiment.pages,
                settings=merged_settings(experiment, contender),
                models=tuple(models[name] for name in contender.models),
            )
            plans.append(msgspec.structs.replace(plan, key=run_key(plan, web, truth)))
    return tuple(plans)


def _contenders(experiment: Experiment) -> list[Contender]:
    there = {contender.strategy for contender in experiment.strategy}
    oracles = [
        Contender(name=name, strategy=strategy)
        for name, strategy in ORACLES.items()
        if experiment.oracles and strategy not in there
    ]
    return [*experiment.strategy, *oracles]


def _left_out(
    experiment: Experiment, topic: LabTopic, starts: tuple[tuple[str, ...], ...], truth: GroundTruth
) -> tuple[str, ...]:
    pages = set(truth.training[topic.name])
    if experiment.seeds.are_drawn:
        pages.update(*starts)
    for (_, name), sample in truth.samples.items():
        if name == topic.name:
            pages.update(*sample.values())
    if hosts := truth.training_hosts(topic.name):
        pages.update(url for url in truth.known if host_of(url) in hosts)
    return tuple(sorted(pages))


def file_digest(path: str | Path) -> str:
    """The digest of a file's content; it is read again when its size or time has changed."""
    found = Path(path).stat()
    return _remembered(str(path), found.st_size, found.st_mtime_ns)


def code_digest(spec: str, registry: Registry) -> list[str]:
    """The digests of the files of a class and its bases, and of what a ``file.py`` imports."""
    if is_oracle(spec):  # semcrawl's own
        return []
    factory = registry.factory(spec)
    classes = inspect.getmro(factory) if inspect.isclass(factory) else (factory,)
    files = [Path(file) for file in map(_source, classes) if file]
    written = split_spec(spec)[0].rpartition(":")[0]
    if written.endswith(".py"):
        files += imported_beside(Path(written))
    return list(dict.fromkeys(map(file_digest, files)))


def imported_beside(file: Path) -> list[Path]:
    """The Python files of a file's own folder that it imports, and what they import in turn."""
    finder = ModuleFinder(path=[str(file.parent)])
    with suppress(OSError, SyntaxError, ValueError):  # what is no Python imports nothing
        finder.run_script(str(file))
    places = (getattr(module, "__file__", None) for module in finder.modules.values())
    return sorted({Path(place) for place in places if place} - {file})


@cache
def package_digest() -> str:
    """The digest of semcrawl's own sources and queries, as far as a run depends on them."""
    digest = hashlib.blake2b(digest_size=DIGEST_SIZE)
    for path in package_files():
        name = path.relative_to(_PACKAGE) if _PACKAGE in path.parents else path.name
        digest.update(f"{name}\0{file_digest(path)}\0".encode())
    return digest.hexdigest()


def package_files() -> list[Path]:
    """The sources and queries of semcrawl that a run depends on."""
    sources = sorted((*_PACKAGE.rglob("*.py"), *_PACKAGE.rglob("*.toml")))
    needed = [one for one in sources if not one.relative_to(_PACKAGE).as_posix().startswith(APART)]
    return needed + sorted(queries_folder().rglob("*.rq"))


@lru_cache(maxsize=4096)
def _remembered(path: str, size: int, changed: int) -> str:  # noqa: ARG001 - they are the key
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=DIGEST_SIZE)).hexdigest()


def _source(factory: Any) -> str | None:
    try:
        return inspect.getsourcefile(factory)
    except TypeError:  # what is built in
        return None


def topic_digests(spec: str) -> list[str]:
    """The digests of the files that a topic is read from; none where it cannot be read."""
    try:
        concepts = Topic.parse(spec).concepts
    except SemcrawlError:
        return []
    graphs = (concept.graph for concept in concepts)
    read = [graph.notes for graph in graphs if isinstance(graph, FileGraph)]
    files = {Path(file) for notes in read for file in notes.files or (notes.path,)}
    return sorted({file_digest(file) for file in files})


def run_key(plan: RunPlan, web: LabWeb, truth: GroundTruth) -> str:
    """The key of a run; ``truth`` is what training may see, and what an oracle sees."""
    contender = plan.contender
    models = {model.name: model_key(model, plan, web, truth) for model in plan.models}
    pages = truth.on_topic[plan.topic.name]
    return _digest(
        [
            FORMAT,
            VERSION,
            package_digest(),
            _web(web),
            portable(plan.spec),
            topic_digests(plan.spec),
            portable(fill_in(contender.strategy, models)),
            portable(fill_in(contender.judge, models)),
            contender.seeds,
            contender.crawler,
            each_text(plan.settings, lambda text: portable(fill_in(text, models))),
            code_digest(contender.strategy, STRATEGIES),
            code_digest(contender.judge, JUDGES),
            plan.seeds,
            plan.pages,
            # An oracle sees what is on topic, and which of it is counted.
            [sorted(pages), sorted(pages.intersection(plan.left_out))] if is_oracle(contender.strategy) else [],
        ]
    )


def model_key(model: ModelPlan, plan: RunPlan, web: LabWeb, truth: GroundTruth) -> str:
    """The key of what is trained for a run: a digest of all that the training sees."""
    topic = plan.topic.name
    seen: list[Any] = [VERSION, package_digest(), model.kind, model.pages, model.options]
    seen += [_web(web)]
    if model.kind == "apprentice":
        judge = plan.contender.judge
        needed = {one.name: one for one in plan.models if one.name in models_in(judge)}
        keys = {name: model_key(one, plan, web, truth) for name, one in needed.items()}
        seen += [portable(fill_in(judge, keys)), code_digest(judge, JUDGES)]
        seen += [plan.seeds, each_text(plan.settings, portable)]
    if model.kind in ("hmm", "context-graph"):
        held_out = truth.on_topic[topic] - truth.training[topic]
        seen += [file_digest(model.paths), sorted(truth.training[topic]), sorted(held_out)]
    if model.kind in ("hmm", "context-graph", "apprentice"):
        seen += [portable(plan.spec), topic_digests(plan.spec)]
    if model.kind == "taxonomy":
        seen += [truth.samples[model.name, topic], plan.topic.on_topic, plan.topic.name]
    if model.kind == "sites":
        seen += truth.homepages[model.name, topic].values()
    return _digest(seen)


def portable(text: str) -> str:
    """A spec or a setting with what is in the files that it names instead of where they are.

    >>> portable("keywords:space, planet")
    'keywords:space, planet'
    """
    for part in sorted(set(_SPEC_PARTS.split(text)), key=len, reverse=True):
        if Path(part).is_absolute() and holds(Path(part).is_file):
            text = text.replace(part, f"<{file_digest(part)}>")
    return text


def _web(web: LabWeb) -> list[Any]:
    source = web.source
    return [web.digest, source.include, source.exclude, portable(source.background)]


def _digest(content: object) -> str:
    text = json.dumps(content, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=DIGEST_SIZE).hexdigest()
