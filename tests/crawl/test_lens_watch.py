"""A crawl whose lens sees nothing is refused or warns, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl
from semcrawl.crawl import CrawlWarned
from semcrawl.crawl.sites import SiteCrawl
from semcrawl.errors import TopicError
from tests.crawl.conftest import html

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

A = "http://a.test/"
TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://example.org/year> a skos:Concept ; skos:prefLabel "2019"@en .
"""


def warned(crawl: Any) -> list[str]:
    with crawl:
        return [event.note for event in crawl.visits() if isinstance(event, CrawlWarned)]


@pytest.mark.parametrize("kind", [Crawl, SiteCrawl])
def test_a_topic_without_labels_is_refused_and_leaves_no_folder(
    kind: Any, tmp_path: Path, make_web: Callable[..., Path]
) -> None:
    (tmp_path / "t.ttl").write_text(TURTLE)
    web = make_web({A: html("x")})
    with pytest.raises(TopicError, match="'2019' has no label in en"):
        kind(f"{tmp_path}/t.ttl#year", [A], tmp_path / "crawl", replay=[str(web)])
    assert not (tmp_path / "crawl").exists()


@pytest.mark.parametrize("kind", [Crawl, SiteCrawl])
def test_a_seed_page_that_scores_0_is_told(kind: Any, make_web: Callable[..., Path]) -> None:
    web = make_web({A: html("Cars", {"/b": "b"}, "cars"), A + "b": html("More cars")})
    [note] = warned(kind("wordnet:asthma", [A], replay=[str(web)]))
    assert note.startswith(f"the seed page {A} scores 0")
    good = {A: html("Asthma", body="asthma"), A + "b": html("Cars")}
    assert not warned(kind("wordnet:asthma", [A], replay=[str(web)], fetcher=replay_of(good)))


def replay_of(pages: dict[str, str]) -> Any:
    from semcrawl.web import Response

    class Pages:
        def fetch(self, url: str, headers: object = None) -> Response:
            return Response(url, 200, {"content-type": "text/html"}, pages[url].encode(), 0.0, 0.0)

        def close(self) -> None:
            pass

    return Pages()


def test_the_page_that_a_seed_redirects_to_is_looked_at(make_web: Callable[..., Path]) -> None:
    web = make_web({A: (301, A + "b"), A + "b": html("Cars", body="cars")})
    [note] = warned(Crawl("wordnet:asthma", [A], replay=[str(web)]))
    assert f"{A}b scores 0" in note


def test_of_many_such_seeds_three_are_told(make_web: Callable[..., Path]) -> None:
    seeds = [f"{A}{number}" for number in range(6)]
    web = make_web({url: html("Cars", body=f"cars {url}") for url in seeds})
    notes = warned(Crawl("wordnet:asthma", seeds, replay=[str(web)]))
    assert len(notes) == 3
    assert notes[-1].endswith("(further seeds are not told)")


def test_a_weak_lens_is_told_before_the_first_page_and_never_on_a_resume(
    tmp_path: Path, make_web: Callable[..., Path]
) -> None:
    web = make_web({A: html("Crane", {"/b": "b"}, "crane"), A + "b": html("Cranes")})
    crawl = Crawl("wordnet:crane.n.04", [A], tmp_path / "crawl", replay=[str(web)], pages=1)
    with crawl:
        events = list(crawl.visits())
    assert isinstance(events[0], CrawlWarned)
    assert "mostly means something else" in events[0].note
    assert not warned(Crawl.resume(tmp_path / "crawl", pages=2))


def test_judges_without_a_lens_warn_of_nothing(make_web: Callable[..., Path]) -> None:
    web = make_web({A: html("Cars", body="cars")})
    assert not warned(Crawl("wordnet:asthma", [A], replay=[str(web)], judge="cosine"))
