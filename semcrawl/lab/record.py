"""What is kept of a run: the pages in the order of their visits, and what they cost."""

from __future__ import annotations

import msgspec

__all__ = ["FORMAT", "FoundSite", "RunRecord", "Visit"]

FORMAT = 1
"""The format of records; those of another format are run again."""


class Visit(msgspec.Struct, frozen=True, array_like=True):
    """One fetched page.

    Attributes:
        url: its URL, as it was fetched.
        relevance: what the judge of the crawl said.
        priority: what it was picked with.
        depth: links from the nearest seed, as the crawl went.
        size: bytes of its body.
        concept: the concept or category that the judge found it fits best, "" for none.
    """

    url: str
    relevance: float
    priority: float
    depth: int
    size: int
    concept: str = ""


class FoundSite(msgspec.Struct, frozen=True, array_like=True):
    """A website that a crawler for sites has judged.

    Attributes:
        site: its name (a host, by default).
        confidence: the probability that it is relevant.
        is_relevant: whether the crawler takes it for relevant.
        pages: how many of its pages were read.
        after: how many pages the crawl had fetched in all when it was judged.
    """

    site: str
    confidence: float
    is_relevant: bool
    pages: int
    after: int


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One run of one crawler for one topic.

    Attributes:
        format: the format of this record.
        key: the digest of all that the run depends on.
        contender: the crawler's name.
        topic: the topic's name.
        repetition: which repetition, from 0.
        seeds: where it started.
        left_out: pages that are not counted in this topic: training pages and drawn seeds.
        visits: the fetched pages, in their order.
        sites: the judged websites, in their order, of crawlers for sites.
        requests: all URLs that were asked for, errors and redirects included.
        cpu: seconds of CPU of the crawl, training left out.
        seconds: its seconds by the clock.
        stopped: why it stopped, a stop reason's name.
        trained_on: what models were trained on, a sentence each.
        error: what went wrong, "" where nothing did; a failed run has no visits that count.
        concepts: the concepts of its topic that a page could fit best.
    """

    format: int = FORMAT
    key: str
    contender: str
    topic: str
    repetition: int = 0
    seeds: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    visits: tuple[Visit, ...] = ()
    sites: tuple[FoundSite, ...] = ()
    requests: int = 0
    cpu: float = 0.0
    seconds: float = 0.0
    stopped: str = ""
    trained_on: tuple[str, ...] = ()
    error: str = ""
    concepts: tuple[str, ...] = ()
