"""How a crawl in shards begins, and how it is taken up again: all that is not yet running."""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from msgspec import Struct

from semcrawl.crawl import parts
from semcrawl.crawl.frontier import Frontier
from semcrawl.crawl.kind import count_recorded
from semcrawl.crawl.lens_watch import LensWatch
from semcrawl.crawl.pages.state import PageState
from semcrawl.crawl.progress import Progress
from semcrawl.crawl.settings import Settings, with_full_paths
from semcrawl.crawl.shards.layout import DEFAULT_SHARDS, ShardedFolder
from semcrawl.crawl.trust import require_trust
from semcrawl.errors import CrawlLockedError, NotACrawlError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.endpoint import require_address
from semcrawl.graph.snapshots import is_locked
from semcrawl.page.background import find_background
from semcrawl.relevance import JUDGES, BaseJudge
from semcrawl.strategies import STRATEGIES
from semcrawl.topics import Topic


class BegunShards(Struct, frozen=True):
    """A folder whose shards can be run, with what they are crawled for and how."""

    folder: ShardedFolder
    topic: Topic
    settings: Settings
    values: Mapping[str, Any]  # settings that change with this run
    warnings: tuple[str, ...] = ()
    before: tuple[Progress, ...] = ()  # how far each shard has come; none of a new crawl


def begin_shards(
    topic: Topic | str, seeds: str | Sequence[str], folder: str | Path, count: int = DEFAULT_SHARDS, **values: Any
) -> BegunShards:
    """Make the folder of a new crawl in shards, each with its part of the seeds.

    Raises SemcrawlError: bad input; no folder is made then.
    """
    topic = Topic.parse(topic) if isinstance(topic, str) else topic
    settings = with_full_paths(Settings().changed(values))
    if settings.mirror:
        require_address(settings.mirror)
    starts = parts.canonical_seeds(seeds, topic, settings)
    with ExitStack() as undo:
        fetcher = parts.fetcher_for(undo, settings, None)
        examples = parts.examples_for(settings, topic, fetcher)
        topic = examples.topic
        background = find_background(settings.background, topic)
        judge: BaseJudge = JUDGES.create(settings.judge, topic=topic, background=background)
        judge.teach(examples.by_name)
        watch = LensWatch(topic, judge.similarity, starts, examples.problems)
        STRATEGIES.create(settings.strategy, topic=topic, background=background, judge=judge, seeds=starts)
        parts.load_policies(settings)
        whole = ShardedFolder.create(folder, count)
        for number in range(count):
            own = [url for url in starts if whole.owner(url) == number]
            _begin_shard(whole.shard(number), topic, settings, judge, own)
        whole.seal()
    return BegunShards(whole, topic, settings, {}, tuple(watch.warnings))


def _begin_shard(folder: Path, topic: Topic, settings: Settings, judge: BaseJudge, seeds: Sequence[str]) -> None:
    with CrawlGraph.create(folder) as graph:
        state = PageState(
            settings=settings,
            graph=graph,
            threshold=judge.threshold if settings.threshold is None else settings.threshold,
            frontier=Frontier(settings.frontier_size),
        )
        parts.record_start(state, settings, topic, judge, state.enter_seeds(seeds))
        graph.keep_log(is_wanted=bool(settings.mirror))
        if judge.learns:  # its memory keeps the topic's examples
            judge.begin(graph.memory_folder("judge"), {})
            judge.close()


def reopen_shards(folder: str | Path, *, trust: bool = False, **values: Any) -> BegunShards:
    """Look at the folder of a crawl in shards that shall go on, with some settings changed.

    Raises UntrustedError: a shard names code, files or addresses, and another made it; ConfigError: another judge or
    background than the crawl began with; NotACrawlError: a shard is missing; CrawlLockedError: a shard is open
    elsewhere.
    """
    whole = ShardedFolder.open(folder)
    topic, settings, before = None, None, list[Progress]()
    for place in whole.folders:
        if place not in whole.begun:
            raise NotACrawlError(f"{place} is missing, a shard of the crawl: bring it back from a copy")
        with _opened(whole, place, trust=trust) as graph:
            graph.require_sound()
            require_trust(graph, named=values.keys())
            about = graph.describe()
            begun_with = Settings.from_json(about.settings)
            settings = with_full_paths(begun_with.changed(values))
            graph.keep_log(is_wanted=bool(settings.mirror))
            before.append(Progress())
            count_recorded(before[-1], graph, about.threshold)
        topic = Topic.from_toml(about.topic)
        for name in ("judge", "background"):
            was, now = getattr(begun_with, name), getattr(settings, name)
            parts.require_same(name, was, now, "it has judged", "the default")
    assert settings is not None
    assert topic is not None
    return BegunShards(whole, topic, settings, values, before=tuple(before))


def _opened(whole: ShardedFolder, place: Path, *, trust: bool) -> CrawlGraph:
    """Open a shard; workers of a driver that was killed may need a moment to end."""
    deadline = time.monotonic() + _END_WITHIN
    while True:
        try:
            return CrawlGraph.open(place, trust=trust)
        except CrawlLockedError:
            if is_locked(whole.folder) or time.monotonic() > deadline:
                raise
            time.sleep(0.1)


_END_WITHIN = 30.0  # seconds
