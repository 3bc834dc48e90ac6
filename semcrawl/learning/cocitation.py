"""What is known of the links near a link: co-citation as features.

A link (u, w) within the DOM offset d of a link (u, v), whose target has been
fetched, gives the feature ⟨high, d⟩ or ⟨low, d⟩ (Chakrabarti, Punera and
Subramanyam 2002, section 3.8).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from semcrawl.learning.features import LinkFeatures, offset_salt, slots_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.page import Page

__all__ = ["LinkPlaces", "cocitation_features"]

_SALT = 0x0200_0000
_HIGH = 0x5EED0001
_LOW = 0x5EED0002


@dataclass(frozen=True, slots=True, eq=False)
class LinkPlaces:
    """Where links stand on their page: the first and the last leaf of each."""

    first: NDArray[np.int32]
    last: NDArray[np.int32]

    @classmethod
    def of_page(cls, page: Page) -> LinkPlaces:
        """The places of a page's links."""
        return cls(
            np.array([link.first_leaf for link in page.links], np.int32),
            np.array([link.last_leaf for link in page.links], np.int32),
        )

    def chosen(self, mask: NDArray[np.bool_]) -> LinkPlaces:
        """The places of some of the links only."""
        return LinkPlaces(self.first[mask], self.last[mask])


def cocitation_features(
    places: LinkPlaces,
    targets: NDArray[np.uint32],
    relevance: NDArray[np.float64],
    boundary: float,
    d_max: int,
) -> LinkFeatures:
    """The features ⟨low, d⟩ and ⟨high, d⟩ of all links of a page.

    Args:
        places: of the links, in document order.
        targets: a number for the URL of each; links to one URL say nothing of each other.
        relevance: of each target, NaN where it is not known.
        boundary: the least relevance that is high.
        d_max: the farthest DOM offset.
    """
    placed = np.flatnonzero(places.last >= places.first)
    first, last = places.first[placed].astype(np.int64), places.last[placed].astype(np.int64)
    owners: list[NDArray[np.int64]] = []
    slots: list[NDArray[np.uint32]] = []
    # Every link has a leaf of its own, so no nearer one is more than d_max links away.
    for step in range(1, min(d_max, len(placed) - 1) + 1):
        left, right = placed[:-step], placed[step:]
        offset = first[step:] - last[:-step]
        pairs = (offset >= 1) & (offset <= d_max) & (targets[left] != targets[right])
        for here, there, sign in ((left, right, 1), (right, left, -1)):
            says = pairs & ~np.isnan(relevance[there])
            owners.append(here[says])
            slots.append(_slots(relevance[there[says]] >= boundary, sign * offset[says]))
    if not owners:
        return LinkFeatures(np.zeros(len(targets), np.int64), np.zeros(0, np.uint32))
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    sizes = np.bincount(owner, minlength=len(targets)).astype(np.int64)
    return LinkFeatures(sizes, np.concatenate(slots)[order])


def _slots(high: NDArray[np.bool_], offset: NDArray[np.int64]) -> NDArray[np.uint32]:
    words = np.where(high, np.uint32(_HIGH), np.uint32(_LOW)).astype(np.uint32)
    return slots_of(words, offset_salt(offset) + np.uint32(_SALT))
