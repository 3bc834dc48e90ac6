"""The taxonomy of a crawl: its tree, classifying, and marks for the next crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.topics import Topic
from tests.crawl.sites.conftest import page, write_web
from tests.serve.conftest import Served, running_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EXAMPLES = {
    "Animals/Birds": "birds with wings and feathers",
    "Animals/Cats": "cats with fur and claws",
    "Cars": "cars with wheels and engines",
}
OWL, CAR = "http://a.test/owl", "http://a.test/car"
WEB = {OWL: page("An owl is a bird; it has wings and feathers", CAR), CAR: page("A car with wheels and an engine", OWL)}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    lines = []
    for number, (category, text) in enumerate(EXAMPLES.items()):
        (folder / f"{number}.txt").write_text(text)
        lines.append(f"{number}.txt\t{category}\n")
    (folder / "tree.tsv").write_text("".join(lines))
    taxonomy = Taxonomy.train(folder / "tree.tsv")
    taxonomy.mark("Animals/Birds")
    taxonomy.save(folder / "m.tax")
    return folder / "m.tax"


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory, model: Path) -> Iterator[Served]:
    """A server over a crawl that a taxonomy judges, by the marks in its model."""
    folder = tmp_path_factory.mktemp("taught")
    recorded = write_web(folder / "web", WEB)
    judge = f"taxonomy:model={model}"
    topic = Topic.parse("keywords:birds")
    with Crawl(topic, [OWL], folder / "crawl", judge=judge, replay=[str(recorded)]) as crawl:
        crawl.run()
    with running_server(folder / "crawl") as server:
        yield server


def tree(served: Served) -> dict[str, dict[str, Any]]:
    rows = served.client.get("/api/taxonomy").json()["categories"]
    return {row["path"]: row for row in rows}


def mark(served: Served, category: str, good: bool, **more: Any) -> Any:
    body = {"category": category, "good": good}
    return served.client.post("/api/taxonomy/mark", json=body, **more)


def test_the_tree_has_examples_marks_and_pages(taught: Served) -> None:
    found = tree(taught)
    assert list(found) == ["Animals", "Animals/Birds", "Animals/Cats", "Cars"]
    birds = found["Animals/Birds"]
    assert birds["parent"] == found["Animals"]["id"]
    assert (birds["good"], birds["examples"], birds["pages"]) == (True, 1, 1)
    assert (found["Cars"]["good"], found["Cars"]["pages"]) == (False, 1)


def test_marks_are_for_who_has_the_token_and_for_the_next_crawl(taught: Served, model: Path) -> None:
    cats = tree(taught)["Animals/Cats"]["id"]
    assert mark(taught, cats, good=True).status_code == 401
    assert not tree(taught)["Animals/Cats"]["good"]

    said = mark(taught, cats, good=True, headers=taught.authorised).json()
    assert "for the next crawl; this one goes on as it is" in said["note"]
    assert tree(taught)["Animals/Cats"]["good"]
    assert cats in Taxonomy.load(model).good

    again = mark(taught, cats, good=False, headers=taught.authorised).json()
    assert "no longer marked" in again["note"]
    assert cats not in Taxonomy.load(model).good
    unknown = mark(taught, "urn:x", good=True, headers=taught.authorised)
    assert (unknown.status_code, "no category urn:x" in unknown.text) == (404, True)


def test_a_model_without_a_mark_is_still_shown(taught: Served) -> None:
    birds = tree(taught)["Animals/Birds"]["id"]
    try:
        assert mark(taught, birds, good=False, headers=taught.authorised).status_code == 200
        assert not any(row["good"] for row in tree(taught).values())
        said = taught.client.post("/api/taxonomy/classify", json={"text": "feathers"}).json()
        assert said["relevance"] is None
    finally:
        mark(taught, birds, good=True, headers=taught.authorised)


def test_a_text_and_a_recorded_page_are_classified(taught: Served) -> None:
    ask = {"text": "fur and claws"}, {"url": OWL}
    best = [taught.client.post("/api/taxonomy/classify", json=body).json()["categories"][0] for body in ask]
    assert [one["path"] for one in best] == ["Animals/Cats", "Animals/Birds"]
    assert best[1]["probability"] > 0.5


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({}, 400, "give one of url and text"),
        ({"url": OWL, "text": "x"}, 400, "give one of url and text"),
        ({"text": "the of"}, 422, "no word in it"),
        ({"url": "http://nowhere.test/"}, 422, "cannot be read"),
        ({"url": "/etc/passwd"}, 400, "begins with http"),
        ({"url": "file:///etc/passwd"}, 400, "begins with http"),
    ],
)
def test_what_cannot_be_classified_is_told(taught: Served, body: dict[str, str], status: int, said: str) -> None:
    answer = taught.client.post("/api/taxonomy/classify", json=body)
    assert answer.status_code == status
    assert said in answer.json()["error"]


def test_a_crawl_without_taxonomy_says_so(served: Served) -> None:
    answer = served.client.get("/api/taxonomy")
    assert answer.status_code == 404
    assert "its judge is ehrig" in answer.json()["error"]


def test_a_page_is_explained_by_the_words_for_its_category(taught: Served) -> None:
    told = taught.client.get("/api/explain", params={"url": OWL}).json()
    assert told["score"] == pytest.approx(told["relevance"], abs=1e-6)
    marked = {piece["text"] for piece in told["snippet"] if piece["match"]}
    assert {"wings", "feathers"} <= marked
