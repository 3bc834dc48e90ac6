from __future__ import annotations

import pickle
from math import sqrt
from typing import TYPE_CHECKING

import msgspec
import pytest

from semcrawl.errors import ConfigError, QueryError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.queries import _parsed, _shipped
from semcrawl.steering import Distillation, distill
from tests.steering.distiller.conftest import write_web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[..., CrawlGraph]

A1, A2, B = "http://a.test/1", "http://a.test/2", "http://b.test/"
X, Y = "http://x.test/x", "http://x.test/y"
WAITING = "http://w.test/"

RELEVANCE = {A1: 0.8, A2: 0.4, B: 0.5, X: 0.9, Y: 0.95}
# Two of five pages can be authorities, those above 0.8: x and y. So the last three
# rows are no edges: they lead to a page below, within a site, and nowhere yet.
LINKS = [*[(A1, X), (A2, X), (B, X), (B, Y)], *[(X, A1), (B, A1)], *[(X, Y), (A1, A2)], *[(B, WAITING)]]
# By hand. Two pages of site a point to x: h'(a1,x) = h'(a2,x) = 2; b points to two
# pages of site x: a'(b,x) = a'(b,y) = 2; all others are 1. So the edges weigh
#             a1→x        a2→x        b→x          b→y
#   R/h'   0.8/2 = 0.4  0.4/2 = 0.2  0.5          0.5
#   R/a'   0.8          0.4          0.5/2 = 0.25 0.25


def test_one_round_by_hand(make: Make) -> None:
    # h = (1/3, 1/3, 1/3): a[x] = (0.4 + 0.2 + 0.5)/3 and a[y] = 0.5/3, scaled 11/16 and 5/16.
    # Then h[a1] = 0.8·11/16 = 0.55, h[a2] = 0.275, h[b] = 0.25; they add up to 1.075.
    found = distill(make(RELEVANCE, LINKS), share=0.4, rounds=1)
    assert found.authorities == pytest.approx({X: 11 / 16, Y: 5 / 16})
    assert found.hubs == pytest.approx({A1: 0.55 / 1.075, A2: 0.275 / 1.075, B: 0.25 / 1.075})
    assert (found.rho, found.pages, found.edges, found.step) == (0.8, 5, 4, 5)
    assert (found.rounds, found.converged) == (1, False)


def test_two_rounds_by_hand(make: Make) -> None:
    # a[x] = 0.4·0.55 + 0.2·0.275 + 0.5·0.25 = 0.4 and a[y] = 0.5·0.25 = 0.125, but for scale.
    # Then, of a = (16/21, 5/21), h = (12.8, 6.4, 5.25)/21, which adds up to 24.45/21.
    found = distill(make(RELEVANCE, LINKS), share=0.4, rounds=2)
    assert found.authorities == pytest.approx({X: 16 / 21, Y: 5 / 21})
    assert found.hubs == pytest.approx({A1: 12.8 / 24.45, A2: 6.4 / 24.45, B: 5.25 / 24.45})


def test_the_end_by_hand(make: Make) -> None:
    # h[a2] is half of h[a1]; with r = h[b]/h[a1] the formula says
    # r = 0.25·(a[x] + a[y]) / 0.8·a[x] and a[y]/a[x] = r/(1 + r), so r² + 0.375·r = 0.3125.
    r = (sqrt(0.375**2 + 4 * 0.3125) - 0.375) / 2
    found = distill(make(RELEVANCE, LINKS), share=0.4)
    assert found.converged
    assert found.hubs == pytest.approx({A1: 1 / (1.5 + r), A2: 0.5 / (1.5 + r), B: r / (1.5 + r)})
    assert found.authorities == pytest.approx({X: (1 + r) / (1 + 2 * r), Y: r / (1 + 2 * r)})


def test_the_best_come_first(make: Make) -> None:
    found = distill(make(RELEVANCE, LINKS), share=0.4)
    assert list(found.hubs) == [A1, A2, B]
    assert list(found.authorities) == [X, Y]


def test_across_pages_every_page_is_a_site_of_its_own(make: Make) -> None:
    # Now x→y counts too, and h' = a' = 1. One round from h = 1/4 each:
    # a[x] = (0.8 + 0.4 + 0.5)/4 and a[y] = (0.5 + 0.9)/4, scaled 17/31 and 14/31;
    # h[a1] = 0.8·17, h[a2] = 0.4·17, h[b] = 0.5·31, h[x] = 0.9·14; they add up to 48.5.
    found = distill(make(RELEVANCE, LINKS), share=0.4, rounds=1, across="pages")
    assert found.edges == 5
    assert found.authorities == pytest.approx({X: 17 / 31, Y: 14 / 31})
    hubs = {A1: 13.6 / 48.5, A2: 6.8 / 48.5, B: 15.5 / 48.5, X: 12.6 / 48.5}
    assert found.hubs == pytest.approx(hubs)


def test_what_fades_beside_a_stronger_group_is_left_out(make: Make) -> None:
    # Three hubs of one authority, and apart from them one hub of another: each round
    # makes the small group a third of what it was beside the large one.
    hubs = [f"http://h{number}.test/" for number in range(3)]
    lone, seen, fading = "http://lone.test/", "http://seen.test/", "http://fading.test/"
    relevance = dict.fromkeys([*hubs, lone, seen, fading], 1.0)
    web = make(relevance, [*[(hub, seen) for hub in hubs], (lone, fading)])
    early = distill(web, share=1.0, rounds=12)
    assert early.hubs[lone] / early.hubs[hubs[0]] == pytest.approx(3.0**-12)
    assert early.authorities[fading] / early.authorities[seen] == pytest.approx(3.0**-12)
    late = distill(web, share=1.0, rounds=13)
    assert list(late.hubs) == hubs
    assert list(late.authorities) == [seen]
    assert late.edges == 4


