"""The passage of a text that shows best why it was judged as it was."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING

from semcrawl.text.terms import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Piece", "snippet"]

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_WORDS = 60
_LEAD = 6
"""Words shown before the first match of the passage."""

_LONGEST = 2_000
_ELLIPSIS = "\u2026"

Piece = dict[str, str | bool]


def snippet(text: str, weights: Mapping[str, float]) -> list[Piece]:
    """The passage of some sixty words with the heaviest matches, in pieces.

    ``weights`` has the matched words and phrases, as ``tokens`` writes them. Each
    piece is a text, and whether it is a match; nothing where nothing matches.

    >>> [piece["text"] for piece in snippet("Bronchial asthma is common.", {"asthma": 1.0})]
    ['Bronchial ', 'asthma', ' is common.']
    """
    places = [match.span() for match in _WORD.finditer(text)]
    words = [" ".join(tokens(text[start:end])) for start, end in places]
    matched = _matched(words, weights)
    if not any(matched):
        return []
    first, last = _window(matched)
    return _pieces(text, places, matched, first, last)


def _matched(words: Sequence[str], weights: Mapping[str, float]) -> list[float]:
    """The weight of each word, as part of a matched phrase or alone; 0 where it matches not."""
    phrases: dict[str, list[tuple[str, ...]]] = {}
    for phrase in weights:
        parts = tuple(phrase.split())
        if parts:
            phrases.setdefault(parts[0], []).append(parts)
    found = [0.0] * len(words)
    for place, word in enumerate(words):
        for parts in phrases.get(word, ()):
            if tuple(words[place : place + len(parts)]) == parts:
                share = max(weights[" ".join(parts)], 1e-9) / len(parts)
                for inner in range(place, place + len(parts)):
                    found[inner] = max(found[inner], share)
    return found


def _window(matched: Sequence[float]) -> tuple[int, int]:
    """The numbers of the first word of the best passage and of the one after its last."""
    sums = [0.0, *accumulate(matched)]
    size = min(_WORDS, len(matched))
    starts = range(len(matched) - size + 1)
    best = max(starts, key=lambda start: sums[start + size] - sums[start])
    hit = next(place for place in range(best, best + size) if matched[place])
    first = max(0, min(hit - _LEAD, len(matched) - size))
    # A passage that begins shortly before its first match must not lose its last ones.
    last_hit = max(place for place in range(best, best + size) if matched[place])
    return first, min(len(matched), max(first + size, last_hit + 1))


def _pieces(
    text: str,
    places: Sequence[tuple[int, int]],
    matched: Sequence[float],
    first: int,
    last: int,
) -> list[Piece]:
    begin = places[first][0] if first else 0
    end = places[last - 1][1] if last < len(places) else len(text)
    cuts: list[tuple[int, int, bool]] = []
    at = begin
    for place in range(first, last):
        if matched[place]:
            start, stop = places[place]
            cuts += [(at, start, False), (start, stop, True)]
            at = stop
    cuts.append((at, end, False))
    shown = [(_tidy(text[start:stop]), is_match) for start, stop, is_match in cuts if stop > start]
    if first:
        shown.insert(0, (_ELLIPSIS + " ", False))
    if last < len(places):
        shown.append((" " + _ELLIPSIS, False))
    return _joined(shown)


def _joined(shown: Iterable[tuple[str, bool]]) -> list[Piece]:
    pieces: list[Piece] = []
    for text, is_match in shown:
        if pieces and not is_match and not pieces[-1]["match"]:
            pieces[-1]["text"] = f"{pieces[-1]['text']}{text}"
        elif text:
            pieces.append({"text": text[:_LONGEST], "match": is_match})
    return pieces


def _tidy(text: str) -> str:
    return re.sub(r"\s+", " ", text)
