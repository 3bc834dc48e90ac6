"""How well a crawler for websites finds and classifies them (Ester, Kriegel, Schubert 2004)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["SiteTally", "tally"]


class SiteTally(NamedTuple):
    """Judged sites, counted by what the crawler said and what is true.

    Attributes:
        right: relevant, and taken for relevant.
        wrong: taken for relevant, but not.
        missed: relevant, but not taken for it.
        refused: neither.
    """

    right: int = 0
    wrong: int = 0
    missed: int = 0
    refused: int = 0

    def pages_per_relevant_site(self, pages: int) -> float | None:
        """Fetched pages for each relevant site that was found: the pprs-rate (section 3.3).

        The paper takes the classifier's word; here a site must be relevant too.

        >>> SiteTally(right=4, wrong=1).pages_per_relevant_site(pages=30)
        7.5
        """
        return pages / self.right if self.right else None

    @property
    def harvest_rate(self) -> float | None:
        """The share of relevant sites among all that were judged (section 4.2).

        >>> SiteTally(right=4, wrong=1, missed=2, refused=3).harvest_rate
        0.6
        """
        judged = sum(self)
        return (self.right + self.missed) / judged if judged else None

    @property
    def precision(self) -> float | None:
        """The share of relevant sites among those taken for relevant (table 1)."""
        taken = self.right + self.wrong
        return self.right / taken if taken else None

    @property
    def recall(self) -> float | None:
        """The share of those taken for relevant among the judged relevant sites (table 1)."""
        relevant = self.right + self.missed
        return self.right / relevant if relevant else None

    @property
    def f_measure(self) -> float | None:
        """The harmonic mean of precision and recall (table 1); None where no site is either.

        >>> SiteTally(right=3, wrong=1, missed=2).f_measure
        0.6666666666666666
        """
        either = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / either if either else None


def tally(judged: Iterable[tuple[bool, bool]]) -> SiteTally:
    """Return the counts of pairs (taken for relevant, is relevant).

    >>> tally([(True, True), (True, False), (False, False), (True, True)])
    SiteTally(right=2, wrong=1, missed=0, refused=1)
    """
    pairs = list(judged)
    return SiteTally(
        right=pairs.count((True, True)),
        wrong=pairs.count((True, False)),
        missed=pairs.count((False, True)),
        refused=pairs.count((False, False)),
    )
