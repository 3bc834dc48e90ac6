"""One page: what is recorded, the path, the links, and why it has its relevance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.crawl.explain import explain_page
from semcrawl.graph import CrawlGraph
from semcrawl.serve.explanations import snippet

if TYPE_CHECKING:
    from semcrawl.serve.api_types import SnippetPiece
    from tests.serve.conftest import Served


def best_page(served: Served) -> dict[str, Any]:
    rows = served.client.get("/api/pages", params={"limit": 5}).json()["rows"]
    return next(row for row in rows if row["depth"])


def test_a_page_is_found_by_its_url_and_by_its_step(served: Served) -> None:
    row = best_page(served)
    by_url = served.client.get("/api/page", params={"url": row["url"]}).json()
    by_step = served.client.get("/api/page", params={"step": row["step"]}).json()
    assert by_url == by_step
    for name in ("url", "title", "relevance", "step", "depth", "site", "concept", "label"):
        assert by_url[name] == row[name]
    assert by_url["is_relevant"]


def test_the_path_leads_from_a_seed_to_the_page(served: Served) -> None:
    row = best_page(served)
    page = served.client.get("/api/page", params={"url": row["url"]}).json()
    first, *_, last = page["path"]
    assert len(page["path"]) == row["depth"] + 1
    assert last["url"] == row["url"]
    assert last["priority"] == page["fetch_priority"]
    assert served.client.get("/api/page", params={"url": first["url"]}).json()["depth"] == 0


def test_links_are_those_of_the_graph_the_best_first(served: Served) -> None:
    url = best_page(served)["url"]
    page = served.client.get("/api/page", params={"url": url}).json()
    with CrawlGraph.read(served.folder) as graph:
        out = {row["t"] for row in graph.query(f"SELECT ?t {{ <{url}> sc:linksTo ?t }}")}
        by = {row["s"] for row in graph.query(f"SELECT ?s {{ ?s sc:linksTo <{url}> }}")}
        said = graph.query(f"SELECT (COUNT(*) AS ?n) {{ <{url}> ?p ?o }}").value()
    assert {one["url"] for one in page["links_out"]} == out
    assert {one["url"] for one in page["links_in"]} == by
    assert page["counts"] == {"links_out": len(out), "links_in": len(by)}
    assert page["statements"] == said
    relevances = [one.get("relevance", -1) for one in page["links_out"]]
    assert relevances == sorted(relevances, reverse=True)


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ({}, 400, "give url=URL or step=NUMBER"),
        ({"step": "99999"}, 404, "no page was visited as step 99999"),
        ({"url": "http://nowhere.test/"}, 404, "has not visited http://nowhere.test/"),
        ({"url": "no url <at> all"}, 404, "has not visited no url"),
        ({"url": "javascript:alert(1)"}, 404, "has not visited"),
        ({"step": "first"}, 400, "is no number"),
    ],
)
def test_an_unknown_page_is_told_of(served: Served, query: dict[str, str], status: int, said: str) -> None:
    answer = served.client.get("/api/page", params=query)
    assert answer.status_code == status
    assert said in answer.json()["error"]


def test_a_url_that_was_dropped_says_why(served: Served) -> None:
    dropped = served.client.get("/api/dropped", params={"limit": 1}).json()["rows"][0]
    answer = served.client.get("/api/page", params={"url": dropped["url"]})
    assert f"dropped because of {dropped['reason']}" in answer.json()["error"]


def test_the_explanation_is_that_of_the_judge(served: Served) -> None:
    url = best_page(served)["url"]
    told = served.client.get("/api/explain", params={"url": url}).json()
    with CrawlGraph.read(served.folder) as graph:
        found = explain_page(graph, url)
    assert told["score"] == pytest.approx(found.explanation.score)
    assert told["score"] == pytest.approx(told["relevance"], abs=1e-6)
    assert not told["changed"]
    best, match = found.explanation.matches[0], told["matches"][0]
    assert tuple(match["words"]) == best.words
    assert (tuple(match["path"]), match["place"]) == (best.path, best.place)
    assert match["contribution"] == pytest.approx(best.contribution)
    marked = {piece["text"].lower() for piece in told["snippet"] if piece["match"]}
    assert marked
    words = {word for one in found.explanation.matches for form in one.words for word in form.split()}
    assert marked <= words


def test_a_page_is_fetched_again_only_for_who_has_the_token(served: Served) -> None:
    body = {"url": best_page(served)["url"]}
    assert served.client.post("/api/explain", json=body).status_code == 401
    known = served.client.post("/api/explain", json=body, headers=served.authorised)
    assert known.json()["matches"]
    bad = served.client.post("/api/explain", json=[], headers=served.authorised)
    assert bad.status_code == 400


def texts(pieces: list[SnippetPiece], *, match: bool) -> list[str]:
    return [piece.text for piece in pieces if piece.match is match]


def test_a_snippet_is_the_passage_with_most_matched_words() -> None:
    filler = "nothing here counts " * 60
    text = f"One asthma. {filler} Asthma attacks and the Lung\u2019s asthma. {filler}"
    pieces = snippet(text, {"asthma": 1.0, "lung": 0.5, "asthma attacks": 2.0})
    assert texts(pieces, match=True) == ["Asthma", "attacks", "Lung\u2019s", "asthma"]
    assert pieces[0].text.startswith("\u2026 ")
    assert pieces[-1].text.endswith(" \u2026")


def test_a_phrase_matches_whole_or_not_at_all() -> None:
    pieces = snippet("first aid is aid", {"first aid": 1.0})
    assert texts(pieces, match=True) == ["first", "aid"]
    assert texts(pieces, match=False) == [" ", " is aid"]


def test_no_match_no_snippet() -> None:
    assert snippet("a text about gardens", {"asthma": 1.0}) == []
    assert snippet("", {}) == []


@given(st.text(max_size=300), st.lists(st.sampled_from(["a", "b c", "1", "\u00e9", ""])))
def test_a_short_text_comes_back_whole(text: str, words: list[str]) -> None:
    pieces = snippet(text, dict.fromkeys(words, 1.0))
    if pieces and not any("\u2026" in piece.text for piece in pieces):
        assert "".join(piece.text for piece in pieces).split() == text.split()
