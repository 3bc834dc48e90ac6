"""``semcrawl crawl``, ``resume`` and ``revisit``."""

import shlex
import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import click

from semcrawl.cli.crawl_run import CrawlLines, CrawlRun, CrawlScreen, figures, folder_name
from semcrawl.cli.options import SettingsCommand, given, options_of, parameters
from semcrawl.cli.progress import Display
from semcrawl.cli.screen import count, one_line
from semcrawl.cli.serve import say
from semcrawl.cli.topic import read_topic, required_topic
from semcrawl.crawl import Crawl, CrawlStopped, Event, Settings, StopReason
from semcrawl.crawl.settings import load_settings
from semcrawl.crawl.shards.beginning import BegunShards, begin_shards, reopen_shards
from semcrawl.crawl.shards.cluster import crawl_here, joined
from semcrawl.crawl.shards.copies import Copies
from semcrawl.crawl.shards.driver import ShardedCrawl
from semcrawl.crawl.shards.layout import DEFAULT_SHARDS, ShardedFolder, is_sharded, parts_of
from semcrawl.errors import ConfigError
from semcrawl.graph.export import topic_files
from semcrawl.models.training_pages import listed_addresses
from semcrawl.web.urls import canonical_at

_NOTHING_RELEVANT = (
    "No page is relevant: see what is looked for with 'semcrawl topic TOPIC --lens', start from "
    "pages on the topic, give --language if they are in another, or try another topic"
)


class _PageCrawlRun(CrawlRun[Any]):
    command = "semcrawl resume"

    def view(self, crawl: Crawl | ShardedCrawl) -> Display[Event]:
        return CrawlScreen(crawl.settings.pages) if sys.stderr.isatty() else CrawlLines()

    def tell(self, crawl: Crawl | ShardedCrawl, ending: CrawlStopped) -> None:
        found, reason = ending.progress, ending.reason
        name = Path(f"{self.folder.resolve().name}.ttl")
        if name.exists() or name.name in (one.name for one in topic_files(crawl.topic.to_toml(absolute=True))):
            name = name.with_stem(f"{name.stem}-pages")
        click.echo(f"Stopped because {reason.sentence}.")
        click.echo(figures(found))
        if found.revisits:
            outcome = f"{found.changed:,} changed, {found.gone:,} gone, {found.failed:,} failed"
            click.echo(f"{count(found.revisits, 'page')} visited again: {outcome}")
        elif reason is StopReason.MAINTAINED:
            click.echo("No page's last visit is old enough; --hours says how old it must be")
        click.echo(f"Ask it:     semcrawl query {self.place} best-pages")
        if found.relevant:
            click.echo(f"Export it:  semcrawl export {self.place} -o {shlex.quote(str(name))}")
        elif found.pages:
            click.echo(_NOTHING_RELEVANT)
        if found.waiting and reason is not StopReason.MAINTAINED:
            # With the limit raised, so that it does not stop again at once.
            raised = {
                StopReason.PAGES_REACHED: f" --pages {crawl.settings.pages * 2}",
                StopReason.RELEVANT_REACHED: f" --relevant {crawl.settings.relevant * 2}",
            }
            click.echo(f"Go on:      {self.resume}{raised.get(reason, '')}")


@click.command(cls=SettingsCommand)
@parameters("crawl")
@options_of(Settings)
def crawl(
    topic: str | None, seeds: tuple[str, ...], seeds_file: Path | None, language: str | None, folder: Path | None,
    config: Path | None, shards: int | None, ray: str | None, copies: str | None, serve: str | None,
    quiet: bool, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Crawl the web for TOPIC, into a new folder."""
    settings, job = load_settings(config) if config else ({}, {})
    settings |= _settings(options)
    parsed = read_topic(required_topic(topic or job.get("topic")), language=language or job.get("language"))
    listed = listed_addresses(seeds_file) if seeds_file else ()
    told = (canonical_at(f"line {number} of {seeds_file}", address) for number, address in listed)
    starts = [*seeds, *told, *job.get("seeds", [])]
    target = folder or Path(folder_name(parsed.name, 60))
    run = _PageCrawlRun(target, is_new=True, quiet=quiet, as_json=as_json)
    if shards is not None or ray is not None or copies is not None:
        begun = partial(begin_shards, parsed, starts, target, shards or DEFAULT_SHARDS, **settings)
        _run_shards(run, ray, copies, serve, begun)
        return
    run.serve_and_run(serve, lambda: Crawl(parsed, starts, target, **settings))


@click.command(cls=SettingsCommand)
@parameters("resume")
@options_of(Settings)
def resume(
    folder: Path, trust: bool, shards: int | None, ray: str | None, copies: str | None, serve: str | None,
    quiet: bool, as_json: bool, **options: Any,
) -> None:  # fmt: skip
    """Go on with a crawl after a stop, a crash or a limit."""
    settings = _settings(options)
    run = _PageCrawlRun(folder, is_new=False, quiet=quiet, as_json=as_json)
    if copies is not None or is_sharded(folder):
        for number in Copies(copies).restore(folder) if copies else ():
            click.echo(f"shard {number} is brought back from its copy", err=True)
        ShardedFolder.open(folder).require_count(shards)
        _run_shards(run, ray, copies, serve, partial(reopen_shards, folder, trust=trust, **settings))
        return
    if shards is not None or ray is not None:
        raise ConfigError(f"{folder} holds no crawl in shards: leave out --shards and --ray")
    run.serve_and_run(serve, lambda: _with_notes(Crawl.resume(folder, trust=trust, **settings)))


def _with_notes(crawl: Crawl) -> Crawl:
    """Tell on stderr which files of the topic were written after the crawl began; return the crawl."""
    began = crawl.graph.describe().started.timestamp()
    for file in topic_files(crawl.topic.to_toml(absolute=True)):
        if file.is_file() and file.stat().st_mtime > began:
            text = f"note: {file.name} was written after the crawl began: other pages are judged by what it says now"
            click.echo(one_line(text), err=True)
    return crawl


@click.command(cls=SettingsCommand)
@parameters("revisit")
@options_of(Settings)
def revisit(folder: Path, hours: int, limit: int, trust: bool, quiet: bool, as_json: bool, **options: Any) -> None:
    """Visit pages of a crawl again: what has changed, what is gone."""
    settings = _settings(options)
    # Shards are done one after the other, each with its part of the limit.
    places = parts_of(folder)
    least, more = divmod(limit, len(places))
    for number, place in enumerate(places):
        if share := least + (number < more):
            run = _PageCrawlRun(place, is_new=False, quiet=quiet, as_json=as_json)
            with Crawl.revisit(place, hours=hours, limit=share, trust=trust, **settings) as running:
                run.run(running)


def _run_shards(
    run: _PageCrawlRun, ray: str | None, copies: str | None, serve: str | None, begin: partial[BegunShards]
) -> None:
    if serve is not None:
        raise ConfigError(
            "--serve shows a crawl of one process: leave it out, and run "
            f"'semcrawl serve {run.folder}' beside the crawl"
        )
    kept = Copies(copies) if copies else None
    advice = f"nothing recorded is lost: when it is up again, go on with '{run.resume} --ray {ray}'"
    with joined(ray, lambda note: say(f"{note}; {advice}", "\n")) if ray else nullcontext() as cluster:
        crawl = cluster.crawl(begin()) if cluster else crawl_here(begin())
        crawl.copies = kept
        run.run(crawl)


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    values = given(options)
    Settings.build(values, "the command line")
    return values
