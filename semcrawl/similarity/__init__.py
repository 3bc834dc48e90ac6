"""How near a text is to a topic: one small class per text similarity."""

from __future__ import annotations

from semcrawl.similarity.cosine import CosineSimilarity
from semcrawl.similarity.text_similarity import TextSimilarity

__all__ = ["CosineSimilarity", "TextSimilarity"]
