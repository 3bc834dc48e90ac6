"""Pages per relevant site: the website crawler beside a page crawler with post-processing.

Both start at the same few pages with the same page classifier and may read the
same number of pages; sites that were trained with are closed to both. A site
counts when it was taken for relevant and is so in truth, where the paper counts
what its classifiers said. One worker makes the crawls repeatable.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.checks import Check
from semcrawl.crawl.sites import SiteClosed, SiteCrawl
from semcrawl.crawl.sites.rivals import crawl_pages_for_sites

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from benchmarks.labelled_webs import LabelledWeb, Split
    from semcrawl.models.site_classifiers import PageClassifier

__all__ = ["print_prices"]

THRESHOLDS = (0.9, 0.7)
_PER_SITE = 100


class _Price(NamedTuple):
    """What a crawl cost and brought: pages, sites taken for relevant, right ones among them."""

    pages: int
    taken: int
    right: int

    @property
    def pprs(self) -> float:
        return self.pages / self.right if self.right else math.inf


def print_prices(web: LabelledWeb, split: Split, classifiers: Mapping[str, PageClassifier]) -> list[Check]:
    """Crawl for every topic in each way; compare pages per relevant site over all topics."""
    names = ["page crawler", *(f"website crawler, {bound}" for bound in THRESHOLDS)]
    totals: dict[str, list[_Price]] = {name: [] for name in names}
    print(f"pages per relevant site, {web.budget} pages a crawl (right ones of those taken)")
    for topic, classifier in classifiers.items():
        prices = [_page_crawl(web, split, topic, classifier)]
        prices += [_site_crawl(web, split, topic, classifier, bound) for bound in THRESHOLDS]
        told = []
        for name, price in zip(names, prices, strict=True):
            totals[name].append(price)
            told.append(f"{name} {price.pprs:.0f} ({price.right} of {price.taken})")
        print(f"  {topic:12} {'; '.join(told)}", flush=True)
    sums = {name: _Price(*map(sum, zip(*prices, strict=True))) for name, prices in totals.items()}
    for name, price in sums.items():
        print(f"  {name}: {price.pprs:.1f}, {price.right} right of {price.taken}")
    rival = sums["page crawler"].pprs
    return [
        Check(f"pprs, {name}, as a share of the page crawler's", sums[name].pprs / rival, "at most", 1.0)
        for name in names[1:]
    ]


def _page_crawl(web: LabelledWeb, split: Split, topic: str, classifier: PageClassifier) -> _Price:
    result = crawl_pages_for_sites(
        f"keywords:{topic}",
        web.seeds[topic],
        classifier,
        fetcher=web.fetcher,
        pages=web.budget,
        pages_per_host=_PER_SITE,
        exclude=_trained(split),
        workers=1,
        robots=False,
        nofollow=False,
        delay=0,
    )
    relevant = (verdict.site for verdict in result.verdicts if verdict.is_relevant)
    return _price(result.pages, relevant, split, topic)


def _site_crawl(web: LabelledWeb, split: Split, topic: str, classifier: PageClassifier, bound: float) -> _Price:
    with SiteCrawl(
        f"keywords:{topic}",
        web.seeds[topic],
        classifier=classifier,
        fetcher=web.fetcher,
        pages=web.budget,
        pages_per_site=_PER_SITE,
        p_threshold=bound,
        exclude=_trained(split),
        workers=1,
        robots=False,
        nofollow=False,
        delay=0,
    ) as crawl:
        closed = (event for event in crawl.visits() if isinstance(event, SiteClosed))
        relevant = [event.site for event in closed if event.is_relevant]
        pages = crawl.progress.pages
    return _price(pages, relevant, split, topic)


def _trained(split: Split) -> list[str]:
    return [f"http://{host}/*" for hosts in split.training.values() for host in hosts]


def _price(pages: int, relevant: Iterable[str], split: Split, topic: str) -> _Price:
    new = set(relevant)
    return _Price(pages, len(new), len(new & set(split.test[topic])))
