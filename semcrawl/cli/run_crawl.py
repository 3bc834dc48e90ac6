"""Running a crawl from the command line: what is shown, Ctrl-C, and the last words."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Any, Protocol

import click

from semcrawl.cli.progress_view import choose_view, figures
from semcrawl.cli.screen import count
from semcrawl.crawl import CrawlStopped, StopReason, UrlDropped
from semcrawl.crawl.interrupt import interruptible
from semcrawl.errors import FetchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from semcrawl.crawl import Crawl, Settings

__all__ = ["Running", "follow", "run_crawl"]


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
