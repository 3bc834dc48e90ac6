"""The parts of a crawl that its settings name: seeds, judge, strategy, policies, fetcher."""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from semcrawl.crawl.archive import VisitArchive
from semcrawl.crawl.kind import CrawlState
from semcrawl.crawl.pages.steering import give_functions
from semcrawl.crawl.settings import Scope, Settings
from semcrawl.errors import ConfigError
from semcrawl.graph import Changes, CrawlGraph
from semcrawl.graph.changes import concept_noted
from semcrawl.models.training_pages import ExamplePages, PageSource, read_examples
from semcrawl.page import Page, read_page
from semcrawl.page.background import find_background
from semcrawl.page.link_lists import PACKED_TYPES, begins_as_list
from semcrawl.page.links import FEED_TYPES
from semcrawl.page.rdf_document import wanted
from semcrawl.relevance import JUDGES, Judge
from semcrawl.relevance.judges import BaseJudge
from semcrawl.steering import Policy, load_policy
from semcrawl.steering.jobs import check_policies
from semcrawl.topics import Topic
from semcrawl.topics.topic import outline
from semcrawl.web import Fetcher, Politeness, Response, Robots, open_replay
from semcrawl.web.connections import require_proxy
from semcrawl.web.http import HttpFetcher
from semcrawl.web.politeness import user_agent
from semcrawl.web.response import Wanted
from semcrawl.web.urls import canonical


def canonical_seeds(seeds: str | Sequence[str], topic: Topic, settings: Settings) -> list[str]:
    """Return the seeds and those of the topic, or else its examples, as URLs are compared, each once.

    Raises ConfigError: there is none, or one that the crawl may not visit; UrlError: one that is no URL.
    """
    given = [*([seeds] if isinstance(seeds, str) else seeds), *topic.seeds] or topic.example_urls
    if not given:
        raise ConfigError("a crawl needs at least one seed: give --seed URL, or seeds in the topic")
    scope = Scope(settings.include, settings.exclude)
    starts = list(dict.fromkeys(canonical(seed) for seed in given))
    for url in starts:
        if not scope.allows(url):
            raise ConfigError(f"the seed {url} is shut out by the include or exclude patterns")
    return starts


def require_same(name: str, was: str, now: str, seen: str, default: str = "") -> None:
    """Raise ConfigError if a setting that gave earlier judgements their meaning has changed."""
    if was != now:
        raise ConfigError(
            f"the crawl began with {name} {was or default!r}, and what {seen} cannot be compared "
            f"with {now or default!r}: start a new crawl for it"
        )


def load_policies(settings: Settings) -> tuple[Policy, ...]:
    """Return the policies that the settings name, checked.

    Raises ConfigError: two have one name, or one cannot be used; QueryError: one is no policy.
    """
    if settings.policy == ("none",):
        return ()
    policies: dict[str, Policy] = {}
    for spec in settings.policy:
        policy = load_policy(spec)
        if policy.name in policies:
            raise ConfigError(f"two policies are called {policy.name}: give each once, and files other names")
        policies[policy.name] = policy
    check_policies(tuple(policies.values()))
    return tuple(policies.values())


def make_fetcher(settings: Settings) -> Fetcher:
    """Return the recorded web of the settings (ReplayError if unreadable), or the network."""
    if settings.replay:
        return open_replay(list(settings.replay))
    return HttpFetcher(
        user_agent=user_agent(settings.contact or None),
        connect_timeout=settings.connect_timeout,
        read_timeout=settings.read_timeout,
        total_timeout=settings.total_timeout,
        max_bytes=settings.max_bytes,
        oversize=settings.oversize,
        allow_private=settings.allow_private,
        proxy=settings.proxy or None,
        wanted=_wanted(settings),
        keep_exchanges=settings.warc,
    )


def _wanted(settings: Settings) -> Wanted:
    asked = wanted(settings.data)
    if settings.link_lists == "off":
        return asked
    begins = asked.begins or (lambda _: False)
    return replace(
        asked, types=asked.types | FEED_TYPES | PACKED_TYPES, begins=lambda head: begins(head) or begins_as_list(head)
    )


