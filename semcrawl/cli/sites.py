"""``semcrawl sites``."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from semcrawl.cli.run_crawl import follow
from semcrawl.cli.screen import count, one_line
from semcrawl.cli.serving import Serving, serve_option
from semcrawl.cli.setting_options import options_of
from semcrawl.cli.site_view import choose_site_view, site_figures
from semcrawl.crawl import CrawlStopped, Settings, StopReason
from semcrawl.errors import ConfigError, FetchError
from semcrawl.site_crawl import SiteSettings
from semcrawl.site_crawl.settings import PAGE_SETTINGS

if TYPE_CHECKING:
    from semcrawl.site_crawl import SiteCrawl

__all__ = ["sites"]

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
    from semcrawl.site_crawl import SiteCrawl

    values = {name: value for name, value in options.items() if value not in (None, ())}
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
    from semcrawl.sites.site_lists import read_homepages
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
    from semcrawl.site_crawl.listing import list_sites

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
