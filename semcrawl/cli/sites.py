"""``semcrawl sites``."""

from __future__ import annotations

import json
import re
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from semcrawl.cli.crawl import follow
from semcrawl.cli.progress import as_row
from semcrawl.cli.screen import count, harmless, one_line
from semcrawl.cli.serve import Serving, serve_option
from semcrawl.cli.setting_options import given, options_of
from semcrawl.crawl import CrawlStopped, Settings, StopReason
from semcrawl.crawl.sites import SiteClosed, SiteSettings
from semcrawl.crawl.sites.settings import PAGE_SETTINGS
from semcrawl.errors import ConfigError, FetchError

if TYPE_CHECKING:
    from collections.abc import Callable

    from semcrawl.crawl.sites import SiteCrawl, SiteEvent, SiteProgress

# Showing a running crawl for websites: a line for each site that is done, or JSON.


_EVERY = 5.0


def choose_site_view(*, quiet: bool, as_json: bool) -> Callable[[SiteEvent], None]:
    """What is told of each event."""
    if as_json:
        return _tell_json
    return _tell_nothing if quiet else _Lines()


def site_figures(progress: SiteProgress) -> str:
    """The running figures in one line of words."""
    pprs = f", {progress.pprs:.1f} pages for each" if progress.relevant_sites else ""
    refused = progress.refused_by_limit
    left = f", {count(refused, 'site')} refused by a limit" if refused else ""
    return (
        f"{count(progress.sites, 'site')} read, {progress.relevant_sites:,} relevant{pprs}, "
        f"{count(progress.pages, 'page')}, {progress.pages_per_second:.1f} pages/s, "
        f"{count(progress.waiting, 'site')} waiting{left}, {count(progress.errors, 'error')}"
    )


def _tell_nothing(_event: SiteEvent) -> None:
    """Pass over the event."""


def _tell_json(event: SiteEvent) -> None:
    row = _row(event) if isinstance(event, SiteClosed) else as_row(event)
    click.echo(json.dumps({**row, "progress": event.progress.to_dict()}, ensure_ascii=False))


def _row(event: SiteClosed) -> dict[str, object]:
    return {
        "event": "site",
        "site": event.site,
        "homepage": event.homepage,
        "confidence": event.confidence,
        "class": event.site_class,
        "relevant": event.is_relevant,
        "pages": event.pages,
        "reason": str(event.reason),
        "note": event.note,
    }


class _Lines:
    """A line for every site that is done, and the figures every few seconds."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _EVERY

    def __call__(self, event: SiteEvent) -> None:
        if isinstance(event, SiteClosed):
            click.echo(_line(event), err=True)
            if time.monotonic() >= self._next:
                click.echo(site_figures(event.progress), err=True)
                self._next = time.monotonic() + _EVERY


def _line(event: SiteClosed) -> str:
    sure = "  -  " if event.confidence is None else f"{event.confidence:.3f}"
    mark = "●" if event.is_relevant else "○"
    why = f"{event.reason.sentence}{': ' if event.note else ''}{event.note}"
    words = one_line(f"{event.site}, {count(event.pages, 'page')}: {why}")
    return f"{mark} {sure}  {words}"


_SHOWN = 20


@click.command()
@click.argument("topic", required=False)
@click.option("--seed", "seeds", multiple=True, metavar="URL",
              help="Start with this site; may be repeated.")  # fmt: skip
@click.option(
    "--seeds-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Start with the sites of the URLs in this file, one a line; http:// may be left out.",
)
@click.option("--folder", type=click.Path(path_type=Path),
              help="New folder for the crawl.  [default: named after the topic]")  # fmt: skip
@click.option("--resume", "again", type=click.Path(path_type=Path), metavar="FOLDER",
              help="Go on with a crawl for websites, without TOPIC.")  # fmt: skip
@serve_option
@click.option("--quiet", is_flag=True, help="Show errors only.")
@click.option("--json", "as_json", is_flag=True, help="Print each event as a line of JSON.")
@options_of(SiteSettings)
@options_of(Settings, PAGE_SETTINGS)
def sites(
    topic: str | None,
    seeds: tuple[str, ...],
    seeds_file: Path | None,
    folder: Path | None,
    again: Path | None,
    serve: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Look for whole websites about TOPIC, not single pages.

    TOPIC is what 'semcrawl crawl' takes. A model of 'semcrawl train sites' tells sites better;
    without one the topic alone is enough.

    \b
    semcrawl sites wordnet:asthma --seed http://example.org/ --sites 50
    semcrawl sites --resume asthma-sites --sites 100
    semcrawl site-list asthma-sites
    """
    from semcrawl.crawl.sites import SiteCrawl

    values = given(options)
    if again is not None:
        if topic or seeds or seeds_file or folder:
            raise ConfigError("--resume goes on with a crawl: it takes no topic, seeds or folder")
        with Serving(serve) as page:
            with SiteCrawl.resume(again, **values) as running:
                page.show(running, again)
                reason = _run(running, again, is_new=False, quiet=quiet, as_json=as_json)
            page.stay(reason)
        return
    if not topic:
        raise ConfigError("no topic: give one, such as wordnet:asthma or keywords:java programming")
    from semcrawl.models.site_training import read_homepages
    from semcrawl.topics import Topic

    parsed = Topic.parse(topic)
    name = re.sub(r"\W+", "-", parsed.name.lower()).strip("-")[:54] or "crawl"
    target = folder or Path(f"{name}-sites")
    listed = read_homepages(seeds_file) if seeds_file else []
    with Serving(serve) as page:
        with SiteCrawl(parsed, [*seeds, *listed], target, **values) as running:
            page.show(running, target)
            reason = _run(running, target, is_new=True, quiet=quiet, as_json=as_json)
        page.stay(reason)


