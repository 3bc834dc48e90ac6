"""A crawl, as a person meets it: made from a topic and seeds, run, resumed, queried."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from semcrawl.crawl.crew import Visitor, hire
from semcrawl.crawl.events import CrawlStopped
from semcrawl.crawl.frontier import FoundOrder, Frontier, LeastLoaded
from semcrawl.crawl.pages.intake import Intake, KnownUrls
from semcrawl.crawl.pages.loop import CrawlLoop
from semcrawl.crawl.pages.ranking import Ranking
from semcrawl.crawl.pages.recorder import Recorder
from semcrawl.crawl.pages.resume import rebuild
from semcrawl.crawl.pages.revision import Reviser
from semcrawl.crawl.pages.revisits import Revisiting, Revisits
from semcrawl.crawl.pages.steering import Steering, give_functions
from semcrawl.crawl.progress import Progress, Steerable, StopReason, interruptible
from semcrawl.crawl.settings import Scope, Settings, with_full_paths
from semcrawl.errors import ConfigError, SemcrawlError
from semcrawl.graph import Changes, CrawlGraph, FoundUrl
from semcrawl.graph.changes import concept_noted
from semcrawl.page import read_page
from semcrawl.page.background import find_background
from semcrawl.relevance import JUDGES
from semcrawl.steering import load_policy
from semcrawl.steering.alarms import AlarmWatch
from semcrawl.steering.jobs import check_policies
from semcrawl.strategies import STRATEGIES
from semcrawl.topics import Topic
from semcrawl.topics.topic import outline
from semcrawl.web import HttpFetcher, Politeness, Robots, TrapGuard, open_replay, user_agent
from semcrawl.web.urls import canonical, host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

    from semcrawl.crawl.crew import Crew
    from semcrawl.crawl.events import Event
    from semcrawl.crawl.progress import Loop
    from semcrawl.graph import Answer
    from semcrawl.page import Page
    from semcrawl.relevance import Judge
    from semcrawl.steering import Policy
    from semcrawl.strategies import Strategy
    from semcrawl.topics.topic import ConceptNote
    from semcrawl.web import Fetcher, Response

# Putting a crawl together: the parts that the settings name, around one graph and frontier.


@dataclass(frozen=True, slots=True)
class Memory:
    """How far a crawl has come: what waits, what is known, what was counted.

    ``is_resumed`` says that the graph holds earlier pages.
    """

    frontier: Frontier
    known: KnownUrls
    progress: Progress
    guard: TrapGuard
    is_resumed: bool = False


@dataclass(frozen=True, slots=True)
class Machine:
    """A crawl that can be run, and what has to be let go of afterwards."""

    loop: CrawlLoop
    crew: Crew
    steering: Steering
    ranking: Ranking

    def close(self) -> None:
        """Let workers, the process beside the crawl and the strategy's files go."""
        self.steering.close()
        self.crew.close()
        self.ranking.close()


def empty_frontier(settings: Settings, strategy: Strategy) -> Frontier:
    """A frontier with the order that the strategy asks for."""
    by_load = getattr(strategy, "ordering", "found") == "load"
    ordering = LeastLoaded() if by_load else FoundOrder()
    return Frontier(settings.frontier_size, settings.rotation, ordering)


def assemble(settings: Settings, graph: CrawlGraph, parts: Equipment, memory: Memory) -> Machine:
    """Connect the parts of a crawl."""
    frontier, known, progress = memory.frontier, memory.known, memory.progress
    intake = Intake(settings, frontier, known, progress, memory.guard)
    revisits = Revisits(graph, settings.revisit_share)
    reviser = Reviser(graph, frontier, intake, revisits)
    ranking = Ranking(settings, parts.strategy, parts.threshold, graph)
    ranking.begin(is_resumed=memory.is_resumed)
    steering = Steering(
        settings=settings,
        graph=graph,
        frontier=frontier,
        policies=parts.policies,
        reviser=reviser,
        progress=progress,
        threshold=parts.threshold,
    )
    if memory.is_resumed:
        reviser.restore()
        revisits.restore()
    if revisits.is_maintenance:
        steering.run_now()
    recorder = Recorder(
        settings=settings,
        graph=graph,
        frontier=frontier,
        intake=intake,
        ranking=ranking,
        reviser=reviser,
        revisiting=Revisiting(intake, ranking, revisits, progress, parts.threshold, settings),
        alarms=_alarms(settings, graph, parts, memory),
        progress=progress,
        threshold=parts.threshold,
    )
    visitor = Visitor(parts.fetcher, parts.judge, parts.robots, parts.reader)
    crew = hire(visitor, parts.workers)
    loop = CrawlLoop(
        settings=settings,
        graph=graph,
        # In maintenance what waits to be visited for the first time goes on waiting.
        frontier=Frontier() if revisits.is_maintenance else frontier,
        known=known,
        crew=crew,
        batch=1 if revisits.is_maintenance else parts.strategy.batch,
        recorder=recorder,
        revisits=revisits,
        steering=steering,
        politeness=parts.politeness,
        progress=progress,
    )
    return Machine(loop, crew, steering, ranking)


