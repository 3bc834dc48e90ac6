"""Showing a running crawl for websites: a line for each site that is done, or JSON."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import click

from semcrawl.cli.event_words import as_row
from semcrawl.cli.screen import count, one_line
from semcrawl.site_crawl import SiteClosed

if TYPE_CHECKING:
    from collections.abc import Callable

    from semcrawl.site_crawl import SiteEvent, SiteProgress

__all__ = ["choose_site_view", "site_figures"]

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
