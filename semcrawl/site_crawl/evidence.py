"""What one page says of its site, as the page classifier sees it, and what is noted of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from semcrawl.judges import Judgement

if TYPE_CHECKING:
    from semcrawl.page import Page
    from semcrawl.sites.classifier import PageClassifier

__all__ = ["ClassifierJudge", "PageNote", "SiteJudgement"]


@dataclass(frozen=True, slots=True)
class SiteJudgement(Judgement):
    """A judgement with the confidence for every class; of a page without text it has none."""

    confidences: tuple[float, ...] = ()


class ClassifierJudge:
    """A page classifier as a judge: the relevance is the confidence for the target class.

    A page without any text (frames, pictures) says nothing for a class or
    against it, whatever a classifier makes of no words.
    """

    threshold = 0.5

    def __init__(self, classifier: PageClassifier) -> None:
        self.classifier = classifier

    def judge(self, page: Page) -> SiteJudgement:
        """The confidences of a page, with six places as in the graph."""
        if not page.terms:
            return SiteJudgement(0.0)
        found = self.classifier.confidences(page.terms, lambda: page.term_sequence)
        confidences = tuple(round(float(value), 6) for value in found)
        return SiteJudgement(confidences[0], confidences=confidences)


class PageNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is noted with a page so that a resume can go on: enough to count it again.

    ``ignored`` are the links that the page asked robots not to follow.
    """

    confidences: tuple[float, ...] = ()
    ignored: tuple[str, ...] = ()

    def to_json(self) -> str:
        """As the memo of a page."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> PageNote:
        """What :meth:`to_json` wrote."""
        return msgspec.json.decode(text, type=cls)

    @property
    def confidence(self) -> float:
        """The confidence for the target class, 0 for a page without text."""
        return self.confidences[0] if self.confidences else 0.0
