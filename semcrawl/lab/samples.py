"""What classifiers are taught with: pages of each category, and sites of each class."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from semcrawl.web.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

__all__ = ["OTHER", "SiteLesson", "category_samples", "training_sites"]

OTHER = "other"
"""The category of pages that are in none."""


@dataclass(frozen=True, slots=True)
class SiteLesson:
    """The homepages of the sites that a classifier of sites is taught with, by class."""

    relevant: tuple[str, ...]
    other: tuple[str, ...]

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts of all of them."""
        return frozenset(map(host_of, (*self.relevant, *self.other)))


def category_samples(
    categories: Mapping[str, tuple[str, ...]],
    on_topic: Collection[str],
    training: Collection[str],
    most: int,
    chance: str,
) -> dict[str, tuple[str, ...]]:
    """At most so many pages of each category, drawn by chance, each for one category only.

    Of the pages on the topic only those are drawn that training may see. Pages without a
    category make one of their own, `OTHER`.

    Args:
        categories: the categories of each page.
        on_topic: the pages on the topic.
        training: those of them that training may see.
        most: how many pages of a category.
        chance: the seed of the draw.
    """
    members: dict[str, list[str]] = {}
    for url in sorted(categories):
        if url not in on_topic or url in training:
            for name in categories[url] or (OTHER,):
                members.setdefault(name, []).append(url)
    taken: set[str] = set()
    samples: dict[str, tuple[str, ...]] = {}
    # Small categories choose first: what they leave is enough for the others.
    for name in sorted(members, key=lambda name: (len(members[name]), name)):
        free = [url for url in members[name] if url not in taken]
        drawn = Random(f"{chance} {name}").sample(free, min(most, len(free)))
        taken.update(drawn)
        if drawn:
            samples[name] = tuple(sorted(drawn))
    return {name: samples[name] for name in sorted(samples)}


def training_sites(relevant: Collection[str], pages: Collection[str], chance: str) -> SiteLesson:
    """One half of the sites of each class, drawn by chance; the other half is left to be found.

    Args:
        relevant: the hosts that are on the topic.
        pages: the pages of all sites.
        chance: the seed of the draw.
    """
    homepages: dict[str, str] = {}
    for url in sorted(pages, key=lambda url: (len(url), url)):
        homepages.setdefault(host_of(url), url)
    good = sorted(host for host in homepages if host in relevant)
    other = sorted(host for host in homepages if host not in relevant)
    draw = Random(chance)
    return SiteLesson(
        *(
            tuple(homepages[host] for host in sorted(draw.sample(hosts, len(hosts) // 2)))
            for hosts in (good, other)
        )
    )