def _alarms(settings: Settings, graph: CrawlGraph, parts: Equipment, memory: Memory) -> AlarmWatch:
    limits = settings.alarm_window, settings.stagnation, settings.diffusion
    if not memory.is_resumed:
        return AlarmWatch(*limits)
    return AlarmWatch.resumed(*limits, graph=graph, threshold=parts.threshold)


# What a crawl works with, built from its settings: background, judge, strategy, fetcher.


NETWORK_WORKERS = 16


@dataclass(frozen=True, slots=True)
class Equipment:
    """The parts of a crawl that do not depend on how far it has come."""

    judge: Judge
    strategy: Strategy
    fetcher: Fetcher
    robots: Robots | None
    politeness: Politeness
    threshold: float
    workers: int
    policies: tuple[Policy, ...] = ()
    outline: Sequence[ConceptNote] = ()
    reader: Callable[[Response], Page] = read_page


def equip(
    settings: Settings,
    topic: Topic,
    seeds: Sequence[str],
    *,
    judge: Judge | None = None,
    strategy: Strategy | None = None,
    fetcher: Fetcher | None = None,
    reader: Callable[[Response], Page] | None = None,
) -> Equipment:
    """Build what the settings name; parts given as objects are used as they are.

    Raises:
        ConfigError: a part that is unknown or cannot be built.
        ReplayError: a recorded web that cannot be read.
    """
    background = find_background(settings.background)
    if judge is None:
        judge = JUDGES.create(settings.judge, topic=topic, background=background)
    if strategy is None:
        strategy = STRATEGIES.create(
            settings.strategy, topic=topic, background=background, judge=judge, seeds=seeds
        )
    _require("judge", judge, ("judge", "threshold"))
    _require("strategy", strategy, ("rank", "batch"))
    recorded = bool(settings.replay)
    fetcher = fetcher or _fetcher(settings)
    agent = user_agent(settings.contact or None)
    # A recording was fetched once already: its hosts need neither patience nor permission.
    obeys = settings.robots and not recorded
    return Equipment(
        judge=judge,
        strategy=strategy,
        fetcher=fetcher,
        # Asked again with each new try of a URL, or trying again would be in vain.
        robots=Robots(fetcher, agent, retry=settings.retry_delay) if obeys else None,
        politeness=Politeness(
            delay=0.0 if recorded else settings.delay, max_delay=settings.max_delay
        ),
        threshold=judge.threshold if settings.threshold is None else settings.threshold,
        workers=settings.workers or (1 if recorded else NETWORK_WORKERS),
        policies=_policies(settings),
        outline=judge.outline() if hasattr(judge, "outline") else outline(topic),
        reader=reader or read_page,
    )


def _policies(settings: Settings) -> tuple[Policy, ...]:
    if settings.policy == ("none",):
        return ()
    policies: dict[str, Policy] = {}
    for spec in settings.policy:
        policy = load_policy(spec)
        if policy.name in policies:
            raise ConfigError(
                f"two policies are called {policy.name}: give each once, and files other names"
            )
        policies[policy.name] = policy
    check_policies(tuple(policies.values()))
    return tuple(policies.values())


def _require(kind: str, part: object, members: Sequence[str]) -> None:
    """A user's part may be anything: say what it lacks before the crawl begins."""
    missing = [name for name in members if not hasattr(part, name)]
    if missing:
        raise ConfigError(
            f"{type(part).__name__} is no {kind}: it has no {' and no '.join(missing)}; "
            f"a {kind} needs {' and '.join(members)}"
        )


def _fetcher(settings: Settings) -> Fetcher:
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
    )


# The beginning of a crawl: its seeds, its topic and the concepts that belong to it, recorded.


def canonical_seeds(seeds: Sequence[str], settings: Settings) -> list[str]:
    """The seeds in the form in which URLs are compared, each once.

    Raises:
        ConfigError: there is none, or one that the crawl may not visit.
        UrlError: one that is no URL.
    """
    if not seeds:
        raise ConfigError("a crawl needs at least one seed: give --seed URL, or seeds in the topic")
    scope = Scope(settings.include, settings.exclude)
    starts = list(dict.fromkeys(canonical(seed) for seed in seeds))
    for url in starts:
        if not scope.allows(url):
            raise ConfigError(f"the seed {url} is shut out by the include or exclude patterns")
    return starts


