"""Reading an experiment: from a TOML file to an `Experiment` whose parts fit each other."""

import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec
from msgspec.structs import replace

from semcrawl.checked_values import checked_values, hint_for
from semcrawl.crawl.settings import Settings
from semcrawl.crawl.sites.settings import PAGE_SETTINGS, SiteSettings, apart, split_settings
from semcrawl.demo import demo_web
from semcrawl.errors import LabError, SemcrawlError, os_errors, regular, told_as
from semcrawl.lab.experiment import (
    ORACLES,
    Contender,
    Experiment,
    Finding,
    LabTopic,
    ModelPlan,
    each_text,
    is_oracle,
    read_options,
)
from semcrawl.lab.results import METRICS
from semcrawl.registry import split_spec
from semcrawl.relevance import JUDGES
from semcrawl.resources import checked_toml
from semcrawl.strategies import STRATEGIES
from semcrawl.topics import Topic
from semcrawl.topics.sources import holds, split_names

_SAID_ELSEWHERE = {"strategy": "in [[strategy]]", "judge": "in [[strategy]]", "pages": "at the top"}
_SAID_ELSEWHERE |= dict.fromkeys(("include", "exclude", "background", "replay"), "in [web]")
_TRUTHS = ("labels", "judged", "targets", "judge", "demo")
_TAUGHT_BY_PAGES = ("hmm", "context-graph", "taxonomy")
_OF_SITES = ("sites", "site-classifier")
_OF_PATHS = ("hmm", "context-graph")
_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")
_NO_FILE = ("keywords:", "wordnet:")
_TAXONOMY = "taxonomy:"


