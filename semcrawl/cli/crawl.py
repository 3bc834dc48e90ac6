"""``semcrawl crawl``, ``semcrawl resume`` and ``semcrawl revisit``."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from semcrawl.cli.progress import choose_view, figures
from semcrawl.cli.screen import count
from semcrawl.cli.serve import Serving, serve_option
from semcrawl.cli.setting_options import given, options_of
from semcrawl.crawl import CrawlStopped, Settings, StopReason, UrlDropped
from semcrawl.crawl.progress import interruptible
from semcrawl.errors import ConfigError, FetchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from semcrawl.crawl import Crawl

# Running a crawl from the command line: what is shown, Ctrl-C, and the last words.


def run_crawl(
    crawl: Crawl, folder: Path, *, is_new: bool, quiet: bool, as_json: bool
) -> StopReason:
    """Run a crawl to its end, showing it, and say how to go on; why it stopped.

    Raises:
        FetchError: no page at all could be fetched; a new folder is removed then.
    """
    with choose_view(quiet=quiet, as_json=as_json, goal=crawl.settings.pages) as view:
        ending, drops = follow(crawl, view, _resume(folder), quiet=quiet)
    if not ending.progress.pages and ending.reason is StopReason.FRONTIER_EMPTY:
        why = "; ".join(drop.note for drop in drops) or "the seeds led nowhere"
        if is_new:
            # It says nothing that this line does not, and would be in the way of the next try.
            crawl.graph.discard()
        raise FetchError(f"no page could be fetched: {why}", reason="NoPages")
    if not quiet and not as_json:
        _tell(ending, folder, crawl.settings)
    return ending.reason


class Running(Protocol):
    """A crawl that can be followed: of pages or of websites."""

    def visits(self) -> Iterator[Any]:
        """An event for each step, a CrawlStopped at the end."""
        ...

    def stop(self) -> None:
        """Ask it to stop after the visits under way."""
        ...


def follow(
    crawl: Running, view: Callable[[Any], None], resume: str, *, quiet: bool
) -> tuple[CrawlStopped, list[UrlDropped]]:
    """Show the events as they come; the last one, and the first drops.

    ``resume`` is the command that goes on, for who stops it at once.
    """
    drops: list[UrlDropped] = []

    def halt() -> None:
        if not quiet:
            _say("stopping after the visits under way; Ctrl-C again stops at once")
        crawl.stop()

    try:
        with interruptible(halt):
            for event in crawl.visits():
                view(event)
                if isinstance(event, UrlDropped) and len(drops) < 3:
                    drops.append(event)
    except KeyboardInterrupt:
        _say(f"stopped at once; nothing recorded is lost: {resume}")
        raise
    assert isinstance(event, CrawlStopped)
    return event, drops


def _say(message: str) -> None:
    # Written past Python's buffers: a signal may come in the middle of another write.
    os.write(2, f"\nsemcrawl: {message}\n".encode())


def _resume(folder: Path) -> str:
    return f"semcrawl resume {shlex.quote(str(folder))}"


def _tell(ending: CrawlStopped, folder: Path, settings: Settings) -> None:
    place = shlex.quote(str(folder))
    name = shlex.quote(f"{folder.resolve().name}.ttl")
    click.echo(f"Stopped because {ending.reason.sentence}.")
    click.echo(figures(ending.progress))
    if revisits := ending.progress.revisits:
        found = ending.progress
        outcome = f"{found.changed:,} changed, {found.gone:,} gone, {found.failed:,} failed"
        click.echo(f"{count(revisits, 'page')} visited again: {outcome}")
    elif ending.reason is StopReason.MAINTAINED:
        click.echo("No page's last visit is old enough; --hours says how old it must be")
    click.echo(f"Ask it:     semcrawl query {place} best-pages")
    click.echo(f"Export it:  semcrawl export {place} -o {name}")
    if ending.progress.waiting and ending.reason is not StopReason.MAINTAINED:
        click.echo(f"Go on:      {_resume(folder)}{_raised_limit(ending.reason, settings)}")


def _raised_limit(reason: StopReason, settings: Settings) -> str:
    """The option that a resume needs, so that it does not stop again at once."""
    if reason is StopReason.PAGES_REACHED:
        return f" --pages {settings.pages * 2}"
    if reason is StopReason.RELEVANT_REACHED:
        return f" --relevant {settings.relevant * 2}"
    return ""


def _output_options(command: Any) -> Any:
    command = click.option("--quiet", is_flag=True, help="Show errors only.")(command)
    return click.option(
        "--json", "as_json", is_flag=True, help="Print each event as a line of JSON."
    )(command)


@click.command()
@click.argument("topic", required=False)
@click.option("--seed", "seeds", multiple=True, metavar="URL", help="Start here; may be repeated.")
@click.option(
    "--seeds-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Start from the URLs in this file, one a line.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="New folder for the crawl.  [default: named after the topic]",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="TOML file with settings, and topic and seeds if you like.",
)
@serve_option
@_output_options
@options_of(Settings)
def crawl(
    topic: str | None,
    seeds: tuple[str, ...],
    seeds_file: Path | None,
    folder: Path | None,
    config: Path | None,
    serve: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Crawl the web for TOPIC, into a new folder.

    TOPIC is keywords:WORDS, wordnet:WORD, wordnet:SENSE, FILE#CONCEPT of an ontology or
    thesaurus, taxonomy:PATH#CATEGORY, or a topic file (.ttl, .toml).

    \b
    semcrawl crawl wordnet:asthma --seed http://example.org/ --pages 500

    Ctrl-C stops it cleanly (exit code 0), a second one at once (130); both can be resumed.
    """
    from semcrawl.crawl import Crawl, load_settings
    from semcrawl.topics import Topic

    settings, job = load_settings(config) if config else ({}, {})
    settings |= _settings(options)
    spec = topic or job.get("topic")
    if not spec:
        raise ConfigError("no topic: give one, such as wordnet:asthma or keywords:java programming")
    parsed = Topic.parse(spec)
    starts = [*seeds, *read_seeds(seeds_file), *job.get("seeds", [])]
    target = folder or Path(re.sub(r"\W+", "-", parsed.name.lower()).strip("-")[:60] or "crawl")
    with Serving(serve) as page:
        with Crawl(parsed, starts, target, **settings) as running:
            page.show(running, target)
            reason = run_crawl(running, target, is_new=True, quiet=quiet, as_json=as_json)
        page.stay(reason)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@serve_option
