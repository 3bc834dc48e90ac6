"""Policies beside a crawl: what they change, and that they can never harm it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl, CrawlGraph
from semcrawl.crawl import Distilled, PageVisited, PolicyRan
from semcrawl.crawl.pages.steering import TrialRow, try_policy
from semcrawl.errors import ConfigError, QueryError
from semcrawl.strategies import JudgedPage, Learner
from tests.crawl.conftest import WORDS, html

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.crawl import Event
    from semcrawl.web import ReplayServer

    MakeWeb = Callable[[dict[str, Any]], Path]

HOME = "http://home.test/"
LAST = "http://b.test/last"
PAGES = [f"http://a.test/{n}" for n in range(6)]
WEB = {
    HOME: html("Home", {**dict.fromkeys(PAGES, "page"), LAST: "last"}, WORDS),
    **{url: html(url, {}, WORDS) for url in PAGES},
    LAST: html("Last", {}, WORDS),
}


@pytest.fixture
def policy(tmp_path: Path) -> Callable[[str], str]:
    """Write a policy file that runs after every page."""

    def write(text: str, name: str = "mine.rq") -> str:
        path = tmp_path / name
        path.write_text(f"# Mine.\n# @every 1 page\n{text}", encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def run(make_web: MakeWeb) -> Callable[..., tuple[Crawl, list[Event]]]:
    """Crawl the small web by replay, breadth first, with policies; crawl and events."""

    def crawl(*policies: str, **settings: Any) -> tuple[Crawl, list[Event]]:
        chosen = {"strategy": "breadth-first", "judge": "labels", "policy": policies, **settings}
        running = Crawl("keywords:asthma", [HOME], replay=[str(make_web(WEB))], **chosen)
        return running, list(running.visits())

    return crawl


Run = Callable[..., tuple[Crawl, "list[Event]"]]


def visited(events: list[Event]) -> list[str]:
    return [event.url for event in events if isinstance(event, PageVisited)]


def runs(events: list[Event]) -> list[PolicyRan]:
    return [event for event in events if isinstance(event, PolicyRan)]


def test_without_a_policy_urls_come_in_the_order_found(run: Run) -> None:
    assert visited(run()[1]) == [HOME, *PAGES, LAST]


def test_a_priority_row_moves_a_url(run: Run, policy: Callable[[str], str]) -> None:
    text = f"SELECT ?url (9 AS ?priority) WHERE {{ VALUES ?url {{ <{LAST}> }} }}"
    crawl, events = run(policy(text))
    assert visited(events)[:2] == [HOME, LAST]
    assert runs(events)[0].changed == 1
    assert runs(events)[1].changed == 0
    crawl.close()


def test_a_factor_row_multiplies_once_however_often_it_is_given(run: Run, policy: Callable[[str], str]) -> None:
    text = f"SELECT ?url (0.5 AS ?factor) WHERE {{ VALUES ?url {{ <{PAGES[0]}> }} }}"
    crawl, events = run(policy(text), pages=4, strategy="soft-focus:n=1")
    assert PAGES[0] not in visited(events)
    assert [ran.changed for ran in runs(events)] == [1, 0, 0]
    others = crawl.query(f"SELECT ?p {{ <{PAGES[0]}> sc:priority ?p ; sc:factor 0.5 }}")
    home = crawl.query(f"SELECT ?r {{ <{HOME}> sc:relevance ?r }}")
    assert others.value() == pytest.approx(home.value() / 2, abs=1e-6)
    crawl.close()


def test_a_site_factor_moves_all_urls_of_a_site(run: Run, policy: Callable[[str], str]) -> None:
    text = "SELECT ?site (0.1 AS ?factor) WHERE { VALUES ?site { <urn:semcrawl:site:a.test> } }"
    crawl, events = run(policy(text), strategy="soft-focus:n=1")
    assert visited(events)[:2] == [HOME, LAST]
    factor = crawl.query("SELECT ?f { <urn:semcrawl:site:a.test> sc:factor ?f }").value()
    assert factor == 0.1
    crawl.close()


def test_a_site_that_is_no_longer_named_is_as_before(run: Run, policy: Callable[[str], str]) -> None:
    text = (
        "SELECT ?site (0.1 AS ?factor) WHERE { VALUES ?site { <urn:semcrawl:site:a.test> } "
        "FILTER NOT EXISTS { ?p sc:step 3 } }"
    )
    crawl, _ = run(policy(text))
    assert crawl.query("SELECT ?f { <urn:semcrawl:site:a.test> sc:factor ?f }").value() is None
    crawl.close()


def test_factors_of_two_policies_multiply(run: Run, policy: Callable[..., str]) -> None:
    text = "SELECT ?site (0.5 AS ?factor) WHERE { VALUES ?site { <urn:semcrawl:site:a.test> } }"
    crawl, _ = run(policy(text), policy(text, "other.rq"))
    assert crawl.query("SELECT ?f { <urn:semcrawl:site:a.test> sc:factor ?f }").value() == 0.25
    crawl.close()


def test_a_url_row_drops_a_url_and_says_so(run: Run, policy: Callable[[str], str]) -> None:
    text = "SELECT ?url WHERE { ?url sc:priority ?p FILTER(CONTAINS(STR(?url), 'a.test')) }"
    crawl, events = run(policy(text))
    assert visited(events) == [HOME, LAST]
    assert runs(events)[0].dropped == 6
    reason = crawl.query(f"SELECT ?why {{ <{PAGES[0]}> sc:droppedBecause ?why }}").value()
    assert reason.endswith("DroppedByPolicy")
    crawl.close()


def test_what_does_not_wait_is_left_alone(run: Run, policy: Callable[[str], str]) -> None:
    text = f"SELECT ?url WHERE {{ VALUES ?url {{ <{HOME}> <http://unknown.test/> <urn:x> }} }}"
    crawl, events = run(policy(text))
    assert len(visited(events)) == len(WEB)
    assert all(ran.dropped == 0 and not ran.error for ran in runs(events))
    crawl.close()


def test_a_policy_sees_what_the_crawl_tells_it(run: Run, policy: Callable[[str], str]) -> None:
    text = (
        "# @param since  last run\n# @param step  now\n# @param threshold  relevant\n"
        "SELECT ?url WHERE { VALUES ?since { 0 } VALUES ?step { 0 } VALUES ?threshold { 0.0 } "
        f"BIND(<{LAST}> AS ?url) FILTER(?since = 1 && ?step = 2 && ?threshold = 0.25) }}"
    )
    crawl, events = run(policy(text), threshold=0.25)
    assert LAST not in visited(events)
    crawl.close()


def test_a_policy_that_takes_too_long_is_skipped_and_the_crawl_goes_on(run: Run, policy: Callable[[str], str]) -> None:
    triples = " ".join(f"?s{n} ?p{n} ?o{n} ." for n in range(6))
    text = f"SELECT ?url WHERE {{ {triples} FILTER(?o1 = ?o5) BIND(STR(?o3) AS ?url) }}"
    crawl, events = run(policy(text).replace(".rq", ".rq:every=5"), policy_seconds=0.5)
    assert len(visited(events)) == len(WEB)
    assert "took more than 0.5 s" in runs(events)[0].error
    noted = crawl.query("SELECT ?note { ?run a sc:PolicyRun ; sc:note ?note }").value()
    assert "took more than" in noted
    crawl.close()


def test_a_policy_that_cannot_be_used_is_refused_before_anything_is_made(
    tmp_path: Path, policy: Callable[[str], str]
) -> None:
    wrong = policy("SELECT ?x { ?x ?y ?z }")
    with pytest.raises(QueryError, match="must name"):
        Crawl("keywords:asthma", [HOME], tmp_path / "crawl", policy=[wrong])
    with pytest.raises(ConfigError, match="two policies are called tunnel"):
        Crawl("keywords:asthma", [HOME], tmp_path / "crawl", policy=["tunnel", "tunnel:limit=3"])
    assert not (tmp_path / "crawl").exists()


class Boundless(Learner):
    """Gives priorities beyond all bounds, and again after every page."""

    def rank(self, judged: JudgedPage) -> list[float]:
        return [1e9] * len(judged.page.links)

    def revise(self) -> dict[str, float]:
        return dict.fromkeys([*PAGES, LAST], 2e9)


def test_1999_section_5_7_the_greatest_priority_is_above_any_strategys(run: Run, policy: Callable[[str], str]) -> None:
    """Chakrabarti et al. 1999, section 5.7: "the maximum possible value"."""
    text = f"SELECT ?url (100000 AS ?priority) WHERE {{ VALUES ?url {{ <{LAST}> }} }}"
    crawl, events = run(policy(text), strategy=Boundless())
    assert visited(events)[:2] == [HOME, LAST]
    crawl.close()


def test_a_policy_that_needs_the_distiller_brings_it(run: Run) -> None:
    crawl, events = run("hub-neighbours:every=2", distill_every=3)
    kinds = [type(event) for event in events if isinstance(event, Distilled | PolicyRan)]
    assert Distilled in kinds
    assert all(not ran.error for ran in runs(events))
    crawl.close()


def test_a_lens_can_be_called_in_a_policy(run: Run, policy: Callable[[str], str]) -> None:
    text = (
        'SELECT ?url WHERE { ?url sc:priority ?p FILTER(sc:similarity("asthma") > 0.5 && sc:similarity("cars") = 0.0) }'
    )
    crawl, events = run(policy(text))
    assert visited(events) == [HOME]
    crawl.close()


def test_a_resumed_crawl_keeps_factors_and_the_rhythm_of_its_policies(
    make_web: MakeWeb, tmp_path: Path, policy: Callable[[str], str]
) -> None:
    text = "SELECT ?site (0.1 AS ?factor) WHERE { VALUES ?site { <urn:semcrawl:site:a.test> } }"
    spec = policy(text) + ":every=2"
    web = str(make_web(WEB))
    more: dict[str, Any] = {"replay": [web], "strategy": "breadth-first", "policy": [spec]}
    with Crawl("keywords:asthma", [HOME], tmp_path / "whole", **more) as crawl:
        whole = visited(list(crawl.visits()))
    with Crawl("keywords:asthma", [HOME], tmp_path / "parts", pages=3, **more) as crawl:
        first = visited(list(crawl.visits()))
    with Crawl.resume(tmp_path / "parts", pages=100) as crawl:
        events = list(crawl.visits())
    assert first + visited(events) == whole
    assert runs(events)[0].progress.pages >= 4


def test_trying_a_policy_changes_nothing(make_web: MakeWeb, tmp_path: Path, policy: Callable[..., str]) -> None:
    folder = tmp_path / "crawl"
    web = str(make_web(WEB))
    more: dict[str, Any] = {"strategy": "best-first-page-anchor", "judge": "labels"}
    with Crawl("keywords:asthma", [HOME], folder, replay=[web], pages=1, **more) as crawl:
        crawl.run()
    spec = policy("SELECT ?url WHERE { ?url sc:priority ?p FILTER(CONTAINS(STR(?url), 'b.test')) }")
    with CrawlGraph.read(folder) as graph:
        before = graph.query("SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o").rows
        trial = try_policy(graph, spec)
        assert [row.subject for row in trial.rows] == [LAST]
        assert trial.rows[0].after is None
        factor = policy("SELECT ?url (2 AS ?factor) WHERE { ?url sc:site ?s }", "factor.rq")
        found = try_policy(graph, factor).rows
        assert TrialRow(LAST, found[0].before, 2 * (found[0].before or 0)) in found
        assert graph.query("SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o").rows == before


def test_trying_a_policy_tells_what_would_become_of_urls_that_do_not_wait(
    make_web: MakeWeb, tmp_path: Path, policy: Callable[..., str]
) -> None:
    folder = tmp_path / "crawl"
    away = policy(f"SELECT ?url WHERE {{ VALUES ?url {{ <{LAST}> <{PAGES[0]}> }} }}", "drop.rq")
    more: dict[str, Any] = {"replay": [str(make_web(WEB))], "pages": 2, "policy": [away]}
    with Crawl("keywords:asthma", [HOME], folder, strategy="breadth-first", **more) as crawl:
        crawl.run()
        before = crawl.query(f"SELECT ?p {{ <{LAST}> sc:priorityToBeat ?p }}").value()
        rows = f"VALUES (?url ?priority) {{ (<{LAST}> {before}) (<{PAGES[0]}> {before + 1}) }}"
        back = policy(f"SELECT ?url ?priority WHERE {{ {rows} }}", "back.rq")
        trial = try_policy(crawl.graph, back)
        assert trial.rows == (TrialRow(PAGES[0], None, before + 1),)
        assert trial.ignored == 1
        # What does not wait cannot be dropped.
        assert try_policy(crawl.graph, away).rows == ()


def test_over_the_network_the_crawl_does_not_wait_for_its_policies(
    make_web: MakeWeb, serve: Callable[[Path], ReplayServer], policy: Callable[[str], str]
) -> None:
    server = serve(make_web(WEB))
    text = "SELECT ?url (1 AS ?priority) WHERE { ?url sc:priority ?p }"
    more: dict[str, Any] = {"proxy": server.proxy, "delay": 0, "policy_seconds": 20}
    with Crawl("keywords:asthma", [HOME], policy=[policy(text)], **more) as crawl:
        events = list(crawl.visits())
    assert set(visited(events)) == set(WEB)
    assert all(not ran.error for ran in runs(events))


def test_a_priority_row_can_bring_in_what_hard_focus_passed_over(
    make_web: MakeWeb, policy: Callable[[str], str]
) -> None:
    web = {
        HOME: html("Cars", {"/a": "a", "/b": "b"}, "wheels"),
        f"{HOME}a": html("A", {}, WORDS),
        f"{HOME}b": html("B", {}, WORDS),
    }
    text = f"SELECT ?url (0.7 AS ?priority) WHERE {{ VALUES ?url {{ <{HOME}a> <{HOME}x> }} }}"
    more: dict[str, Any] = {"replay": [str(make_web(web))], "strategy": "hard-focus"}
    with Crawl("keywords:asthma", [HOME], policy=[policy(text)], **more) as crawl:
        events = list(crawl.visits())
        found = crawl.query(f"SELECT ?page {{ <{HOME}a> sc:foundOn ?page ; sc:depth 1 }}").value()
    assert visited(events) == [HOME, f"{HOME}a"]
    assert found == HOME
    assert runs(events)[0].changed == 1


def test_a_policy_that_cannot_end_even_on_an_empty_graph_is_refused(
    tmp_path: Path, policy: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("semcrawl.steering.jobs.CHECK_SECONDS", 0.5)
    numbers = " ".join(map(str, range(300)))
    lines = " ".join(f"VALUES ?{name} {{ {numbers} }}" for name in "abcde")
    text = f"SELECT ?url WHERE {{ {lines} FILTER(?a+?b+?c+?d+?e < 0) BIND(<http://x/> AS ?url) }}"
    with pytest.raises(QueryError, match="took more than"):
        Crawl("keywords:asthma", [HOME], tmp_path / "crawl", policy=[policy(text)])


def test_policies_can_be_taken_off_a_crawl(make_web: MakeWeb, tmp_path: Path, policy: Callable[[str], str]) -> None:
    spec, web = policy("SELECT ?url WHERE { ?url ?p sc:Nothing }"), str(make_web(WEB))
    with Crawl("keywords:asthma", [HOME], tmp_path / "c", replay=[web], pages=2, policy=[spec]) as crawl:
        crawl.run()
    (tmp_path / "mine.rq").unlink()
    with pytest.raises(QueryError, match="--policy none"):
        Crawl.resume(tmp_path / "c", pages=5)
    with Crawl.resume(tmp_path / "c", pages=5, policy=["none"]) as crawl:
        assert crawl.run().progress.pages == 5


def test_a_resume_keeps_the_factors_of_every_policy(
    make_web: MakeWeb, tmp_path: Path, policy: Callable[..., str]
) -> None:
    def factor(number: float, every: int) -> str:
        site = "VALUES ?site { <urn:semcrawl:site:a.test> }"
        text = f"SELECT ?site ({number} AS ?factor) WHERE {{ {site} }}"
        return policy(text, f"by{every}.rq") + f":every={every}"

    more: dict[str, Any] = {"replay": [str(make_web(WEB))], "strategy": "breadth-first"}
    specs = [factor(0.5, 1), factor(0.1, 2)]
    with Crawl("keywords:asthma", [HOME], tmp_path / "c", pages=3, policy=specs, **more) as crawl:
        crawl.run()
    with Crawl.resume(tmp_path / "c", pages=4) as crawl:
        crawl.run()
        assert crawl.query("SELECT ?f { <urn:semcrawl:site:a.test> sc:factor ?f }").value() == 0.05
