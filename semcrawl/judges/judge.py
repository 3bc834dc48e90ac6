"""The Judge protocol and the registry of judges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from semcrawl.errors import ConfigError
from semcrawl.registry import Registry

if TYPE_CHECKING:
    from semcrawl.page import Page
    from semcrawl.similarity.explanation import Explanation

__all__ = ["JUDGES", "ExplainingSimilarity", "Judge", "Judgement", "explaining"]


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
