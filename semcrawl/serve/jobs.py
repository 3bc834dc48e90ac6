"""Jobs: what the workers of a query pool do on a snapshot.

A job is a frozen struct with its arguments and a method ``do``. It travels to a
worker as the name of its class and its fields, so that a part of the server
writes jobs of its own in its own module::

    class TitleJob(Job, frozen=True):
        url: str

        def do(self, graph: CrawlGraph) -> str | None:
            return graph.store.value(self.url, DCTERMS + "title")

    title = await context.inner.ask(TitleJob(url))

What ``do`` returns is plain data (dict, list, str, bytes, numbers, None, a
datetime as text). What goes to the browser as it is had best be made bytes in
the worker, so that the server's own thread has nothing to do with it.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import msgspec

from semcrawl.graph.queries import NamedQuery, find_query

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph

__all__ = ["Job", "RowsJob", "decode_job", "encode_job", "known_query", "plain"]


class Job(msgspec.Struct, frozen=True):
    """Something to do on a snapshot, in a worker. Equal jobs on one snapshot have one answer."""

    def do(self, graph: CrawlGraph) -> Any:
        """The answer, as plain data; a SemcrawlError becomes the answer to the request."""
        raise NotImplementedError


class RowsJob(Job, frozen=True):
    """The rows of a SELECT, as dicts of Python values: a named query, or a text.

    The answer is ``{"variables": […], "rows": [{…}, …]}``.
    """

    query: str
    parameters: dict[str, str | int | float | bool] = {}

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        """Ask the query."""
        is_name = len(self.query.split()) == 1 and "{" not in self.query
        text = known_query(self.query).bind(self.parameters) if is_name else self.query
        answer = graph.store.query(text)
        rows = [{name: plain(value) for name, value in row.items()} for row in answer]
        return {"variables": list(answer.variables), "rows": rows}


@cache
def known_query(name: str) -> NamedQuery:
    """The named query, read once for the life of a worker."""
    return find_query(name)


def plain(value: Any) -> Any:
    """A value of an answer as JSON has it: a time becomes a text.

    >>> from datetime import UTC
    >>> plain(datetime(2026, 11, 16, tzinfo=UTC)), plain(3)
    ('2026-11-16T00:00:00+00:00', 3)
    """
    return value.isoformat() if isinstance(value, datetime) else value


def encode_job(job: Job) -> bytes:
    """A job as bytes; equal jobs have equal bytes."""
    kind = type(job)
    return msgspec.msgpack.encode([kind.__module__, kind.__qualname__, msgspec.to_builtins(job)])


def decode_job(message: bytes) -> Job:
    """The job that :func:`encode_job` wrote."""
    module, name, fields = msgspec.msgpack.decode(message)
    kind: type[Job] = getattr(import_module(module), name)
    assert issubclass(kind, Job)
    return msgspec.convert(fields, kind)
