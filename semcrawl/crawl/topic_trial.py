"""Other weights for a topic, tried on the pages of a crawl before a new one is started."""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from html import escape
from typing import Any, NamedTuple

from semcrawl.crawl.page_counts import background_of_crawl
from semcrawl.crawl.parts import make_reader
from semcrawl.crawl.settings import Settings
from semcrawl.crawl.trust import FETCHING, VIEW, require_trust
from semcrawl.errors import FetchError, TopicError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.crawl_folder import WARC
from semcrawl.models.adaptive_judge import LABELS_WEIGHT, log_odds
from semcrawl.registry import split_spec
from semcrawl.relevance import JUDGES
from semcrawl.topics import Topic
from semcrawl.topics.sources import iri_reference
from semcrawl.topics.topic import TopicConcept
from semcrawl.web import Replay, Response, open_replay


class TriedPage(NamedTuple):
    """A page that other weights would make relevant, or no longer relevant."""

    url: str
    title: str | None
    before: float  # its relevance as recorded
    after: float


class TopicTrial(NamedTuple):
    """What other weights would change among the pages nearest to the threshold."""

    topic: str  # in TOML, for the next crawl
    pages: int  # that were tried
    read: int  # of how many the text was read; of the others title and description
    moved: list[TriedPage]  # the most relevant first


def try_weights(graph: CrawlGraph, weights: Mapping[str, float]) -> TopicTrial:
    """Judge at most 500 pages anew, with other weights of concepts.

    A judge that learns is taken to have learnt the same words: only what labels say changes. Pages are read in the
    recorded web or in the WARC files of the crawl. Raises TopicError: a weight is below 0, or is of no concept near the
    topic; UntrustedError: another made the crawl, and it names code, files or addresses.
    """
    graph.require_pages(", whose pages are judged by a classifier")
    require_trust(graph, (*VIEW, *FETCHING))
    about = graph.describe()
    settings, topic = Settings.from_json(about.settings), Topic.from_toml(about.topic)
    changed = reweighted(topic, weights)
    learns = split_spec(settings.judge)[0] == "adaptive"
    judge = settings.judge.replace("adaptive", "labels", 1) if learns else settings.judge
    background = background_of_crawl(graph, topic, settings.background)
    old, new = (JUDGES.create(judge, topic=one, background=background).judge for one in (topic, changed))
    rows = list(graph.query("serve/tried-pages", threshold=about.threshold))
    web, reader = _recording(graph, settings), make_reader(settings, topic.languages)
    read, moved = 0, []
    for row in rows:
        response = None
        with suppress(FetchError):
            response = None if web is None else web.fetch(row["url"])
        read += response is not None
        page = reader(response or _known(row))
        before, after = float(row["relevance"]), new(page).relevance
        if learns:
            shift = LABELS_WEIGHT * (log_odds(after) - log_odds(old(page).relevance))
            after = 1 / (1 + math.exp(-log_odds(before) - shift))
        if (before >= about.threshold) != (after >= about.threshold):
            moved.append(TriedPage(row["url"], row["title"], before, round(after, 4)))
    moved.sort(key=lambda one: -one.after)
    return TopicTrial(changed.to_toml(), len(rows), read, moved)


def reweighted(topic: Topic, weights: Mapping[str, float]) -> Topic:
    """Return the topic with other weights, by IRI; concepts that it does not name yet are added."""
    concepts = {one.id: one for one in topic.concepts}
    for concept, weight in weights.items():
        name = iri_reference(concept)
        graph = next((one.graph for one in topic.concepts if name in one.graph), None)
        if graph is None:
            raise TopicError(f"{concept[:200]} is no concept of the topic's sources: choose one of its tree")
        concepts[name] = replace(concepts.get(name, TopicConcept(name, weight, graph)), weight=weight)
    return replace(topic, concepts=tuple(concepts.values()))


def _recording(graph: CrawlGraph, settings: Settings) -> Replay | None:
    """Return the recording that the crawl went over, or has made itself; None for none."""
    kept = graph.folder / WARC if graph.folder else None
    places = settings.replay or ([str(kept)] if kept and kept.is_dir() else [])
    return open_replay(list(places)) if places else None


def _known(row: Mapping[str, Any]) -> Response:
    """Return what the graph knows of a page's text, as an answer."""
    title, text = (escape(row[name] or "") for name in ("title", "description"))
    body = f"<title>{title}</title><p>{text}</p>".encode()
    return Response(row["url"], 200, {"content-type": "text/html; charset=utf-8"}, body, 0, 0)