class WrittenPlaces:
    """Fills in variables, absolute names of files; LabError at ``where`` if one is not set."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._folder = file.absolute().parent

    def path(self, written: str, where: str) -> str:
        """The absolute path of a file or folder."""
        place = Path(self.filled(written, where)).expanduser()
        return os.path.normpath(self._folder / place)

    def existing(self, written: str, where: str) -> str:
        """The absolute path of a file or folder, "" of none; LabError where it is not there."""
        if not written:
            return ""
        place = self.path(written, where)
        if not Path(place).exists():
            raise LabError(f"{self._file}: {where}: there is no {place}; correct the name")
        return place

    def filled(self, written: str, where: str) -> str:
        """A text with the variables of the environment in it filled in."""

        def value(found: re.Match[str]) -> str:
            name = found[1] or found[2]
            if name not in os.environ:
                raise LabError(
                    f"{self._file}: {where}: the variable ${name} is not set; set it to the folder "
                    f"that {written!r} is to be found in"
                )
            return os.environ[name]

        return _VARIABLE.sub(value, written)

    def part(self, spec: str, where: str) -> str:
        """The spec of a part with absolute paths for ``file.py`` and files among its options."""
        if not spec.strip():
            return spec
        with _located(f"{self._file}: {where}"):
            name, options = split_spec(self.filled(spec, where))
        file, colon, attribute = name.rpartition(":")
        if colon and file.endswith(".py"):
            name = f"{self.path(file, where)}:{attribute}"
        if not options:
            return name
        pairs = (f"{key}={self._if_file(value)}" for key, value in options.items())
        return f"{name}:{','.join(pairs)}"

    def topic(self, spec: str, where: str) -> str:
        """A topic, with the files in it in full."""
        spec = spec.strip()
        if spec.startswith(_NO_FILE):
            return spec
        prefix = _TAXONOMY if spec.startswith(_TAXONOMY) else ""
        spec = self.filled(spec.removeprefix(prefix), where)
        found = re.match(r"[^#?]+", spec)
        if found is None or re.match(r"[A-Za-z][\w+.-]+:", spec):
            return prefix + spec
        head, rest = self.path(found[0].strip(), where), spec[found.end() :]
        before, hash_, names = rest.partition("#")
        items = [self._concept(item) for item in split_names(names)] if "#" in names else [names]
        return f"{prefix}{head}{before}{hash_}{','.join(items)}"

    def settings(self, values: dict[str, Any], where: str) -> dict[str, Any]:
        """Settings with the files among their texts in full."""

        def full(name: str) -> Any:
            place = f"{where}.{name}"
            return each_text(values[name], lambda text: self._if_file(self.filled(text, place)))

        return {name: full(name) for name in values}

    def _concept(self, item: str) -> str:
        path, hash_, name = item.partition("#")
        return f"{self._if_file(path)}#{name}" if hash_ else item

    def _if_file(self, value: str) -> str:
        if "." not in value and "/" not in value:
            return value
        place = self._folder / Path(value).expanduser()
        return os.path.normpath(place) if holds(place.is_file) else value


def _is_part(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


_KINDS = {field.name: field.type for field in msgspec.structs.fields(Experiment)}
_TABLES = {key: kind for key, kind in _KINDS.items() if _is_part(kind)}
_LISTS = {key: item for key, kind in _KINDS.items() for item in get_args(kind) if _is_part(item)}
_NEEDED = [field.name for field in msgspec.structs.fields(Experiment) if field.required]

T = TypeVar("T", bound=msgspec.Struct)


def load_experiment(path: str | Path) -> Experiment:
    """Read and check the experiment of a TOML file; a LabError says where it is wrong."""
    file = Path(path).expanduser()
    tables = _with_shared_topics(_tables(file), WrittenPlaces(file))
    for key in _NEEDED:
        if key not in tables:
            raise LabError(f"{file}: {key!r} is missing; {_how(key)}")
    values = {key: _read(key, value, file) for key, value in tables.items()}
    experiment = _resolved(_part(Experiment, values, str(file)), WrittenPlaces(file))
    check_experiment(experiment, file)
    return experiment


def _tables(file: Path) -> dict[str, Any]:
    unread = os_errors(LabError, f"cannot read the experiment {file}")
    with unread, told_as(LabError, f"{file} is no TOML", ValueError, RecursionError):
        return tomllib.loads(checked_toml(regular(file).read_text(encoding="utf-8-sig")))


def _with_shared_topics(tables: dict[str, Any], places: WrittenPlaces) -> dict[str, Any]:
    named, own = tables.get("topics", []), tables.get("topic", [])
    if not named or not all(isinstance(part, list) for part in (named, own)):
        return tables
    shared: list[Any] = []
    for name in named:
        place = Path(places.existing(str(name), "topics"))
        found = _tables(place)
        if set(found) != {"topic"} or not isinstance(found["topic"], list):
            raise LabError(f"{place}: a file of topics has tables [[topic]] and nothing else")
        shared += found["topic"]
    return {**tables, "topic": [*shared, *own]}


def _how(key: str) -> str:
    if key in _LISTS:
        return f"give at least one table [[{key}]]"
    return f"give a table [{key}]" if key in _TABLES else f'give a line {key} = "…"'


def _read(key: str, value: Any, file: Path) -> Any:
    if key in _TABLES:
        return _part(_TABLES[key], value, f"{file}: [{key}]")
    if key not in _LISTS:
        return value
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise LabError(f"{file}: {key} is a list of tables; write each as [[{key}]]")
    return tuple(
        _part(_LISTS[key], item, f"{file}: [[{key}]] {_called(item, number)}")
        for number, item in enumerate(value, start=1)
    )


def _called(item: dict[str, Any], number: int) -> str:
    name = item.get("name") or item.get("strategy")
    return f"{number} ({name})" if isinstance(name, str) else str(number)


def _part(kind: type[T], value: Any, where: str) -> T:
    with told_as(LabError, where, ValueError):
        return checked_values(value, kind)


def _resolved(experiment: Experiment, places: WrittenPlaces) -> Experiment:
    web, truth = experiment.web, experiment.truth
    background = web.background or "shipped"
    if background not in ("shipped", "web"):
        background = places.existing(background, "web.background")
    tables = {key: places.existing(getattr(truth, key), f"truth.{key}") for key in ("labels", "judged", "targets")}
    replay = tuple(places.existing(one, "web.replay") for one in web.replay)
    judge = places.part(truth.judge, "truth.judge")
    return replace(
        experiment,
        settings=places.settings(experiment.settings, "settings"),
        web=replace(web, replay=replay, background=background),
        truth=replace(truth, judge=judge, **tables),
        topic=tuple(_resolved_topic(topic, places) for topic in experiment.topic),
        model=tuple(
            replace(model, paths=places.existing(model.paths, f"model {model.name}, paths"))
            for model in experiment.model
        ),
        strategy=tuple(_resolved_contender(one, places) for one in experiment.strategy),
    )


def _resolved_topic(topic: LabTopic, places: WrittenPlaces) -> LabTopic:
    where = f"topic {topic.name}"
    descriptions = {
        name: places.topic(spec, f"{where}, description {name}") for name, spec in topic.descriptions.items()
    }
    return replace(topic, topic=places.topic(topic.topic, where), descriptions=descriptions)


def _resolved_contender(contender: Contender, places: WrittenPlaces) -> Contender:
    where = f"strategy {contender.name}"
    return replace(
        contender,
        strategy=places.part(contender.strategy, where),
        judge=places.part(contender.judge, f"{where}, judge"),
        settings=places.settings(contender.settings, f"{where}, settings"),
    )


def vary(experiment: Experiment, *, pages: int = 0, only: Sequence[str] = (), extra: Sequence[str] = ()) -> Experiment:
    """The experiment changed, without findings that no longer apply; LabError for unknown names."""
    names = [contender.name for contender in experiment.strategy]
    if absent := [name for name in only if name not in names]:
        hint = hint_for(absent[0], names)
        raise LabError(f"--only: the experiment has no strategy {absent[0]!r}; {hint}")
    here = WrittenPlaces(Path.cwd() / "--with")
    strategies = [one for one in experiment.strategy if not only or one.name in only]
    strategies += [Contender(name=spec, strategy=here.part(spec, "--with")) for spec in extra]
    there = {contender.name for contender in strategies}
    if experiment.oracles:
        there.update(ORACLES)
    named = {name for contender in strategies for name in contender.models}
    budget = pages or experiment.pages
    changed = replace(
        experiment,
        pages=budget,
        at=tuple(number for number in experiment.at if number <= budget),
        strategy=tuple(strategies),
        model=tuple(model for model in experiment.model if model.name in named),
        finding=tuple(
            finding if finding.at <= budget else replace(finding, at=0)
            for finding in experiment.finding
            if {*finding.left, *finding.right} <= there
        ),
    )
    check_experiment(changed, Path("the changed experiment"))
    return changed


def check_experiment(experiment: Experiment, file: Path) -> None:
    """Check all that can be told before the web is opened; LabError for the first mistake."""
    with _located(str(file)):
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


def merged_settings(experiment: Experiment, contender: Contender) -> dict[str, Any]:
    """The experiment's settings, those that a crawler for sites knows, and the crawler's own."""
    shared = experiment.settings
    if contender.crawler in _OF_SITES:
        known = {*PAGE_SETTINGS, *SiteSettings.__struct_fields__}
        shared = {name: value for name, value in shared.items() if name in known}
    return {**shared, **contender.settings}


def _located(where: str) -> AbstractContextManager[None]:
    return told_as(LabError, where, SemcrawlError)


def _check_known(name: str, names: Iterable[str], where: str) -> None:
    known = list(names)
    if name not in known:
        raise LabError(f"{where}: there is no {name!r}; {hint_for(name, known)}")


def _check_part(registry: Any, spec: str, where: str) -> None:
    with _located(where):
        split_spec(spec)
        registry.factory(spec)


def _check_free(settings: Iterable[str], where: str) -> None:
    for name in settings:
        if name in _SAID_ELSEWHERE:
            raise LabError(f"{where}: {name} is not set here; it is {name} {_SAID_ELSEWHERE[name]}")


def _check_sources(experiment: Experiment) -> None:
    web, truth = experiment.web, experiment.truth
    if web.demo == bool(web.replay):
        raise LabError("web: give either replay, the files of a recorded web, or demo")
    given = [key for key in _TRUTHS if getattr(truth, key)]
    if len(given) != 1:
        said = f"{' and '.join(given)} are given" if given else "there is no source"
        raise LabError(f"truth: {said}; give exactly one of {', '.join(_TRUTHS)}")
    if truth.demo and not web.demo:
        raise LabError("truth: demo is about the demo web; set demo in [web] as well")
    if truth.judge:
        _check_part(JUDGES, truth.judge, "truth.judge")
    _check_free(experiment.settings, "settings")
    with _located("settings"):
        Settings.build(experiment.settings)
    if at := [number for number in experiment.at if number > experiment.pages]:
        raise LabError(f"at: {at[0]} is more than the {experiment.pages} pages")


def _check_seeds(experiment: Experiment) -> None:
    draw, times = experiment.seeds, experiment.repetitions
    if draw.size and draw.share:
        raise LabError("seeds: give either size or share")
    if times > 1 and not experiment.seeds.are_drawn:
        raise LabError(
            f"repetitions: {times} crawls from the same seeds would all be the same; "
            "draw seeds with size or share in [seeds], or repeat nothing"
        )
    if draw.disjoint and draw.share * times > 1:
        raise LabError("seeds: that many disjoint shares are more than there is")


def _check_topic(topic: LabTopic, experiment: Experiment) -> None:
    where = f"topic {topic.name}"
    if topic.name.split() != [topic.name]:
        raise LabError(f"{where}: a topic's name is one word")
    for spec in (topic.topic, *topic.descriptions.values()):
        with _located(where):
            Topic.parse(spec)
    if not (topic.seeds or experiment.seeds.are_drawn or experiment.web.demo):
        raise LabError(f"{where}: it has no seeds; give some, or draw them with [seeds]")
    if experiment.truth.labels and not topic.on_topic:
        raise LabError(f"{where}: name the categories that are on it: on_topic = [...]")


def _check_demo_topics(experiment: Experiment) -> None:
    known = demo_web().topics
    for topic in experiment.topic:
        for name in topic.on_topic or (topic.name,):
            _check_known(name, known, f"topic {topic.name}, among those of the demo web")


def _check_model(model: ModelPlan, experiment: Experiment) -> None:
    where = f"model {model.name}"
    if model.kind in _OF_PATHS and not model.paths:
        raise LabError(f"{where}: {model.kind} is trained with browsing paths; give paths")
    if model.kind not in _OF_PATHS and model.paths:
        raise LabError(f"{where}: {model.kind} is not trained with paths; leave them out")
    if model.kind in _TAUGHT_BY_PAGES and not experiment.truth.training_share:
        raise LabError(
            f"{where}: {model.kind} is trained with pages of each topic; say how many of them it "
            "may see with training_share in [truth]"
        )
    read_options(model)
    if model.kind == "taxonomy" and not model.pages:
        raise LabError(
            f"{where}: say how many pages of a category it may read, such as pages = 5; they are counted in no crawl"
        )
    if not any(model.name in one.models for one in experiment.strategy):
        use = f"write {{{model.name}}} where one takes its model"
        raise LabError(f"{where}: no strategy uses it; {use}")


def _check_contender(contender: Contender, experiment: Experiment) -> None:
    where = f"strategy {contender.name}"
    if not is_oracle(contender.strategy):
        _check_part(STRATEGIES, contender.strategy, where)
    elif contender.strategy not in ORACLES.values():
        known = " or ".join(ORACLES.values())
        raise LabError(f"{where}: there is no {contender.strategy!r}; write {known}")
    _check_part(JUDGES, contender.judge, f"{where}, judge")
    models = [model.name for model in experiment.model]
    for name in contender.models:
        _check_known(name, models, f"{where}, the model in braces")
    for topic in experiment.topic if contender.description else ():
        place = f"{where}, the description of topic {topic.name}"
        _check_known(contender.description, topic.descriptions, place)
    where += ", settings"
    _check_free(contender.settings, where)
    build = split_settings if contender.crawler in _OF_SITES else Settings.build
    values = merged_settings(experiment, contender)
    with _located(where):
        if contender.crawler == "pages-for-sites":
            own, values = apart(values)
            SiteSettings().changed(own)
        build(values)


def _check_finding(finding: Finding, experiment: Experiment) -> None:
    where = f"finding {finding.says[:60]!r}"
    _check_known(finding.measure, METRICS, f"{where}, the measure")
    contenders = [contender.name for contender in experiment.strategy]
    if experiment.oracles:
        contenders += [name for name in ORACLES if name not in contenders]
    for name in (*finding.left, *finding.right):
        _check_known(name, contenders, f"{where}, the strategy")
    if not finding.left:
        raise LabError(f"{where}: left names no strategy")
    if finding.expect != "between" and not finding.right:
        raise LabError(f"{where}: {finding.expect!r} compares; name strategies in right")
    if finding.at > experiment.pages:
        raise LabError(f"{where}: at = {finding.at} is more than the {experiment.pages} pages")


def _check_names(experiment: Experiment) -> None:
    for kind in ("topic", "model", "strategy"):
        for name, number in Counter(part.name for part in getattr(experiment, kind)).items():
            if number > 1:
                raise LabError(f"{kind}: {number} are named {name!r}; give each a name of its own")
    for contender in experiment.strategy:
        if contender.name in ORACLES and not is_oracle(contender.strategy):
            raise LabError(f"strategy: {contender.name!r} is the name of an oracle; choose another")
