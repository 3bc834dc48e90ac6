"""Clients that go away: what only they asked for is given up, and others are not held up."""

from __future__ import annotations

import socket
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.serve.conftest import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.serve.conftest import Served

_TRIPLES = " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(6))
ENDLESS = f"SELECT (COUNT(*) AS ?n) {{ {_TRIPLES} }}"
FICKLE = f"SELECT (COUNT(*) AS ?n) (RAND() AS ?r) {{ {_TRIPLES} }}"


@pytest.fixture(scope="module")
def patient(crawled: Path) -> Iterator[Served]:
    """A server that gives queries ten minutes."""
    with running_server(crawled, timeout=600) as served:
        yield served


def busy(served: Served) -> float:
    """How many workers for queries have a job."""
    lines = served.client.get("/metrics").text.splitlines()
    name = 'semcrawl_server_workers_busy{pool="outer"} '
    return next(float(line.removeprefix(name)) for line in lines if line.startswith(name))


def until_busy(served: Served, wanted: int) -> None:
    deadline = time.monotonic() + 60
    while busy(served) != wanted:
        assert time.monotonic() < deadline
        time.sleep(0.05)


@contextmanager
def asking(served: Served, method: str, path: str, **body: Any) -> Iterator[None]:
    """A client that has asked, and goes when the block ends."""
    request = httpx.Request(method, served.url + path, **body)
    head = f"{method} {request.url.raw_path.decode()} HTTP/1.1\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
    address = (request.url.host, request.url.port or 80)
    with socket.create_connection(address) as client:
        client.sendall(head.encode() + b"\r\n" + request.content)
        yield


@pytest.mark.parametrize("text", [ENDLESS, FICKLE], ids=["shared", "fresh"])
@pytest.mark.parametrize("way", ["page", "endpoint", "endpoint by GET"])
def test_a_query_ends_with_its_client(patient: Served, text: str, way: str) -> None:
    asked: dict[str, tuple[str, str, dict[str, Any]]] = {
        "page": ("POST", "/api/query", {"json": {"text": text}}),
        "endpoint": ("POST", "/sparql", {"data": {"query": text}}),
        "endpoint by GET": ("GET", "/sparql", {"params": {"query": text}}),
    }
    method, path, body = asked[way]
    with asking(patient, method, path, **body):
        until_busy(patient, 1)
    until_busy(patient, 0)


def test_slow_queries_do_not_hold_up_an_explanation(patient: Served) -> None:
    page = patient.client.get("/api/page?step=1").json()["url"]
    first, second = ({"json": {"text": text}} for text in (ENDLESS, FICKLE))
    with (
        asking(patient, "POST", "/api/query", **first),
        asking(patient, "POST", "/api/query", **second),
    ):
        until_busy(patient, 2)
        explained = patient.client.get("/api/explain", params={"url": page})
        assert explained.status_code == 200
        assert busy(patient) == 2
    until_busy(patient, 0)
