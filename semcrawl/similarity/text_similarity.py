"""The seam between judges and strategies and whatever tells how near a text is to the topic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["OrderedTerms", "TextSimilarity"]

OrderedTerms = Callable[[], Sequence[str]]
"""Gives the terms of a text in their order, as ``semcrawl.text.terms`` does."""


class TextSimilarity(Protocol):
    """A topic made ready to be compared with many texts.

    Called with the term counts of a text it gives a similarity in [0, 1]; 0
    for a text without terms. It may be called from several threads at once.
    """

    def __call__(self, counts: Mapping[str, int], ordered: OrderedTerms | None = None) -> float:
        """The similarity of the text with these term counts to the topic.

        Counts do not tell which words stood side by side. Where the topic has
        phrases that the text may hold, ``ordered`` is called for the terms in
        their order; without it no phrase is found.
        """
        ...

    def of_text(self, text: str) -> float:
        """The similarity of a text to the topic, phrases included."""
        ...
