"""What crawls of both kinds offer: to be run, stopped, paused, queried and closed."""

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from semcrawl.closing import Closing
from semcrawl.crawl.archive import VisitArchive
from semcrawl.crawl.crew import Visitor
from semcrawl.crawl.engine import Engine
from semcrawl.crawl.events import CrawlStopped, CrawlWarned
from semcrawl.crawl.kind import CrawlKind, CrawlState, EventT
from semcrawl.crawl.parts import make_reader, make_robots
from semcrawl.crawl.progress import Progress, StopReason, interruptible
from semcrawl.crawl.settings import Settings, StoredSettings
from semcrawl.crawl.shards.layout import is_gathered, place_of
from semcrawl.crawl.trust import require_trust
from semcrawl.errors import ConfigError, SemcrawlError
from semcrawl.graph import Answer, CrawlGraph
from semcrawl.graph.mirror import Mirror, MirrorThread, mirrored
from semcrawl.notebook import figures
from semcrawl.page import Page
from semcrawl.relevance import Judge
from semcrawl.topics import Topic
from semcrawl.web import Fetcher, Response

ProgressT = TypeVar("ProgressT", bound=Progress)


@dataclass(frozen=True, slots=True, repr=False)
class Summary(Generic[ProgressT]):
    """How a run of a crawl ended."""

    reason: StopReason
    progress: ProgressT

    def __repr__(self) -> str:
        return f"{self.progress.summary}stopped because {self.reason.sentence}"


class AnyCrawl(Closing, Generic[EventT, ProgressT]):
    """The base of `Crawl` and `SiteCrawl`."""

    topic: Topic
    settings: Settings
    site_settings: StoredSettings | None = None  # those of a crawl for websites
    graph: CrawlGraph
    progress: ProgressT
    threshold: float

    def __repr__(self) -> str:
        found = self.progress.summary.partition(";")[0]
        return f"<{type(self).__name__} for {self.topic.name}: {found}>"

    def _repr_html_(self) -> str:
        return figures(self.topic.name, self.progress.to_dict())

    @classmethod
    @contextmanager
    def _reopened(cls, folder: str | Path, named: Collection[str], *, trust: bool) -> Iterator[tuple[Self, CrawlGraph]]:
        """Yield a crawl with its topic only, and its graph; ``named`` settings come anew."""
        if is_gathered(Path(folder)):
            raise ConfigError(f"{folder} was gathered from shards: go on with their folder")
        crawl, graph = cls.__new__(cls), CrawlGraph.open(Path(folder), trust=trust)
        with ExitStack() as undo:
            undo.push(graph)
            graph.require_sound()
            require_trust(graph, named=named)
            graph.trust = True  # all that is obeyed from here on is the user's
            crawl.topic = Topic.from_toml(graph.describe().topic)
            yield crawl, graph
            undo.pop_all()

    def _connect(
        self,
        state: CrawlState,
        kind: CrawlKind[EventT, Any],
        fetcher: Fetcher,
        judge: Judge,
        reader: Callable[[Response], Page] | None,
    ) -> None:
        self.graph = state.graph
        self.threshold = state.threshold
        self._lasting = self.settings
        self._stopped_before: str | None = None
        self._fetcher = fetcher
        self._page_counts = state.page_counts
        settings, languages = state.settings, self.topic.languages
        self._archive = archive = VisitArchive(settings, state.graph) if settings.warc else None
        visitor = Visitor(
            fetcher,
            judge,
            make_robots(settings, fetcher, archive),
            reader or make_reader(settings, languages),
            languages,
            reads_lists=settings.link_lists != "off",
            keep=archive.keep if archive else None,
        )
        self._engine = Engine(state, kind, visitor)
        state.graph.keep_log(is_wanted=bool(settings.mirror))
        self._mirror = None
        if settings.mirror and place_of(state.graph.folder) is None:  # for a shard the driver sends
            self._mirror = MirrorThread(Mirror(mirrored(state.graph), settings.mirror))
            self._engine.notices = self._mirror.problems

    def run(self, listener: Callable[[EventT | CrawlWarned | CrawlStopped], None] | None = None) -> Summary[ProgressT]:
        """Crawl until a stop rule is met, telling ``listener`` of every event.

        Ctrl-C stops after the visits under way, a second at once; nothing recorded is lost.
        """
        with interruptible(self.stop):
            for event in self.visits():
                if listener is not None:
                    listener(event)
        assert isinstance(event, CrawlStopped)
        return Summary(event.reason, self.progress)

    def visits(self) -> Iterator[EventT | CrawlWarned | CrawlStopped]:
        """Crawl step by step: yield an event for each visit, a CrawlStopped at the end."""
        reason = StopReason.FAILED
        of_sites = self.site_settings.to_json() if self.site_settings else None
        self.graph.note_start(self._lasting.to_json(), self.threshold, of_sites)
        try:
            reason = yield from self._engine.run()
        except KeyboardInterrupt:  # the second: at once
            reason = StopReason.INTERRUPTED
            raise
        except BaseException as end:
            reason = StopReason.INTERRUPTED if isinstance(end, GeneratorExit) else reason
            with suppress(Exception):  # the first error is the one to tell
                list(self._engine.kind.finish())
            raise
        finally:
            self.progress.hold_clock()
            try:
                self._note_stop(reason)
            except KeyboardInterrupt:  # while it stops by itself, or has been told to before
                self._note_stop(reason)
                raise
        for problem in self._mirror.finish() if self._mirror else ():
            yield CrawlWarned(problem, progress=self.progress)
        yield CrawlStopped(reason, progress=self.progress)

    def _note_stop(self, reason: StopReason) -> None:
        # What failed may well be the store: the first error is the one to tell.
        with suppress(SemcrawlError):
            # A maintenance run leaves the crawl as it was: at a limit, or at its end.
            self.graph.note_stop(self._stopped_before or reason, time.time(), self._lasting.to_json())

    def stop(self) -> None:
        """Ask a running crawl, from any thread, to stop after the visits under way."""
        self._engine.told_to_stop.set()

    def pause(self) -> None:
        """Let a running crawl start no visits; readers are answered, the clock is held."""
        self._engine.told_to_pause.set()

    def unpause(self) -> None:
        """Let a paused crawl go on."""
        self._engine.told_to_pause.clear()

    @property
    def is_paused(self) -> bool:
        """Whether the crawl was asked to pause."""
        return self._engine.told_to_pause.is_set()

    def query(self, query: str, **parameters: object) -> Answer:
        """Answer a named query or a SPARQL text; put-off priorities may not be in the graph yet."""
        return self.graph.query(query, **parameters)

    def discard(self) -> None:
        """Remove what was recorded, and its folder."""
        self.graph.discard()

    def close(self) -> None:
        """Let go of workers, connections and files."""
        self._engine.close()
        for part in (self._mirror, self._page_counts, self._fetcher, self._archive, self.graph):
            if part is not None:
                part.close()
