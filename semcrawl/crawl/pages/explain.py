"""Why a page has its relevance, and how the crawl came to it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from semcrawl.crawl.pages.crawl import equip
from semcrawl.crawl.settings import Settings
from semcrawl.errors import ConfigError, FetchError, QueryError
from semcrawl.graph import SC
from semcrawl.page import read_page
from semcrawl.relevance import explaining
from semcrawl.strategies import BreadthFirst
from semcrawl.topics import Topic
from semcrawl.web.urls import canonical

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph
    from semcrawl.relevance import Judge
    from semcrawl.relevance.explanation import Explanation
    from semcrawl.web import Fetcher, Response


@dataclass(frozen=True, slots=True)
class Step:
    """A URL on the way from a seed: its relevance, and the priority that it was fetched with.

    A URL that redirected has neither; it is no page.
    """

    url: str
    title: str | None
    relevance: float | None
    priority: float | None


@dataclass(frozen=True, slots=True)
class PageExplanation:
    """All that can be said of one page of a crawl.

    Attributes:
        url: the page.
        title: its title.
        relevance: what the crawl recorded.
        judge: the judge that said so, with its options.
        explanation: what the relevance was made of, read anew from the page.
        changed: whether the page has other bytes now than when it was judged.
        path: the pages from the seed to this one.
        text: the text of the page, as it was read for the explanation.
    """

    url: str
    title: str | None
    relevance: float
    judge: str
    explanation: Explanation
    changed: bool
    path: tuple[Step, ...]
    text: str = field(default="", repr=False)

    def to_json(self) -> str:
        """The explanation as a JSON object."""
        written = asdict(self) | {"score": self.explanation.score}
        del written["text"]
        return json.dumps(written, ensure_ascii=False, indent=1)


def explain_page(
    graph: CrawlGraph,
    url: str,
    *,
    judge: Judge | None = None,
    fetcher: Fetcher | None = None,
) -> PageExplanation:
    """Explain the relevance of a visited page, from the page itself, read once more.

    The page comes from the crawl's replay, or from the network where the crawl
    had none; ``judge`` and ``fetcher`` take the place of the crawl's own.

    Raises:
        QueryError: the crawl did not visit the URL.
        FetchError: the page cannot be had any more.
        ConfigError: the judge cannot explain itself, or it is a crawl for websites, whose
            pages no judge has judged.
    """
    if judge is None and len(graph.query("sites/site-settings")):
        raise ConfigError(
            "this is a crawl for websites, whose pages are judged by a classifier: use "
            "explain_site_page of semcrawl.crawl.sites.explain, or 'semcrawl explain'"
        )
    url = canonical(url)
    recorded = recorded_page(graph, url)
    about = graph.describe()
    settings = Settings.from_json(about.settings)
    topic = Topic.from_toml(about.topic)
    # No link is ranked here: the cheapest strategy will do, and no policy; either may be gone.
    quiet = settings.changed({"policy": ()})
    parts = equip(quiet, topic, [], judge=judge, strategy=BreadthFirst(), fetcher=fetcher)
    try:
        similarity = explaining(parts.judge, settings.judge)
        response = read_again(parts.fetcher, url)
        text = read_page(response).text
    finally:
        if fetcher is None:
            parts.fetcher.close()
    return PageExplanation(
        url=url,
        title=recorded["title"],
        relevance=recorded["relevance"],
        judge=settings.judge,
        explanation=similarity.explain(text),
        changed=response.digest != recorded["digest"],
        path=way_to(graph, url),
        text=text,
    )


def read_again(fetcher: Fetcher, url: str) -> Response:
    """Fetch a page that the crawl has visited.

    Raises:
        FetchError: it cannot be had any more.
    """
    try:
        return fetcher.fetch(url)
    except FetchError as error:
        raise FetchError(
            f"the page cannot be read again, so its words cannot be shown: {error}",
            reason=error.reason,
        ) from error


def recorded_page(graph: CrawlGraph, url: str) -> dict[str, Any]:
    """What the crawl recorded of a page, by the names of the query ``analyse/page``.

    Raises:
        QueryError: the crawl did not visit the URL.
    """
    row: dict[str, Any] | None = next(iter(graph.query("analyse/page", url=url)), None)
    if row is None:
        dropped = next(iter(graph.query("analyse/why-dropped", url=url)), None)
        why = (
            f"it was dropped because of {dropped['reason'].removeprefix(SC)}"
            if dropped
            else "look at the URL, or let the crawl go on; "
            "'semcrawl query FOLDER best-pages' lists pages"
        )
        raise QueryError(f"the crawl has not visited {url}; {why}")
    return row


def way_to(graph: CrawlGraph, url: str) -> tuple[Step, ...]:
    """The pages from the seed to a page, this one last."""
    rows = list(graph.query("analyse/path-from-seed", url=url))
    steps = [Step(r["page"], r["title"], r["relevance"], r["priority"]) for r in rows]
    return tuple(reversed(steps))
