from __future__ import annotations

from semcrawl import web
from semcrawl.web import Fetcher, Replay
from semcrawl.web.http import HttpFetcher


def test_the_network_and_a_replay_answer_alike() -> None:
    assert isinstance(HttpFetcher("semcrawl/0.1"), Fetcher)
    assert isinstance(Replay({}), Fetcher)


def test_the_public_names_are_there() -> None:
    assert all(hasattr(web, name) for name in web.__all__)
