"""The Judge protocol and the registry of judges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from semcrawl.errors import ConfigError
from semcrawl.registry import Registry
from semcrawl.relevance.similarities import (
    CosineSimilarity,
    EhrigSimilarity,
    MihalceaSimilarity,
    SsrmSimilarity,
    SynonymSimilarity,
)
from semcrawl.topics.sources import concept_iri

if TYPE_CHECKING:
    from semcrawl.page import Page
    from semcrawl.relevance.explanation import Explanation
    from semcrawl.relevance.lens import Lens
    from semcrawl.relevance.similarities import TextSimilarity
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of a page: relevance in [0, 1], and the concept it fits best, as an IRI.

    ``log_relevance`` is the natural logarithm of the relevance, for judges that
    work with probabilities too small for a plain number. ``on_topic`` is the
    judge's own word on whether the page belongs to the topic; None leaves it to
    the crawl's threshold.
    """

    relevance: float
    concept: str | None = None
    log_relevance: float | None = None
    on_topic: bool | None = None


class Judge(Protocol):
    """Gives a fetched page its relevance (the papers' critic, classifier, similarity).

    ``threshold`` is the relevance from which on a page counts as relevant where
    the user gives none. ``judge`` may be called from several threads at once.
    """

    threshold: float

    def judge(self, page: Page) -> Judgement:
        """The relevance of a page to the topic that the judge was built for."""
        ...


class ExplainingSimilarity(Protocol):
    """A text similarity that can say what a score is made of."""

    def explain(self, text: str) -> Explanation:
        """Which words of a text gave how much."""
        ...


def explaining(judge: Judge, name: str) -> ExplainingSimilarity:
    """The similarity of a judge that can explain itself; ``name`` is for the message.

    Raises:
        ConfigError: the judge has none.
    """
    similarity: ExplainingSimilarity | None = getattr(judge, "similarity", None)
    if similarity is None or not hasattr(similarity, "explain"):
        raise ConfigError(f"the judge {name!r} cannot explain its scores: choose another judge")
    return similarity


JUDGES = Registry("judge", "semcrawl.judges", frozenset({"topic", "background"}))


# The classic judge: cosine of page and topic.


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


# Judges that know concepts: a page is looked at through a lens.


# The thresholds of the four judges are round numbers near the one at which the mean F
# against third-party labels is best, over ten topics and the 4,604 articles of
# schools-wikipedia; docs/judges.md has the figures.


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
