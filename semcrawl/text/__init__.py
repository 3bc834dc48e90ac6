"""From text to vectors: terms, phrases, weights, and document frequencies for idf."""

from semcrawl.text.background import Background

__all__ = ["Background"]
