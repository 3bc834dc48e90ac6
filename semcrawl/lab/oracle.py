"""Crawlers that see the labels: how good a crawl of this web could be.

Both are greedy, as the crawlers that they are compared with, and no strict bounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.errors import LabError
from semcrawl.registry import split_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from semcrawl.strategies import JudgedPage, Strategy

_DECAY = 0.5


class Oracle:
    """Sees whether a link leads to a page on topic.

    Such links come first, then those that stand on a page on topic, then the rest.

    Args:
        targets: the pages that count as found.
        on_topic: the pages on topic, where more are than count; the targets by default.
        landing: tells where a visitor of a URL ends up, for webs with redirects.
    """

    batch = 1

    def __init__(
        self,
        targets: Collection[str],
        on_topic: Collection[str] = (),
        landing: Callable[[str], str] = str,
    ) -> None:
        self._targets = frozenset(targets)
        self._on_topic = self._targets | frozenset(on_topic)
        self._landing = landing

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """1 for a link to a target, 0.5 for another on a page on topic, else 0."""
        other = 0.5 if judged.page.url in self._on_topic else 0.0
        targets, landing = self._targets, self._landing
        return [1.0 if landing(link.url) in targets else other for link in judged.page.links]


class SourceOracle:
    """Sees whether the page is on topic that a link stands on, and no farther.

    A page off topic halves what it was picked with, so that links fall back
    with their distance from the last page on topic.
    """

    batch = 1

    def __init__(self, on_topic: Collection[str]) -> None:
        self._on_topic = frozenset(on_topic)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """1 for the links of a page on topic, else half of the page's own priority."""
        is_on_topic = judged.page.url in self._on_topic
        priority = 1.0 if is_on_topic else judged.fetch_priority * _DECAY
        return [priority] * len(judged.page.links)


def find_oracle(
    spec: str,
    targets: Collection[str],
    on_topic: Collection[str],
    landing: Callable[[str], str] = str,
) -> Strategy | None:
    """The oracle that a strategy's spec names, None where it names another strategy.

    Raises:
        LabError: an oracle that sees something else.
    """
    name, options = split_spec(spec)
    if name != "oracle":
        return None
    sees = options.pop("sees", "targets")
    if options or sees not in ("targets", "sources"):
        raise LabError(f"{spec!r} is no oracle: write oracle, or oracle:sees=sources")
    return SourceOracle(on_topic) if sees == "sources" else Oracle(targets, on_topic, landing)
