"""Whether the parts of an experiment fit each other, told before anything runs."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from semcrawl.crawl.settings import Settings
from semcrawl.crawl.sites.settings import PAGE_SETTINGS, SiteSettings, split_settings
from semcrawl.errors import LabError, SemcrawlError
from semcrawl.lab.experiment import ORACLES, draws_seeds, is_oracle, models_named
from semcrawl.lab.training_options import read_options
from semcrawl.registry import split_spec
from semcrawl.relevance import JUDGES
from semcrawl.strategies import STRATEGIES
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from semcrawl.lab.experiment import Contender, Experiment, Finding, LabTopic, ModelPlan

_SAID_ELSEWHERE = {
    "strategy": "strategy in [[strategy]]",
    "judge": "judge in [[strategy]]",
    "pages": "pages at the top",
    "include": "include in [web]",
    "exclude": "exclude in [web]",
    "background": "background in [web]",
    "replay": "replay in [web]",
}
_TRUTHS = ("labels", "judged", "targets", "judge", "demo")
_TAUGHT_BY_PAGES = ("hmm", "context-graph", "taxonomy")
_OF_SITES = ("sites", "site-classifier")
_OF_PATHS = ("hmm", "context-graph")


def check_experiment(experiment: Experiment, file: Path) -> None:
    """Check all that can be told before the recorded web is opened.

    Raises:
        LabError: the parts do not fit each other; the first that was found.
    """
    try:
        _check_sources(experiment)
        _check_seeds(experiment)
        for topic in experiment.topic:
            _check_topic(topic, experiment)
        if experiment.truth.demo:
            _check_demo_topics(experiment)
        for model in experiment.model:
            _check_model(model, experiment)
        for contender in experiment.strategy:
            _check_contender(contender, experiment)
        for finding in experiment.finding:
            _check_finding(finding, experiment)
        _check_names(experiment)
    except LabError as error:
        raise LabError(f"{file}: {error}") from error


def merged_settings(experiment: Experiment, contender: Contender) -> dict[str, Any]:
    """The settings of a crawler: the experiment's, with its own in their place.

    A crawler for sites takes those of the experiment that it knows.
    """
    shared = experiment.settings
    if contender.crawler in _OF_SITES:
        known = {*PAGE_SETTINGS, *SiteSettings.__struct_fields__}
        shared = {name: value for name, value in shared.items() if name in known}
    return {**shared, **contender.settings}


def hint_for(name: str, names: Iterable[str]) -> str:
    """What somebody may have meant by an unknown name.

    >>> hint_for("titel", ["title", "about"]), hint_for("x", ["title", "about"])
    ("did you mean 'title'?", 'there are: title, about')
    """
    known = list(names)
    near = get_close_matches(name, known, n=1)
    listed = f"there are: {', '.join(known)}" if known else "there is none"
    return f"did you mean {near[0]!r}?" if near else listed


def _wrong(where: str, what: str) -> LabError:
    return LabError(f"{where}: {what}")


@contextmanager
def _located(where: str) -> Iterator[None]:
    """Errors inside are told with where they were found."""
    try:
        yield
    except SemcrawlError as error:
        raise _wrong(where, str(error)) from error


def _check_known(name: str, names: Iterable[str], where: str) -> None:
    known = list(names)
    if name not in known:
        raise _wrong(where, f"there is no {name!r}; {hint_for(name, known)}")


def _check_part(registry: Any, spec: str, where: str) -> None:
    with _located(where):
        split_spec(spec)
        registry.factory(spec)


def _check_settings(build: Callable[[dict[str, Any]], object], values: Any, where: str) -> None:
    with _located(where):
        build(values)


def _check_free(settings: Iterable[str], where: str) -> None:
    for name in settings:
        if name in _SAID_ELSEWHERE:
            raise _wrong(where, f"{name} is not set here; it is {_SAID_ELSEWHERE[name]}")


def _check_sources(experiment: Experiment) -> None:
    """One web, one truth, and one that fits the other."""
    web, truth = experiment.web, experiment.truth
    if web.demo == bool(web.replay):
        raise _wrong("web", "give either replay, the files of a recorded web, or demo")
    given = [key for key in _TRUTHS if getattr(truth, key)]
    if len(given) != 1:
        said = f"{' and '.join(given)} are given" if given else "there is no source"
        raise _wrong("truth", f"{said}; give exactly one of {', '.join(_TRUTHS)}")
    if truth.demo and not web.demo:
        raise _wrong("truth", "demo is about the demo web; set demo in [web] as well")
    if truth.judge:
        _check_part(JUDGES, truth.judge, "truth.judge")
    _check_free(experiment.settings, "settings")
    _check_settings(Settings.build, experiment.settings, "settings")
    if at := [number for number in experiment.at if number > experiment.pages]:
        raise _wrong("at", f"{at[0]} is more than the {experiment.pages} pages")


def _check_seeds(experiment: Experiment) -> None:
    draw, times = experiment.seeds, experiment.repetitions
    if draw.size and draw.share:
        raise _wrong("seeds", "give either size or share")
    if times > 1 and not draws_seeds(experiment):
        raise _wrong(
            "repetitions",
            f"{times} crawls from the same seeds would all be the same; "
            "draw seeds with size or share in [seeds], or repeat nothing",
        )
    if draw.disjoint and draw.share * times > 1:
        raise _wrong("seeds", "that many disjoint shares are more than there is")


def _check_topic(topic: LabTopic, experiment: Experiment) -> None:
    """A topic can be read, has a place to start, and a truth."""
    where = f"topic {topic.name}"
    if topic.name.split() != [topic.name]:
        raise _wrong(where, "a topic's name is one word")
    for spec in (topic.topic, *topic.descriptions.values()):
        with _located(where):
            Topic.parse(spec)
    if not (topic.seeds or draws_seeds(experiment) or experiment.web.demo):
        raise _wrong(where, "it has no seeds; give some, or draw them with [seeds]")
    if experiment.truth.labels and not topic.on_topic:
        raise _wrong(where, "name the categories that are on it: on_topic = [...]")


def _check_demo_topics(experiment: Experiment) -> None:
    from semcrawl.demo import demo_web

    known = demo_web().topics
    for topic in experiment.topic:
        for name in topic.on_topic or (topic.name,):
            _check_known(name, known, f"topic {topic.name}, among those of the demo web")


def _check_model(model: ModelPlan, experiment: Experiment) -> None:
    """A model has what it is trained with, and a crawler that needs it."""
    where = f"model {model.name}"
    if model.kind in _OF_PATHS and not model.paths:
        raise _wrong(where, f"{model.kind} is trained with browsing paths; give paths")
    if model.kind not in _OF_PATHS and model.paths:
        raise _wrong(where, f"{model.kind} is not trained with paths; leave them out")
    if model.kind in _TAUGHT_BY_PAGES and not experiment.truth.training_share:
        raise _wrong(
            where,
            f"{model.kind} is trained with pages of each topic; say how many of them it may "
            "see with training_share in [truth]",
        )
    read_options(model)
    if model.kind == "taxonomy" and not model.pages:
        raise _wrong(
            where,
            "say how many pages of a category it may read, such as pages = 5; they are "
            "counted in no crawl",
        )
    if not any(model.name in models_named(one) for one in experiment.strategy):
        raise _wrong(
            where, f"no strategy uses it; write {{{model.name}}} where one takes its model"
        )


def _check_contender(contender: Contender, experiment: Experiment) -> None:
    """A crawler's strategy, judge, description, models and settings are there."""
    where = f"strategy {contender.name}"
    if not is_oracle(contender.strategy):
        _check_part(STRATEGIES, contender.strategy, where)
    elif contender.strategy not in ORACLES.values():
        known = " or ".join(ORACLES.values())
        raise _wrong(where, f"there is no {contender.strategy!r}; write {known}")
    _check_part(JUDGES, contender.judge, f"{where}, judge")
    models = [model.name for model in experiment.model]
    for name in models_named(contender):
        _check_known(name, models, f"{where}, the model in braces")
    for topic in experiment.topic if contender.description else ():
        place = f"{where}, the description of topic {topic.name}"
        _check_known(contender.description, topic.descriptions, place)
    where += ", settings"
    _check_free(contender.settings, where)
    build = split_settings if contender.crawler in _OF_SITES else Settings.build
    values = merged_settings(experiment, contender)
    if contender.crawler == "pages-for-sites":
        own = {n: value for n, value in values.items() if n in SiteSettings.__struct_fields__}
        _check_settings(SiteSettings().changed, own, where)
        values = {name: value for name, value in values.items() if name not in own}
    _check_settings(build, values, where)


