"""Marks by hand through the server: of a crawl that has ended, and of one that runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl
from semcrawl.demo import demo_web
from tests.serve.conftest import Served, running_server, until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def learning(tmp_path_factory: pytest.TempPathFactory, recorded: Path) -> Iterator[Served]:
    """A server over a finished crawl whose judge learns."""
    web, folder = demo_web(), tmp_path_factory.mktemp("learning") / "lungs"
    with Crawl(web.main_topic.spec, web.seeds, folder, replay=[str(recorded)], pages=30) as crawl:
        crawl.run()
    with running_server(folder) as server:
        yield server


def page(served: Served, url: str) -> dict[str, Any]:
    found: dict[str, Any] = served.client.get("/api/page", params={"url": url}).json()
    return found


def test_the_questions_can_be_answered_by_who_has_the_token(learning: Served) -> None:
    client = learning.client
    assert client.get("/api/crawl").json()["can"]["mark_pages"]
    questions = client.get("/api/review").json()
    assert len(questions) == 10
    assert all(one["title"] and one["lead"] for one in questions)
    url = questions[0]["url"]
    body = {"url": url, "mark": True}
    assert client.post("/api/mark", json=body).status_code == 401
    said = client.post("/api/mark", json=body, headers=learning.authorised).json()
    assert said["mark"] is True
    assert "judged anew" in said["note"]
    until(lambda: page(learning, url)["marked"] is True)
    assert page(learning, url)["relevance"] == 1.0
    assert url not in [one["url"] for one in client.get("/api/review").json()]
    client.post("/api/mark", json={"url": url, "mark": None}, headers=learning.authorised)
    until(lambda: page(learning, url)["marked"] is None)


def test_what_cannot_be_marked_is_told(learning: Served, served: Served) -> None:
    body = {"url": "http://nowhere.test/", "mark": True}
    answer = learning.client.post("/api/mark", json=body, headers=learning.authorised)
    assert (answer.status_code, "has not visited" in answer.json()["error"]) == (404, True)
    # That crawl has a judge that does not learn.
    assert not served.client.get("/api/crawl").json()["can"]["mark_pages"]
    assert served.client.get("/api/review").status_code == 409


def test_words_of_the_topic_speak_for_it_once_they_are_learnt(learning: Served) -> None:
    words = learning.client.get("/api/learnt-words").json()
    assert words["respiratory"] > 0 > min(words.values())
    assert list(words.values()) == sorted(words.values(), reverse=True)
