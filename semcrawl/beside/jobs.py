"""Work beside the crawl: jobs on a snapshot of its graph, and the process that does them.

The process says that it is ready with an empty message, then reads jobs from
its standard input and writes a reply to each, until the input ends. It only
reads the snapshot, so that it can be killed at any moment.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from semcrawl.beside.companion import end_with_parent, private_output, stand_back
from semcrawl.beside.frames import read_frame, write_frame
from semcrawl.beside.functions import View, query_functions
from semcrawl.distill import Distillation, distil
from semcrawl.errors import SemcrawlError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.snapshot import open_snapshot
from semcrawl.policies import PolicyRow, RowForm, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DistilJob", "Job", "PolicyJob", "Reply", "do", "main"]

MEMORY = 4 << 30
"""Bytes of address space that the process may have: a runaway join ends there, not the machine."""

_POLITENESS = 5


class PolicyJob(msgspec.Struct, frozen=True, tag="policy"):
    """Run a policy's query and read at most ``limit`` of its rows."""

    snapshot: str
    text: str
    form: str
    limit: int
    view: View


class DistilJob(msgspec.Struct, frozen=True, tag="distil"):
    """Find the ``best`` hubs and authorities."""

    snapshot: str
    across: str
    share: float
    best: int


Job = PolicyJob | DistilJob


class Reply(msgspec.Struct, frozen=True):
    """What came of a job: rows or a distillation, or an error; and what it cost."""

    rows: list[PolicyRow] = []
    left_out: int = 0
    distillation: Distillation | None = None
    error: str = ""
    cpu: float = 0.0


def do(job: Job) -> Reply:
    """Do one job; an error becomes part of the reply."""
    try:
        graph = CrawlGraph(open_snapshot(Path(job.snapshot)))
        try:
            reply = _run_policy(graph, job) if isinstance(job, PolicyJob) else _distil(graph, job)
        finally:
            graph.close()
    except SemcrawlError as error:
        reply = Reply(error=str(error))
    except MemoryError:
        reply = Reply(error=f"it needs more than {MEMORY >> 30} GB of memory: make it narrower")
    except Exception as error:  # noqa: BLE001 - whatever it is, the crawl shall hear of it
        reply = Reply(error=f"{type(error).__name__}: {error}")
    return reply


def _run_policy(graph: CrawlGraph, job: PolicyJob) -> Reply:
    graph.store.functions = query_functions(lambda: job.view)
    rows, left_out = read_rows(graph.store.query(job.text), RowForm[job.form], job.limit)
    return Reply(rows=rows, left_out=left_out)


def _distil(graph: CrawlGraph, job: DistilJob) -> Reply:
    found = distil(graph, share=job.share, across=job.across)
    return Reply(distillation=found.best(job.best))


def main() -> None:
    """Do jobs until there are no more."""
    stand_back(_POLITENESS, MEMORY)
    end_with_parent()
    out = private_output()
    decode: Callable[[bytes], Job] = msgspec.msgpack.Decoder(Job).decode
    write_frame(out, b"")  # ready
    told = 0.0  # the first reply tells what it cost to start
    while (message := read_frame(sys.stdin.buffer)) is not None:
        reply = do(decode(message))
        spent, told = time.process_time() - told, time.process_time()
        write_frame(out, msgspec.msgpack.encode(msgspec.structs.replace(reply, cpu=spent)))
