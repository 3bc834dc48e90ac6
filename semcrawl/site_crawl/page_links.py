"""The links of a page, sorted: those inside its site, and the other sites that it leads to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.crawl.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from semcrawl.crawl.settings import Settings
    from semcrawl.page import Page
    from semcrawl.sites.site import SiteName

__all__ = ["LinkSorter", "PageLinks"]


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The links of a page: URLs inside its site, and other sites with one link to each."""

    inside: tuple[str, ...]
    others: dict[str, str]


class LinkSorter:
    """Sorts the links of pages. Links out of the crawl's scope lead to no other site."""

    def __init__(self, naming: SiteName, settings: Settings) -> None:
        self._naming = naming
        self._scope = Scope(settings.include, settings.exclude)
        # In a recording nobody is asked, so that nobody's wish not to be followed applies.
        self._obeys = settings.nofollow and not settings.replay

    def ignored(self, page: Page) -> tuple[str, ...]:
        """The links that are not followed because the page asks so."""
        if not self._obeys:
            return ()
        followed = () if page.nofollow else (one.url for one in page.links if not one.nofollow)
        return tuple(sorted({one.url for one in page.links}.difference(followed)))

    def sort(self, site: str, links: Iterable[str], ignored: Collection[str] = ()) -> PageLinks:
        """Sort the links of a page of ``site``; frames are links as any other."""
        inside: list[str] = []
        others: dict[str, str] = {}
        shut = set(ignored)
        for url in dict.fromkeys(links):
            if url in shut:
                continue
            name = self._naming.of(url)
            if name == site:
                inside.append(url)
            # The graph keeps no order of links: a resume must find the same one.
            elif self._scope.allows(url) and url < others.get(name, url + "~"):
                others[name] = url
        return PageLinks(tuple(inside), dict(sorted(others.items())))

    def allows(self, url: str) -> bool:
        """Whether the URL lies within the crawl's scope."""
        return self._scope.allows(url)
