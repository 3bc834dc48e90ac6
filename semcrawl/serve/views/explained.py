"""Why a page has its relevance, for the view of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from semcrawl.crawl.explaining import explain_page
from semcrawl.crawl.settings import Settings
from semcrawl.errors import RequestError, SemcrawlError
from semcrawl.serve.discretion import shown_spec
from semcrawl.serve.jobs import Job
from semcrawl.serve.titles import cut_title
from semcrawl.serve.views.matches import told_matches
from semcrawl.serve.views.page_facts import page_url
from semcrawl.serve.views.rows import is_of_sites
from semcrawl.serve.views.site_explained import explained_site_page
from semcrawl.serve.views.snippet import snippet

if TYPE_CHECKING:
    from semcrawl.crawl.explaining import PageExplanation
    from semcrawl.graph import CrawlGraph

__all__ = ["ExplainedPage", "is_recorded"]


class ExplainedPage(Job, frozen=True):
    """The explanation of a page, which is read again; JSON.

    In a crawl for websites it says what a classifier took the page for, and what that did
    for its site; this is in the graph, and only the words that a lens saw are read again.
    ``may_fetch``: the page may be asked for over the network, where there is no recording.
    """

    url: str
    may_fetch: bool = False

    def do(self, graph: CrawlGraph) -> bytes:
        """Read the page again and let the judge explain."""
        url = page_url(graph, self.url)
        may_read = self.may_fetch or is_recorded(graph)
        try:
            if is_of_sites(graph):
                return msgspec.json.encode(explained_site_page(graph, url, with_words=may_read))
            if not may_read:
                raise RequestError(
                    "the page must be fetched again to be explained: ask by POST, with the token",
                    409,
                )
            return msgspec.json.encode(_told(explain_page(graph, url)))
        except RequestError:
            raise
        except SemcrawlError as error:
            raise RequestError(str(error), 422) from error


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
        "judge": shown_spec(found.judge),
        **told_matches(explanation),
        "snippet": snippet(found.text, weights),
        "changed": found.changed,
    }
