"""What a page of a crawl for websites was taken for, and what that did for its site."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semcrawl.serve.discretion import without_folders
from semcrawl.serve.titles import cut_title
from semcrawl.serve.views.matches import told_matches
from semcrawl.site_crawl.explaining import explain_site_page
from semcrawl.site_crawl.site_crawl import stored_settings

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph
    from semcrawl.site_crawl.explaining import LensWords

__all__ = ["explained_site_page"]


def explained_site_page(graph: CrawlGraph, url: str, *, with_words: bool) -> dict[str, Any]:
    """The explanation as plain data; what a lens saw only ``with_words``, which reads the page.

    Raises:
        SemcrawlError: as :func:`explain_site_page` says.
    """
    found = explain_site_page(graph, url, with_words=with_words)
    standing = found.standing
    return {
        "url": found.url,
        "title": found.title and cut_title(found.title),
        "relevance": found.relevance,
        "judge": without_folders(found.judge),
        "classes": [
            {"name": name, "confidence": confidence}
            for name, confidence in found.confidences.items()
        ],
        "site": {
            "name": standing.site,
            "confidence": standing.confidence,
            "verdict": standing.site_class,
            "pages": standing.pages,
            "prior": standing.prior,
            "number": standing.number,
            "before": standing.before,
            "after": standing.after,
        },
        "has_words": bool(found.confidences) and _is_by_lens(graph),
        "lens": found.lens and _lens(found.lens),
    }


def _is_by_lens(graph: CrawlGraph) -> bool:
    settings, _ = stored_settings(graph)
    by = settings.judged_by
    return by.kind == "lens" if by is not None else not settings.model


def _lens(lens: LensWords) -> dict[str, Any]:
    told = None if lens.explanation is None else told_matches(lens.explanation)
    return {
        "threshold": lens.threshold,
        "words": lens.words,
        "explanation": told,
        "changed": lens.changed,
    }
