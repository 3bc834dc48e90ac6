"""Arguments and options that several commands have."""

from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from semcrawl.errors import ConfigError

F = TypeVar("F", bound="Callable[..., Any]")

PATH: click.Path = click.Path(path_type=Path)
FILE: click.Path = click.Path(path_type=Path, dir_okay=False)

language_option = click.option(
    "--language",
    metavar="TAGS",
    help="Language of labels and pages, or several: fr,ru.  [default: the topic's, or en]",
)


def crawl_folder(command: F) -> F:
    """The argument FOLDER of a command; values in its graph that no crawl writes are told of."""

    @wraps(command)
    def on_folder(folder: Path, **given: Any) -> Any:
        try:
            return command(folder=folder, **given)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            from semcrawl.graph import CrawlGraph

            # What was read is shown after the graph is closed, so that it is asked once more.
            with CrawlGraph.read(folder):
                raise

    return cast("F", click.argument("folder", type=PATH)(on_folder))


def option(*names: str, help: str, **settings: Any) -> Callable[[F], F]:  # noqa: A002 - click's own name
    """An option that shows its default."""
    return click.option(*names, show_default=True, help=help, **settings)


def number_option(
    flag: str, default: float, text: str, least: float = 1, most: float | None = None
) -> Callable[[F], F]:
    """An option for a number from ``least`` to ``most``, a whole one if its default is."""
    kind = click.FloatRange if isinstance(default, float) else click.IntRange
    return option(flag, type=kind(least, most), default=default, help=text)


def flag_option(*names: str, help: str) -> Callable[[F], F]:  # noqa: A002 - click's own name
    """An option without a value."""
    return click.option(*names, is_flag=True, help=help)


def format_option(
    choices: Iterable[str], text: str, default: str | None = "table"
) -> Callable[[F], F]:
    """``--format``, known as ``form``."""
    kind = click.Choice(tuple(choices))
    return click.option(
        "--format", "form", type=kind, default=default, show_default=default is not None, help=text
    )


trust_option = flag_option(
    "--trust", help="Obey code, files and addresses that FOLDER names, though another made it."
)


def json_option(text: str) -> Callable[[F], F]:
    """``--json``, known as ``as_json``."""
    return flag_option("--json", "as_json", help=text)


def write_text(path: Path, text: str) -> None:
    """Write a file that was asked for; ConfigError where it cannot be written."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}; choose another") from error
