"""Pause, resume and stop: over HTTP, through the channel, to a crawl in another process."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from semcrawl import Crawl
from semcrawl.demo import demo_web
from semcrawl.errors import RequestError
from semcrawl.serve import ServerCompanion, ServeSettings, listen
from semcrawl.serve.control import Control
from semcrawl.web import ReplayServer
from tests.serve.conftest import PATIENCE, TOKEN, until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.serve.conftest import Served


def test_without_the_token_nothing_is_changed(served: Served) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong-token"}):
        answer = served.client.post("/api/control", json={"action": "stop"}, headers=headers)
        assert answer.status_code == 401
        assert "needs the token" in answer.json()["error"]


def test_a_server_by_itself_has_no_crawl_to_control(served: Served) -> None:
    answer = served.client.post("/api/control", json={"action": "stop"}, headers=served.authorised)
    assert answer.status_code == 409
    assert "crawl --serve" in answer.json()["error"]


@pytest.mark.parametrize("body", [b'{"a":' * 100_000, b"", b"[]", b'{"action": 1}', b'{"action": "explode"}'])
def test_a_strange_wish_is_told(served: Served, body: bytes) -> None:
    answer = served.client.post("/api/control", content=body, headers=served.authorised)
    assert answer.status_code == 400
    assert "stop" in answer.json()["error"]


# The channel


def test_what_the_crawl_said_before_it_obeyed_does_not_count() -> None:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def main() -> None:
        control = Control(send)
        assert await control.tell("pause") == "paused"
        control.hear({"state": "running", "obeyed": 0, "progress": {"waiting": 3}})
        assert (control.state, control.progress) == ("paused", {"waiting": 3})
        control.hear({"state": "paused", "obeyed": 1})
        assert await control.tell("resume") == "running"
        assert await control.tell("stop") == "stopping"
        with pytest.raises(RequestError, match="is stopping"):
            await control.tell("pause")
        control.hear({"state": "stopped", "obeyed": 3})
        with pytest.raises(RequestError, match="has ended"):
            await control.tell("resume")

    asyncio.run(main())
    assert [message["action"] for message in sent] == ["pause", "resume", "stop"]


# A crawl with a server in a process of its own


def test_a_crawl_is_paused_resumed_and_stopped_from_the_page(tmp_path: Path) -> None:
    web, folder = demo_web(), tmp_path / "crawl"
    settings = ServeSettings(port=0, token=TOKEN)
    listener = listen(settings)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    heard: list[str] = []
    with (
        ReplayServer(web.replay(), answers=web.respond, latency=0.05) as server,
        Crawl(web.main_topic.spec, web.seeds, folder, proxy=server.proxy, delay=0, pages=0, workers=2) as crawl,
        httpx.Client(base_url=url, timeout=PATIENCE) as client,
    ):
        beside = ServerCompanion(folder, settings, listener, crawl, heard.append)
        thread = threading.Thread(target=crawl.run)
        thread.start()

        def tell(action: str) -> str:
            headers = {"X-Semcrawl-Token": TOKEN}
            answer = client.post("/api/control", json={"action": action}, headers=headers)
            assert answer.status_code == 200, answer.text
            state: str = answer.json()["state"]
            return state

        def told() -> dict[str, Any]:
            data: dict[str, Any] = client.get("/api/crawl").json()
            return data

        try:
            assert told()["can"]["control"] is True
            assert tell("pause") == "paused"
            assert told()["state"] == "paused"
            until(lambda: crawl.progress.held_since is not None)
            # A visit that was under way may still be recorded.
            until(lambda: told()["progress"]["pages"] == crawl.progress.pages)
            assert tell("resume") == "running"
            before = crawl.progress.pages
            until(lambda: crawl.progress.pages > before)
            assert tell("stop") == "running"
            thread.join(PATIENCE)
            crawl.close()
            beside.crawl_ended()
            until(lambda: told()["state"] == "stopped")
            assert told()["reason"] == "it was told to stop"
            assert told()["can"]["control"] is False
        finally:
            crawl.stop()
            thread.join(PATIENCE)
            beside.close()
    assert heard == ["pause", "resume", "stop"]
    assert beside.was_told_to_stop
    assert not beside.is_alive
    assert not list((folder / "snapshots").iterdir())


def test_a_server_that_dies_beside_a_crawl_is_told(tmp_path: Path) -> None:
    web, died = demo_web(), threading.Event()
    settings = ServeSettings(port=0, token=TOKEN)
    listener = listen(settings)
    with Crawl(web.main_topic.spec, web.seeds, tmp_path / "crawl") as crawl:
        beside = ServerCompanion(tmp_path / "crawl", settings, listener, crawl, died=died.set)
        try:
            os.kill(beside.process_id, signal.SIGKILL)
            assert died.wait(PATIENCE)
        finally:
            beside.close()


def test_a_server_that_is_closed_has_not_died(tmp_path: Path) -> None:
    web, died = demo_web(), threading.Event()
    settings = ServeSettings(port=0, token=TOKEN)
    listener = listen(settings)
    with Crawl(web.main_topic.spec, web.seeds, tmp_path / "crawl") as crawl:
        beside = ServerCompanion(tmp_path / "crawl", settings, listener, crawl, died=died.set)
        beside.close()
    assert not beside.is_alive
    assert not died.is_set()
