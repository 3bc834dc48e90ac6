"""The list of the named queries, and one of them in full, for ``semcrawl query``."""

from __future__ import annotations

import re
import shutil
import textwrap
from itertools import groupby
from typing import TYPE_CHECKING

import click

from semcrawl.cli.screen import harmless

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from semcrawl.graph import NamedQuery, Parameter

__all__ = ["list_queries", "show_query"]

_PURPOSES = {
    "analyse": "what a crawl has found",
    "distill": "hubs and authorities",
    "export": "what an export is made of",
    "frontier": "what waits, and what a resume reads",
    "monitor": "how a crawl is doing",
    "policies": "what revises the frontier, see 'semcrawl policy'",
}
_NARROWEST, _WIDEST = 60, 100


def list_queries(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print what there is, by folder, and end the command."""
    if not wanted:
        return
    from semcrawl.graph import named_queries

    width = min(max(shutil.get_terminal_size().columns, _NARROWEST), _WIDEST)
    click.echo(harmless("\n".join(_listing(named_queries().values(), width))))
    context.exit()


def show_query(context: click.Context, _: click.Parameter, name: str | None) -> None:
    """Print the file of one query, which begins with its help, and end the command."""
    if name is None:
        return
    from semcrawl.graph import find_query

    click.echo(harmless(find_query(name).text.rstrip("\n")))
    context.exit()


def _listing(queries: Iterable[NamedQuery], width: int) -> Iterator[str]:
    ordered = sorted(queries, key=lambda query: query.name)
    column = max((len(_last(query.name)) for query in ordered), default=0) + 4
    for folder, members in groupby(ordered, key=lambda query: query.name.rpartition("/")[0]):
        yield f"{folder}: {_PURPOSES[folder]}" if folder in _PURPOSES else folder
        for query in members:
            yield from _beside(f"  {_last(query.name)}", _first_sentence(query.help), column, width)
            usage = " ".join(map(_usage, query.parameters))
            yield from _beside("", usage, column, width)
        yield ""
    yield "One query in full, with what its parameters mean: semcrawl query --show NAME"


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def _beside(name: str, text: str, column: int, width: int) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=name.ljust(column),
        subsequent_indent=" " * column,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _first_sentence(text: str) -> str:
    # A capital must follow, so that "et al." ends no sentence.
    return re.split(r"(?<=\.)\s(?=[A-Z])", text, maxsplit=1)[0]


def _usage(parameter: Parameter) -> str:
    if parameter.default is None:
        return f"{parameter.name}={parameter.type.upper()}"
    return f"[{parameter.name}={parameter.default}]"