def _check_finding(finding: Finding, experiment: Experiment) -> None:
    """A finding names crawlers that take part, and a metric that there is."""
    from semcrawl.lab.metrics import METRICS

    where = f"finding {finding.says[:60]!r}"
    _check_known(finding.measure, METRICS, f"{where}, the measure")
    contenders = [contender.name for contender in experiment.strategy]
    if experiment.oracles:
        contenders += [name for name in ORACLES if name not in contenders]
    for name in (*finding.left, *finding.right):
        _check_known(name, contenders, f"{where}, the strategy")
    if not finding.left:
        raise _wrong(where, "left names no strategy")
    if finding.expect != "between" and not finding.right:
        raise _wrong(where, f"{finding.expect!r} compares; name strategies in right")
    if finding.at > experiment.pages:
        raise _wrong(where, f"at = {finding.at} is more than the {experiment.pages} pages")


def _check_names(experiment: Experiment) -> None:
    """No two parts of a kind have one name."""
    for kind in ("topic", "model", "strategy"):
        for name, number in Counter(part.name for part in getattr(experiment, kind)).items():
            if number > 1:
                raise _wrong(kind, f"{number} are named {name!r}; give each a name of its own")
    for contender in experiment.strategy:
        if contender.name in ORACLES and not is_oracle(contender.strategy):
            raise _wrong("strategy", f"{contender.name!r} is the name of an oracle; choose another")
