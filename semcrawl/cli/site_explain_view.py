"""The explanation of a page of a crawl for websites, in lines for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.cli.explain_view import explanation_lines
from semcrawl.cli.screen import count
from semcrawl.sites.lens_classifier import relevance_confidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.site_crawl.explaining import LensWords, SitePageExplanation, SiteStanding

__all__ = ["site_page_lines"]


def site_page_lines(found: SitePageExplanation) -> Iterator[str]:
    """What judged the page and how, what its site gained by it, and the words of a lens."""
    yield f"relevance {found.relevance:.4f} by {found.judge}"
    yield ""
    if not found.confidences:
        yield "the page has no words: it says nothing of its site"
    for name, confidence in found.confidences.items():
        yield f"{confidence:.4f}  {name}"
    yield ""
    yield from _standing_lines(found.standing)
    if found.lens is not None:
        yield ""
        yield from _lens_lines(found.lens)


def _standing_lines(standing: SiteStanding) -> Iterator[str]:
    taken = f"taken for {standing.site_class}" if standing.site_class else "still being read"
    pages = count(standing.pages, "page")
    yield f"site {standing.site}: {standing.confidence:.4f} after {pages}, {taken}"
    yield (
        f"this page, number {standing.number} of it, changed that from {standing.before:.4f} to "
        f"{standing.after:.4f} (the prior was {standing.prior:.4f})"
    )


def _lens_lines(lens: LensWords) -> Iterator[str]:
    if lens.explanation is None:
        yield "the lens cannot tell the words that it saw"
        return
    yield from explanation_lines(lens.explanation)
    score = lens.explanation.score
    yield (
        f"a score of {score:.4f} on a page of {count(lens.words, 'word')}, where "
        f"{lens.threshold:g} is undecided, is a confidence of "
        f"{relevance_confidence(score, lens.threshold, lens.words):.4f}"
    )
