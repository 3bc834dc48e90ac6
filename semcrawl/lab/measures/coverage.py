"""How many sides of a topic were reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

__all__ = ["concept_coverage"]


def concept_coverage(reached: Iterable[str], concepts: Collection[str]) -> float | None:
    """Return the share of a topic's concepts that some page fits best; None without concepts.

    >>> concept_coverage(["asthma", "asthma", "flu", "cooking"], {"asthma", "flu", "gout", "mumps"})
    0.5
    """
    wanted = set(concepts)
    return len(wanted.intersection(reached)) / len(wanted) if wanted else None
