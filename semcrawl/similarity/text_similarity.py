"""The seam between judges and strategies and whatever tells how near a text is to the topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["TextSimilarity"]


class TextSimilarity(Protocol):
    """A topic made ready to be compared with many texts.

    Called with the term counts of a text it gives a similarity in [0, 1]; 0
    for a text without terms. It may be called from several threads at once.
    """

    def __call__(self, counts: Mapping[str, int]) -> float:
        """The similarity of the text with these term counts to the topic."""
        ...
