"""From an inflected English word to the lemma that WordNet has ("banks" to "bank").

The rules and their order are those of the manual page morphy(7WN), the answers
those of nltk: the word itself if it is a lemma, then the exception list, and
only for words that are not in it the detachment of endings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["PARTS_OF_SPEECH", "Morphology"]

PARTS_OF_SPEECH = "nvar"
"""Nouns, verbs, adjectives (with satellites) and adverbs, in WordNet's order."""

_ENDINGS = {
    "n": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "v": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}


class Morphology:
    """Base forms of words, by exception lists and by rules."""

    def __init__(self, exceptions: Iterable[str], is_lemma: Callable[[str, str], bool]) -> None:
        """Take lines of "pos form base ..." and a test whether (word, pos) is a lemma."""
        self._exceptions: dict[tuple[str, str], list[str]] = {}
        for line in exceptions:
            pos, form, *bases = line.split(" ")
            self._exceptions[pos, form.replace("_", " ")] = [
                base.replace("_", " ") for base in bases
            ]
        self._is_lemma = is_lemma

    def base_forms(self, word: str, pos: str) -> list[str]:
        """Return the lemmas of a part of speech that a word can be a form of, the likeliest first.

        >>> morphology = Morphology(["n mice mouse"], lambda word, pos: word in ("mouse", "cat"))
        >>> [morphology.base_forms(word, "n") for word in ("mice", "cats", "xs")]
        [['mouse'], ['cat'], []]
        """
        pos = "a" if pos == "s" else pos
        forms = self._exceptions.get((pos, word))
        if forms is None:
            forms = [
                word[: -len(ending)] + new
                for ending, new in _ENDINGS.get(pos, ())
                if word.endswith(ending)
            ]
        return [form for form in dict.fromkeys((word, *forms)) if self._is_lemma(form, pos)]
