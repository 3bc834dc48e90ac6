"""From text to vectors: terms, phrases, weights, and document frequencies for idf."""

from semcrawl.text.background import Background
from semcrawl.text.languages import analyser
from semcrawl.text.phrases import Phrase, PhraseMatcher
from semcrawl.text.terms import STOP_WORDS, Analyser, count_terms, stem, terms, tokens
from semcrawl.text.vectors import Vector, bands, cosine, norm, tf, tf_idf

__all__ = [
    "STOP_WORDS",
    "Analyser",
    "Background",
    "Phrase",
    "PhraseMatcher",
    "Vector",
    "analyser",
    "bands",
    "cosine",
    "count_terms",
    "norm",
    "stem",
    "terms",
    "tf",
    "tf_idf",
    "tokens",
]
