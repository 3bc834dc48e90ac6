"""What is recorded of a page, put together from its answer, its reading and its judgement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.graph import VisitedPage
from semcrawl.page import Statements
from semcrawl.text.sketch import bands

if TYPE_CHECKING:
    from semcrawl.crawl.settings import Settings
    from semcrawl.graph import FoundUrl
    from semcrawl.judges import Judgement
    from semcrawl.page import Page
    from semcrawl.web import Response

__all__ = ["page_record"]


def page_record(
    entry: FoundUrl,
    step: int,
    response: Response,
    page: Page,
    judgement: Judgement,
    settings: Settings,
    *,
    memo: str = "",
) -> VisitedPage:
    """What is recorded of a page that was fetched, read and judged.

    The settings say whether that has what near duplicates are found by, and what
    the page says itself; ``memo`` is what the strategy wants to find again.
    """
    said = page.statements if settings.statements else Statements()
    return VisitedPage(
        url=entry.url,
        step=step,
        relevance=judgement.relevance,
        fetch_priority=entry.priority,
        status=response.status,
        fetched_at=response.fetched_at,
        size=len(response.body),
        title=page.title,
        language=page.language,
        description=page.description,
        canonical=page.canonical,
        concept=judgement.concept,
        digest=response.digest,
        log_relevance=judgement.log_relevance,
        on_topic=judgement.on_topic,
        etag=response.headers.get("etag", ""),
        last_modified=response.headers.get("last-modified", ""),
        memo=memo,
        bands=bands(page.terms) if settings.sketches else (),
        statements=said.triples,
        statement_problems=said.problems,
        links=dict.fromkeys(link.url for link in page.links),
    )
