"""The arguments and options of the commands, declared in the files beside their modules."""

from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any

import click

from semcrawl.errors import ConfigError, os_errors
from semcrawl.resources import facts_beside

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_TYPES: dict[str, Any] = {
    "float": float,
    "path": click.Path(path_type=Path),
    "file": click.Path(path_type=Path, dir_okay=False),
    "folder": click.Path(path_type=Path, file_okay=False),
    "name": click.Path(),
    "present file": click.Path(path_type=Path, dir_okay=False, exists=True),
    "present folder": click.Path(file_okay=False, exists=True),
}


def parameters(command: str, **callbacks: Callable[..., Any]) -> Decorator:
    """Give a command the arguments and options that the file beside its module declares.

    What the file says ``more`` of the command follows its docstring in the help. An option of
    ``callbacks`` only calls the function, before the others are looked at.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        declared = _declared(function.__module__.rpartition(".")[2])
        own = dict(declared[command])
        function.__doc__ = f"{function.__doc__ or ''}\n\n{own.pop('more', '')}"
        if "folder" in own:
            function = _of_folder(function)
        known = [_declared("options"), declared.get("shared", {}), own]
        for key in reversed(own):
            facts: dict[str, Any] = {}
            for rows in known:
                facts |= rows.get(key, {})
            if call := callbacks.get(key.strip("-")):
                facts |= {"callback": call, "is_eager": True, "expose_value": False}
            function = _parameter(key, facts)(function)
        return function

    return decorate


def _of_folder(function: Callable[..., Any]) -> Callable[..., Any]:
    """The command, where values in the folder's graph that no crawl writes are told of."""

    @wraps(function)
    def command(folder: Path, **given: Any) -> Any:
        try:
            return function(folder=folder, **given)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            from semcrawl.graph import CrawlGraph

            # What was read is shown after the graph is closed, so that it is asked once more.
            with CrawlGraph.read(folder):
                raise

    return command


@cache
def _declared(module: str) -> dict[str, Any]:
    return facts_beside(__file__, f"{module}.toml")


def _parameter(key: str, facts: dict[str, Any]) -> Decorator:
    if limits := facts.pop("range", None):
        numbers = click.FloatRange if isinstance(limits[0], float) else click.IntRange
        least, most = (*limits, None)[:2]
        facts["type"] = numbers(least, most, min_open=facts.pop("above", False))
    elif kind := facts.get("type"):
        facts["type"] = click.Choice(kind) if isinstance(kind, list) else _TYPES[kind]
    if not key.startswith("-"):
        return click.argument(key, **facts)
    names = [*key.split(), *filter(None, [facts.pop("name", "")])]
    shown = facts.get("default") not in (None, "") and "[default" not in facts["help"]
    return click.option(*names, show_default=shown, **facts)


def write_text(path: Path, text: str) -> None:
    """Write a file that was asked for; ConfigError where it cannot be written."""
    with os_errors(ConfigError, f"cannot write {path}", "; choose another"):
        path.write_text(text, encoding="utf-8")