def plant(
    graph: CrawlGraph, topic: Topic, settings: Settings, seeds: Sequence[str], parts: Equipment
) -> tuple[KnownUrls, list[FoundUrl]]:
    """Record the crawl, its seeds and its concepts in one transaction."""
    entries = [FoundUrl(url, host_of(url), 1.0, n, 0) for n, url in enumerate(seeds, 1)]
    changes = Changes()
    for entry in entries:
        changes.found(entry)
    for note in parts.outline:
        concept_noted(changes, note.iri, note.label, note.broader, good=note.good)
    try:
        graph.begin(
            changes,
            name=topic.name,
            topic=topic.to_toml(absolute=True),
            topic_turtle=topic.to_turtle(absolute=True),
            settings=settings.to_json(),
            threshold=parts.threshold,
            now=time.time(),
        )
    except BaseException:
        graph.discard()
        raise
    return KnownUrls(next_order=len(entries) + 1), entries


@dataclass(frozen=True, slots=True)
class Summary:
    """How a run of a crawl ended."""

    reason: StopReason
    progress: Progress

    def __str__(self) -> str:
        p = self.progress
        return (
            f"{p.pages:,} pages, {p.relevant:,} relevant (harvest rate {p.harvest_rate:.1%}); "
            f"stopped because {self.reason.sentence}"
        )


