"""A worker of a query pool: a process that reads snapshots and answers one job at a time.

It sends an empty message when it is ready. It only reads, so it can be killed at any moment.
"""

import time
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from semcrawl import errors
from semcrawl.companions.process import ParentPipe, end_with_parent
from semcrawl.graph import SC, CrawlGraph
from semcrawl.graph.snapshots import open_snapshot

_UNREADABLE = 422  # the status where the graph is none of a crawl
_STATUSES: dict[type[errors.SemcrawlError], int] = {  # the first that fits
    errors.QueryError: 400,
    errors.UntrustedError: 403,
    errors.ConfigError: _UNREADABLE,
    errors.TopicError: _UNREADABLE,
    errors.StoreError: _UNREADABLE,
}


class ServedGraph(CrawlGraph):
    """A snapshot that is open for jobs; ``is_final``: its crawl has ended, so that it stays."""

    is_final = True


class Job(msgspec.Struct, frozen=True):
    """Something to do on a snapshot, in a worker; equal jobs on one have one answer.

    The first line of its docstring describes a route that asks for nothing else.
    """

    def do(self, graph: Any) -> Any:
        """Return plain data, or a Struct for JSON; a SemcrawlError is told to the client."""
        raise NotImplementedError


def plain(value: Any) -> Any:
    """A value of an answer as JSON has it: a time becomes a text.

    >>> from datetime import UTC
    >>> plain(datetime(2026, 11, 16, tzinfo=UTC)), plain(3)
    ('2026-11-16T00:00:00+00:00', 3)
    """
    return value.isoformat() if isinstance(value, datetime) else value


def encode_job(job: Job) -> bytes:
    """A job as bytes, the class and its fields; equal jobs have equal bytes."""
    kind = type(job)
    return msgspec.msgpack.encode([kind.__module__, kind.__qualname__, msgspec.to_builtins(job)])


def decode_job(message: bytes) -> Job:
    """The job that :func:`encode_job` wrote."""
    module, name, fields = msgspec.msgpack.decode(message)
    kind: type[Job] = getattr(import_module(module), name)
    assert issubclass(kind, Job)
    return msgspec.convert(fields, kind)


class Order(msgspec.Struct, frozen=True):
    """The snapshot that a worker shall have open, and a job on it, if any."""

    number: int
    path: str
    folder: str
    job: bytes | None = None
    trust: bool = False
    is_final: bool = True


class JobReply(msgspec.Struct, frozen=True):
    """The value of a job, or an error with its HTTP status."""

    value: Any = None
    error: str = ""
    status: int = 200
    seconds: float = 0.0


_LONGEST_REPLY = 1 << 28  # bytes; the server has them in memory for each client


def encode_reply(reply: JobReply) -> bytes:
    """A reply as bytes; one that is too long is an error."""
    said = msgspec.msgpack.encode(reply)
    if len(said) <= _LONGEST_REPLY:
        return said
    error = f"the answer has more than {_LONGEST_REPLY >> 20} MB: make it narrower"
    return msgspec.msgpack.encode(JobReply(error=error, status=507, seconds=reply.seconds))


class SnapshotWorker:
    """Obeys orders; keeps a snapshot open as long as they name the same."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._number = 0
        self._graph: ServedGraph | None = None

    def obey(self, order: Order) -> JobReply:
        """Do what is ordered; what goes wrong is told in the reply."""
        began = time.perf_counter()
        value, error, status = None, "", 200
        try:
            self._open(order)
            if order.job is not None:
                # Without a snapshot a job is about the folder itself.
                place = Path(order.folder) if self._graph is None else self._graph
                value = decode_job(order.job).do(place)
            if isinstance(value, msgspec.Struct):
                value = msgspec.json.encode(value)
        except errors.RequestError as problem:
            error, status = str(problem), problem.status
        except errors.SemcrawlError as problem:
            fitting = (status for kind, status in _STATUSES.items() if isinstance(problem, kind))
            error, status = str(problem), next(fitting, 500)
        except MemoryError:
            error = f"it needs more than {self._memory >> 20} MB of memory: make it narrower"
            status = 507
        except Exception as problem:  # noqa: BLE001 - the client is told
            error, status = self._blamed(problem)
        return JobReply(value, error, status, time.perf_counter() - began)

    def _blamed(self, problem: Exception) -> tuple[str, int]:
        """Say that the graph is at fault if it was forged, else what we did wrong."""
        try:
            if self._graph is not None:
                self._graph.blame(problem)
        except errors.StoreError as found:
            return str(found), _UNREADABLE
        return f"{type(problem).__name__}: {problem}", 500

    def _open(self, order: Order) -> None:
        if order.number == self._number:
            return
        self._number = 0
        if self._graph is not None:
            self._graph.close()
            self._graph = None
        if order.path:
            self._graph = ServedGraph(open_snapshot(order.path), Path(order.folder), trust=order.trust)
            self._graph.is_final = order.is_final
            # Whoever can reach the server must not choose what it runs.
            self._graph.runs_code = False
            _give_late_functions(self._graph)
            self._number = order.number


def _give_late_functions(graph: CrawlGraph) -> None:
    """Let queries call ``sc:similarity``, which is loaded when it is first called."""

    def similarity(*texts: str) -> float | None:
        if graph.store.functions is late:
            from semcrawl.crawl.pages.steering import give_functions

            give_functions(graph)
        return graph.store.functions[SC + "similarity"](*texts)

    late = graph.store.functions = {SC + "similarity": similarity}


def main(memory: str) -> None:
    """Obey orders until there are no more, within ``memory`` bytes."""
    parent = ParentPipe(10, int(memory))
    end_with_parent()
    worker, decoder = SnapshotWorker(int(memory)), msgspec.msgpack.Decoder(Order)
    parent.send(b"")  # ready
    for message in parent:
        parent.send(encode_reply(worker.obey(decoder.decode(message))))
