"""A crawl for pages: made from a topic and seeds, run, resumed, queried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, Unpack

from semcrawl.crawl import parts
from semcrawl.crawl.any_crawl import AnyCrawl
from semcrawl.crawl.events import Event
from semcrawl.crawl.frontier import FoundOrder, Frontier, LeastLoaded
from semcrawl.crawl.lens_watch import LensWatch
from semcrawl.crawl.pages.page_kind import PageKind
from semcrawl.crawl.pages.state import PageState, rebuild
from semcrawl.crawl.progress import Progress
from semcrawl.crawl.settings import Settings, with_full_paths
from semcrawl.crawl.shards.layout import place_of
from semcrawl.crawl.trust import FETCHING
from semcrawl.graph import CrawlGraph
from semcrawl.models.training_pages import ExamplePages
from semcrawl.page import Page
from semcrawl.page.background import find_background
from semcrawl.relevance import JUDGES, BaseJudge, Judge
from semcrawl.strategies import STRATEGIES, BaseStrategy, Strategy
from semcrawl.topics import Topic
from semcrawl.web import Fetcher, Response

if TYPE_CHECKING:
    from semcrawl.crawl.setting_values import SettingValues  # types alone: there is no module


class Crawl(AnyCrawl[Event, Progress]):
    """A focused crawl; ``values`` are single settings by name, such as ``pages=500``.

    Args:
        topic: a Topic, or a text such as ``wordnet:asthma`` or ``keywords:java programming``.
        seeds: URLs to start from, beside those of the topic; without any, its examples.
        folder: a new folder for the crawl graph; without one it is kept in memory only.
        strategy, judge: by name or as an object.
        fetcher: what answers URLs, in place of the network or the replay of the settings.
        reader: what makes pages of responses, in place of `semcrawl.page.read.read_page`.

    Raises SemcrawlError: bad input; no folder is made then.
    """

    _kind: type[PageKind] = PageKind

    def __init__(
        self,
        topic: Topic | str,
        seeds: str | Sequence[str] = (),
        folder: str | Path | None = None,
        *,
        settings: Settings | None = None,
        strategy: str | Strategy | None = None,
        judge: str | Judge | None = None,
        fetcher: Fetcher | None = None,
        reader: Callable[[Response], Page] | None = None,
        **values: Unpack[SettingValues],
    ) -> None:
        self.topic = Topic.parse(topic) if isinstance(topic, str) else topic
        self.settings = _settings(settings or Settings(), strategy, judge, {**values})
        starts = parts.canonical_seeds(seeds, self.topic, self.settings)
        self._set_up(starts, folder, strategy, judge, fetcher, reader)

    @classmethod
    def resume(
        cls,
        folder: str | Path,
        *,
        strategy: str | Strategy | None = None,
        judge: str | Judge | None = None,
        fetcher: Fetcher | None = None,
        reader: Callable[[Response], Page] | None = None,
        trust: bool = False,
        **values: Unpack[SettingValues],
    ) -> Self:
        """Go on with the crawl of a folder, from its graph alone; settings can be changed by name.

        ``trust``: code, files and addresses that the folder names are obeyed though another made it. Raises
        UntrustedError: it names some that are not given anew, and another made it; ConfigError: another judge or
        background than the crawl began with; NotACrawlError: the folder holds no crawl; CrawlLockedError: another
        process has it open.
        """
        given = {"strategy": strategy, "judge": judge, **dict.fromkeys(FETCHING, fetcher)}
        named = {*values, *(name for name, one in given.items() if one is not None)}
        with cls._reopened(folder, named, trust=trust) as (crawl, graph):
            graph.require_pages(f": go on with 'semcrawl sites --resume {graph.folder}'")
            before = Settings.from_json(graph.describe().settings)
            crawl.settings = _settings(before, strategy, judge, {**values})
            for name in ("judge", "background"):
                was, now = getattr(before, name), getattr(crawl.settings, name)
                parts.require_same(name, was, now, "it has judged", "the default")
            seeds = [row["url"] for row in graph.query("frontier/seeds")]
            crawl._set_up(seeds, graph, strategy, judge, fetcher, reader)
        return crawl

    @classmethod
    def revisit(
        cls, folder: str | Path, *, hours: int = 24, limit: int = 100, trust: bool = False, **values: Any
    ) -> Self:
        """Visit at most ``limit`` pages again whose last visit is ``hours`` old, and no other."""
        policy = f"revisit:hours={hours},limit={limit}"
        settings = {"policy": [policy], "revisit_share": 1.0, **values}
        crawl = cls.resume(folder, trust=trust, **settings)
        about = crawl.graph.describe()
        crawl._lasting = Settings.from_json(about.settings)
        crawl._stopped_before = about.stopped and about.stopped.rpartition("#")[2]
        return crawl

    def _set_up(
        self,
        seeds: Sequence[str],
        place: CrawlGraph | str | Path | None,
        given_strategy: str | Strategy | None,
        given_judge: str | Judge | None,
        fetcher: Fetcher | None,
        reader: Callable[[Response], Page] | None,
    ) -> None:
        settings = self.settings
        is_new = not isinstance(place, CrawlGraph)
        with ExitStack() as undo:
            fetcher = parts.fetcher_for(undo, settings, fetcher)
            examples = ExamplePages(self.topic, ())
            if is_new:
                examples = parts.examples_for(settings, self.topic, fetcher, given_judge, reader)
            topic = self.topic = examples.topic
            background = find_background(settings.background, topic)
            view = {"topic": topic, "background": background}
            judge: BaseJudge = JUDGES.create(settings.judge, given_judge, **view)
            if judge.learns:
                undo.callback(judge.close)
            judge.teach(examples.by_name)
            watch = LensWatch(topic, judge.similarity, seeds, examples.problems) if is_new else None
            strategy: BaseStrategy = STRATEGIES.create(
                settings.strategy, given_strategy, judge=judge, seeds=seeds, **view
            )
            policies = parts.load_policies(settings)
            graph = parts.graph_for(undo, place)
            graph.judge = None if graph.folder else judge
            ordering = LeastLoaded() if strategy.ordering == "load" else FoundOrder()
            rotation = settings.rotation or strategy.rotation
            patience = strategy.patience if settings.patience is None else settings.patience
            shard, sharing = place_of(graph.folder), strategy if strategy.shares else judge
            if shard is not None:
                sharing.begin_shard(shard.owns)
            state = PageState(
                settings=settings,
                topic=topic,
                graph=graph,
                threshold=judge.threshold if settings.threshold is None else settings.threshold,
                frontier=Frontier(settings.frontier_size, rotation, ordering, patience and patience + settings.delay),
                lens_watch=watch,
                judge_learns=judge.learns,
                shard=shard,
                sharing=sharing if shard is not None else None,
            )
            if is_new:
                parts.record_start(state, settings, topic, judge, state.enter_seeds(seeds))
            else:
                rebuild(state)
            state.count_pages(background, topic)
            if state.page_counts is not None:
                undo.callback(state.page_counts.close)
            self.progress = state.progress
            kind = self._kind(state, strategy, judge, policies)
            self._connect(state, kind, fetcher, judge, reader)
            undo.pop_all()


def _settings(
    settings: Settings, strategy: str | Strategy | None, judge: str | Judge | None, values: dict[str, Any]
) -> Settings:
    for name, part in (("strategy", strategy), ("judge", judge)):
        if part is not None:
            # An object is noted by its class: a resume must be given it again.
            values[name] = part if isinstance(part, str) else type(part).__name__
    return with_full_paths(settings.changed(values) if values else settings)
