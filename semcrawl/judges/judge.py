"""The Judge protocol and the registry of judges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from semcrawl.registry import Registry

if TYPE_CHECKING:
    from semcrawl.page import Page

__all__ = ["JUDGES", "Judge", "Judgement"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of a page: relevance in [0, 1], and the concept it fits best, as an IRI."""

    relevance: float
    concept: str | None = None


class Judge(Protocol):
    """Gives a fetched page its relevance (the papers' critic, classifier, similarity).

    ``threshold`` is the relevance from which on a page counts as relevant where
    the user gives none. ``judge`` may be called from several threads at once.
    """

    threshold: float

    def judge(self, page: Page) -> Judgement:
        """The relevance of a page to the topic that the judge was built for."""
        ...


JUDGES = Registry("judge", "semcrawl.judges", frozenset({"topic", "background"}))
