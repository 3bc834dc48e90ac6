"""From a label to the term that a lens looks for in a text, and how telling that term is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.text.terms import terms, tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.topics.labels import Label

__all__ = ["in_language", "label_key", "term_idf"]

_ARTICLES = frozenset({"a", "an", "the"})


def label_key(text: str) -> str:
    """The stems of a label with spaces between; "" where they do not stand for the label.

    Terms hold no numbers, single letters and stop words. A label of which that
    leaves one stem would be found wherever the stem is: "vitamin C" in every
    text on vitamins, "at work" in every text with a work. Such labels are not used.

    >>> label_key("Respiratory diseases"), label_key("the flu"), label_key("vitamin C")
    ('respiratori diseas', 'flu', '')
    """
    stems = terms(text)
    if len(stems) == 1:
        words = tokens(text)
        if len(words) > 1 and any(word not in _ARTICLES for word in words if not terms(word)):
            return ""
    return " ".join(stems)


def term_idf(key: str, idfs: Mapping[str, float]) -> float:
    """The idf of a term; that of a phrase is its rarest stem's, since it is rarer still.

    >>> term_idf("first aid", {"first": 1.0, "aid": 3.0})
    3.0
    """
    return max([idfs[stem] for stem in key.split(" ")])


def in_language(labels: list[Label], language: str) -> list[Label]:
    """The labels in a language or in none; all of them where there are none such."""
    wanted = language.lower().split("-")[0]
    found = [label for label in labels if label.language.lower().split("-")[0] in ("", wanted)]
    return found or labels
