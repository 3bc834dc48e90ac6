"""Each shipped policy on a small graph, with the answer worked out by hand.

Good (0.8) and poor (0.1) are two sites' pages; the threshold is 0.5.
"""

from __future__ import annotations

from typing import Any

import pytest

from semcrawl.graph import CrawlGraph
from semcrawl.steering import load_policy
from semcrawl.steering.policies import MOST_PRIORITY

PAGES = """
<http://good/1> a sc:Page ; sc:step 1 ; sc:order 1 ; sc:depth 0 ; sc:relevance 0.8 ;
    sc:fetchedAt "2001-01-01T00:00:00Z"^^xsd:dateTime ; sc:site <urn:semcrawl:site:good> ;
    sc:hubScore 0.9e0 ;
    sc:linksTo <http://poor/1>, <http://good/wait>, <http://new/wait> .
<http://poor/1> a sc:Page ; sc:step 2 ; sc:order 2 ; sc:depth 1 ; sc:relevance 0.1 ;
    sc:fetchedAt "2001-01-01T00:00:00Z"^^xsd:dateTime ; sc:site <urn:semcrawl:site:poor> ;
    sc:foundOn <http://good/1> ;
    sc:linksTo <http://poor/wait>, <http://new/wait> .
<http://good/wait> sc:priority 0.8 ; sc:foundOn <http://good/1> ; sc:site <urn:semcrawl:site:good> .
<http://new/wait> sc:priority 0.8 ; sc:foundOn <http://good/1> ; sc:site <urn:semcrawl:site:new> .
<http://poor/wait> sc:priority 0.1 ; sc:foundOn <http://poor/1> ; sc:site <urn:semcrawl:site:poor> .
"""
CONTEXT = {"threshold": 0.5, "since": 0, "step": 2, "across": "hosts"}


@pytest.fixture
def graph() -> CrawlGraph:
    made = CrawlGraph.create()
    made.store.update(f"INSERT DATA {{ {PAGES} }}")
    return made


def rows(graph: CrawlGraph, spec: str, **context: object) -> list[dict[str, Any]]:
    return list(graph.store.query(load_policy(spec).text({**CONTEXT, **context})))


def test_hub_neighbours_lifts_what_the_best_hub_points_to_on_other_sites(graph: CrawlGraph) -> None:
    assert rows(graph, "hub-neighbours:limit=1") == [{"url": "http://new/wait", "priority": MOST_PRIORITY}]


def test_1999_section_5_7_hub_neighbours_come_above_every_waiting_url(graph: CrawlGraph) -> None:
    """Chakrabarti et al. 1999, section 5.7: the maximum possible priority, whatever the range."""
    graph.store.update("INSERT DATA { <http://long/text> sc:priority 4000.0 }")
    waiting = [row["p"] for row in graph.query("SELECT ?p WHERE { ?url sc:priority ?p }")]
    [lifted] = rows(graph, "hub-neighbours:limit=1")
    assert lifted["priority"] > max(waiting)


def test_hub_neighbours_can_stay_on_one_site(graph: CrawlGraph) -> None:
    found = {row["url"] for row in rows(graph, "hub-neighbours:limit=1", across="pages")}
    assert found == {"http://new/wait", "http://good/wait"}


def test_hub_neighbours_leaves_alone_what_comes_first_already(graph: CrawlGraph) -> None:
    assert rows(graph, "hub-neighbours:priority=0.5") == []


def test_hard_focus_drops_what_only_pages_off_topic_point_to(graph: CrawlGraph) -> None:
    assert rows(graph, "hard-focus") == [{"url": "http://poor/wait"}]


def test_hard_focus_looks_at_pages_visited_since_its_last_run(graph: CrawlGraph) -> None:
    assert rows(graph, "hard-focus", since=2) == []


