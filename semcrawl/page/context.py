"""Text around a link, bounded, from the leaves of a page."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["collapse", "window"]

_BLANKS = re.compile(r"\s+")


def collapse(text: str) -> str:
    r"""Return a text with every run of white space as one blank, none at the ends.

    >>> collapse("  a\n\tb ")
    'a b'
    """
    return " ".join(text.split())


def window(
    pieces: Sequence[str],
    ends: Sequence[int],
    inner: tuple[int, int],
    outer: tuple[int, int],
    size: int,
) -> str:
    """Return at most ``size`` characters around the leaves ``inner``, within ``outer``.

    ``pieces`` are the leaves' texts and ``ends`` their running lengths,
    starting with 0; the ranges are half-open. What does not fit is left out on
    both sides alike, in whole words.

    >>> pieces = ["one two ", "three", " four five"]
    >>> window(pieces, [0, 8, 13, 23], (1, 2), (0, 3), 16)
    'two three four'
    """
    # Twice the size, as blanks are counted before they are collapsed. No more
    # than that is ever copied: a hostile page has a thousand links, all unclosed.
    reach = 2 * size
    high = min(inner[1], bisect_left(ends, ends[inner[0]] + reach))
    middle = _BLANKS.sub(" ", "".join(pieces[inner[0] : high])[:reach])[:size]
    room = size - len(middle)
    low = max(outer[0], bisect_right(ends, ends[inner[0]] - reach) - 1)
    before = _BLANKS.sub(" ", "".join(pieces[low : inner[0]])[-reach:])
    high = min(outer[1], bisect_left(ends, ends[inner[1]] + reach))
    after = _BLANKS.sub(" ", "".join(pieces[inner[1] : high])[:reach])
    share = max(room // 2, room - len(after))
    before = _last_words(before, share)
    after = _first_words(after, room - len(before))
    return collapse(before + middle + after)


def _first_words(text: str, size: int) -> str:
    if len(text) <= size:
        return text
    # One character more, to see whether a word ends exactly there.
    return text[: size + 1].rpartition(" ")[0] if size > 0 else ""


def _last_words(text: str, size: int) -> str:
    if len(text) <= size:
        return text
    return text[-size - 1 :].partition(" ")[2] if size > 0 else ""
