"""What a crawl works with, built from its settings: background, judge, strategy, fetcher."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.beside.check import check_policies
from semcrawl.errors import ConfigError
from semcrawl.judges import JUDGES
from semcrawl.page import read_page
from semcrawl.page.background import find_background
from semcrawl.policies import load_policy
from semcrawl.strategies import STRATEGIES
from semcrawl.topics.outline import outline
from semcrawl.web import HttpFetcher, Politeness, Robots, open_replay, user_agent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from semcrawl.crawl.settings import Settings
    from semcrawl.judges import Judge
    from semcrawl.page import Page
    from semcrawl.policies import Policy
    from semcrawl.strategies import Strategy
    from semcrawl.topics import Topic
    from semcrawl.topics.outline import ConceptNote
    from semcrawl.web import Fetcher, Response

__all__ = ["Equipment", "equip"]

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
