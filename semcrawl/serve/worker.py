"""A worker of a query pool: a process that reads snapshots and answers one job at a time.

It says that it is ready with an empty message. Then it reads orders from its
standard input, until that ends. It only reads, so it can be killed at any moment.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from semcrawl.beside.companion import end_with_parent, private_output, stand_back
from semcrawl.beside.frames import read_frame, write_frame
from semcrawl.errors import QueryError, RequestError, SemcrawlError
from semcrawl.graph import SC, CrawlGraph
from semcrawl.graph.snapshot import open_snapshot
from semcrawl.serve.jobs import decode_job

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Order", "Reply", "main"]

_POLITENESS = 10


class Order(msgspec.Struct, frozen=True):
    """What a worker is told: the snapshot to have open, and a job; without one, just that."""

    number: int
    path: str
    folder: str
    job: bytes | None = None


class Reply(msgspec.Struct, frozen=True):
    """What came of a job: a value, or an error with the HTTP status that suits it."""

    value: Any = None
    error: str = ""
    status: int = 200
    seconds: float = 0.0


class Worker:
    """Keeps one snapshot open, as long as orders name the same."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._number = 0
        self._graph: CrawlGraph | None = None

    def obey(self, order: Order) -> Reply:
        """Do what an order says; an error becomes part of the reply."""
        began = time.perf_counter()
        value, error, status = None, "", 200
        try:
            self._open(order)
            if order.job is not None and self._graph is not None:
                value = decode_job(order.job).do(self._graph)
        except RequestError as problem:
            error, status = str(problem), problem.status
        except SemcrawlError as problem:
            error, status = str(problem), 400 if isinstance(problem, QueryError) else 500
        except MemoryError:
            error = f"it needs more than {self._memory >> 20} MB of memory: make it narrower"
            status = 507
        except Exception as problem:  # noqa: BLE001 - whatever it is, the asker shall hear of it
            error, status = f"{type(problem).__name__}: {problem}", 500
        return Reply(value, error, status, time.perf_counter() - began)

    def _open(self, order: Order) -> None:
        if order.number == self._number:
            return
        self._number = 0
        if self._graph is not None:
            self._graph.close()
            self._graph = None
        if order.path:
            self._graph = CrawlGraph(open_snapshot(Path(order.path)), Path(order.folder))
            self._graph.store.functions = {SC + "similarity": _LateSimilarity(self._graph)}
            self._number = order.number


class _LateSimilarity:
    """``sc:similarity``, which brings much along and is seldom called for."""

    def __init__(self, graph: CrawlGraph) -> None:
        self.problem = ""
        self._graph = graph
        self._function: Callable[..., float | None] | None = None

    def __call__(self, *texts: str) -> float | None:
        if self._function is None:
            from semcrawl.beside import query_functions
            from semcrawl.crawl.viewing import view_of

            functions = query_functions(lambda: view_of(self._graph))
            self._function = functions[SC + "similarity"]
        number = self._function(*texts)
        self.problem = getattr(self._function, "problem", "")
        return number


def main() -> None:
    """Obey orders until there are no more; the argument is how many bytes of memory there are."""
    memory = int(sys.argv[1])
    stand_back(_POLITENESS, memory)
    end_with_parent()
    out = private_output()
    worker, decoder = Worker(memory), msgspec.msgpack.Decoder(Order)
    write_frame(out, b"")  # ready
    while (message := read_frame(sys.stdin.buffer)) is not None:
        reply = worker.obey(decoder.decode(message))
        write_frame(out, msgspec.msgpack.encode(reply))
