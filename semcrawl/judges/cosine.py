"""The classic judge: cosine of page and topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.judges.judge import Judgement
from semcrawl.similarity.cosine import CosineSimilarity

if TYPE_CHECKING:
    from semcrawl.page import Page
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

__all__ = ["CosineJudge"]


class CosineJudge:
    """Relevance is the cosine of the page's and the topic's tf·idf vectors (Batsakis 2007, eq. 2)."""

    threshold = 0.1

    def __init__(self, topic: Topic, background: Background) -> None:
        self._similarity = CosineSimilarity(topic.vector(background), background)

    def judge(self, page: Page) -> Judgement:
        """The cosine of the page's visible text and the topic."""
        return Judgement(self._similarity(page.terms))
