"""Augmented seeds: pages that link to several seeds are good places to begin as well."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.text.terms import count_terms
from semcrawl.text.vectors import cosine
from semcrawl.web.urls import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from semcrawl.seeds.back_links import BackLinks

__all__ = ["Hub", "augment", "is_mirror_of"]


@dataclass(frozen=True, slots=True)
class Hub:
    """A page, and how many of the seeds it links to."""

    url: str
    seeds: int


def is_mirror_of(page: Mapping[str, int], text: Mapping[str, int], limit: float) -> bool:
    """Whether a page holds a text, whatever it has beside it (Pant, Menczer 2003, section 6).

    The page is projected into the space of the text's terms: what else it says
    does not count. The cosine is of term frequencies.

    >>> text = {"asthma": 1, "lung": 2}
    >>> is_mirror_of({"asthma": 2, "lung": 4, "advert": 9}, text, 0.9)
    True
    >>> is_mirror_of({"asthma": 3}, text, 0.9)
    False
    """
    return cosine({term: page[term] for term in text if term in page}, text) > limit


def augment(
    seeds: Sequence[str],
    back_links: BackLinks,
    *,
    least: int = 2,
    best: int = 10,
    mirrors: float = 0.9,
    unlike: Sequence[str] = (),
) -> list[Hub]:
    """The pages that link to most seeds, best first (Pant, Menczer 2003, section 6).

    A page that is as good as equal to one that is better is left out, and so is
    one that holds a text of ``unlike``. Where a page's text cannot be had, it
    is no mirror of anything.

    Args:
        seeds: the seeds; they are no hubs themselves.
        back_links: where it is known which pages link to a seed.
        least: a hub links to at least so many seeds.
        best: how many hubs at most.
        mirrors: two pages with a cosine above this are mirrors.
        unlike: texts not to find again, such as the list that the seeds were taken from.

    Raises:
        ConfigError: fewer seeds than a hub must link to, or a number out of bounds.
        UrlError: a seed that is no URL.
    """
    own = list(dict.fromkeys(map(canonical, seeds)))
    if least < 1 or best < 1 or not 0.0 <= mirrors <= 1.0:
        raise ConfigError(
            f"least={least}, best={best}, mirrors={mirrors:g}: least and best must be 1 or more, "
            "mirrors from 0 to 1"
        )
    if len(own) < least:
        given = "1 seed was" if len(own) == 1 else f"{len(own)} seeds were"
        raise ConfigError(f"{given} given, and a hub must link to {least}: give more seeds")
    counts = Counter(page for page, _ in set(back_links.pairs(own)) if page not in own)
    found = [Hub(page, count) for page, count in counts.items() if count >= least]
    ordered = sorted(found, key=lambda hub: (-hub.seeds, hub.url))
    kept = _without_mirrors(ordered, back_links, mirrors, list(map(count_terms, unlike)))
    return list(islice(kept, best))


def _without_mirrors(
    hubs: Sequence[Hub], back_links: BackLinks, limit: float, unlike: Sequence[Mapping[str, int]]
) -> Iterator[Hub]:
    kept: list[Mapping[str, int]] = []
    for hub in hubs:
        terms = back_links.terms(hub.url)
        if terms:
            if any(is_mirror_of(terms, text, limit) for text in unlike):
                continue
            if any(cosine(terms, other) > limit for other in kept):
                continue
            kept.append(terms)
        yield hub
