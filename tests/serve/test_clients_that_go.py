"""Clients that go away: what only they asked for is given up, and others are not held up."""

from __future__ import annotations

import os
import signal
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from semcrawl.serve.table_index import TABLES
from tests.serve.conftest import running_server, until

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


def figure(served: Served, name: str, pool: str) -> float:
    """A figure of a pool of workers."""
    lines = served.client.get("/metrics").text.splitlines()
    start = f'semcrawl_server_{name}{{pool="{pool}"}} '
    return next(float(line.removeprefix(start)) for line in lines if line.startswith(start))


def busy(served: Served, pool: str = "queries") -> float:
    """How many workers of a pool have a job."""
    return figure(served, "workers_busy", pool)


def until_busy(served: Served, wanted: int, pool: str = "queries") -> None:
    until(lambda: busy(served, pool) == wanted)


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
    with asking(patient, "POST", "/api/query", **first), asking(patient, "POST", "/api/query", **second):
        until_busy(patient, 2)
        explained = patient.client.get("/api/explain", params={"url": page})
        assert explained.status_code == 200
        assert busy(patient) == 2
    until_busy(patient, 0)


def hold_up(served: Served, pool: str) -> None:
    """Let the workers of a pool sleep, as in a job that takes very long."""
    for number in served.context.pools[pool].process_ids():
        if number is not None:
            os.kill(number, signal.SIGSTOP)


@pytest.mark.parametrize(("path", "pool"), [("/.well-known/void", "queries"), ("/api/page?step=3", "page")])
def test_what_nobody_waits_for_is_given_up(patient: Served, path: str, pool: str) -> None:
    served, context = patient, patient.context
    for other in ("/api/waiting?q=warm", "/api/dropped?q=warm", "/metrics"):
        assert served.client.get(other).status_code == 200
    until_busy(served, 0, pool)
    # The monitor looks with workers of the pool "page" too, but has all it needs by now.
    before = [number for number in context.pools[pool].process_ids() if number is not None]
    hold_up(served, pool)
    with asking(served, "GET", path):
        until(lambda: context.pools[pool].busy == 1)
    until(lambda: context.pools[pool].busy == 0)
    for number in before:
        if number in context.pools[pool].process_ids():
            os.kill(number, signal.SIGCONT)
    assert served.client.get(path).status_code == 200


@pytest.mark.parametrize("path", ["/api/pages?q=lungs", "/api/sites?q=lungs", "/api/waiting?q=lungs"])
def test_a_worker_with_an_index_outlives_its_client(patient: Served, path: str) -> None:
    served, context = patient, patient.context
    pool = "tables"
    assert served.client.get(path).status_code == 200
    until_busy(served, 0, pool)
    before = context.pools[pool].process_ids()
    hold_up(served, pool)
    # Who types a word into the search field goes away at each letter.
    with asking(served, "GET", f"{path}x"):
        until(lambda: context.pools[pool].busy == 1)
    for worker in before:
        if worker is not None:
            os.kill(worker, signal.SIGCONT)
    until(lambda: context.pools[pool].busy == 0)
    assert served.client.get(f"{path}y").status_code == 200
    assert context.pools[pool].process_ids() == before


def test_an_index_that_went_with_its_worker_is_made_again(crawled: Path) -> None:
    with running_server(crawled) as served:
        context = served.context
        warming = sum(not key.is_dear for key in TABLES["pages"].keys)

        def answered() -> int:
            return context.table_pool.figures.answered

        served.client.get("/api/pages")
        until(lambda: answered() == warming)
        served.client.get("/api/pages", params={"limit": 7})
        assert answered() == warming + 1  # by the index
        [worker] = context.table_pool.process_ids("")
        assert worker is not None
        os.kill(worker, signal.SIGKILL)
        # It may be told that the worker has ended.
        served.client.get("/api/pages", params={"limit": 8})
        assert len(served.client.get("/api/pages", params={"limit": 9}).json()["rows"]) == 9
        assert warming > 2
        until(lambda: answered() >= 2 * warming + 1)  # the index is made again
