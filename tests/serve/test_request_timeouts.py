"""Clients that do not say what they want are sent away; all others have their time."""

from __future__ import annotations

import select
import socket
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from semcrawl.serve import connection_limits
from semcrawl.serve.security import SAFE_HEADERS
from tests.serve.conftest import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.serve.conftest import Served

SECONDS = 1.0
PATIENCE = 120
CROWD = 3


@pytest.fixture(scope="module")
def strict(crawled: Path) -> Iterator[Served]:
    """A server that waits for heads only for a moment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection_limits, "HEAD_SECONDS", SECONDS)
        patch.setattr(connection_limits, "BODY_SECONDS", SECONDS)
        patch.setattr(connection_limits, "READ_SECONDS", SECONDS)
        with running_server(crawled) as served:
            yield served


@contextmanager
def connected(served: Served) -> Iterator[socket.socket]:
    host, _, port = served.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as client:
        yield client


def request(served: Served, path: str) -> bytes:
    host = served.url.removeprefix("http://")
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()


def heard(client: socket.socket) -> bytes:
    """All that the server says, until it closes the connection."""
    try:
        return b"".join(iter(lambda: client.recv(4096), b""))
    except ConnectionResetError:
        return b""


def is_closed(client: socket.socket) -> bool:
    """Whether the server has closed the connection by now."""
    client.setblocking(False)
    try:
        return client.recv(4096) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True
    finally:
        client.settimeout(PATIENCE)


@pytest.mark.parametrize("kind", ["Content-Length: 1000", "Transfer-Encoding: chunked"])
@pytest.mark.parametrize("body", [b"", b"3\r\n"])
def test_a_client_that_does_not_send_its_body_is_sent_away(
    strict: Served, kind: str, body: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    host = strict.url.removeprefix("http://")
    head = f"POST /sparql HTTP/1.1\r\nHost: {host}\r\n{kind}\r\n"
    with connected(strict) as client:
        client.sendall(f"{head}Content-Type: application/sparql-query\r\n\r\n".encode() + body)
        assert heard(client) == b""
    assert strict.client.get("/api/crawl").status_code == 200
    assert "Traceback" not in capfd.readouterr().err


def test_a_body_that_comes_in_pieces_is_read(strict: Served) -> None:
    pieces = iter([b"ASK ", b"{ ?s ", b"?p ?o }"])
    answer = strict.client.post("/sparql", content=pieces, headers={"Content-Type": "application/sparql-query"})
    assert (answer.status_code, answer.json()["boolean"]) == (200, True)


def test_a_client_that_says_nothing_is_sent_away(strict: Served) -> None:
    with connected(strict) as client:
        assert heard(client) == b""


def test_a_client_that_sends_its_head_drop_by_drop_is_sent_away(strict: Served) -> None:
    with connected(strict) as client:
        client.sendall(b"GET /api/crawl HTTP/1.1\r\n")
        deadline = time.monotonic() + PATIENCE
        while not is_closed(client):
            assert time.monotonic() < deadline
            try:
                client.sendall(b"X-Drop: 1\r\n")
            except ConnectionError:
                break
            time.sleep(SECONDS / 10)


def test_the_head_of_a_later_request_has_no_more_time(strict: Served) -> None:
    with connected(strict) as client:
        client.sendall(request(strict, "/favicon.ico"))
        assert client.recv(4096).startswith(b"HTTP/1.1 200 ")
        client.sendall(b"GET /api/crawl HT")
        assert b"HTTP/1.1" not in heard(client)


def is_sent_away(client: socket.socket) -> bool:
    """Whether the connection is broken off while its answer is not read."""
    poll = select.poll()
    poll.register(client, 0)  # errors are told of in any case
    return bool(poll.poll(1000 * PATIENCE))


def long_answer(served: Served) -> bytes:
    steps = "".join(f" BIND(CONCAT({', '.join([f'?x{n}'] * 10)}) AS ?x{n + 1})" for n in range(6))
    text = f"SELECT ?x6 {{ BIND('ten letters' AS ?x0){steps} }}"
    return request(served, f"/sparql?query={quote(text)}")


def test_a_client_that_does_not_read_its_answer_is_sent_away(strict: Served) -> None:
    with connected(strict) as client:
        client.sendall(long_answer(strict))
        assert is_sent_away(client)


def test_an_answer_that_is_read_slowly_comes_whole(strict: Served) -> None:
    with connected(strict) as client:
        client.sendall(long_answer(strict).replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        pieces = [client.recv(1 << 20)]
        for _ in range(3):
            time.sleep(SECONDS / 2)
            pieces.append(client.recv(1 << 20))
        assert len(b"".join(pieces) + heard(client)) > 11_000_000


def test_clients_that_read_nothing_do_not_take_all_memory(crawled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "MOST_UNREAD", 15_000_000)
    with running_server(crawled) as served, connected(served) as first, connected(served) as second:
        first.sendall(long_answer(served))
        assert first.recv(100)
        second.sendall(long_answer(served))
        assert is_sent_away(second)
        assert len(first.recv(100)) == 100


def test_a_stream_of_events_is_left_alone(strict: Served) -> None:
    with connected(strict) as client:
        client.sendall(request(strict, "/api/events"))
        said = b""
        while b"event: end" not in said:
            said += client.recv(4096)
        time.sleep(2 * SECONDS)
        assert not is_closed(client)


def test_connections_that_say_nothing_take_nobodys_place(crawled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "HEAD_SECONDS", SECONDS)
    monkeypatch.setattr(connection_limits, "most_connections", lambda _files: CROWD)
    with running_server(crawled) as served, ExitStack() as crowd:
        silent = [crowd.enter_context(connected(served)) for _ in range(2 * CROWD)]
        assert [heard(one) for one in silent] == [b""] * len(silent)
        assert served.client.get("/api/crawl").status_code == 200


def test_what_is_no_http_is_told_so_with_the_headers_of_every_answer(strict: Served) -> None:
    with connected(strict) as client:
        client.sendall(b"\x00\x01 no HTTP at all\r\n\r\n")
        head, _, body = heard(client).partition(b"\r\n\r\n")
    lines = head.decode().lower().splitlines()
    assert lines[0] == "http/1.1 400 bad request"
    assert {name.lower() for name in SAFE_HEADERS} <= {line.partition(":")[0] for line in lines}
    assert b"error" in body
