"""Why a page has its relevance, and how the crawl came to it."""

import json
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from semcrawl.crawl.mark_notes import recorded_marks
from semcrawl.crawl.page_counts import background_of_crawl
from semcrawl.crawl.parts import make_fetcher, make_reader
from semcrawl.crawl.settings import Settings
from semcrawl.crawl.sites.belief import SiteBelief
from semcrawl.crawl.sites.internal import PageNote
from semcrawl.crawl.sites.settings import StoredSiteSettings, stored_settings
from semcrawl.crawl.trust import FETCHING, VIEW, require_trust
from semcrawl.errors import ConfigError, FetchError, QueryError
from semcrawl.graph import SC, CrawlGraph, require_graph
from semcrawl.graph.vocabulary import PREFIXES, decimal, iri, site_iri, string
from semcrawl.notebook import figures
from semcrawl.page import Page
from semcrawl.relevance import JUDGES, Judge
from semcrawl.relevance.explanation import Explanation, Match
from semcrawl.relevance.judges import BaseJudge, explaining
from semcrawl.topics import Topic
from semcrawl.topics.sources import concept_iri
from semcrawl.web import Response
from semcrawl.web.urls import canonical


class Step(msgspec.Struct, frozen=True):
    """A URL on the way from a seed; one that redirected has no relevance and priority."""

    url: str
    title: str | None
    relevance: float | None
    priority: float | None


@dataclass(frozen=True, slots=True)
class PageExplanation:
    """What can be said of one page of a crawl."""

    url: str
    title: str | None
    relevance: float  # as recorded
    judge: str
    explanation: Explanation  # from the page read anew
    changed: bool  # whether it has other bytes now
    path: tuple[Step, ...]  # from the seed to this page
    text: str = field(default="", repr=False)

    def __repr__(self) -> str:
        return f"<{self.url}: {self.relevance:.4f} by {self.judge}; {self.explanation!r}>"

    def _repr_html_(self) -> str:
        return figures(self.title or self.url, {"relevance": self.relevance}) + self.explanation._repr_html_()

    def to_json(self) -> str:
        """The explanation as a JSON object."""
        written = msgspec.to_builtins(self) | {"score": self.explanation.score}
        del written["text"]
        return json.dumps(written, ensure_ascii=False, indent=1)


class SiteStanding(msgspec.Struct, frozen=True):
    """What is believed of a site, and what one page changed of it."""

    site: str
    confidence: float  # Pr[target | pages] as recorded
    site_class: str  # "" while the site is being read
    pages: int
    prior: float
    number: int  # which page of the site is explained
    before: float  # the confidence before that page
    after: float


class LensWords(msgspec.Struct, frozen=True):
    """What a lens saw on a page, which is read anew."""

    threshold: float  # the score at which a page is undecided
    words: int
    explanation: Explanation | None  # None where the lens cannot say
    changed: bool


class SitePageExplanation(msgspec.Struct, frozen=True):
    """What can be said of one page of a crawl for websites."""

    url: str
    title: str | None
    relevance: float
    judge: str
    confidences: dict[str, float]  # Pr[class | page], target first; none without words
    standing: SiteStanding
    lens: LensWords | None  # None where another classifier judged
    path: tuple[Step, ...]

    def to_json(self) -> str:
        """The explanation as a JSON object."""
        return json.dumps(msgspec.to_builtins(self), ensure_ascii=False, indent=1)


def explain(graph: CrawlGraph, url: str, *, with_words: bool = True) -> PageExplanation | SitePageExplanation:
    """Explain a visited page by `explain_page`, or by `explain_site_page` with or without words."""
    require_graph(graph)
    if graph.kind == "pages":
        return explain_page(graph, url)
    return explain_site_page(graph, url, with_words=with_words)


def explain_page(graph: CrawlGraph, url: str, *, judge: Judge | None = None) -> PageExplanation:
    """Explain the relevance of a visited page, read anew; ``judge`` defaults to the crawl's own.

    Raises QueryError: the crawl did not visit the URL; FetchError: the page cannot be had any more; ConfigError: the
    judge cannot explain itself, or it is a crawl for websites; UntrustedError: another made the crawl, and it names
    code, files or addresses.
    """
    if judge is None:
        graph.require_pages(
            ", whose pages are judged by a classifier: use "
            "explain_site_page of semcrawl.crawl.explain, or 'semcrawl explain'"
        )
    url = canonical(url)
    recorded = recorded_page(graph, url)
    require_trust(graph, (*VIEW, *FETCHING), named=("judge",) if judge else ())
    settings, topic, judging = judge_of_crawl(graph, judge or graph.judge)
    recall_judge(graph, judging, has_ended=graph.describe().stopped is not None)
    similarity = explaining(judging, settings.judge)
    response, page = _read_again(settings, topic, url)
    return PageExplanation(
        url,
        recorded["title"],
        recorded["relevance"],
        settings.judge,
        similarity.explain_page(page),
        changed=response.digest != recorded["digest"],
        path=_way_to(graph, url),
        text=page.text,
    )


def judge_of_crawl(graph: CrawlGraph, given: Judge | None = None) -> tuple[Settings, Topic, BaseJudge]:
    """Return the settings and the topic of a crawl, and its judge, or one that is given, as it was at first."""
    about = graph.describe()
    settings, topic = Settings.from_json(about.settings), Topic.from_toml(about.topic)
    background = background_of_crawl(graph, topic, settings.background)
    return settings, topic, JUDGES.create(settings.judge, given, topic=topic, background=background)


def recall_judge(graph: CrawlGraph, judge: BaseJudge, *, has_ended: bool) -> None:
    """Let a judge that learns take up what it has learnt in this crawl."""
    if judge.learns and graph.folder is not None:
        judge.mark(recorded_marks(graph))
        judge.recall(graph.folder / "judge", graph.relevances(), has_ended=has_ended)


