"""Which URLs enter the frontier, and what comes of those that were refused once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl.crawl import Settings
from semcrawl.crawl.frontier import Frontier
from semcrawl.crawl.pages.intake import Intake
from semcrawl.crawl.pages.priorities import Priorities
from semcrawl.crawl.pages.revisits import Revisits
from semcrawl.crawl.pages.state import OF_EACH, PageState, rebuild
from semcrawl.graph import SC, Changes, CrawlGraph, FoundUrl
from semcrawl.graph.changes import KnownPage
from semcrawl.steering import load_policy
from semcrawl.steering.policies import PolicyRow
from semcrawl.web import DropReason
from semcrawl.web.traps import TrapGuard

if TYPE_CHECKING:
    from pathlib import Path

URL = "http://a.test/page"
BETTER = "http://b.test/"


def state(**values: Any) -> PageState:
    settings = Settings(**values)
    return PageState(
        settings=settings,
        graph=CrawlGraph.create(),
        threshold=0.05,
        frontier=Frontier(settings.frontier_size),
        guard=TrapGuard(max_queries=1),
    )


def offer(made: PageState, url: str, priority: float, depth: int = 1) -> None:
    changes = Changes()
    Intake(made).offer(changes, url, priority, depth=depth, found_on="http://seed.test/")
    made.graph.apply(changes)


def reason(made: PageState, url: str) -> str | None:
    said: str | None = made.graph.store.value(url, SC + "droppedBecause")
    return None if said is None else said.removeprefix(SC)


def refused_for_depth(**values: Any) -> PageState:
    made = state(depth=2, **values)
    offer(made, URL, 0.5, depth=3)
    assert reason(made, URL) == DropReason.TOO_DEEP
    return made


def test_a_shorter_way_lets_a_url_in() -> None:
    made = refused_for_depth()
    offer(made, URL, 0.5)
    assert URL in made.frontier
    assert reason(made, URL) is None


def test_a_url_that_was_refused_does_not_come_back_to_a_host_that_is_done() -> None:
    made = refused_for_depth(pages_per_host=1)
    made.known.pages_by_host["a.test"] = 1
    offer(made, URL, 0.5)
    assert URL not in made.frontier
    assert reason(made, URL) == DropReason.HOST_LIMIT
    assert made.progress.dropped == {DropReason.TOO_DEEP: 0, DropReason.HOST_LIMIT: 1}


def test_a_url_that_was_refused_must_pass_the_trap_guard() -> None:
    made = state(depth=2)
    traps = [f"http://a.test/list?a={n}&b={n}&c={n}" for n in range(3)]
    offer(made, traps[2], 0.5, depth=3)
    for trap in traps:
        offer(made, trap, 0.5)
    assert traps[2] not in made.frontier
    assert reason(made, traps[2]) == DropReason.TRAP_SUSPECTED


def test_a_factor_goes_with_the_place_in_the_frontier(tmp_path: Path) -> None:
    """After it has lost its place and found another, the same policy counts again."""
    made = state(frontier_size=1)
    priorities = Priorities(made, Intake(made), Revisits(made))
    (tmp_path / "half.rq").write_text("SELECT ?url (0.5 AS ?factor) { ?url a ?kind }")
    policy = load_policy(str(tmp_path / "half.rq"))
    offer(made, URL, 0.4)
    priorities.apply(policy, [PolicyRow(URL, 0.5)])
    offer(made, BETTER, 0.3)
    assert URL not in made.frontier
    offer(made, URL, 0.8)
    entry = made.frontier.get(URL)
    assert entry is not None
    assert (entry.priority, entry.factor) == (0.8, 1.0)
    assert made.graph.store.value(URL, SC + "factor") is None
    assert priorities.apply(policy, [PolicyRow(URL, 0.5)]).changed == 1
    assert (entry.priority, made.graph.store.value(URL, SC + "factor")) == (0.4, 0.5)


def dropped_by_policy(tmp_path: Path) -> PageState:
    """A state in which a policy has given a factor to a URL and then dropped it."""
    made = state()
    priorities = Priorities(made, Intake(made), Revisits(made))
    for name, variables in (("half.rq", "?url (0.5 AS ?factor)"), ("drop.rq", "?url")):
        (tmp_path / name).write_text(f"SELECT {variables} {{ ?url a ?kind }}")
    offer(made, URL, 0.4)
    priorities.apply(load_policy(str(tmp_path / "half.rq")), [PolicyRow(URL, 0.5)])
    priorities.apply(load_policy(str(tmp_path / "drop.rq")), [PolicyRow(URL, None)])
    assert reason(made, URL) == DropReason.DROPPED_BY_POLICY
    return made


@pytest.mark.parametrize("is_resumed", [False, True])
def test_what_a_policy_dropped_comes_back_by_a_better_link_only(tmp_path: Path, is_resumed: bool) -> None:
    made = dropped_by_policy(tmp_path)
    if is_resumed:
        graph, made = made.graph, state()
        made.graph = graph
        rebuild(made)
    offer(made, URL, 0.4)
    assert URL not in made.frontier
    offer(made, URL, 0.41)
    entry = made.frontier.get(URL)
    assert entry is not None
    assert entry.priority == 0.41
    said = made.graph.query(f"SELECT ?p {{ <{URL}> ?p ?o }}")
    assert {row["p"].removeprefix(SC) for row in said} == {
        "priority", "order", "depth", "site", "foundOn"
    }  # fmt: skip


def test_a_policy_does_not_drop_a_page_whose_revisit_is_due() -> None:
    made = state()
    known = KnownPage(1, 0.5)
    made.frontier.push(FoundUrl(URL, "a.test", 1e6, 1, 0, known=known))
    changes = Changes()
    assert not Intake(made).drop_for_now(changes, URL, DropReason.DROPPED_BY_POLICY)
    assert URL in made.frontier
    assert not changes


def test_urls_that_are_dropped_at_sight_are_not_noted_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semcrawl.crawl.pages.intake.MOST_NOTED", 2 * OF_EACH)
    made = state(exclude=("*/private/*",), frontier_size=1)
    offer(made, URL, 0.9)
    for number in range(5):
        offer(made, f"http://a.test/private/{number}", 0.9)
        offer(made, f"http://a.test/{number}", 0.1)
    assert made.progress.dropped.total() == 2
    assert len(made.known.settled) + len(made.known.refused) == 2
    offer(made, BETTER, 1.0)
    assert BETTER in made.frontier


def test_long_urls_that_are_dropped_count_by_their_length() -> None:
    # Pages made of them would take a gigabyte.
    made = state(exclude=("*/private/*",))
    for number in range(20):
        offer(made, f"http://a.test/private/{number}/{'x' * 100_000}", 0.9)
    noted = made.known.noted
    assert noted > 20 * 100_000
    anew = state(exclude=("*/private/*",))
    anew.graph = made.graph
    rebuild(anew)
    assert anew.known.noted == noted


def test_a_url_that_is_taken_back_is_no_longer_counted() -> None:
    made = refused_for_depth()
    offer(made, URL, 0.5)
    assert made.known.noted == 0
