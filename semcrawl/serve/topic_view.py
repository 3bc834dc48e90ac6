"""The topic and the taxonomy: concepts and categories with their pages, classifying, marks."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Meta

from semcrawl.crawl.settings import Settings
from semcrawl.crawl.trust import FETCHING, VIEW, require_trust
from semcrawl.errors import RequestError, refused_with
from semcrawl.registry import split_spec
from semcrawl.serve import api_types as api
from semcrawl.serve.replies import json_body, reply_with
from semcrawl.serve.rows import by_url, label_of, rows_of
from semcrawl.serve.table_index import index_of
from semcrawl.serve.worker import Job, ServedGraph
from semcrawl.text.languages import analyser

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from semcrawl.graph import CrawlGraph
    from semcrawl.models.taxonomy import Taxonomy
    from semcrawl.serve.server import ServerContext


class _ConceptCounts:
    """How many pages fit each concept best, how many of those are relevant, and which is best."""

    def __init__(self, graph: ServedGraph) -> None:
        self.pages: Counter[str] = Counter()
        self.relevant: Counter[str] = Counter()
        self.best: dict[str, tuple[float, str]] = {}
        threshold = graph.describe().threshold
        index = index_of(graph, "pages")
        relevances, concepts = index.column(graph, "relevance"), index.column(graph, "concept")
        for url, relevance, concept in zip(index.urls, relevances, concepts, strict=True):
            if concept is not None:
                self.pages[concept] += 1
                self.relevant[concept] += relevance >= threshold
                if concept not in self.best or relevance > self.best[concept][0]:
                    self.best[concept] = relevance, url


class TopicView(Job, frozen=True):
    """The topic and its concepts.

    These are a tree, each under its first broader one.
    """

    def do(self, graph: ServedGraph) -> api.TopicReply:
        """Read the topic, and count."""
        parts = rows_of(graph, "serve/topic-parts")
        weights = {row["concept"]: row["weight"] for row in parts if row["concept"]}
        keywords = [(row["keyword"], row["weight"]) for row in parts if row["keyword"]]
        concepts = _concepts(graph, weights, _ConceptCounts(graph))
        covered = sum(concept.relevant > 0 for concept in concepts)
        share = covered / len(concepts) if concepts else None
        return api.TopicReply(
            name=graph.describe().name,
            keywords=[api.KeywordNote(text, weight) for text, weight in keywords],
            concepts=concepts,
            coverage=api.Coverage(len(concepts), covered, share),
        )


def _concepts(graph: CrawlGraph, weights: dict[str, float], counts: _ConceptCounts) -> list[api.TopicConceptNote]:
    tree: dict[str, dict[str, Any]] = {}
    # Pages may fit concepts that are near the topic and not below it: these come last.
    rows = rows_of(graph, "serve/concept-tree")
    for row in sorted(rows, key=lambda row: row["broader"] is None and row["concept"] not in weights):
        tree.setdefault(row["concept"], row)
    for concept in (*weights, *counts.pages):
        tree.setdefault(concept, {"label": None, "broader": None, "good": None})
    notes = by_url(graph, "serve/url-notes", [url for _, url in counts.best.values()])
    best = {
        concept: api.BestPage(url, notes.get(url, {}).get("title"), relevance)
        for concept, (relevance, url) in counts.best.items()
    }
    return [
        api.TopicConceptNote(
            id=concept,
            label=label_of(row["label"], concept),
            parent=None if _is_circular(tree, concept) else row["broader"],
            weight=weights.get(concept),
            pages=counts.pages[concept],
            relevant=counts.relevant[concept],
            good=bool(row["good"]),
            best=best.get(concept),
        )
        for concept, row in tree.items()
    ]


def _is_circular(tree: dict[str, dict[str, Any]], concept: str) -> bool:
    """Whether one comes back to a concept by going up from it."""
    seen, step = set(), tree[concept]["broader"]
    while step in tree and step not in seen and step != concept:
        seen.add(step)
        step = tree[step]["broader"]
    return bool(step == concept)


class TriedWeights(Job, frozen=True):
    """Which pages other weights would make relevant, and which no longer."""

    weights: dict[str, Annotated[float, Meta(ge=0, le=1_000)]]  # of concepts, by IRI

    def do(self, graph: CrawlGraph) -> api.TriedReply:
        """Judge the pages anew; nothing is written."""
        from semcrawl.crawl.topic_trial import try_weights

        with refused_with(422):
            found = try_weights(graph, self.weights)
        moved = [api.TriedPage(**one._asdict()) for one in found.moved]
        return api.TriedReply(found.topic, found.pages, found.read, graph.describe().threshold, moved)


class TaxonomyView(Job, frozen=True):
    """The categories that the judge was taught."""

    def do(self, graph: ServedGraph) -> api.TaxonomyReply:
        """Read the model, and count."""
        place, taxonomy = _model(graph)
        counts = _ConceptCounts(graph)
        own = taxonomy.examples.numbers()
        categories = [
            api.CategoryNote(
                id=category.id,
                name=category.name,
                label=category.labels[0] if category.labels else category.name,
                path=taxonomy.tree.path(category.id),
                parent=category.parent,
                good=category.id in taxonomy.good,
                examples=own.get(category.id, 0),
                pages=counts.pages[category.id],
                relevant=counts.relevant[category.id],
            )
            for category in taxonomy.tree.categories()
        ]
        return api.TaxonomyReply(Path(place).name, categories)


class Document(Job, frozen=True):
    """A page, which must be recorded, or a text to classify."""

    may_fetch: ClassVar[bool] = False
    url: api.PageUrl = ""
    text: str = ""

    def do(self, graph: CrawlGraph) -> api.ClassifiedReply:
        """Find the categories that it fits best."""
        _, taxonomy = _model(graph)
        terms = self._terms(graph, taxonomy.tree.language)
        if not terms:
            raise RequestError("there is no word in it to classify by: give a longer text", 422)
        relevance = taxonomy.classify(terms).relevance if taxonomy.good else None
        found = [
            api.FittingCategory(
                category=category,
                path=taxonomy.tree.path(category),
                probability=round(probability, 6),
                good=taxonomy.is_good(category),
            )
            for category, probability in taxonomy.ranking(terms, 12)
        ]
        return api.ClassifiedReply(found, relevance)

    def _terms(self, graph: CrawlGraph, language: str) -> dict[str, int]:
        if not self.url:
            return analyser(language).count_terms(self.text[:500_000])
        if not self.url.lower().startswith(("http://", "https://")):
            raise RequestError("a URL begins with http:// or https://: give one, or give a text")
        require_trust(graph, FETCHING)
        settings = Settings.from_json(graph.describe().settings)
        if not settings.replay and not self.may_fetch:
            raise RequestError("the page must be fetched, which needs the token of the server", 401)
        from semcrawl.models.training_pages import DocumentReader, open_page_source

        source = open_page_source(settings.replay, allow_private=settings.allow_private, contact=settings.contact)
        with refused_with(422, what="the page cannot be read: "), DocumentReader(source) as reader:
            return reader.terms(self.url, language)


class FetchedDocument(Document, frozen=True):
    """A page, which is fetched where it is not recorded, or a text to classify."""

    may_fetch: ClassVar[bool] = True


class CategoryMark(Job, frozen=True):
    """Mark a category for the next crawl, or unmark it."""

    category: str
    good: bool

    def do(self, graph: CrawlGraph) -> api.MarkedReply:
        """Write it into the model."""
        place, taxonomy = _model(graph)
        if self.category not in taxonomy.tree:
            raise RequestError(f"the model has no category {self.category[:200]}", 404)
        is_marked = self.category in taxonomy.good
        if is_marked != self.good:
            with refused_with(409):
                (taxonomy.mark if self.good else taxonomy.unmark)(self.category)
                taxonomy.save(place)
        return self._told(graph, taxonomy)

    def _told(self, graph: CrawlGraph, taxonomy: Taxonomy) -> api.MarkedReply:
        from semcrawl.topics import Topic

        path = taxonomy.tree.path(self.category)
        said = "is marked good" if self.good else "is no longer marked"
        note = f"{path} {said} for the next crawl; this one goes on as it is."
        topic = Topic.from_toml(graph.describe().topic)
        if any(part.id in taxonomy.tree for part in topic.concepts):
            note += " A topic that names categories, as this one does, does not look at marks."
        return api.MarkedReply(self.category, self.good, list(taxonomy.good), note)


def _model(graph: CrawlGraph) -> tuple[str, Taxonomy]:
    """The model of the crawl's judge and where it is; read each time, since it may change."""
    # Here, for the server itself imports this module and classifies nothing.
    from semcrawl.models.taxonomy import Taxonomy
    from semcrawl.models.taxonomy_judge import model_of
    from semcrawl.topics import Topic

    if graph.kind == "sites":
        raise RequestError("a crawl for websites has no taxonomy", 404)
    require_trust(graph, VIEW)
    about = graph.describe()
    name, options = split_spec(Settings.from_json(about.settings).judge)
    if name != "taxonomy":
        raise RequestError(f"this crawl has no taxonomy: its judge is {name}, which was not taught by examples", 404)
    with refused_with(409, what="the model of this crawl cannot be read: "):
        place = options.get("model") or model_of(Topic.from_toml(about.topic))
        return place, Taxonomy.load(place)


async def classify(context: ServerContext, request: Request) -> Response:
    """Which categories a page or text fits."""
    kind = FetchedDocument if context.request_check.knows_token(request.headers) else Document
    job: Document = await json_body(request, kind, '{"url": URL} or {"text": TEXT}')
    if bool(job.url) == bool(job.text):
        raise RequestError("give one of url and text")
    return await reply_with(request, context.page_pool.ask(job, fresh=True, limit=context.user_limit))
