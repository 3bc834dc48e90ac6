"""Metrics of the links between fetched pages: best servers, and what words near a link tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from semcrawl.lab.metrics import ScoredRun
from semcrawl.lab.web import LabWeb
from semcrawl.models.apprentice import equal_boundary
from semcrawl.steering.distiller import JudgedPages, hits
from semcrawl.steering.link_analysis import find_rho

BEST = 25  # authorities whose servers are compared (Chakrabarti 1999, section 5.4)
ROUNDS = 50
SHARE = 0.15  # of the pages can be authorities (Chakrabarti 1999, section 3.2)
FARTHEST = 8  # the largest DOM offset of Chakrabarti 2002, figure 8


def with_best_servers(
    runs: Sequence[ScoredRun], points: Sequence[int], web: LabWeb
) -> list[ScoredRun]:
    """Return the runs; those that were repeated with their best servers after so many pages."""
    repeated = Counter((run.contender, run.topic) for run in runs)
    return [
        replace(run, best_servers={at: best_servers(run, at, web) for at in points})
        if repeated[run.contender, run.topic] > 1
        else run
        for run in runs
    ]


def best_servers(run: ScoredRun, at: int, web: LabWeb) -> Collection[str]:
    """Return the servers of the best authorities among the first pages (Chakrabarti 1999, 5.4).

    Where all pages are of one host, they are the authorities themselves.
    """
    visits = run.record.visits[:at]
    if not visits:
        return ()
    rows = ((v.url, v.relevance, h) for v, h in zip(visits, run.hosts, strict=False))
    pages = JudgedPages.of_rows(rows)
    rho = find_rho(pages.relevance, SHARE)
    number = pages.numbers
    links = [
        (number[url], number[target])
        for url in pages.urls
        for target in web.links(url)
        if target in number and pages.relevance[number[target]] > rho
    ]
    ends = np.array(links, np.int64).reshape(-1, 2)
    across = "hosts" if pages.sites.any() else "pages"
    found = hits(pages, (ends[:, 0], ends[:, 1]), rho, ROUNDS, across).best(BEST)
    host_of = dict(zip(run.urls, run.hosts, strict=True))
    return {host_of[url] if across == "hosts" else url for url in found.authorities}


def mean_gains(runs: Iterable[ScoredRun], web: LabWeb) -> tuple[float, ...]:
    """Return the mean over runs of `information_gains`; empty where no run tells anything."""
    found = [gains for run in runs if (gains := information_gains(run, web)) is not None]
    return tuple(np.mean(found, axis=0).tolist()) if found else ()


def information_gains(run: ScoredRun, web: LabWeb) -> NDArray[np.float64] | None:
    """Return the mean information gain of terms by DOM offset, from -8 to 8, in bits.

    Links whose both ends were fetched are of two equally likely buckets, by the relevance of
    their targets; the gain of a term at an offset is what its presence there tells of the bucket
    (Chakrabarti et al. 2002, figure 8). None where all targets are equally relevant.
    """
    relevance = {visit.url: visit.relevance for visit in run.record.visits}
    judged = [relevance[end] for url in relevance for end in web.links(url) if end in relevance]
    boundary = equal_boundary(np.array(judged))
    if boundary is None:
        return None
    links = np.zeros(2, np.int64)
    counts: tuple[Counter[tuple[str, int]], ...] = (Counter(), Counter())
    for url in relevance:
        page = web.page(url)
        for link in page.links if page else ():
            target = web.landing(link.url)
            if page is not None and target in relevance and target != url:
                bucket = int(relevance[target] >= boundary)
                links[bucket] += 1
                counts[bucket].update(set(page.offsets(link, FARTHEST)))
    features = sorted(counts[0].keys() | counts[1].keys())
    present = np.array([[count[one] for one in features] for count in counts], np.float64)
    gains = information_gain(present, links)
    places = np.array([offset + FARTHEST for _, offset in features], np.int64)
    seen = np.bincount(places, minlength=2 * FARTHEST + 1)
    sums = np.bincount(places, gains, 2 * FARTHEST + 1)
    return np.divide(sums, seen, out=np.zeros_like(sums), where=seen > 0)


def information_gain(present: NDArray[np.float64], links: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return H(bucket) - H(bucket | presence) of features, in bits.

    ``present`` has a column for each feature: in how many links of each bucket it occurs.

    >>> information_gain(np.array([[2.0, 1.0], [0.0, 1.0]]), np.array([2, 2]))
    array([1., 0.])
    """
    total = links.sum()
    absent = links[:, None] - present
    without, given = absent.sum(axis=0) / total, present.sum(axis=0) / total
    whole = _entropy(links[:, None].astype(np.float64))
    return np.asarray(whole - given * _entropy(present) - without * _entropy(absent))


def _entropy(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    shares = counts / np.maximum(counts.sum(axis=0), 1)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=0))
