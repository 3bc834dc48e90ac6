"""More connections than there are files for: told in a sentence, to clients and in the terminal."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from semcrawl.serve import connection_limits
from semcrawl.serve.connection_limits import quiet_accepting
from semcrawl.serve.security import SAFE_HEADERS
from tests.serve.conftest import running_server

if TYPE_CHECKING:
    from pathlib import Path

_RAISING = """
import resource
from semcrawl.serve.connection_limits import raise_file_limit
resource.setrlimit(resource.RLIMIT_NOFILE, (200, {hard}))
print(raise_file_limit(400), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.parametrize(("hard", "reached"), [(300, 300), (500, 400)])
def test_the_limit_of_open_files_is_raised_as_far_as_it_may(hard: int, reached: int) -> None:
    pytest.importorskip("resource")
    command = [sys.executable, "-c", _RAISING.format(hard=hard)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.split() == [str(reached), str(reached)]


def test_one_connection_too_many_is_told_to_come_back(crawled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "most_connections", lambda _files: 1)
    with running_server(crawled) as served:
        address = served.url.removeprefix("http://")
        host, _, port = address.partition(":")
        with socket.create_connection((host, int(port))) as other:
            other.sendall(f"GET /api/crawl HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
            said = b"".join(iter(lambda: other.recv(4096), b"")).decode()
        assert said.startswith("HTTP/1.1 503 ")
        assert "retry-after: 2" in said.lower()
        assert "more than 1 connections are open: try again later" in said
        told = {line.partition(":")[0].lower() for line in said.partition("\r\n\r\n")[0].splitlines()}
        assert {name.lower() for name in SAFE_HEADERS} <= told
        assert served.client.get("/api/crawl").status_code == 200


def test_connections_that_cannot_be_accepted_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    quiet_accepting()
    quiet_accepting()
    logger = logging.getLogger("asyncio")
    try:
        for _ in range(5):
            logger.error("socket.accept() out of system resource\nsocket: …", exc_info=OSError(24))
        logger.error("something else")
    finally:
        logger.filters.clear()
    told, other = caplog.records
    assert "too many connections" in told.getMessage()
    assert told.exc_info is None
    assert other.getMessage() == "something else"


def test_bytes_that_are_no_request_end_a_stream_without_a_traceback(
    crawled: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running_server(crawled) as served:
        address = served.url.removeprefix("http://")
        host, _, port = address.partition(":")
        with socket.create_connection((host, int(port)), 60.0) as other:
            other.sendall(f"GET /api/events HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n".encode())
            assert other.recv(4096).startswith(b"HTTP/1.1 200 ")
            other.sendall(b"\x00 nothing\r\n\r\n" * 2)
            while other.recv(4096):
                pass
    assert not [record for record in caplog.records if record.name == "asyncio"]
