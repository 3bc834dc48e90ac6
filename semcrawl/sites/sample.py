"""The first pages of a site, breadth-first from its homepage (Ester 2004, section 4.3.1)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from semcrawl.errors import FetchError, PageError
from semcrawl.sites.site import SiteName

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from semcrawl.learning.training_pages import PageSource
    from semcrawl.page import Page

__all__ = ["FIRST_PAGES", "SiteSample", "read_site"]

FIRST_PAGES = 25
"""How many pages of a site are trained with, as in Ester 2004, section 5.2."""

_TRIES_PER_PAGE = 4


@dataclass(slots=True)
class SiteSample:
    """What was read of a site.

    Attributes:
        homepage: the URL that was asked for first.
        site: the name of the site where that led; "" where it led nowhere.
        pages: the term counts of the pages with words, by URL, in the order read.
        missing: why there was no page, by URL.
    """

    homepage: str
    site: str = ""
    pages: dict[str, Mapping[str, int]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)


def read_site(
    homepage: str,
    source: PageSource,
    name: SiteName | None = None,
    *,
    most: int = FIRST_PAGES,
    each: Callable[[], None] | None = None,
) -> SiteSample:
    """Read the first pages of a site, following links inside it breadth-first.

    A homepage that redirects to another site stands for that one; any other page
    that does is left out. Pages without words are not counted, but their links are
    followed, frames too. After four requests for each page wanted it ends, so that a
    site of errors is no burden to anyone.

    Args:
        homepage: a canonical URL.
        source: where pages come from.
        name: what a site is; a host by default.
        most: how many pages are wanted.
        each: called after every request.
    """
    name = name or SiteName()
    sample = SiteSample(homepage)
    waiting, known, tries = deque([homepage]), {homepage}, 0
    while waiting and len(sample.pages) < most and tries < _TRIES_PER_PAGE * most:
        url = waiting.popleft()
        tries += 1
        page = _page(url, source, sample)
        if each is not None:
            each()
        if page is None or (sample.site and name.of(page.url) != sample.site):
            continue
        sample.site = sample.site or name.of(page.url)
        known.add(page.url)
        if page.terms and page.url not in sample.pages:
            sample.pages[page.url] = page.terms
        inside = (link for link in page.links if name.of(link.url) == sample.site)
        new = dict.fromkeys(link.url for link in inside if not link.nofollow)
        waiting.extend(url for url in new if url not in known)
        known.update(new)
    return sample


def _page(url: str, source: PageSource, sample: SiteSample) -> Page | None:
    try:
        return source.page(url)
    except (FetchError, PageError) as error:
        sample.missing[url] = str(error.reason)
        return None
