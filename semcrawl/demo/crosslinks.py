"""Links between the sites of the demo web: mostly to kin, now and then astray."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.demo.sheet import Anchor, Sheet, Sheets, point_to

if TYPE_CHECKING:
    from random import Random

__all__ = ["link_sites"]

_TO_KIN = 0.25
_ASTRAY = (0, 1, 1, 2, 2, 3)
_DECOY = 0.35


def link_sites(sheets: Sheets, rng: Random) -> None:
    """Add links from pages about a subject to pages of other hosts, and advertisements."""
    pages = [page for page in sheets if page.subject and not page.is_hub]
    for page in pages:
        kin = [p for p in pages if p.subject is page.subject and p.host != page.host]
        others = [p for p in pages if p.subject is not page.subject and p.host != page.host]
        if rng.random() < _TO_KIN:
            page.anchors.append(point_to(rng, rng.choice(kin)))
        for target in rng.sample(others, rng.choice(_ASTRAY)):
            page.anchors.append(_stray(rng, page, target))
        if rng.random() < 0.15:
            page.link("http://www.market-arcade.test/", "Sponsored", "list", nofollow=True)
    for page in [page for page in sheets if page.url.endswith("/links.html")]:
        _fill_link_page(sheets, page, pages, rng)


def _stray(rng: Random, page: Sheet, target: Sheet) -> Anchor:
    """Return a link to another subject; sometimes its anchor promises this one."""
    return point_to(rng, target, decoy=page.name if rng.random() < _DECOY else "")


def _fill_link_page(sheets: Sheets, page: Sheet, pages: list[Sheet], rng: Random) -> None:
    """Give a homepage's list of links some kin, some friends, and the portal."""
    home = sheets[f"http://{page.host}/"]
    kin = [p for p in pages if p.subject is home.subject and p.host != page.host]
    friends = [p for p in pages if p.look == "homepage" and p.host != page.host]
    for target in (*rng.sample(kin, 4), *rng.sample(friends, 3)):
        page.anchors.append(point_to(rng, target, clear=0.6))
    page.link("http://www.morning-portal.test/", "where I start my day", "list")