def _run(crawl: SiteCrawl, folder: Path, *, is_new: bool, quiet: bool, as_json: bool) -> StopReason:
    """Run a crawl to its end, showing it, and list what was found; why it stopped.

    Raises:
        FetchError: no page at all could be fetched; a new folder is removed then.
    """
    view = choose_site_view(quiet=quiet, as_json=as_json)
    ending, drops = follow(crawl, view, _resume(folder), quiet=quiet)
    if not ending.progress.pages and ending.reason is StopReason.FRONTIER_EMPTY:
        if is_new:
            # It says nothing that this line does not, and would be in the way of the next try.
            crawl.graph.discard()
        why = "; ".join(drop.note for drop in drops) or "the seeds led nowhere"
        raise FetchError(f"no page could be fetched: {why}", reason="NoPages")
    if not quiet and not as_json:
        _tell(crawl, ending, folder)
    return ending.reason


def _resume(folder: Path) -> str:
    return f"semcrawl sites --resume {shlex.quote(str(folder))}"


def _tell(crawl: SiteCrawl, ending: CrawlStopped, folder: Path) -> None:
    from semcrawl.crawl.sites.listing import list_sites

    found = list_sites(crawl.graph, evidence=0).sites
    for one in found[:_SHOWN]:
        unread = "" if one.site_class else "  (being read)"
        name = one_line(f"{one.site} {one.title}".strip())
        click.echo(f"{one.confidence:.3f}  {count(one.pages, 'page'):>9}  {name}{unread}")
    place = shlex.quote(str(folder))
    if len(found) > _SHOWN:
        click.echo(f"… and {len(found) - _SHOWN:,} more")
    click.echo(f"Stopped because {ending.reason.sentence}.")
    click.echo(site_figures(crawl.progress))
    click.echo(f"List them:  semcrawl site-list {place}")
    if crawl.progress.waiting or crawl.progress.open_sites:
        click.echo(f"Go on:      {_resume(folder)}{_raised_limit(crawl, ending.reason)}")


def _raised_limit(crawl: SiteCrawl, reason: StopReason) -> str:
    """The option that a resume needs, so that it does not stop again at once."""
    if reason is StopReason.PAGES_REACHED:
        return f" --pages {crawl.settings.pages * 2}"
    if reason is StopReason.SITES_REACHED:
        return f" --sites {crawl.site_settings.sites * 2}"
    return " --pprs-window 0" if reason is StopReason.EFFORT_RISEN else ""


# ``semcrawl site-list``.


FORMATS = ("table", "csv", "json", "turtle", "graphml")


@click.command("site-list")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True,
    help="How to write the list; graphml is the graph of the sites.",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write.")
@click.option(
    "--min-confidence", type=click.FloatRange(0, 1), default=0.5, show_default=True,
    help="Sites of at least this confidence.",
)  # fmt: skip
def site_list(folder: Path, form: str, output: Path | None, min_confidence: float) -> None:
    """List the websites that a crawl has found, best first.

    Each with its confidence, the pages read, the best of them as evidence, and the sites of the
    list that it links to.

    \b
    semcrawl site-list asthma-sites
    semcrawl site-list asthma-sites --format graphml -o asthma.graphml
    """
    from semcrawl.crawl.sites.listing import site_list_text
    from semcrawl.graph import CrawlGraph

    with CrawlGraph.read(folder) as graph:
        text = site_list_text(graph, form, min_confidence)
    if output is not None:
        try:
            output.write_text(text, encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"cannot write {output}: {error.strerror}") from error
        click.echo(f"{count(len(text.encode()), 'byte')} written to {output}")
        return
    # A table is for a person's terminal; the other forms are for programs, and stay as they are.
    click.echo(harmless(text) if form == "table" else text, nl=False, color=True)
    if not text.strip():
        click.echo("no site is confident enough: see --min-confidence", err=True)
