"""Websites in the crawl graph: what is known of each, and one edge for each pair that is linked.

A site that is known has a number and a homepage. Once an internal crawler is
at it, it has ``sc:openedAtStep``; once that one is done, ``sc:siteStoppedBecause``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.graph.vocabulary import PREFIX_LINES, decimal, iri, site_iri, string

if TYPE_CHECKING:
    from semcrawl.graph.changes import Changes
    from semcrawl.graph.store import OxigraphStore

_SITES = "<urn:semcrawl:sites>"
_SITE = site_iri("")


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
    changes.state(
        f"{iri(site_iri(site))} a sc:Site ; sc:siteNumber {number} ; sc:depth {depth} ; "
        f"sc:homepage {iri(homepage)} ; sc:entryPage {iri(entry)}"
        + (f" ; sc:foundOn {iri(found_on)}" if found_on else "")
    )


def site_opened(
    changes: Changes, site: str, *, number: int, step: int, rank: float, prior: float
) -> None:
    """An internal crawler begins with the site, after so many pages of the crawl.

    ``number`` counts the sites that were opened; ``rank`` is what it was chosen with.
    """
    changes.state(
        f"{iri(site_iri(site))} sc:openingNumber {number} ; sc:openedAtStep {step} ; "
        f"sc:openingRank {decimal(rank)} ; sc:sitePrior {decimal(prior)}"
    )


def site_judged(
    changes: Changes, site: str, *, old: tuple[float, int] | None, new: tuple[float, int]
) -> None:
    """Another page was read: the site's confidence and number of pages, before and now."""
    subject = iri(site_iri(site))
    before = (None, None) if old is None else (decimal(old[0]), str(old[1]))
    changes.replaced(f"{subject} sc:siteConfidence", before[0], decimal(new[0]))
    changes.replaced(f"{subject} sc:pagesRead", before[1], str(new[1]))


def site_failed(changes: Changes, site: str, *, first: str, old: int, new: int) -> None:
    """How many connections to a site failed in a row, before and now.

    ``first`` says what went wrong where nothing had before, else it is empty.
    """
    subject = iri(site_iri(site))
    changes.replaced(f"{subject} sc:failuresInARow", str(old or "") or None, str(new or "") or None)
    if first:
        changes.state(f"{subject} sc:note {string(first)}")


def site_linked(changes: Changes, source: str, target: str, *, weight: float, pages: int) -> None:
    """So many pages of one site link to another; together they are one edge with one weight."""
    start, end = iri(site_iri(source)), iri(site_iri(target))
    # No site's name has a "#", so that this names each pair apart.
    edge = iri(f"{site_iri(source)}#{site_iri(target).removeprefix(_SITE)}")
    changes.state(
        f"{start} sc:linksToSite {end} ; sc:siteLink {edge} . {edge} a sc:SiteLink ; "
        f"sc:toSite {end} ; sc:linkWeight {decimal(weight)} ; sc:linkPages {pages}"
    )


def site_moved(changes: Changes, site: str, target: str) -> None:
    """The homepage of a site leads to another site, which is the one to read."""
    changes.state(f"{iri(site_iri(site))} sc:movedTo {iri(site_iri(target))}")


def site_closed(
    changes: Changes, site: str, *, reason: str, step: int, number: int = 0, site_class: str = ""
) -> None:
    """Nothing more is read of a site, for a ``sc:SiteStopReason``.

    ``number`` counts the sites that were opened and closed; one that was never
    opened has none.
    """
    changes.state(
        f"{iri(site_iri(site))} sc:siteStoppedBecause sc:{reason} ; sc:closedAtStep {step}"
        + (f" ; sc:closingNumber {number}" if number else "")
        + (f" ; sc:siteClass {string(site_class)}" if site_class else "")
    )


def site_reopened(changes: Changes, site: str, *, reason: str, step: int) -> None:
    """A site that was closed unread, for this reason and at this step, waits again."""
    subject = iri(site_iri(site))
    changes.replaced(f"{subject} sc:siteStoppedBecause", f"sc:{reason}", None)
    changes.replaced(f"{subject} sc:closedAtStep", str(step), None)


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