def test_a_page_that_links_to_itself_is_no_hub(make: Make) -> None:
    assert not distill(make({X: 0.9}, [(X, X)]), across="pages")


def test_a_page_of_no_relevance_is_no_hub(make: Make) -> None:
    found = distill(make({A1: 0.0, B: 0.5, X: 0.9}, [(A1, X), (B, X)]), share=0.3)
    assert found.hubs == {B: 1.0}
    assert found.edges == 2
    found = distill(make({A1: 0.0, X: 0.9}, [(A1, X)]), share=0.3)
    assert (found.hubs, found.authorities) == ({}, {})


@pytest.mark.parametrize("method", ["hits", "pagerank", "in-degree"])
@pytest.mark.parametrize(
    ("relevance", "links"),
    [
        pytest.param({}, [], id="no page"),
        pytest.param({X: 0.0, B: 0.0}, [(B, X)], id="no relevant page"),
        pytest.param({X: 0.5, B: 0.5}, [], id="no link"),
        pytest.param({X: 0.5}, [(X, WAITING)], id="no link to a visited page"),
        pytest.param({X: 0.5, Y: 0.5}, [(X, Y)], id="one site"),
    ],
)
def test_where_there_is_nothing_to_distil_nothing_is_found(
    make: Make, method: str, relevance: dict[str, float], links: list[tuple[str, str]]
) -> None:
    found = distill(make(relevance, links), method)
    assert found.hubs == {}
    assert found.pages == len(relevance)
    if method == "hits":
        assert not found


def test_page_rank_looks_at_all_links_between_visited_pages(make: Make) -> None:
    # A closed circle of three, and a page that leads into it: it keeps what chance brings,
    # 0.15/4, and the circle shares the rest, more of it near the entrance.
    urls = ["http://a.test/1", "http://a.test/2", "http://a.test/3", "http://b.test/"]
    first, second, third, outside = urls
    circle = [(first, second), (second, third), (third, first), (outside, first)]
    found = distill(make(dict.fromkeys(urls, 0.0), circle), "pagerank", rounds=200)
    assert found.edges == 4
    assert found.converged
    assert list(found.authorities) == urls
    assert found.authorities[outside] == pytest.approx(0.15 / 4)
    assert sum(found.authorities.values()) == pytest.approx(1.0)


def test_in_degree_counts_the_other_pages_that_link_here(make: Make) -> None:
    found = distill(make(RELEVANCE, [*LINKS, (X, X)]), "in-degree")
    assert found.authorities == {X: 3, A1: 2, Y: 2, A2: 1}
    assert (found.method, found.edges, found.pages, found.step) == ("in-degree", 8, 5, 5)


def test_a_graph_on_disk_gives_the_same_also_to_a_reader(make: Make, tmp_path: Path) -> None:
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        write_web(graph, RELEVANCE, LINKS)
        written = distill(graph, share=0.4)
    with CrawlGraph.read(tmp_path / "crawl") as graph:
        assert distill(graph, share=0.4) == written == distill(make(RELEVANCE, LINKS), share=0.4)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "salsa"}, "method 'salsa' is unknown: choose one of hits, pagerank, in-degree"),
        ({"across": "domains"}, "across 'domains' is unknown: choose one of hosts, pages"),
        ({"share": 0.0}, "share 0.0 is out of range"),
        ({"share": 1.5}, "share 1.5 is out of range"),
        ({"share": float("nan")}, "share nan is out of range"),
        ({"rounds": 0}, "rounds 0 is out of range"),
    ],
)
def test_what_cannot_be_computed_is_refused(make: Make, options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        distill(make({}), **options)  # type: ignore[arg-type]


def test_another_query_must_give_what_is_needed(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, own = make(RELEVANCE, LINKS), tmp_path / "edges.rq"
    there = _shipped() | {"distill/edges": own}
    monkeypatch.setattr("semcrawl.graph.queries._shipped", lambda: there)
    own.write_text(
        "# Mine.\n# @param rho  the least\nSELECT ?source ?target { VALUES ?rho { 0.0 } ?source sc:linksTo ?target }"
    )
    assert distill(graph, share=0.4).edges == 6  # links to a1 now count as well
    own.write_text(own.read_text().replace("?source ?target {", "?target {"))
    _parsed.cache_clear()
    with pytest.raises(QueryError, match=r"gives no \?source: it must give \?source, \?target"):
        distill(graph)


def test_a_relevance_that_is_no_number_is_said(make: Make) -> None:
    graph = make(RELEVANCE, LINKS)
    graph.store.update('INSERT DATA { <http://q.test/> sc:relevance "much" ; sc:site <urn:q> }')
    with pytest.raises(QueryError, match="'much', which is no number"):
        distill(graph)


def test_a_distillation_goes_through_a_pipe(make: Make) -> None:
    found = distill(make(RELEVANCE, LINKS), share=0.4)
    assert pickle.loads(pickle.dumps(found)) == found
    packed = msgspec.msgpack.encode(found)
    back = msgspec.msgpack.decode(packed, type=Distillation)
    assert back == found
    assert list(back.hubs) == list(found.hubs)


def test_the_best_of_a_distillation(make: Make) -> None:
    found = distill(make(RELEVANCE, LINKS), share=0.4).best(1)
    assert (list(found.hubs), list(found.authorities), found.edges) == ([A1], [X], 4)
