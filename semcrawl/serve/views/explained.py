"""Why a page has its relevance, for the view of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from semcrawl.crawl.explaining import explain_page
from semcrawl.crawl.settings import Settings
from semcrawl.errors import RequestError, SemcrawlError
from semcrawl.serve.jobs import Job
from semcrawl.serve.titles import cut_title
from semcrawl.serve.views.page_facts import page_url
from semcrawl.serve.views.rows import is_of_sites
from semcrawl.serve.views.snippet import snippet

if TYPE_CHECKING:
    from semcrawl.crawl.explaining import PageExplanation
    from semcrawl.graph import CrawlGraph
    from semcrawl.similarity.explanation import Match

__all__ = ["ExplainedPage", "is_recorded"]

_MOST = 200


class ExplainedPage(Job, frozen=True):
    """The explanation of a page, which is read again; JSON.

    ``may_fetch``: it may be asked for over the network, where the crawl has no recording.
    """

    url: str
    may_fetch: bool = False

    def do(self, graph: CrawlGraph) -> bytes:
        """Read the page again and let the judge explain."""
        if is_of_sites(graph):
            raise RequestError(
                "this crawl looks for whole websites and judges them by all their pages: "
                "there is no explanation of one page",
                409,
            )
        url = page_url(graph, self.url)
        if not self.may_fetch and not is_recorded(graph):
            raise RequestError(
                "the page must be fetched again to be explained: ask by POST, with the token", 409
            )
        try:
            found = explain_page(graph, url)
        except RequestError:
            raise
        except SemcrawlError as error:
            raise RequestError(str(error), 422) from error
        return msgspec.json.encode(_told(found))


def is_recorded(graph: CrawlGraph) -> bool:
    """Whether the pages of the crawl come from a recorded web."""
    return bool(Settings.from_json(graph.describe().settings).replay)


def _told(found: PageExplanation) -> dict[str, Any]:
    explanation = found.explanation
    weights: dict[str, float] = {}
    for match in explanation.matches:
        for words in match.words:
            if match.contribution > 0:
                each = match.contribution / max(match.count, 1)
                weights[words] = max(weights.get(words, 0.0), each)
    return {
        "url": found.url,
        "title": found.title and cut_title(found.title),
        "relevance": found.relevance,
        "score": explanation.score,
        "judge": found.judge,
        "similarity": explanation.similarity,
        "matches": [_match(match) for match in explanation.matches[:_MOST]],
        "matches_total": len(explanation.matches),
        "divided_by": [
            {"name": normaliser.name, "value": normaliser.value}
            for normaliser in explanation.normalisers
        ],
        "squashed": explanation.squashed,
        "snippet": snippet(found.text, weights),
        "changed": found.changed,
    }


def _match(match: Match) -> dict[str, Any]:
    return {
        "words": match.words,
        "concept": match.concept,
        "label": match.label,
        "topic": match.topic_label,
        "weight": match.topic_weight * match.similarity * match.label_weight,
        "count": match.count,
        "contribution": match.contribution,
        "path": match.path,
    }
