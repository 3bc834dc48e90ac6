"""Whether the parts of an experiment fit each other, told before anything runs."""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from semcrawl.crawl.settings import Settings
from semcrawl.crawl.sites.settings import PAGE_SETTINGS, SiteSettings, split_settings
from semcrawl.errors import LabError, SemcrawlError
from semcrawl.lab.experiment import ORACLES, is_oracle, models_named
from semcrawl.lab.training_options import read_options
from semcrawl.registry import split_spec
from semcrawl.relevance import JUDGES
from semcrawl.strategies import STRATEGIES
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
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
_TAUGHT_BY_PAGES = ("hmm", "context-graph", "taxonomy")
_OF_SITES = ("sites", "site-classifier")
_OF_PATHS = ("hmm", "context-graph")


def check_references(experiment: Experiment, file: Path) -> None:
    """Check all that can be told before the recorded web is opened.

    Raises:
        LabError: the parts do not fit each other; the first that was found.
    """
    check = _Check(experiment, file)
    check.sources()
    check.seeds()
    for topic in experiment.topic:
        check.topic(topic)
    if experiment.truth.demo:
        check.demo_topics()
    for model in experiment.model:
        check.model(model)
    for contender in experiment.strategy:
        check.contender(contender)
    for finding in experiment.finding:
        check.finding(finding)
    check.names()


def merged_settings(experiment: Experiment, contender: Contender) -> dict[str, Any]:
    """The settings of a crawler: the experiment's, with its own in their place.

    A crawler for sites takes those of the experiment that it knows.
    """
    shared = experiment.settings
    if contender.crawler in _OF_SITES:
        known = {*PAGE_SETTINGS, *SiteSettings.__struct_fields__}
        shared = {name: value for name, value in shared.items() if name in known}
    return {**shared, **contender.settings}