class Crawl(Steerable):
    """A focused crawl.

    Args:
        topic: a Topic, or a text such as ``wordnet:asthma`` or ``keywords:java programming``.
        seeds: URLs to start from, beside those of the topic.
        folder: a new folder for the crawl graph; without one it is kept in memory only.
        settings: the settings; single ones can be given by name as well.
        strategy: a strategy, by name or as an object.
        judge: a judge, by name or as an object.
        fetcher: what answers URLs, in place of the network or the replay of the settings.
        reader: what makes pages of responses, in place of `semcrawl.page.read.read_page`.
        values: single settings by name, such as ``pages=500``.

    Raises:
        SemcrawlError: bad input; no folder is made then.

    A crawl is closed by ``close`` or at the end of a ``with`` block.
    """

    def __init__(
        self,
        topic: Topic | str,
        seeds: Sequence[str] = (),
        folder: str | Path | None = None,
        *,
        settings: Settings | None = None,
        strategy: str | Strategy | None = None,
        judge: str | Judge | None = None,
        fetcher: Fetcher | None = None,
        reader: Callable[[Response], Page] | None = None,
        **values: Any,
    ) -> None:
        self.topic = Topic.parse(topic) if isinstance(topic, str) else topic
        self.settings = _settings(settings or Settings(), strategy, judge, values)
        starts = canonical_seeds([*seeds, *self.topic.seeds], self.settings)
        equipment = _equip(self.settings, self.topic, starts, strategy, judge, fetcher, reader)
        self.graph = CrawlGraph.create(Path(folder) if folder is not None else None)
        known, entries = plant(self.graph, self.topic, self.settings, starts, equipment)
        frontier = empty_frontier(self.settings, equipment.strategy)
        for entry in entries:
            frontier.push(entry)
        progress = Progress(waiting=len(frontier))
        try:
            self._assemble(equipment, Memory(frontier, known, progress, TrapGuard()))
        except BaseException:
            self.graph.discard()
            raise

    @classmethod
    def resume(
        cls,
        folder: str | Path,
        *,
        strategy: str | Strategy | None = None,
        judge: str | Judge | None = None,
        fetcher: Fetcher | None = None,
        **values: Any,
    ) -> Self:
        """Go on with the crawl of a folder, from its graph alone; settings can be changed by name.

        Raises:
            ConfigError: another judge or background than the crawl began with.
            NotACrawlError: the folder holds no crawl.
            CrawlLockedError: another process has it open.
        """
        crawl = cls.__new__(cls)
        crawl.graph = CrawlGraph.open(Path(folder))
        try:
            about = crawl.graph.describe()
            crawl.topic = Topic.from_toml(about.topic)
            _require_pages(crawl.graph)
            before = Settings.from_json(about.settings)
            crawl.settings = _settings(before, strategy, judge, values)
            _require_same_judging(before, crawl.settings)
            seeds = [row["url"] for row in crawl.graph.query("frontier/seeds")]
            parts = _equip(crawl.settings, crawl.topic, seeds, strategy, judge, fetcher)
            frontier = empty_frontier(crawl.settings, parts.strategy)
            progress, guard = Progress(), TrapGuard()
            known = rebuild(crawl.graph, frontier, progress, guard, parts.threshold)
            memory = Memory(frontier, known, progress, guard, is_resumed=True)
            crawl._assemble(parts, memory)
        except BaseException:
            crawl.graph.close()
            raise
        return crawl

    @classmethod
    def revisit(
        cls, folder: str | Path, *, hours: int = 24, limit: int = 100, **values: Any
    ) -> Self:
        """Maintenance: visit pages of a crawl again, and nothing else.

        The shipped policy ``revisit`` chooses at most ``limit`` pages whose
        last visit is so many ``hours`` old. The crawl's own settings stay as
        they are; ``values`` hold for this run.
        """
        policy = f"revisit:hours={hours},limit={limit}"
        crawl = cls.resume(folder, **{"policy": [policy], "revisit_share": 1.0, **values})
        about = crawl.graph.describe()
        crawl._lasting = Settings.from_json(about.settings)
        crawl._stopped_before = about.stopped and about.stopped.rpartition("#")[2]
        return crawl

    def _assemble(self, parts: Equipment, memory: Memory) -> None:
        self._lasting = self.settings
        self._stopped_before: str | None = None
        self.threshold = parts.threshold
        self.progress = memory.progress
        self._fetcher = parts.fetcher
        give_functions(self.graph)
        self._machine = assemble(self.settings, self.graph, parts, memory)

    # Running

    def run(self, listener: Callable[[Event], None] | None = None) -> Summary:
        """Crawl until a stop rule is met, telling ``listener`` of every event.

        An interrupt (Ctrl-C) stops the crawl after the visits under way, a
        second one at once; nothing recorded is lost either way.
        """
        with interruptible(self.stop):
            for event in self.visits():
                if listener is not None:
                    listener(event)
        assert isinstance(event, CrawlStopped)
        return Summary(event.reason, event.progress)

    def visits(self) -> Iterator[Event]:
        """The same, step by step: an event per visit, a CrawlStopped at the end."""
        reason = StopReason.FAILED
        self.graph.note_start(self._lasting.to_json(), self.threshold)
        try:
            reason = yield from self._machine.loop.run()
        except (KeyboardInterrupt, GeneratorExit):
            reason = StopReason.INTERRUPTED
            raise
        finally:
            # What failed may well be the store: the first error is the one to tell.
            with suppress(SemcrawlError):
                # A maintenance run leaves the crawl as it was: at a limit, or at its end.
                noted = self._stopped_before or reason
                self.graph.note_stop(noted, time.time(), self._lasting.to_json())
        yield CrawlStopped(reason, self.progress)

    @property
    def _loop(self) -> Loop:
        return self._machine.loop

    # Asking

    def query(self, query: str, **parameters: object) -> Answer:
        """Answer a named query with its parameters, or a SPARQL text, over the crawl graph."""
        return self.graph.query(query, **parameters)

    # Closing

    def close(self) -> None:
        """Let go of workers, connections and files; closing twice is fine."""
        self._machine.close()
        self._fetcher.close()
        self.graph.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _settings(
    settings: Settings,
    strategy: str | Strategy | None,
    judge: str | Judge | None,
    values: dict[str, Any],
) -> Settings:
    for name, part in (("strategy", strategy), ("judge", judge)):
        if part is not None:
            # An object is noted by its class: a resume must be given it again.
            values[name] = part if isinstance(part, str) else type(part).__name__
    return with_full_paths(settings.changed(values) if values else settings)


def _require_pages(graph: CrawlGraph) -> None:
    """A crawl for websites has a frontier of another kind."""
    if len(graph.query("sites/site-settings")):
        raise ConfigError(
            f"{graph.folder} holds a crawl for websites: "
            f"go on with 'semcrawl sites --resume {graph.folder}'"
        )


def _require_same_judging(before: Settings, now: Settings) -> None:
    """Relevances of two judges in one graph could not be compared."""
    for name in ("judge", "background"):
        was, wanted = getattr(before, name), getattr(now, name)
        if was != wanted:
            raise ConfigError(
                f"the crawl began with {name} {was or 'the default'!r}, and what it has judged "
                f"cannot be compared with {wanted or 'the default'!r}: start a new crawl for it"
            )


def _equip(
    settings: Settings,
    topic: Topic,
    seeds: Sequence[str],
    strategy: str | Strategy | None,
    judge: str | Judge | None,
    fetcher: Fetcher | None,
    reader: Callable[[Response], Page] | None = None,
) -> Equipment:
    return equip(
        settings,
        topic,
        seeds,
        strategy=None if isinstance(strategy, str) else strategy,
        judge=None if isinstance(judge, str) else judge,
        fetcher=fetcher,
        reader=reader,
    )
