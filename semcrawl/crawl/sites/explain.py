"""Why a page of a crawl for websites has its relevance, and what it said of its site.

A page classifier judged it. Its confidences stand in the graph, so that they are
told as they were; only the words behind those of a lens need the page once more.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from semcrawl.crawl.pages.crawl import equip
from semcrawl.crawl.pages.explain import read_again, recorded_page, way_to
from semcrawl.crawl.sites.belief import SiteBelief
from semcrawl.crawl.sites.crawl import stored_settings
from semcrawl.crawl.sites.internal import PageNote
from semcrawl.crawl.sites.settings import choose_classifier
from semcrawl.errors import QueryError
from semcrawl.graph.vocabulary import site_iri
from semcrawl.page import read_page
from semcrawl.strategies import BreadthFirst
from semcrawl.topics import Topic
from semcrawl.web import canonical

if TYPE_CHECKING:
    from semcrawl.crawl.pages.explain import Step
    from semcrawl.crawl.settings import Settings
    from semcrawl.crawl.sites.settings import JudgedBy, StoredSiteSettings
    from semcrawl.graph import CrawlGraph
    from semcrawl.relevance.explanation import Explanation
    from semcrawl.web import Fetcher


@dataclass(frozen=True, slots=True)
class SiteStanding:
    """What is believed of a site, and what one page changed of it.

    Attributes:
        site: the name of the site.
        confidence: Pr[target | pages], as recorded.
        site_class: the class that it was given; "" while it is being read.
        pages: how many pages were read.
        prior: Pr[target] before any page.
        number: the page that is explained is the first, second, … of the site.
        before: Pr[target] before that page.
        after: Pr[target] after it.
    """

    site: str
    confidence: float
    site_class: str
    pages: int
    prior: float
    number: int
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class LensWords:
    """What a lens saw on a page, which is read anew.

    Attributes:
        threshold: the score at which a page is undecided.
        words: how many words it has; few of them are little evidence.
        explanation: what the score was made of; None where the lens cannot say.
        changed: whether the page has other bytes now than when it was judged.
    """

    threshold: float
    words: int
    explanation: Explanation | None
    changed: bool


@dataclass(frozen=True, slots=True)
class SitePageExplanation:
    """All that can be said of one page of a crawl for websites.

    Attributes:
        url: the page.
        title: its title.
        relevance: what the crawl recorded: the confidence for the target class.
        judge: the model or the lens that judged it.
        confidences: Pr[class | page] by class, the target class first; none for a page
            without words.
        standing: what is believed of its site.
        lens: what the lens saw; None where a model or a program's classifier judged.
        path: the pages from the seed to this one.
    """

    url: str
    title: str | None
    relevance: float
    judge: str
    confidences: dict[str, float]
    standing: SiteStanding
    lens: LensWords | None
    path: tuple[Step, ...]

    def to_json(self) -> str:
        """The explanation as a JSON object."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)


def explain_site_page(
    graph: CrawlGraph, url: str, *, fetcher: Fetcher | None = None, with_words: bool = True
) -> SitePageExplanation:
    """Explain what a page of a crawl for websites was taken for, and what its site gained by it.

    Without ``with_words`` nothing is fetched, and what a lens saw is left out.

    Raises:
        ConfigError: it is a crawl for pages, or its model is needed and gone.
        QueryError: the crawl did not visit the URL.
        FetchError: a lens judged, and the page cannot be had any more.
    """
    site_settings, settings = stored_settings(graph)
    url = canonical(url)
    recorded = recorded_page(graph, url)
    topic = Topic.from_toml(graph.describe().topic)
    mark = site_settings.judged_by
    if mark is None:  # A crawl of a version that kept no mark.
        _, mark = choose_classifier(topic, site_settings, settings.background)
    note, standing = _standing(graph, site_settings, mark, url)
    is_seen = with_words and mark.kind == "lens" and note.confidences
    return SitePageExplanation(
        url=url,
        title=recorded["title"],
        relevance=recorded["relevance"],
        judge=_judge(site_settings, mark),
        confidences=dict(zip(mark.classes, note.confidences, strict=False)),
        standing=standing,
        lens=_seen(settings, topic, url, recorded["digest"], fetcher) if is_seen else None,
        path=way_to(graph, url),
    )


def _judge(settings: StoredSiteSettings, mark: JudgedBy) -> str:
    if mark.kind == "model":
        return f"the model {settings.model} ({mark.name})"
    return f"the lens {mark.name}" if mark.kind == "lens" else f"the classifier {mark.name}"


def _standing(
    graph: CrawlGraph, settings: StoredSiteSettings, mark: JudgedBy, url: str
) -> tuple[PageNote, SiteStanding]:
    """What was noted of the page, and the belief before and after it, counted again."""
    name = settings.naming.of(url)
    site = next(iter(graph.query("sites/site-standing", site=site_iri(name))), None)
    pages = list(graph.query("sites/site-pages", site=site_iri(name)))
    number = next((at for at, row in enumerate(pages, start=1) if row["url"] == url), None)
    if site is None or number is None:
        raise QueryError(f"the crawl has read no page {url} of the site {name}; look at the URL")
    belief = SiteBelief(mark.error, site["prior"])
    for row in pages[:number]:
        before, note = belief.probability, PageNote.from_json(row["memo"])
        if note.confidences:
            belief.add(note.confidences)
    return note, SiteStanding(
        name,
        site["confidence"],
        site["class"] or "",
        site["pages"],
        site["prior"],
        number,
        round(before, 6),
        round(belief.probability, 6),
    )


def _seen(
    settings: Settings, topic: Topic, url: str, digest: str | None, fetcher: Fetcher | None
) -> LensWords:
    # The lens is noted as the judge of the page settings; no link is ranked here.
    quiet = settings.changed({"policy": ()})
    parts = equip(quiet, topic, [], strategy=BreadthFirst(), fetcher=fetcher)
    try:
        response = read_again(parts.fetcher, url)
    finally:
        if fetcher is None:
            parts.fetcher.close()
    page = read_page(response)
    explain = getattr(getattr(parts.judge, "similarity", None), "explain", None)
    explanation: Explanation | None = explain(page.text) if explain else None
    words = sum(page.terms.values())
    return LensWords(parts.judge.threshold, words, explanation, response.digest != digest)
