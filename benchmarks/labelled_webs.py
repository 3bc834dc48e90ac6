"""Webs whose sites have a known topic: the Debian web where it was built, else the demo web."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.debian_directories import directory_host
from benchmarks.debian_web import read_truth, web_folder
from semcrawl.demo import demo_web
from semcrawl.web import open_replay

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.web import Fetcher

__all__ = ["LabelledWeb", "Split", "find_web", "split_sites"]

SEED = 2004


@dataclass(frozen=True, slots=True)
class LabelledWeb:
    """A recorded web with what its sites are about.

    Attributes:
        name: what it is called in what is printed.
        fetcher: answers its URLs.
        sites: the hosts of each topic.
        seeds: where a crawl for each topic starts.
        budget: how many pages a crawl may read.
    """

    name: str
    fetcher: Fetcher
    sites: Mapping[str, tuple[str, ...]]
    seeds: Mapping[str, tuple[str, ...]]
    budget: int


@dataclass(frozen=True, slots=True)
class Split:
    """The sites of each topic in two halves."""

    training: Mapping[str, tuple[str, ...]]
    test: Mapping[str, tuple[str, ...]]


def find_web(*, small: bool) -> LabelledWeb:
    """The Debian web if it is in its cache and a small one is not asked for, else the demo web."""
    folder = web_folder()
    if small or not (folder / "sites.tsv").is_file():
        return _demo()
    truth = read_truth(folder)
    sites: dict[str, list[str]] = {}
    for site in truth:
        if site.kind == "site":
            sites.setdefault(site.topic, []).append(site.host)
    portals = [f"http://{site.host}/" for site in truth if site.kind == "portal"]
    return LabelledWeb(
        "Debian web",
        open_replay(folder / "pages.warc.gz"),
        {topic: tuple(hosts) for topic, hosts in sites.items()},
        {topic: (f"http://{directory_host(topic)}/", *portals[:1]) for topic in sites},
        300,
    )


def _demo() -> LabelledWeb:
    web = demo_web()
    topics = {name: topic for name, topic in web.topics.items() if len(topic.sites) > 1}
    return LabelledWeb(
        "demo web",
        web.replay(),
        {name: tuple(sorted(topic.sites)) for name, topic in topics.items()},
        dict.fromkeys(topics, web.seeds),
        100,
    )


def split_sites(web: LabelledWeb, seed: int = SEED) -> Split:
    """Halve the sites of every topic, drawn by a seed; the test half is the larger one."""
    draw = random.Random(seed)
    training, test = {}, {}
    for topic, hosts in web.sites.items():
        shuffled = sorted(hosts)
        draw.shuffle(shuffled)
        half = len(shuffled) // 2
        training[topic], test[topic] = tuple(shuffled[:half]), tuple(shuffled[half:])
    return Split(training, test)
