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
    """Relevance is the cosine of the tf·idf vectors of page and topic (Batsakis 2007, eq. 2)."""

    # Between 0.03 and 0.06 cosine and human labels agree best on most topics of a
    # recorded encyclopedia (docs/judges.md): short topics have low cosines.

    threshold = 0.05

    def __init__(self, topic: Topic, background: Background) -> None:
        self.similarity = CosineSimilarity(topic.vector(background), background)

    def judge(self, page: Page) -> Judgement:
        """The cosine of the page's visible text and the topic."""
        return Judgement(self.similarity(page.terms))
