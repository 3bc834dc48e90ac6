"""``semcrawl query``."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from semcrawl.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.graph import Answer, CrawlGraph

__all__ = ["query"]

ROW_FORMATS = ("table", "csv", "tsv", "json")
GRAPH_FORMATS = ("turtle", "ntriples", "jsonld", "rdfxml")


def _list(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from semcrawl.graph import named_queries

    for name, found in named_queries().items():
        click.echo(f"{name:<26} {found.help}")
        for parameter in found.parameters:
            given = "required" if parameter.default is None else f"default {parameter.default}"
            click.echo(f"{'':<28}{parameter.name} ({given}): {parameter.help}")
    context.exit()


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("query_", metavar="QUERY")
@click.argument("parameters", nargs=-1, metavar="[NAME=VALUE]...")
@click.option(
    "--format",
    "form",
    type=click.Choice((*ROW_FORMATS, *GRAPH_FORMATS)),
    help="[default: table for rows, turtle for triples]",
)
@click.option("--timeout", type=float, default=60.0, show_default=True, help="In s; 0: none.")
@click.option(
    "--list",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list,
    help="List the named queries with their parameters.",
)
def query(
    folder: Path, query_: str, parameters: tuple[str, ...], form: str | None, timeout: float
) -> None:
    """Ask the crawl in FOLDER; works while it runs.

    QUERY is the name of a query, a file of your own (.rq), or a SPARQL text.

    \b
    semcrawl query asthma best-pages limit=5
    semcrawl query asthma 'SELECT ?u WHERE { ?u a sc:Seed }' --format csv
    """
    from semcrawl.graph import CrawlGraph

    values = dict(_pair(text) for text in parameters)
    with CrawlGraph.read(folder) as graph, _time_limit(timeout, graph):
        answer = _ask(graph, query_, values)
        _show(answer, form)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise QueryError(f"{text!r} is no parameter: write name=value")
    return name, value


def _ask(graph: CrawlGraph, text: str, values: dict[str, str]) -> Answer:
    from semcrawl.graph.queries import parse_query

    if text.endswith(".rq"):
        path = Path(text)
        try:
            found = parse_query(path.read_text(encoding="utf-8"), path.name)
        except (OSError, UnicodeDecodeError) as error:
            raise QueryError(f"cannot read the query file {path}: {error}") from error
        return graph.store.query(found.bind(values))
    if text.split(None, 1)[:1] and text.split(None, 1)[0].upper() in ("INSERT", "DELETE", "DROP"):
        raise QueryError("a crawl graph can be asked, not changed: write SELECT, ASK or CONSTRUCT")
    if values and len(text.split()) > 1:
        raise QueryError("parameters are for named queries and files, not for a SPARQL text")
    return graph.query(text, **values)


def _show(answer: Answer, form: str | None) -> None:
    chosen = form or ("turtle" if answer.kind == "construct" else "table")
    click.echo(answer.serialize(chosen), nl=False)
    if answer.kind != "ask" and not len(answer):
        click.echo("(nothing found)", err=True)


@contextmanager
def _time_limit(seconds: float, graph: CrawlGraph) -> Iterator[None]:
    """End the process when a query takes too long.

    The engine cannot be told to stop, but it only reads: ending is safe.
    """
    if not seconds:
        yield
        return

    def give_up() -> None:
        graph.close()
        sys.stderr.write(
            f"semcrawl: error: the query took more than {seconds:g} s: make it narrower, "
            "or give it longer with --timeout\n"
        )
        sys.stderr.flush()
        os._exit(1)

    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
