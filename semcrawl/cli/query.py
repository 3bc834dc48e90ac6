"""``semcrawl query``, ``gather``, ``export`` and ``validate``: what is in the graph of a crawl."""

import os
import re
import shutil
import sys
import tempfile
import textwrap
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NoReturn

import click

from semcrawl.cli.options import parameters
from semcrawl.cli.progress import working
from semcrawl.cli.screen import count, cut, harmless, harmless_json, print_data
from semcrawl.errors import ConfigError, QueryError, SemcrawlError
from semcrawl.graph import Answer, CrawlGraph
from semcrawl.graph.queries import NamedQuery, Parameter
from semcrawl.resources import facts_beside

_PURPOSES = facts_beside(__file__, "query.toml")["purposes"]
_LOOK, _MOST_MEMORY = 0.05, 4 << 30  # seconds between two looks at a query, bytes that it may take
_FOR_USERS = ("analyse/", "monitor/", "distill/best-")


def _list_queries(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if option.name == "list":  # whether --all follows is seen when that is called, which it always is, and later
        context.meta["list"] = wanted
        return
    if not wanted and not context.meta["list"]:
        return
    from semcrawl.graph import named_queries

    queries = sorted(named_queries().values(), key=lambda query: query.name)
    lines = _listing(queries) if wanted else _short(queries)
    click.echo(harmless("\n".join(lines)))
    context.exit()


def _show_query(context: click.Context, _: click.Parameter, name: str | None) -> None:
    if name is None:
        return
    from semcrawl.graph.queries import find_query

    click.echo(harmless(find_query(name).text.rstrip("\n")))
    context.exit()


def _short(queries: Iterable[NamedQuery]) -> Iterator[str]:
    """The queries that people ask, a line each."""
    shown = [query for query in queries if query.name.startswith(_FOR_USERS)]
    column = max(len(_last(query.name)) for query in shown) + 2
    for query in shown:
        about = _first_sentence(query.help).removeprefix(query.title).lstrip(":. ")
        yield cut(f"{_last(query.name):<{column}}{about or query.title}", shutil.get_terminal_size().columns)
    yield ""
    yield "One in full, with its parameters: semcrawl query --show NAME"
    yield "All, with parameters, also those that semcrawl itself asks: semcrawl query --all"


def _listing(queries: Iterable[NamedQuery]) -> Iterator[str]:
    ordered = list(queries)
    column = max((len(_last(query.name)) for query in ordered), default=0) + 4
    for folder, members in groupby(ordered, key=lambda query: query.name.rpartition("/")[0]):
        yield f"{folder}: {_PURPOSES[folder]}" if folder in _PURPOSES else folder
        for query in members:
            yield beside(f"  {_last(query.name)}", _first_sentence(query.help), column)
            if query.parameters:
                yield beside("", " ".join(map(_usage, query.parameters)), column)
        yield ""
    yield "THRESHOLD is the crawl's own: the relevance from which on a page is relevant."
    yield "One query in full, with what its parameters mean: semcrawl query --show NAME"


def _last(name: str) -> str:
    return name.rpartition("/")[2]


def beside(name: str, text: str, column: int) -> str:
    """A name and what it is, in lines that fit the screen."""
    head, margin = name.ljust(column), " " * column
    width = min(max(shutil.get_terminal_size().columns, 60), 100)
    return textwrap.fill(text, width, initial_indent=head, subsequent_indent=margin, break_on_hyphens=False)


def _first_sentence(text: str) -> str:
    # A capital must follow, so that "et al." ends no sentence.
    return re.split(r"(?<=\.)\s(?=[A-Z])", text, maxsplit=1)[0]


def _usage(parameter: Parameter) -> str:
    if parameter.default is None:
        return f"{parameter.name}={parameter.type.upper()}"
    default = "THRESHOLD" if parameter.is_threshold else parameter.default
    return f"[{parameter.name}={default}]"


@click.command()
@parameters("query", list=_list_queries, all=_list_queries, show=_show_query)
def query(
    folder: Path, query_: str | None, parameters: tuple[str, ...], form: str | None, timeout: float, trust: bool
) -> None:
    """Ask the crawl in FOLDER; works while it runs."""
    from semcrawl.crawl.pages.steering import give_functions
    from semcrawl.crawl.shards.reading import read_crawl
    from semcrawl.graph.queries import why_empty

    if query_ is None:
        raise click.UsageError(
            f"which query? 'semcrawl query --list' lists those that have a name; try for example "
            f"'semcrawl query {folder} best-pages'"
        )
    values = dict(_pair(text) for text in parameters)
    with read_crawl(folder, trust=trust) as graph:
        give_functions(graph)
        asked = _text(graph, query_, values)
        answer = _within(timeout, graph, lambda: graph.store.query(asked))
        notes = list(why_empty(graph.store, asked)) if answer.found_nothing else []
    chosen = form or ("turtle" if answer.kind == "construct" else "table")
    # A table is for a person's terminal; the other forms are for programs, and say what they said.
    print_data({"table": harmless, "json": harmless_json}.get(chosen, str)(answer.serialize(chosen)))
    if answer.kind != "ask" and not len(answer):
        click.echo("(nothing found)", err=True)
    for note in notes:
        click.echo(harmless(note), err=True)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise QueryError(f"{text!r} is no parameter: write name=value")
    return name, value


def _text(graph: CrawlGraph, query_: str, values: dict[str, str]) -> str:
    """The SPARQL text that a name, a file or a text stands for, its parameters bound."""
    from semcrawl.graph.queries import read_query_file

    if query_.endswith(".rq"):
        return graph.named_query(read_query_file(Path(query_))).bind(values)
    if len(query_.split()) == 1 and "{" not in query_:
        return graph.named_query(query_).bind(values)
    if values:
        raise QueryError("parameters are for named queries and files, not for a SPARQL text")
    return query_


def _within(seconds: float, graph: CrawlGraph, ask: Callable[[], Answer]) -> Answer:
    """Ask in a thread of its own, so that Ctrl-C and the end of the time are heard meanwhile."""
    answers: list[Answer] = []
    errors: list[Exception] = []

    def work() -> None:
        try:
            answers.append(ask())
        except SemcrawlError as error:
            # The engine's iterators must die in this thread, and a traceback keeps them alive.
            error.__cause__ = error.__context__ = None
            errors.append(error.with_traceback(None))
        except Exception as error:  # noqa: BLE001 - raised again in the thread that waits
            errors.append(error)

    # The engine is recursive; some systems give threads a small stack.
    before = threading.stack_size(64 << 20)
    thread = threading.Thread(target=work, name="query", daemon=True)
    thread.start()
    threading.stack_size(before)
    ends = time.monotonic() + seconds
    with working("asking the crawl"):
        thread.join(_LOOK if seconds else None)
        while thread.is_alive():
            if time.monotonic() > ends:
                _give_up(f"{seconds:g} s", "give it longer with --timeout", graph)
            if _peak_memory() > _MOST_MEMORY:
                _give_up(f"{_MOST_MEMORY >> 20:,} MB of memory", "allow any with --timeout 0", graph)
            thread.join(_LOOK)
    if errors:
        raise errors[0]
    return answers[0]


def _peak_memory() -> int:
    try:
        import resource
    except ImportError:  # pragma: no cover - not on every system
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _give_up(limit: str, advice: str, graph: CrawlGraph) -> NoReturn:
    """End the process: the engine cannot be told to stop, but it only reads, so this is safe."""
    graph.close()
    click.echo(f"semcrawl: error: the query took more than {limit}: make it narrower, or {advice}", err=True)
    os._exit(1)


@click.command()
@parameters("gather")
def gather(folder: Path) -> None:
    """Make one graph of all shards of a crawl; works while it runs."""
    from semcrawl.crawl.shards.gathering import gather as gather_here
    from semcrawl.crawl.shards.layout import GATHERED, ShardedFolder

    found = gather_here(folder)
    click.echo(f"{count(found, 'shard')} of {folder}, as they are now, in {folder / GATHERED}", err=True)
    if missing := ShardedFolder.open(folder).count - found:
        click.echo(f"warning: {count(missing, 'shard')} of {folder} missing: bring back their folders", err=True)


def one_folder(folder: Path) -> Path:
    """Return a folder with one graph: the crawl's own, or that which its shards are gathered in."""
    from semcrawl.crawl.shards.layout import GATHERED, is_sharded

    if not is_sharded(folder):
        return folder
    click.get_current_context().invoke(gather, folder=folder)
    return folder / GATHERED


@click.command()
@parameters("export")
def export(
    folder: Path,
    output: Path | None,
    form: str | None,
    min_relevance: float | None,
    whole: bool,
    crate: bool,
    endpoint: str,
    into: str,
    **about: Any,
) -> None:
    """Write the relevant pages of a crawl, or send its graph."""
    from semcrawl.graph import CrawlGraph
    from semcrawl.graph import export as write
    from semcrawl.graph.export import format_of, own_statements_left_out

    folder = one_folder(folder)
    if endpoint or into:
        if not endpoint or any((output, form, crate, min_relevance is not None, *about.values())):
            raise ConfigError("--to ADDRESS sends the whole graph: give only --into beside it")
        from semcrawl.graph.send import send

        with CrawlGraph.read(folder) as graph:
            sent = send(graph, endpoint, into=into)
        click.echo(f"{count(sent, 'statement')} sent to {endpoint}")
        return
    if crate or (output is not None and output.suffix.lower() == ".wacz" and form is None):
        if form is not None or whole:
            raise ConfigError("a crate or WACZ file has its own formats: no --format, no --whole")
        pages = _deposit(folder, output, crate, min_relevance=min_relevance, **about)
        _tell_of_pages(pages, output)
        return
    to_screen = output is None or str(output) == "-"
    if to_screen and form is None:
        raise ConfigError("give a file with -o FILE, or a --format for the screen")
    with CrawlGraph.read(folder) as graph, tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "export" if output is None or to_screen else output
        form = form or format_of(target)
        with working(f"writing {output or form}"):
            pages = write(graph, target, form, min_relevance=min_relevance, whole=whole, **about)
        left_out = own_statements_left_out(graph, form, min_relevance, whole=whole)
        said = ", ".join(f"--{name}" for name, value in about.items() if value)
        if said and form in ("csv", "graphml"):
            click.echo(f"{form} has no place for {said}: left out", err=True)
        if left_out:
            click.echo(
                f"{form} has no named graphs: {count(left_out, 'statement')} that pages make themselves "
                "left out; trig, nquads and jsonld hold them",
                err=True,
            )
        if to_screen:
            print_data(target.read_bytes().decode())
            return
    _tell_of_pages(pages, output, is_all=whole)


def _deposit(folder: Path, output: Path | None, crate: bool, **options: Any) -> int:
    from semcrawl.crawl.deposit import write_crate, write_wacz
    from semcrawl.graph import CrawlGraph

    if output is None or str(output) == "-":
        raise ConfigError("a crate is a folder: give its name with -o FOLDER")
    with CrawlGraph.read(folder) as graph, working(f"writing {output}"):
        return (write_crate if crate else write_wacz)(graph, output, **options)


def _tell_of_pages(pages: int, output: Path | None, *, is_all: bool = False) -> None:
    click.echo(f"{count(pages, 'page')} written to {output}")
    if not pages and not is_all:
        click.echo("no page is relevant enough: see --min-relevance", err=True)


@click.command()
@parameters("mirror")
def mirror(folder: Path, endpoint: str | None, trust: bool) -> None:
    """Bring the SPARQL server that mirrors a crawl in step with it."""
    from semcrawl.crawl import Settings
    from semcrawl.crawl.shards.beginning import reopen_shards
    from semcrawl.crawl.shards.gathering import mirrored_shards
    from semcrawl.crawl.shards.layout import is_sharded
    from semcrawl.crawl.trust import require_trust
    from semcrawl.graph import CrawlGraph
    from semcrawl.graph.mirror import Mirror, Mirrored, mirrored

    crawl: Callable[[], Mirrored]
    with ExitStack() as opened:
        if is_sharded(folder):
            begun = reopen_shards(folder, trust=trust, **({"mirror": endpoint} if endpoint else {}))
            opened.enter_context(begun.folder.driven())
            address, crawl = begun.settings.mirror, partial(mirrored_shards, begun.folder)
        else:
            graph = opened.enter_context(CrawlGraph.open(folder, trust=trust))
            require_trust(graph, () if endpoint else ("mirror",))
            address = endpoint or Settings.from_json(graph.describe().settings).mirror
            crawl = partial(mirrored, graph)
        if not address:
            raise ConfigError("the crawl has no mirror: give the server's address for updates")
        with Mirror(crawl(), address) as server, working(f"sending to {address}"):
            server.catch_up()
            found = server.compare()
    click.echo(f"{address} has all of the graph: {count(found, 'statement')}")


@click.command()
@parameters("validate")
@click.pass_context
def validate(ctx: click.Context, place: Path, quiet: bool) -> None:
    """Check a crawl or a collection against its SHACL shapes."""
    from semcrawl.graph.validation import validate as check

    place = one_folder(place)
    with working(f"checking {place}"):
        report = check(place)
    wrong = len(report.violations)
    if not quiet:
        click.echo(harmless(report.text()), nl=False)
        what = f"{report.kind} of {count(report.pages, 'page')}"
        click.echo(f"{count(wrong, 'violation')} in a {what}" if wrong else f"a valid {what}")
    ctx.exit(1 if wrong else 0)
