"""Which words a link is ranked by: its anchor, its context, its page, or a mean of these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from semcrawl.page import Page
    from semcrawl.similarity.text_similarity import TextSimilarity

__all__ = ["LinkText"]

_PARTS = ("page", "anchor", "context")
_REMEMBERED = 50_000


class LinkText:
    """The parts of a link that are compared with the topic, given as ``page-anchor`` or the like.

    Several parts count the same: a link's similarity is their mean, as in
    Batsakis 2007, eq. 7 and 10.

    Raises:
        ConfigError: a part that is none, or none at all.

    >>> LinkText("page-anchor").parts
    ('page', 'anchor')
    """

    def __init__(self, on: str) -> None:
        self.parts = tuple(on.split("-"))
        # The same words stand in many links; a LinkText serves one similarity.
        self._known: dict[str, float] = {"": 0.0}
        for part in self.parts:
            if part not in _PARTS or self.parts.count(part) > 1:
                raise ConfigError(
                    f"on={on} is no text of a link; join some of {', '.join(_PARTS)} "
                    "with hyphens, such as page-anchor"
                )

    def similarities(
        self,
        page: Page,
        similarity: TextSimilarity,
        of_anchor: Callable[[str], float] | None = None,
    ) -> list[float]:
        """The similarity of every link of a page to the topic, in order.

        ``of_anchor`` compares anchors, where they are compared in another way.
        """
        of_anchor = of_anchor or similarity.of_text
        if len(self._known) > _REMEMBERED:
            self._known = {"": 0.0}
        columns = [self._column(part, page, similarity, of_anchor) for part in self.parts]
        if len(columns) == 1:
            return columns[0]
        return [sum(row) / len(row) for row in zip(*columns, strict=True)]

    def _column(
        self,
        part: str,
        page: Page,
        similarity: TextSimilarity,
        of_anchor: Callable[[str], float],
    ) -> list[float]:
        if part == "page":
            return [similarity(page.terms, lambda: page.term_sequence)] * len(page.links)
        if part == "anchor":
            return [self._remembered(link.anchor, of_anchor, self._known) for link in page.links]
        # Links of one block have one context: compare it once.
        contexts = {"": 0.0}
        return [
            self._remembered(page.context(link), similarity.of_text, contexts)
            for link in page.links
        ]

    @staticmethod
    def _remembered(text: str, of_text: Callable[[str], float], known: dict[str, float]) -> float:
        value = known.get(text)
        if value is None:
            value = known[text] = of_text(text)
        return value
