"""From text to vectors.

- ``terms``: tokens, Porter stems and their counts
- ``stop_words``: the English function words that are no terms
- ``vectors``: tf, tf-idf and other weights, cosine
- ``background``: document frequencies of a language at large, for idf
- ``phrases``: finding terms of several words
- ``sketch``: bands by which near duplicates find each other
"""

from __future__ import annotations

from semcrawl.text.background import Background
from semcrawl.text.phrases import Phrase, PhraseMatcher
from semcrawl.text.terms import STOP_WORDS, count_terms, stem, terms, tokens
from semcrawl.text.vectors import Vector, bands, cosine, norm, pant_weights, tf, tf_idf

__all__ = [
    "STOP_WORDS",
    "Background",
    "Phrase",
    "PhraseMatcher",
    "Vector",
    "bands",
    "cosine",
    "count_terms",
    "norm",
    "pant_weights",
    "stem",
    "terms",
    "tf",
    "tf_idf",
    "tokens",
]