def test_hard_focus_looks_no_further_back_than_asked(graph: CrawlGraph) -> None:
    assert rows(graph, "hard-focus:back=1", step=3) == []
    assert rows(graph, "hard-focus:back=2", step=3) == [{"url": "http://poor/wait"}]


def test_hard_focus_takes_the_word_of_a_judge_that_knows_the_topic(graph: CrawlGraph) -> None:
    graph.store.update("INSERT DATA { <http://poor/1> sc:onTopic true }")
    assert rows(graph, "hard-focus") == []


def test_favour_sites_compares_a_site_with_the_whole_crawl(graph: CrawlGraph) -> None:
    # The mean is 0.45; good: (0.8 + 5 * 0.45) / (6 * 0.45) = 3.05 / 2.7, poor: 2.35 / 2.7.
    found = {row["site"]: float(row["factor"]) for row in rows(graph, "favour-sites:min_pages=1")}
    assert found == {
        "urn:semcrawl:site:good": pytest.approx(3.05 / 2.7),
        "urn:semcrawl:site:poor": pytest.approx(2.35 / 2.7),
    }


def test_favour_sites_judges_sites_with_hundreds_of_pages(graph: CrawlGraph) -> None:
    # Products of decimals this long do not fit in 128 bits.
    pages = " . ".join(
        f"<http://large/{n}> sc:relevance 0.{654321 + n} ; sc:site <urn:semcrawl:site:large>" for n in range(400)
    )
    graph.store.update(f"INSERT DATA {{ {pages} }}")
    [row] = rows(graph, "favour-sites")
    assert row["site"] == "urn:semcrawl:site:large"
    assert float(row["factor"]) == pytest.approx(1.0, abs=0.01)


def test_favour_sites_stays_within_its_bounds(graph: CrawlGraph) -> None:
    found = rows(graph, "favour-sites:min_pages=1,lowest=0.9,highest=1.1")
    assert sorted(float(row["factor"]) for row in found) == [0.9, 1.1]


def test_cool_down_names_sites_of_which_almost_nothing_is_relevant(graph: CrawlGraph) -> None:
    found = rows(graph, "cool-down:min_pages=1")
    assert [(row["site"], float(row["factor"])) for row in found] == [("urn:semcrawl:site:poor", 0.2)]
    assert rows(graph, "cool-down") == []


def test_tunnel_waits_for_an_alarm(graph: CrawlGraph) -> None:
    assert rows(graph, "tunnel") == []


def test_tunnel_lifts_what_lies_two_links_from_a_relevant_page(graph: CrawlGraph) -> None:
    graph.store.update("INSERT DATA { <urn:c> sc:alarm <urn:a> . <urn:a> a sc:Stagnation }")
    assert rows(graph, "tunnel") == [{"url": "http://poor/wait", "priority": 0.4}]
    graph.store.update("INSERT DATA { <urn:a> sc:endedAtStep 9 }")
    assert rows(graph, "tunnel") == []


def test_revisit_takes_relevant_pages_and_those_that_have_changed_before(graph: CrawlGraph) -> None:
    assert [row["url"] for row in rows(graph, "revisit")] == ["http://good/1"]
    graph.store.update(
        'INSERT DATA { <http://poor/1> sc:checks 2 ; sc:changes 2 ; sc:checkedAt "2002-01-01T00:00:00Z"^^xsd:dateTime }'
    )
    found: list[Any] = rows(graph, "revisit")
    # 0.1 + 2/2 is more than 0.8.
    assert [row["url"] for row in found] == ["http://poor/1", "http://good/1"]
    assert [float(row["priority"]) for row in found] == pytest.approx([1.1, 0.8])


def test_revisit_leaves_pages_alone_for_a_while(graph: CrawlGraph) -> None:
    graph.store.update("INSERT { <http://good/1> sc:checks 1 ; sc:checkedAt ?now } WHERE { BIND(NOW() AS ?now) }")
    assert rows(graph, "revisit") == []
    assert len(rows(graph, "revisit:hours=0")) == 1
