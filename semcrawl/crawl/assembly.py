"""Putting a crawl together: the parts that the settings name, around one graph and frontier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.crawl.alarms import AlarmWatch
from semcrawl.crawl.crew import hire
from semcrawl.crawl.frontier import Frontier
from semcrawl.crawl.intake import Intake
from semcrawl.crawl.loop import CrawlLoop
from semcrawl.crawl.ordering import FoundOrder, LeastLoaded
from semcrawl.crawl.ranking import Ranking
from semcrawl.crawl.recorder import Recorder
from semcrawl.crawl.revision import Reviser
from semcrawl.crawl.revisiting import Revisiting
from semcrawl.crawl.revisits import Revisits
from semcrawl.crawl.steering import Steering
from semcrawl.crawl.visit import Visitor

if TYPE_CHECKING:
    from semcrawl.crawl.crew import Crew
    from semcrawl.crawl.equipment import Equipment
    from semcrawl.crawl.intake import KnownUrls
    from semcrawl.crawl.progress import Progress
    from semcrawl.crawl.settings import Settings
    from semcrawl.graph import CrawlGraph
    from semcrawl.strategies import Strategy
    from semcrawl.web import TrapGuard

__all__ = ["Machine", "Memory", "assemble", "empty_frontier"]


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
