"""``semcrawl sites`` and ``site-list``: crawls for websites."""

from pathlib import Path
from typing import Any

import click

from semcrawl.cli.crawl_run import CrawlRun, folder_name, warning
from semcrawl.cli.options import SettingsCommand, given, options_of, parameters, write_text
from semcrawl.cli.progress import Display, PlainLines, working
from semcrawl.cli.screen import count, harmless, one_line, print_data
from semcrawl.cli.topic import read_topic, required_topic
from semcrawl.crawl import CrawlStopped, CrawlWarned, Settings, StopReason
from semcrawl.crawl.sites import SiteClosed, SiteCrawl, SiteEvent, SiteProgress, SiteSettings
from semcrawl.crawl.sites.listing import list_sites, site_list_text
from semcrawl.crawl.sites.settings import PAGE_SETTINGS
from semcrawl.errors import ConfigError
from semcrawl.graph import CrawlGraph
from semcrawl.models.site_training import read_homepages

_SHOWN = 20


def _site_figures(progress: SiteProgress) -> str:
    pprs = f", {progress.pprs:.1f} pages for each" if progress.relevant_sites else ""
    refused = progress.refused_by_limit
    left = f", {count(refused, 'site')} refused by a limit" if refused else ""
    return (
        f"{count(progress.sites, 'site')} read, {progress.relevant_sites:,} relevant{pprs}, "
        f"{count(progress.pages, 'page')}, {progress.pages_per_second:.1f} pages/s, "
        f"{count(progress.waiting, 'site')} waiting{left}, {count(progress.errors, 'error')}"
    )


class _SiteLines(PlainLines["SiteEvent"]):
    def __call__(self, event: SiteEvent) -> None:
        if isinstance(event, CrawlWarned):
            self.say(warning(event))
        elif isinstance(event, SiteClosed):
            self.say(_line(event))
            self.say_when_due(_site_figures(event.progress))


def _line(event: SiteClosed) -> str:
    sure = "  -  " if event.confidence is None else f"{event.confidence:.3f}"
    mark = "●" if event.is_relevant else "○"
    why = f"{event.reason.sentence}{': ' if event.note else ''}{event.note}"
    words = one_line(f"{event.site}, {count(event.pages, 'page')}: {why}")
    return f"{mark} {sure}  {words}"


class _SiteCrawlRun(CrawlRun[SiteCrawl]):
    command = "semcrawl sites --resume"

    def view(self, crawl: SiteCrawl) -> Display[SiteEvent]:  # noqa: ARG002
        return _SiteLines(after=5.0)

    def tell(self, crawl: SiteCrawl, ending: CrawlStopped) -> None:
        found = list_sites(crawl.graph, evidence=0).sites
        for one in found[:_SHOWN]:
            unread = "" if one.site_class else "  (being read)"
            name = one_line(f"{one.site} {one.title}".strip())
            click.echo(f"{one.confidence:.3f}  {count(one.pages, 'page'):>9}  {name}{unread}")
        if len(found) > _SHOWN:
            click.echo(f"… and {len(found) - _SHOWN:,} more")
        click.echo(f"Stopped because {ending.reason.sentence}.")
        click.echo(_site_figures(crawl.progress))
        click.echo(f"List them:  semcrawl site-list {self.place}")
        if crawl.progress.waiting or crawl.progress.open_sites:
            # With the limit raised, so that it does not stop again at once.
            raised = {
                StopReason.PAGES_REACHED: f" --pages {crawl.settings.pages * 2}",
                StopReason.SITES_REACHED: f" --sites {crawl.site_settings.sites * 2}",
                StopReason.EFFORT_RISEN: " --pprs-window 0",
            }
            click.echo(f"Go on:      {self.resume}{raised.get(ending.reason, '')}")


@click.command(cls=SettingsCommand)
@parameters("sites")
@options_of(SiteSettings)
@options_of(Settings, PAGE_SETTINGS)
def sites(
    topic: str | None,
    seeds: tuple[str, ...],
    seeds_file: Path | None,
    language: str | None,
    folder: Path | None,
    again: Path | None,
    trust: bool,
    serve: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Look for whole websites about TOPIC, not single pages."""
    settings = given(options)
    if again is not None:
        if topic or seeds or seeds_file or folder or language:
            raise ConfigError("--resume goes on with a crawl: it takes no topic, seeds, language or folder")
        run = _SiteCrawlRun(again, is_new=False, quiet=quiet, as_json=as_json)
        run.serve_and_run(serve, lambda: SiteCrawl.resume(again, trust=trust, **settings))
        return
    parsed = read_topic(required_topic(topic), language=language)
    target = folder or Path(f"{folder_name(parsed.name, 54)}-sites")
    starts = [*seeds, *(read_homepages(seeds_file) if seeds_file else ())]
    run = _SiteCrawlRun(target, is_new=True, quiet=quiet, as_json=as_json)
    run.serve_and_run(serve, lambda: SiteCrawl(parsed, starts, target, **settings))


@click.command("site-list")
@parameters("site-list")
def site_list(folder: Path, form: str, output: Path | None, min_confidence: float) -> None:
    """List the websites that a crawl has found, best first."""
    with working("listing the sites"), CrawlGraph.read(folder) as graph:
        text = site_list_text(graph, form, min_confidence)
    if output is not None:
        write_text(output, text)
        click.echo(f"{count(len(text.encode()), 'byte')} written to {output}")
        return
    # A table is for a person's terminal; the other forms are for programs, and stay as they are.
    print_data(harmless(text) if form == "table" else text)
    if not text.strip():
        click.echo("no site is confident enough: see --min-confidence", err=True)
