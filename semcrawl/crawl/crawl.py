"""A crawl, as a person meets it: made from a topic and seeds, run, resumed, queried."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from semcrawl.crawl.assembly import Memory, assemble, empty_frontier
from semcrawl.crawl.equipment import Equipment, equip
from semcrawl.crawl.events import CrawlStopped
from semcrawl.crawl.interrupt import interruptible
from semcrawl.crawl.pausing import Steerable
from semcrawl.crawl.places import with_full_paths
from semcrawl.crawl.planting import canonical_seeds, plant
from semcrawl.crawl.progress import Progress
from semcrawl.crawl.resume import rebuild
from semcrawl.crawl.settings import Settings
from semcrawl.crawl.stopping import StopReason
from semcrawl.crawl.viewing import give_functions
from semcrawl.errors import ConfigError, SemcrawlError
from semcrawl.graph import CrawlGraph
from semcrawl.topics import Topic
from semcrawl.web import TrapGuard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType

    from semcrawl.crawl.events import Event
    from semcrawl.crawl.pausing import Loop
    from semcrawl.graph import Answer
    from semcrawl.judges import Judge
    from semcrawl.page import Page
    from semcrawl.strategies import Strategy
    from semcrawl.web import Fetcher, Response

__all__ = ["Crawl", "Summary"]


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
        reader: what makes pages of responses, in place of `semcrawl.page.read_page`.
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
