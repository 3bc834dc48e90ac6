"""In which order the frontier gives out URLs of equal standing: as found, or sparing servers."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Protocol
from zlib import crc32

if TYPE_CHECKING:
    from semcrawl.graph import FoundUrl

__all__ = ["FoundOrder", "Item", "LeastLoaded", "Ordering"]

Item = tuple[float, int, str]
"""Key, tie, URL or host: the smallest is the best."""

_TRY = 1e6
"""What one failed try counts against a priority: more than any priority can make good."""


class Ordering(Protocol):
    """Turns waiting URLs into items that can be compared.

    ``factors`` multiply the priorities of all URLs of a host, 1 where there is
    none. Within a host a factor changes no order, so it counts only where
    hosts compete, and a host's factor can change without touching its URLs.
    """

    factors: dict[str, float]

    def item(self, entry: FoundUrl) -> Item:
        """The place of a URL among those of its host."""
        ...

    def holds(self, item: Item, entry: FoundUrl) -> bool:
        """Whether an item made earlier still is the place of a URL."""
        ...

    def front(self, item: Item, host: str) -> Item:
        """What a host competes with when this is its best item."""
        ...

    def picked(self, host: str, pages: int = 1) -> None:
        """URLs of the host were chosen, so many."""
        ...


class FoundOrder:
    """Best priority first, equals in the order in which they were found."""

    def __init__(self) -> None:
        self.factors: dict[str, float] = {}

    def item(self, entry: FoundUrl) -> Item:
        """Negative priority and order."""
        return (-entry.priority, entry.order, entry.url)

    def holds(self, item: Item, entry: FoundUrl) -> bool:
        """Whether priority and order are still those of the item."""
        return entry.priority == -item[0] and entry.order == item[1]

    def front(self, item: Item, host: str) -> Item:
        """The same, times the factor of the host."""
        # The sum makes a copy of the number, so that those which hosts compete
        # with lie close together in memory.
        return (item[0] * self.factors.get(host, 1.0) + 0.0, item[1], host)

    def picked(self, host: str, pages: int = 1) -> None:
        """Nothing depends on it."""


class LeastLoaded:
    """The order of the soft-focused crawler (Chakrabarti et al. 1999, section 4.2).

    Fewest tries, then best priority, then the server from which fewest pages
    were taken, then at random. What decides last is a hash of the URL, so that
    a crawl can be repeated.
    """

    def __init__(self) -> None:
        self.factors: dict[str, float] = {}
        self._load: Counter[str] = Counter()

    def item(self, entry: FoundUrl) -> Item:
        """Tries and negative priority as one number, then the hash."""
        return (entry.tries * _TRY - entry.priority, crc32(entry.url.encode()), entry.url)

    def holds(self, item: Item, entry: FoundUrl) -> bool:
        """Whether tries and priority are still those of the item; the hash cannot change."""
        return item[0] == entry.tries * _TRY - entry.priority

    def front(self, item: Item, host: str) -> Item:
        """Tries and priority times the factor of the host, then its load, then the hash."""
        tries = math.ceil(item[0] / _TRY)
        priority = tries * _TRY - item[0]
        key = tries * _TRY - priority * self.factors.get(host, 1.0)
        return (key, (self._load[host] << 32) + item[1], host)

    def picked(self, host: str, pages: int = 1) -> None:
        """So many pages more were taken from the host."""
        self._load[host] += pages
