"""One place of a query pool: a worker process, and another when that one had to be killed."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from semcrawl.beside.companion import same_packages
from semcrawl.beside.frames import frame
from semcrawl.serve.frames import next_frame
from semcrawl.serve.worker import Order, Reply

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from semcrawl.serve.keeper import Snapshot, SnapshotKeeper

__all__ = ["Slot"]

_STARTUP = 60.0
"""Seconds that a worker may take until it is ready, on a machine that is busy."""

_DIED = Reply(error="its process ended, perhaps for want of memory: make it narrower", status=507)


class Slot:
    """A worker that is started when it is first needed, and again after it was killed."""

    def __init__(self, keeper: SnapshotKeeper, memory: int) -> None:
        self._keeper = keeper
        self._memory = memory
        self._process: Process | None = None
        self._snapshot: Snapshot | None = None
        self._starting = asyncio.Lock()
        self._ending = asyncio.Lock()
        self._replies = msgspec.msgpack.Decoder(Reply)

    @property
    def process_id(self) -> int | None:
        """The id of the process, None where none runs."""
        return None if self._process is None else self._process.pid

    def has_older_than(self, snapshot: Snapshot) -> bool:
        """Whether the worker has another snapshot open than this one."""
        return self._snapshot is not None and self._snapshot.number != snapshot.number

    async def start(self) -> None:
        """Start the worker, where none runs, and wait until it is ready."""
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                await self.end()
                try:
                    await self._begin()
                except BaseException:
                    # One that has not said that it is ready would say so to the next job.
                    await asyncio.shield(self.end())
                    raise

    async def _begin(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            "from semcrawl.serve.worker import main; main()",
            str(self._memory),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=same_packages(),
            process_group=0,
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(_STARTUP):
            await next_frame(self._process.stdout)

    async def do(self, snapshot: Snapshot, job: bytes, seconds: float) -> tuple[Reply, int]:
        """The reply to a job on a snapshot, and its size in bytes.

        Raises:
            TimeoutError: it took longer than ``seconds``; the worker was killed.
        """
        await self.start()
        folder = str(self._keeper.folder)
        order = Order(snapshot.number, str(snapshot.path), folder, job)
        before = self._snapshot
        if before is None or before.number != snapshot.number:
            self._keeper.hold(snapshot)
            self._snapshot = snapshot
        try:
            message = await self._obey(order, seconds)
        finally:
            if before is not None and before.number != snapshot.number:
                self._keeper.release(before)
        return (_DIED, 0) if message is None else (self._replies.decode(message), len(message))

    async def let_go(self, seconds: float) -> None:
        """Let the worker close the snapshot that it has open."""
        before, self._snapshot = self._snapshot, None
        try:
            with suppress(TimeoutError):
                await self._obey(Order(0, "", ""), seconds)
        finally:
            if before is not None:
                self._keeper.release(before)

    async def end(self) -> None:
        """Kill the worker; the next job starts another."""
        # Who ends it twice waits for the first time too: a job may be cancelled again meanwhile.
        async with self._ending:
            process, self._process = self._process, None
            if process is not None:
                with suppress(ProcessLookupError):
                    process.kill()
                # The pipes first: a process is not waited for while they are full.
                if process.stdin is not None:
                    process.stdin.close()
                await process.wait()
        if self._snapshot is not None:
            snapshot, self._snapshot = self._snapshot, None
            self._keeper.release(snapshot)

    async def _obey(self, order: Order, seconds: float) -> bytes | None:
        """The worker's message, None where it has ended; it is killed when its time is over."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return None
        message, is_over = None, True
        try:
            async with asyncio.timeout(seconds):
                with suppress(ConnectionError):
                    process.stdin.write(frame(msgspec.msgpack.encode(order)))
                    await process.stdin.drain()
                    message = await next_frame(process.stdout)
            is_over = message is None
        finally:
            if is_over:
                await asyncio.shield(self.end())
        return message
