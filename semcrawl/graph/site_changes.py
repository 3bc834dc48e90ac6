"""Websites in the crawl graph: what is known of each, and one edge for each pair that is linked.

A site that is known has a number and a homepage. Once an internal crawler is
at it, it has ``sc:openedAtStep``; once that one is done, ``sc:siteStoppedBecause``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semcrawl.graph.columns import SITE, SITE_LINK
from semcrawl.graph.vocabulary import PREFIX_LINES, iri, site_iri, string

if TYPE_CHECKING:
    from semcrawl.graph.changes import Changes
    from semcrawl.graph.store import OxigraphStore

_SITES = "<urn:semcrawl:sites>"


def _state(changes: Changes, site: str, **values: Any) -> None:
    changes.state(f"{iri(site_iri(site))} {SITE.write(**values)}")


def site_found(
    changes: Changes,
    site: str,
    *,
    number: int,
    homepage: str,
    entry: str,
    depth: int,
    found_on: str | None = None,
) -> None:
    """A site is known from now on; one that was found on no page is a seed's.

    ``entry`` is the URL that led there, from which it is read if its homepage fails.
    """
    said = SITE.write(
        site_number=number, depth=depth, homepage=homepage, entry_page=entry, found_on=found_on
    )
    changes.state(f"{iri(site_iri(site))} a sc:Site ; {said}")


def site_opened(
    changes: Changes, site: str, *, number: int, step: int, rank: float, prior: float
) -> None:
    """An internal crawler begins with the site, after so many pages of the crawl.

    ``number`` counts the sites that were opened; ``rank`` is what it was chosen with.
    """
    known = {"opened_at_step": step, "opening_rank": rank, "site_prior": prior}
    _state(changes, site, opening_number=number, **known)


def site_judged(
    changes: Changes, site: str, *, old: tuple[float, int] | None, new: tuple[float, int]
) -> None:
    """Another page was read: the site's confidence and number of pages, before and now."""
    subject = iri(site_iri(site))
    before = old or (None, None)
    for name, was, now in zip(("site_confidence", "pages_read"), before, new, strict=True):
        changes.replaced(subject, SITE[name], was, now)


def site_failed(changes: Changes, site: str, *, first: str, old: int, new: int) -> None:
    """How many connections to a site failed in a row, before and now.

    ``first`` says what went wrong where nothing had before, else it is empty.
    """
    subject = iri(site_iri(site))
    changes.replaced(subject, SITE["failures_in_a_row"], old or None, new or None)
    if first:
        _state(changes, site, note=[first])


def site_linked(changes: Changes, source: str, target: str, *, weight: float, pages: int) -> None:
    """So many pages of one site link to another; together they are one edge with one weight."""
    start, end = site_iri(source), site_iri(target)
    # No site's name has a "#", so that this names each pair apart.
    edge = f"{start}#{end.removeprefix(site_iri(''))}"
    changes.state(
        f"{iri(start)} {SITE.write(links_to_site=[end], site_link=[edge])} . {iri(edge)} "
        f"a sc:SiteLink ; {SITE_LINK.write(to_site=end, link_weight=weight, link_pages=pages)}"
    )


def site_moved(changes: Changes, site: str, target: str) -> None:
    """The homepage of a site leads to another site, which is the one to read."""
    _state(changes, site, moved_to=site_iri(target))


def site_closed(
    changes: Changes, site: str, *, reason: str, step: int, number: int = 0, site_class: str = ""
) -> None:
    """Nothing more is read of a site, for a ``sc:SiteStopReason``.

    ``number`` counts the sites that were opened and closed; one that was never
    opened has none.
    """
    _state(changes, site, site_stopped_because=reason, closed_at_step=step)
    if number or site_class:
        _state(changes, site, closing_number=number or None, site_class=site_class)


def site_reopened(changes: Changes, site: str, *, reason: str, step: int) -> None:
    """A site that was closed unread, for this reason and at this step, waits again."""
    subject = iri(site_iri(site))
    changes.replaced(subject, SITE["site_stopped_because"], reason, None)
    changes.replaced(subject, SITE["closed_at_step"], step, None)


def site_settings_noted(changes: Changes, settings: str) -> None:
    """The crawl is one for websites, with these settings of its own."""
    changes.state(f"{_SITES} a sc:SiteCrawl ; sc:siteSettings {string(settings)}")


def site_settings_changed(store: OxigraphStore, settings: str) -> None:
    """A crawl for websites goes on with these settings."""
    store.update(
        f"{PREFIX_LINES}DELETE {{ {_SITES} sc:siteSettings ?s }} "
        f"INSERT {{ {_SITES} sc:siteSettings {string(settings)} }} "
        f"WHERE {{ {_SITES} sc:siteSettings ?s }}"
    )
