"""Judges that know concepts: a page is looked at through a lens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.judges.judge import Judgement
from semcrawl.similarity.ehrig_similarity import EhrigSimilarity
from semcrawl.similarity.mihalcea import MihalceaSimilarity
from semcrawl.similarity.ssrm import SsrmSimilarity
from semcrawl.similarity.synonym_similarity import SynonymSimilarity
from semcrawl.topics.sources import concept_iri

if TYPE_CHECKING:
    from semcrawl.page import Page
    from semcrawl.similarity.lens import Lens
    from semcrawl.similarity.text_similarity import TextSimilarity
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

# The thresholds of the four judges are round numbers near the one at which the mean F
# against third-party labels is best, over ten topics and the 4,604 articles of
# schools-wikipedia; docs/judges.md has the figures.

__all__ = ["EhrigJudge", "MihalceaJudge", "SsrmJudge", "SynonymSetsJudge", "best_concept"]


def best_concept(lens: Lens, page: Page) -> str | None:
    """The IRI of the concept that gives a page most of its weight through a lens, or None."""
    stems, phrases = lens.split(page.terms, lambda: page.term_sequence)
    weights, given = lens.weights, dict[str, float]()
    for term, count in (*stems.items(), *phrases.items()):
        if term in weights:
            concept = max(lens.reasons[term], key=lambda why: why.similarity).concept
            if concept is not None:
                given[concept] = given.get(concept, 0.0) + count * weights[term]
    return concept_iri(max(given, key=lambda concept: given[concept])) if given else None


def _judge(similarity: TextSimilarity, lens: Lens | None, page: Page) -> Judgement:
    if lens is not None and len(lens.phrases):
        _ = page.term_sequence  # nearly always needed; the counts are then made from it
    relevance = similarity(page.terms, lambda: page.term_sequence)
    concept = best_concept(lens, page) if lens is not None and relevance else None
    return Judgement(relevance, concept)


class SsrmJudge:
    """Relevance by SSRM's sum x over related terms, as x / (1 + x) (Batsakis 2007, eq. 9).

    Args:
        topic: the topic.
        background: document frequencies.
        measure: how near concepts are.
        min_weight: how near a concept must be to count; below 0 it is the measure's cut-off.
    """

    threshold = 0.2

    def __init__(
        self, topic: Topic, background: Background, measure: str = "li", min_weight: float = -1.0
    ) -> None:
        least = None if min_weight < 0 else min_weight
        self.similarity = SsrmSimilarity.of_topic(
            topic, background, measure, min_weight=least, squash=True
        )

    def judge(self, page: Page) -> Judgement:
        """The similarity of the page's text, and the concept that gives most of it."""
        return _judge(self.similarity, self.similarity.lens, page)


class EhrigJudge:
    """Relevance by Ehrig's sum x over near concepts, as x / (1 + x) (Batsakis 2007, eq. 8).

    Args:
        topic: the topic.
        measure: how near concepts are.
        min_weight: how near a concept must be to count; below 0 it is the measure's cut-off.
    """

    threshold = 0.3

    def __init__(self, topic: Topic, measure: str = "ehrig", min_weight: float = -1.0) -> None:
        least = None if min_weight < 0 else min_weight
        self.similarity = EhrigSimilarity.of_topic(topic, measure, min_weight=least, squash=True)

    def judge(self, page: Page) -> Judgement:
        """The similarity of the page's text, and the concept that gives most of it."""
        return _judge(self.similarity, self.similarity.lens, page)


class SynonymSetsJudge:
    """Relevance is the cosine with the topic expanded by synonyms (Batsakis 2007, eq. 10).

    Args:
        topic: the topic.
        background: document frequencies.
        senses: how many senses of an undetermined word bring their synonyms.
    """

    threshold = 0.05

    def __init__(self, topic: Topic, background: Background, senses: int = 1) -> None:
        self.similarity = SynonymSimilarity(topic, background, senses)

    def judge(self, page: Page) -> Judgement:
        """The cosine of the page's text and the expanded topic."""
        return _judge(self.similarity, None, page)


class MihalceaJudge:
    """Relevance by how well page and topic cover each other (Corley, Mihalcea 2005).

    Args:
        topic: the topic.
        background: document frequencies.
        measure: how near concepts are.
        min_weight: how near a concept must be to count; below 0 it is the measure's cut-off.
    """

    threshold = 0.5

    def __init__(
        self,
        topic: Topic,
        background: Background,
        measure: str = "wu-palmer",
        min_weight: float = -1.0,
    ) -> None:
        least = None if min_weight < 0 else min_weight
        self.similarity = MihalceaSimilarity.of_topic(topic, background, measure, min_weight=least)

    def judge(self, page: Page) -> Judgement:
        """The similarity of the page's text, and the concept that gives most of it."""
        return _judge(self.similarity, self.similarity.lens, page)
