"""Reading an experiment: from a TOML file to a checked `Experiment`."""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from semcrawl.errors import LabError
from semcrawl.lab.cross_references import check_references
from semcrawl.lab.experiment import (
    Contender,
    Experiment,
    Finding,
    LabTopic,
    ModelPlan,
    SeedDraw,
    TruthSource,
    WebSource,
)
from semcrawl.lab.written_places import WrittenPlaces

__all__ = ["load_experiment"]

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
    values: dict[str, Any] = {}
    for key, value in tables.items():
        if key in _TABLES:
            values[key] = _part(_TABLES[key], value, f"{file}: [{key}]")
        elif key in _LISTS:
            values[key] = _parts(key, value, file)
        else:
            values[key] = value
    _require_known(Experiment, values, str(file))
    experiment = _converted(Experiment, values, str(file))
    experiment = _resolved(experiment, WrittenPlaces(file))
    check_references(experiment, file)
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


def _parts(key: str, value: Any, file: Path) -> tuple[msgspec.Struct, ...]:
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
    _require_known(kind, value, where)
    return _converted(kind, value, where)


def _require_known(kind: type[msgspec.Struct], values: dict[str, Any], where: str) -> None:
    names = kind.__struct_fields__
    for key in values:
        if key not in names:
            near = get_close_matches(key, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names)}"
            raise LabError(f"{where}: there is no key {key!r}; {hint}")


def _converted(kind: type[T], values: dict[str, Any], where: str) -> T:
    try:
        return msgspec.convert(values, type=kind)
    except msgspec.ValidationError as error:
        what = str(error).replace(" - at `$.", " at `").replace("Object missing", "missing")
        raise LabError(f"{where}: {what}") from error


def _resolved(experiment: Experiment, places: WrittenPlaces) -> Experiment:
    """The experiment with files in full, and with a name for every crawler."""
    web, truth = experiment.web, experiment.truth
    background = web.background
    if background not in ("shipped", "web", ""):
        background = places.existing(background, "web.background")
    return msgspec.structs.replace(
        experiment,
        settings=places.settings(experiment.settings, "settings"),
        web=msgspec.structs.replace(
            web,
            replay=tuple(places.existing(one, "web.replay") for one in web.replay),
            background=background or "shipped",
        ),
        truth=msgspec.structs.replace(
            truth,
            judge=places.part(truth.judge, "truth.judge"),
            **{
                key: places.existing(getattr(truth, key), f"truth.{key}")
                for key in ("labels", "judged", "targets")
                if getattr(truth, key)
            },
        ),
        topic=tuple(_resolved_topic(topic, places) for topic in experiment.topic),
        model=tuple(_resolved_model(model, places) for model in experiment.model),
        strategy=tuple(_resolved_contender(one, places) for one in experiment.strategy),
    )


def _resolved_topic(topic: LabTopic, places: WrittenPlaces) -> LabTopic:
    where = f"topic {topic.name}"
    descriptions = {
        name: places.topic(spec, f"{where}, description {name}")
        for name, spec in topic.descriptions.items()
    }
    return msgspec.structs.replace(
        topic, topic=places.topic(topic.topic, where), descriptions=descriptions
    )


def _resolved_model(model: ModelPlan, places: WrittenPlaces) -> ModelPlan:
    if not model.paths:
        return model
    return msgspec.structs.replace(
        model, paths=places.existing(model.paths, f"model {model.name}, paths")
    )


def _resolved_contender(contender: Contender, places: WrittenPlaces) -> Contender:
    name = contender.name or contender.strategy
    where = f"strategy {name}"
    return msgspec.structs.replace(
        contender,
        name=name,
        strategy=places.part(contender.strategy, where),
        judge=places.part(contender.judge, f"{where}, judge"),
        settings=places.settings(contender.settings, f"{where}, settings"),
    )