class _Check:
    def __init__(self, experiment: Experiment, file: Path) -> None:
        self._experiment = experiment
        self._file = file
        self._contenders = [contender.name for contender in experiment.strategy]
        if experiment.oracles:
            self._contenders += [name for name in ORACLES if name not in self._contenders]

    def sources(self) -> None:
        """One web, one truth, and one that fits the other."""
        web, truth = self._experiment.web, self._experiment.truth
        if web.demo == bool(web.replay):
            raise self._wrong("web", "give either replay, the files of a recorded web, or demo")
        given = [key for key in _TRUTHS if getattr(truth, key)]
        if len(given) != 1:
            said = f"{' and '.join(given)} are given" if given else "there is no source"
            raise self._wrong("truth", f"{said}; give exactly one of {', '.join(_TRUTHS)}")
        if truth.demo and not web.demo:
            raise self._wrong("truth", "demo is about the demo web; set demo in [web] as well")
        if truth.judge:
            self._part(JUDGES, truth.judge, "truth.judge")
        for name in self._experiment.settings:
            self._setting_is_free(name, "settings")
        self._settings(Settings.build, self._experiment.settings, "settings")
        at = [number for number in self._experiment.at if number > self._experiment.pages]
        if at:
            raise self._wrong("at", f"{at[0]} is more than the {self._experiment.pages} pages")

    def seeds(self) -> None:
        """How repetitions differ."""
        draw = self._experiment.seeds
        if draw.size and draw.share:
            raise self._wrong("seeds", "give either size or share")
        drawn = bool(draw.size or draw.share)
        if self._experiment.repetitions > 1 and not drawn:
            raise self._wrong(
                "repetitions",
                f"{self._experiment.repetitions} crawls from the same seeds would all be the same; "
                "draw seeds with size or share in [seeds], or repeat nothing",
            )
        if draw.disjoint and draw.share * self._experiment.repetitions > 1:
            raise self._wrong("seeds", "that many disjoint shares are more than there is")

    def topic(self, topic: LabTopic) -> None:
        """A topic can be read, has a place to start, and a truth."""
        where, draw = f"topic {topic.name}", self._experiment.seeds
        if topic.name.split() != [topic.name]:
            raise self._wrong(where, "a topic's name is one word")
        for spec in (topic.topic, *topic.descriptions.values()):
            try:
                Topic.parse(spec)
            except SemcrawlError as error:
                raise self._wrong(where, str(error)) from error
        is_started = topic.seeds or draw.size or draw.share or self._experiment.web.demo
        if not is_started:
            raise self._wrong(where, "it has no seeds; give some, or draw them with [seeds]")
        if self._experiment.truth.labels and not topic.on_topic:
            raise self._wrong(where, "name the categories that are on it: on_topic = [...]")

    def demo_topics(self) -> None:
        """The demo web knows of the topics."""
        from semcrawl.demo import demo_web

        known = demo_web().topics
        for topic in self._experiment.topic:
            for name in topic.on_topic or (topic.name,):
                self._known(name, known, f"topic {topic.name}, among those of the demo web")

    def model(self, model: ModelPlan) -> None:
        """A model has what it is trained with, and someone who needs it."""
        where = f"model {model.name}"
        if model.kind in _OF_PATHS and not model.paths:
            raise self._wrong(where, f"{model.kind} is trained with browsing paths; give paths")
        if model.kind not in _OF_PATHS and model.paths:
            raise self._wrong(where, f"{model.kind} is not trained with paths; leave them out")
        truth = self._experiment.truth
        if model.kind in _TAUGHT_BY_PAGES and not truth.training_share:
            raise self._wrong(
                where,
                f"{model.kind} is trained with pages of each topic; say how many of them it may "
                "see with training_share in [truth]",
            )
        try:
            read_options(model)
        except LabError as error:
            raise LabError(f"{self._file}: {error}") from error
        if model.kind == "taxonomy" and not model.pages:
            raise self._wrong(
                where,
                "say how many pages of a category it may read, such as pages = 5; they are "
                "counted in no crawl",
            )
        named = {name for one in self._experiment.strategy for name in models_named(one)}
        if model.name not in named:
            raise self._wrong(
                where, f"no strategy uses it; write {{{model.name}}} where one takes its model"
            )

    def contender(self, contender: Contender) -> None:
        """A crawler's strategy, judge, description, models and settings are there."""
        where = f"strategy {contender.name}"
        if not is_oracle(contender.strategy):
            self._part(STRATEGIES, contender.strategy, where)
        elif contender.strategy not in ORACLES.values():
            known = " or ".join(ORACLES.values())
            raise self._wrong(where, f"there is no {contender.strategy!r}; write {known}")
        self._part(JUDGES, contender.judge, f"{where}, judge")
        models = [model.name for model in self._experiment.model]
        for name in models_named(contender):
            self._known(name, models, f"{where}, the model in braces")
        if contender.description:
            for topic in self._experiment.topic:
                self._known(
                    contender.description,
                    topic.descriptions,
                    f"{where}, the description of topic {topic.name}",
                )
        for name in contender.settings:
            self._setting_is_free(name, f"{where}, settings")
        build = split_settings if contender.crawler in _OF_SITES else Settings.build
        values = merged_settings(self._experiment, contender)
        if contender.crawler == "pages-for-sites":
            own = SiteSettings.__struct_fields__
            self._settings(
                SiteSettings().changed,
                {name: value for name, value in values.items() if name in own},
                f"{where}, settings",
            )
            values = {name: value for name, value in values.items() if name not in own}
        self._settings(build, values, f"{where}, settings")

    def finding(self, finding: Finding) -> None:
        """A finding names crawlers that take part, and a measure that there is."""
        from semcrawl.lab.metrics import METRICS

        where = f"finding {finding.says[:60]!r}"
        self._known(finding.measure, METRICS, f"{where}, the measure")
        for name in (*finding.left, *finding.right):
            self._known(name, self._contenders, f"{where}, the strategy")
        if not finding.left:
            raise self._wrong(where, "left names no strategy")
        if finding.expect != "between" and not finding.right:
            raise self._wrong(where, f"{finding.expect!r} compares; name strategies in right")
        if finding.at > self._experiment.pages:
            raise self._wrong(
                where, f"at = {finding.at} is more than the {self._experiment.pages} pages"
            )

    def names(self) -> None:
        """No two parts of a kind have one name."""
        for kind in ("topic", "model", "strategy"):
            counted = Counter(part.name for part in getattr(self._experiment, kind))
            for name, number in counted.items():
                if number > 1:
                    raise self._wrong(
                        kind, f"{number} are named {name!r}; give each a name of its own"
                    )
        for contender in self._experiment.strategy:
            if contender.name in ORACLES and not is_oracle(contender.strategy):
                raise self._wrong(
                    "strategy", f"{contender.name!r} is the name of an oracle; choose another"
                )

    def _part(self, registry: Any, spec: str, where: str) -> None:
        try:
            split_spec(spec)
            registry.factory(spec)
        except SemcrawlError as error:
            raise self._wrong(where, str(error)) from error

    def _settings(self, build: Any, values: dict[str, Any], where: str) -> None:
        try:
            build(values)
        except SemcrawlError as error:
            raise self._wrong(where, str(error)) from error

    def _setting_is_free(self, name: str, where: str) -> None:
        if name in _SAID_ELSEWHERE:
            raise self._wrong(where, f"{name} is not set here; it is {_SAID_ELSEWHERE[name]}")

    def _known(self, name: str, names: Iterable[str], where: str) -> None:
        known: Collection[str] = list(names)
        if name in known:
            return
        near = get_close_matches(name, known, n=1)
        listed = f"there are: {', '.join(known)}" if known else "there is none"
        hint = f"did you mean {near[0]!r}?" if near else listed
        raise self._wrong(where, f"there is no {name!r}; {hint}")

    def _wrong(self, where: str, what: str) -> LabError:
        return LabError(f"{self._file}: {where}: {what}")


_TRUTHS = ("labels", "judged", "targets", "judge", "demo")