def make_reader(settings: Settings, languages: tuple[str, ...] = ("en",)) -> Callable[[Response], Page]:
    """Return what makes pages of responses, as the settings say."""
    return partial(read_page, languages=languages, data=settings.data)


def fetcher_for(undo: ExitStack, settings: Settings, given: Fetcher | None) -> Fetcher:
    """Return the fetcher that is given, else a new one, which ``undo`` closes."""
    if settings.warc and (given is not None or settings.replay):
        raise ConfigError(
            "WARC files keep what the crawl itself fetches from the web: leave out warc "
            "with a replay, or with a fetcher of your own"
        )
    if given is not None:
        return given
    fetcher = make_fetcher(settings)
    undo.callback(fetcher.close)
    if settings.proxy and not settings.replay:  # else all that waits would be tried, and given up
        require_proxy(settings.proxy, settings.connect_timeout)
    return fetcher


def graph_for(undo: ExitStack, place: CrawlGraph | str | Path | None) -> CrawlGraph:
    """Return the graph that is given, else a new one, which ``undo`` discards; or StoreError."""
    if isinstance(place, CrawlGraph):
        graph = place
    else:
        graph = CrawlGraph.create(None if place is None else Path(place))
        undo.callback(graph.discard)
    give_functions(graph)
    return graph


def make_robots(settings: Settings, fetcher: Fetcher, archive: VisitArchive | None = None) -> Robots | None:
    """Return what asks robots.txt, where the settings say so."""
    if not settings.robots or settings.replay:
        return None
    agent = user_agent(settings.contact or None)
    # Asked again with each new try of a URL, or trying again would be in vain.
    most = min(Robots.cap, settings.max_delay)
    heard = archive.keep_answer if archive and settings.warc_all else None
    return Robots(fetcher, agent, cap=most, retry=settings.retry_delay, heard=heard)


def examples_for(
    settings: Settings,
    topic: Topic,
    fetcher: Fetcher,
    judge: Judge | str | None = None,
    reader: Callable[[Response], Page] | None = None,
) -> ExamplePages:
    """Return the topic with its example pages, read with the crawl's own fetcher and manners.

    None are read where the judge, given or of the settings, takes none. Raises ConfigError: the judge takes none, and
    the topic says nothing else; TopicError: no page can be read, or they are in other languages.
    """
    if not topic.examples:
        return ExamplePages(topic, ())
    by_name = judge is None or isinstance(judge, str)
    if not getattr(JUDGES.factory(settings.judge) if by_name else judge, "takes_examples", False):
        if topic.concepts or topic.keywords:
            return ExamplePages(topic, ())
        raise ConfigError(
            f"the topic {topic.name!r} is given by examples alone, from which the judge "
            f"{settings.judge!r} learns nothing: choose the judge adaptive, or add concepts or "
            "keywords in a topic file"
        )
    manners = None if settings.replay else Politeness(settings.delay, settings.max_delay)
    robots = make_robots(settings, fetcher)
    reading = reader or make_reader(settings, topic.languages)
    source = PageSource(fetcher, robots, manners, reader=reading, languages=topic.languages)
    return read_examples(topic, source, find_background(settings.background, topic))


def record_start(
    state: CrawlState,
    settings: Settings,
    topic: Topic,
    judge: BaseJudge,
    seeds: Changes,
    site_settings: str | None = None,
) -> None:
    """Record the crawl, its concepts and the changes that its seeds make, in one transaction."""
    concepts = judge.outline()
    for note in outline(topic) if concepts is None else concepts:
        concept_noted(seeds, note.iri, note.label, note.broader, good=note.good)
        state.labelled.add(note.iri)
    state.graph.begin(
        seeds,
        title=topic.name,
        topic_file=topic.to_toml(absolute=True),
        topic_turtle=topic.to_turtle(absolute=True),
        settings=settings.to_json(),
        threshold=state.threshold,
        started_at=time.time(),
        site_settings=site_settings,
    )
