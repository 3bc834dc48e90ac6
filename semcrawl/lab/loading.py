"""Reading an experiment: from a TOML file to a checked `Experiment`."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec.structs import replace

from semcrawl.errors import ConfigError, LabError
from semcrawl.lab.checks import check_experiment, hint_for
from semcrawl.lab.experiment import (
    ORACLES,
    Contender,
    Experiment,
    Finding,
    LabTopic,
    ModelPlan,
    SeedDraw,
    TruthSource,
    WebSource,
    models_named,
)
from semcrawl.registry import split_spec
from semcrawl.topics.sources import split_names

if TYPE_CHECKING:
    from collections.abc import Sequence

_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")
_NO_FILE = ("keywords:", "wordnet:")
_TAXONOMY = "taxonomy:"


class WrittenPlaces:
    """Makes what is written in an experiment's file independent of where it is read.

    Variables of the environment are filled in, and relative names of files are relative to
    the experiment's file. All methods raise LabError where a variable is not set; ``where``
    is the key, for messages.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._folder = file.absolute().parent

    def path(self, written: str, where: str) -> str:
        """The absolute path of a file or folder."""
        place = Path(self.filled(written, where)).expanduser()
        return os.path.normpath(self._folder / place)

    def existing(self, written: str, where: str) -> str:
        """The absolute path of a file or folder; LabError where it is not there."""
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
        """The spec of a strategy or judge with absolute paths.

        Its files are a class's ``file.py`` and options that name a file beside the experiment.

        Raises:
            LabError: its options cannot be read.
        """
        if not spec.strip():
            return spec
        try:
            name, options = split_spec(self.filled(spec, where))
        except ConfigError as error:
            raise LabError(f"{self._file}: {where}: {error}") from error
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
        return {name: self._setting(value, f"{where}.{name}") for name, value in values.items()}

    def _setting(self, value: Any, where: str) -> Any:
        if isinstance(value, str):
            return self._if_file(self.filled(value, where))
        if isinstance(value, list | tuple):
            return [self._setting(item, where) for item in value]
        return value

    def _concept(self, item: str) -> str:
        """One of several concepts, which may name another file."""
        path, hash_, name = item.partition("#")
        return f"{self._if_file(path)}#{name}" if hash_ else item

    def _if_file(self, value: str) -> str:
        """A value in full where it names a file beside the experiment, else as it is."""
        if "." not in value and "/" not in value:
            return value
        place = self._folder / Path(value).expanduser()
        try:
            return os.path.normpath(place) if place.is_file() else value
        except (OSError, ValueError):
            return value


_TABLES: dict[str, type[msgspec.Struct]] = {
    "web": WebSource,
    "truth": TruthSource,
    "seeds": SeedDraw,
}
_LISTS: dict[str, type[msgspec.Struct]] = {
    "topic": LabTopic,
    "model": ModelPlan,
    "strategy": Contender,
    "finding": Finding,
}
_NEEDED = ("title", "web", "truth", "topic", "strategy")

T = TypeVar("T", bound=msgspec.Struct)


def load_experiment(path: str | Path) -> Experiment:
    """Read and check the experiment of a TOML file; the files that it names are in full.

    Raises:
        LabError: the file cannot be read, is no TOML, has an unknown key or a wrong value, or
            names something that is not there. The message says where and what to do.
    """
    file = Path(path).expanduser()
    tables = _with_shared_topics(_tables(file), WrittenPlaces(file))
    for key in _NEEDED:
        if key not in tables:
            raise LabError(f"{file}: {key!r} is missing; {_how(key)}")
    values = {key: _read(key, value, file) for key, value in tables.items()}
    experiment = _part(Experiment, values, str(file))
    experiment = _resolved(experiment, WrittenPlaces(file))
    check_experiment(experiment, file)
    return experiment


def _tables(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise LabError(f"cannot read the experiment {file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LabError(f"{file} is no TOML: {error}") from error


def _with_shared_topics(tables: dict[str, Any], places: WrittenPlaces) -> dict[str, Any]:
    """The tables with the topics of the files of ``topics`` before the experiment's own."""
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
    """What is written under a key of the file."""
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
    """How a table of a list is told from the others: by its name or its number."""
    name = item.get("name") or item.get("strategy")
    return f"{number} ({name})" if isinstance(name, str) else str(number)


def _part(kind: type[T], value: Any, where: str) -> T:
    if not isinstance(value, dict):
        raise LabError(f"{where} must be a table")
    for key in value:
        if key not in kind.__struct_fields__:
            hint = hint_for(key, kind.__struct_fields__)
            raise LabError(f"{where}: there is no key {key!r}; {hint}")
    try:
        return msgspec.convert(value, type=kind)
    except msgspec.ValidationError as error:
        what = str(error).replace(" - at `$.", " at `").replace("Object missing", "missing")
        raise LabError(f"{where}: {what}") from error


def _resolved(experiment: Experiment, places: WrittenPlaces) -> Experiment:
    """The experiment with absolute paths, and with a name for every crawler."""
    web, truth = experiment.web, experiment.truth
    background = web.background or "shipped"
    if background not in ("shipped", "web"):
        background = places.existing(background, "web.background")
    tables = {
        key: places.existing(getattr(truth, key), f"truth.{key}")
        for key in ("labels", "judged", "targets")
        if getattr(truth, key)
    }
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
            if model.paths
            else model
            for model in experiment.model
        ),
        strategy=tuple(_resolved_contender(one, places) for one in experiment.strategy),
    )


def _resolved_topic(topic: LabTopic, places: WrittenPlaces) -> LabTopic:
    where = f"topic {topic.name}"
    descriptions = {
        name: places.topic(spec, f"{where}, description {name}")
        for name, spec in topic.descriptions.items()
    }
    return replace(topic, topic=places.topic(topic.topic, where), descriptions=descriptions)


def _resolved_contender(contender: Contender, places: WrittenPlaces) -> Contender:
    name = contender.name or contender.strategy
    where = f"strategy {name}"
    return replace(
        contender,
        name=name,
        strategy=places.part(contender.strategy, where),
        judge=places.part(contender.judge, f"{where}, judge"),
        settings=places.settings(contender.settings, f"{where}, settings"),
    )


def vary(
    experiment: Experiment, *, pages: int = 0, only: Sequence[str] = (), extra: Sequence[str] = ()
) -> Experiment:
    """Return the experiment with some of it changed, checked again.

    Findings about crawlers that no longer take part are left out, and what was asked after
    more pages than there are is asked at the end.

    Args:
        experiment: one that was read from a file.
        pages: how many pages each crawl may fetch; 0 for as many as it says.
        only: the names of the crawlers that take part; none for all.
        extra: strategies that take part too; ``file.py:Class`` is relative to the folder
            that semcrawl runs in.

    Raises:
        LabError: a name that is not there, or a strategy that cannot be had.
    """
    names = [contender.name for contender in experiment.strategy]
    for name in only:
        if name not in names:
            hint = hint_for(name, names)
            raise LabError(f"--only: the experiment has no strategy {name!r}; {hint}")
    here = WrittenPlaces(Path.cwd() / "--with")
    strategies = [one for one in experiment.strategy if not only or one.name in only]
    strategies += [Contender(name=spec, strategy=here.part(spec, "--with")) for spec in extra]
    there = {contender.name for contender in strategies}
    if experiment.oracles:
        there.update(ORACLES)
    named = {name for contender in strategies for name in models_named(contender)}
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
