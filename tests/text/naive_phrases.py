"""Finding phrases the plain way, to compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.text.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def naive_find(phrases: Iterable[str], stems: Sequence[str]) -> list[tuple[int, tuple[str, ...]]]:
    """The phrases in a sequence of stems, from left to right, the longest first."""
    known = sorted({tuple(phrase.split(" ")) for phrase in phrases}, key=len, reverse=True)
    found = []
    position = 0
    while position < len(stems):
        here = [p for p in known if tuple(stems[position : position + len(p)]) == p]
        if here:
            found.append((position, here[0]))
        position += len(here[0]) if here else 1
    return found


def naive_count(phrases: Iterable[str], text: str) -> dict[str, int]:
    """How often each term occurs in a text; a stem inside a phrase counts as part of it only."""
    stems = terms(text)
    counts: dict[str, int] = {}
    position = 0
    for start, phrase in (*naive_find(phrases, stems), (len(stems), ())):
        for term in (*stems[position:start], " ".join(phrase)):
            if term:
                counts[term] = counts.get(term, 0) + 1
        position = start + len(phrase)
    return counts