def _read_again(settings: Settings, topic: Topic, url: str) -> tuple[Response, Page]:
    try:
        with closing(make_fetcher(settings)) as fetcher:
            response = fetcher.fetch(url)
    except FetchError as error:
        raise FetchError(
            f"the page cannot be read again, so its words cannot be shown: {error}", reason=error.reason
        ) from error
    return response, make_reader(settings, topic.languages)(response)


def recorded_page(graph: CrawlGraph, url: str) -> dict[str, Any]:
    """Return the row of the query ``analyse/page``; QueryError if it was not visited."""
    row: dict[str, Any] | None = next(iter(graph.query("analyse/page", url=url)), None)
    if row is None:
        dropped = next(iter(graph.query("analyse/why-dropped", url=url)), None)
        why = (
            f"it was dropped because of {dropped['reason'].removeprefix(SC)}"
            if dropped
            else "look at the URL, or let the crawl go on; 'semcrawl query FOLDER best-pages' lists pages"
        )
        raise QueryError(f"the crawl has not visited {url}; {why}")
    return row


def _way_to(graph: CrawlGraph, url: str) -> tuple[Step, ...]:
    rows = list(graph.query("analyse/path-from-seed", url=url))
    steps = [Step(r["page"], r["title"], r["relevance"], r["priority"]) for r in rows]
    return tuple(reversed(steps))


def explain_site_page(graph: CrawlGraph, url: str, *, with_words: bool = True) -> SitePageExplanation:
    """Explain what a page of a crawl for websites was taken for, and what its site gained by it.

    Raises ConfigError: it is a crawl for pages, or its model is needed and gone; QueryError: the crawl did not visit
    the URL; FetchError: a lens judged, ``with_words`` is true, and the page cannot be had any more.
    """
    require_trust(graph, (*VIEW, *FETCHING))
    site_settings, _ = stored_settings(graph)
    url = canonical(url)
    recorded = recorded_page(graph, url)
    mark = site_settings.judged_by
    note, standing = _standing(graph, site_settings, url)
    judges = {
        "model": f"the model {site_settings.model} ({mark.name})",
        "lens": f"the lens {mark.name}",
        "object": f"the classifier {mark.name}",
    }
    is_seen = with_words and mark.kind == "lens" and note.confidences
    return SitePageExplanation(
        url=url,
        title=recorded["title"],
        relevance=recorded["relevance"],
        judge=judges[mark.kind],
        confidences=dict(zip(mark.classes, note.confidences, strict=False)),
        standing=standing,
        lens=_seen(graph, url, recorded["digest"]) if is_seen else None,
        path=_way_to(graph, url),
    )


def _standing(graph: CrawlGraph, settings: StoredSiteSettings, url: str) -> tuple[PageNote, SiteStanding]:
    """Return what was noted of the page, and the belief before and after it."""
    name = settings.naming.of(url)
    site = next(iter(graph.query("sites/site-standing", site=site_iri(name))), None)
    pages = list(graph.query("sites/site-pages", site=site_iri(name)))
    number = next((at for at, row in enumerate(pages, start=1) if row["url"] == url), None)
    if site is None or number is None:
        raise QueryError(f"the crawl has read no page {url} of the site {name}; look at the URL")
    belief = SiteBelief(settings.judged_by.error, site["prior"])
    for row in pages[:number]:
        before = belief.probability
        note = msgspec.json.decode(row["memo"], type=PageNote)
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


def _seen(graph: CrawlGraph, url: str, digest: str | None) -> LensWords:
    # The lens is noted as the judge of the page settings.
    settings, topic, judge = judge_of_crawl(graph)
    response, page = _read_again(settings, topic, url)
    explanation = None
    with suppress(ConfigError):
        explanation = explaining(judge, settings.judge).explain_page(page)
    words = sum(page.terms.values())
    return LensWords(judge.threshold, words, explanation, response.digest != digest)


def explanation_turtle(found: PageExplanation, crawl: str) -> str:
    """The explanation of a page's relevance in Turtle; ``crawl`` is the crawl's IRI."""
    told = found.explanation
    said = [
        "a sc:Judgement",
        f"prov:wasDerivedFrom {iri(found.url)}",
        f"prov:wasGeneratedBy {iri(crawl)}",
        f"sc:judge {string(found.judge)}",
        f"sc:relevance {decimal(found.relevance)}",
        f"sc:score {decimal(told.score)}",
    ]
    named = [("dividedBy", one) for one in told.normalisers] + [("logOdds", one) for one in told.parts]
    said += [f"sc:{name} [ dcterms:title {string(one.name)} ; sc:value {decimal(one.value)} ]" for name, one in named]
    if told.squashed:
        said.append("sc:squashed true")
    said += [f"sc:match [ {' ; '.join(_match(one))} ]" for one in told.matches]
    prefixes = "".join(f"@prefix {name}: <{PREFIXES[name]}> .\n" for name in ("sc", "prov", "dcterms"))
    return f"{prefixes}\n<{found.url}#judgement> " + " ;\n    ".join(said) + " .\n"


def _match(match: Match) -> list[str]:
    parts = [f"sc:word {string(word)}" for word in match.words]
    parts.append(f"sc:count {match.count}")
    if match.concept is not None:
        parts.append(f"sc:concept {iri(concept_iri(match.concept))}")
        if match.topic != match.topic_label:  # a keyword is no concept
            parts.append(f"sc:topicConcept {iri(concept_iri(match.topic))}")
    return [*parts, f"sc:similarity {decimal(match.similarity)}", f"sc:contribution {decimal(match.contribution)}"]
