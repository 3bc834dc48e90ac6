"""When a crawl stops, and what it says then."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semcrawl.crawl.progress import Progress
    from semcrawl.crawl.settings import Settings

__all__ = ["StopReason", "reason_to_stop"]


class StopReason(StrEnum):
    """Why a crawl stopped; the value is the local name in the vocabulary."""

    PAGES_REACHED = "PagesReached"
    RELEVANT_REACHED = "RelevantReached"
    SITES_REACHED = "SitesReached"
    EFFORT_RISEN = "EffortRisen"
    TIME_OVER = "TimeOver"
    FRONTIER_EMPTY = "FrontierEmpty"
    MAINTAINED = "Maintained"
    INTERRUPTED = "Interrupted"
    FAILED = "Failed"

    @property
    def sentence(self) -> str:
        """The reason in words.

        >>> StopReason.FRONTIER_EMPTY.sentence
        'no URL is left to visit'
        """
        return _SENTENCES[self]


_SENTENCES = {
    StopReason.PAGES_REACHED: "the wanted number of pages is visited",
    StopReason.RELEVANT_REACHED: "the wanted number of relevant pages is found",
    StopReason.SITES_REACHED: "the wanted number of relevant sites is found",
    StopReason.EFFORT_RISEN: "relevant sites cost too many pages by now",
    StopReason.TIME_OVER: "the time is over",
    StopReason.FRONTIER_EMPTY: "no URL is left to visit",
    StopReason.MAINTAINED: "no page is left to revisit",
    StopReason.INTERRUPTED: "it was told to stop",
    StopReason.FAILED: "an error ended it",
}


def reason_to_stop(settings: Settings, progress: Progress) -> StopReason | None:
    """The stop rule that is met now, or None; an empty frontier is the loop's to see."""
    is_maintenance = settings.revisit_share >= 1.0
    if settings.pages and progress.pages >= settings.pages and not is_maintenance:
        return StopReason.PAGES_REACHED
    if settings.relevant and progress.relevant >= settings.relevant and not is_maintenance:
        return StopReason.RELEVANT_REACHED
    if settings.seconds and progress.seconds >= settings.seconds:
        return StopReason.TIME_OVER
    return None
