"""What the Debian web holds: sites, pages and links between sites, by topic."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from semcrawl.errors import FetchError, PageError
from semcrawl.page import read_page
from semcrawl.web import open_replay
from semcrawl.web.urls import host_of

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks.debian_web import SiteTruth

__all__ = ["print_census"]


def print_census(folder: Path, truth: list[SiteTruth]) -> None:
    """Print a line per topic, and how the sites are linked."""
    links = _links(folder, truth)
    kinds = {site.host: site.kind for site in truth}
    topics = {site.host: site.topic for site in truth}
    sites = [site for site in truth if site.kind == "site"]
    print(f"{'topic':12} {'sites':>5} {'pages':>6}  least  median")
    for topic in dict.fromkeys(site.topic for site in sites):
        sizes = sorted(site.pages for site in sites if site.topic == topic)
        middle = sizes[len(sizes) // 2]
        print(f"{topic:12} {len(sizes):5} {sum(sizes):6}  {sizes[0]:5}  {middle:6}")
    real = [pair for pair in links if kinds[pair[0]] == kinds[pair[1]] == "site"]
    same = sum(topics[source] == topics[target] for source, target in real)
    print(
        f"{len(sites)} sites, {sum(site.pages for site in truth):,} pages; "
        f"{len(real)} pairs of sites linked by their own documents ({same} within a topic), "
        f"{len(links) - len(real)} by directories and portals"
    )


def _links(folder: Path, truth: list[SiteTruth]) -> Counter[tuple[str, str]]:
    hosts = {site.host for site in truth}
    links: Counter[tuple[str, str]] = Counter()
    replay = open_replay(folder / "pages.warc.gz")
    for url in replay.urls():
        source = host_of(url)
        try:
            found = read_page(replay.fetch(url)).links
        except (FetchError, PageError):
            continue
        for target in {host_of(link.url) for link in found}:
            if target in hosts and target != source:
                links[source, target] += 1
    return links
