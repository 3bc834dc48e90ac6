"""N-best-first: best-first in batches of N pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.strategies.best_first import BestFirstAnchor, BestFirstPage, BestFirstPageAnchor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from semcrawl.judges import Judge
    from semcrawl.strategies.strategy import JudgedPage, Strategy
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

__all__ = ["NBestFirst"]

_RANKED_BY: dict[str, Callable[..., Strategy]] = {
    "page": BestFirstPage,
    "anchor": BestFirstAnchor,
    "page-anchor": BestFirstPageAnchor,
}


class NBestFirst:
    """Best-first that fetches the N best URLs before it chooses again (Batsakis 2007, section 2.2).

    Args:
        topic: the topic.
        background: document frequencies.
        judge: the crawl's judge, whose cosine need not be computed again.
        n: how many URLs are picked at a time.
        by: what a link is ranked by: ``page``, ``anchor`` or ``page-anchor``.
    """

    def __init__(
        self,
        topic: Topic,
        background: Background,
        judge: Judge | None = None,
        n: int = 10,
        by: str = "page-anchor",
    ) -> None:
        if n < 1:
            raise ValueError(f"n must be at least 1, not {n}")
        if by not in _RANKED_BY:
            raise ValueError(f"by must be one of {', '.join(_RANKED_BY)}, not {by!r}")
        self.batch = n
        self._inner: Strategy = _RANKED_BY[by](topic, background, judge)

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """The priorities of the best-first crawler that ``by`` names."""
        return self._inner.rank(judged)