@_output_options
@options_of(Settings)
def resume(folder: Path, serve: str | None, quiet: bool, as_json: bool, **options: Any) -> None:
    """Go on with a crawl after a stop, a crash or a limit.

    Settings are those of the crawl; each can be changed:

    \b
    semcrawl resume asthma --pages 2000
    """
    from semcrawl.crawl import Crawl

    with Serving(serve) as page:
        with Crawl.resume(folder, **_settings(options)) as running:
            page.show(running, folder)
            reason = run_crawl(running, folder, is_new=False, quiet=quiet, as_json=as_json)
        page.stay(reason)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--hours", type=click.IntRange(min=0), default=24, show_default=True,
              help="How old the last visit of a page must be.")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True,
              help="How many pages at most.")  # fmt: skip
@_output_options
@options_of(Settings)
def revisit(
    folder: Path, hours: int, limit: int, quiet: bool, as_json: bool, **options: Any
) -> None:
    """Visit pages of a crawl again: what has changed, what is gone.

    Relevant pages and those that changed before come first. Servers are asked for a page only
    if it has changed. New links wait for the next 'semcrawl resume'. Options hold for this run.

    \b
    semcrawl revisit asthma --hours 168
    semcrawl query asthma changing-pages
    """
    from semcrawl.crawl import Crawl

    values = _settings(options)
    with Crawl.revisit(folder, hours=hours, limit=limit, **values) as running:
        run_crawl(running, folder, is_new=False, quiet=quiet, as_json=as_json)


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    """The settings that were given, checked before anything is done."""
    values = given(options)
    Settings.build(values, "the command line")
    return values


def read_seeds(path: Path | None) -> list[str]:
    """The URLs of a file, one a line; blank lines and those that begin with # are none."""
    if path is None:
        return []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ConfigError(f"the seeds file {path} is no UTF-8 text: {error}") from error
    # What follows a tab explains, as in the lists that 'semcrawl seeds augment' prints.
    seeds = (line.partition("\t")[0].strip() for line in lines)
    return [seed for seed in seeds if seed and not seed.startswith("#")]
