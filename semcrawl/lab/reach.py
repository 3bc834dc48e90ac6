"""Which pages a crawl can come to at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["reachable"]


def reachable(
    seeds: Iterable[str], targets: Iterable[str], links: Callable[[str], Iterable[str]]
) -> int:
    """Return how many of the targets can be reached from the seeds over links.

    >>> web = {"a": ["b"], "b": ["c", "a"], "d": ["a"]}
    >>> reachable(["a"], ["a", "c", "d"], lambda page: web.get(page, []))
    2
    """
    missing = set(targets)
    wanted = len(missing)
    waiting = list(dict.fromkeys(seeds))
    seen = set(waiting)
    while waiting and missing:
        page = waiting.pop()
        missing.discard(page)
        fresh = [target for target in links(page) if target not in seen]
        seen.update(fresh)
        waiting += fresh
    return wanted - len(missing)
