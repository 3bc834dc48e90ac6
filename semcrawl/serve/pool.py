"""Query pools: worker processes that answer jobs on the current snapshot, within a time limit.

The engine cannot be told to stop a query, but a process can be killed. So one
slow query costs one worker for as long as a query may take, and nothing else.
"""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from semcrawl.companions.process import LENGTH, frame, same_packages
from semcrawl.errors import RequestError
from semcrawl.serve.worker import Order, Reply, encode_job

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Coroutine

    from semcrawl.serve.snapshots import Snapshot, SnapshotKeeper
    from semcrawl.serve.worker import Job

# Messages over a pipe, as `semcrawl.companions.process` writes them, for an event loop.


async def next_frame(stream: asyncio.StreamReader) -> bytes | None:
    """The next message of an asynchronous stream, None at its end."""
    try:
        (length,) = LENGTH.unpack(await stream.readexactly(LENGTH.size))
        return await stream.readexactly(length)
    except asyncio.IncompleteReadError:
        return None


# One place of a query pool: a worker process, and another when that one had to be killed.


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


_REMEMBERED = 64 << 20
_RETRY = 2


@dataclass(slots=True)
class PoolFigures:
    """What a pool has done since it was started."""

    answered: int = 0
    remembered: int = 0
    failed: int = 0
    timed_out: int = 0
    refused: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class _Shared:
    """A job under way, and how many wait for its answer."""

    task: asyncio.Task[Any]
    askers: int = 0


class QueryPool:
    """Workers that answer jobs; used from one event loop.

    Equal jobs on one snapshot are done once: who asks while one is under way
    gets its answer too, and who asks later gets it from memory. A job that
    nobody waits for any more is given up, and its worker killed; where workers
    remember, one that has begun goes on to its end.

    Args:
        keeper: gives the snapshot.
        size: how many workers, each one job at a time.
        seconds: how long a job may take, and how long it may wait for a worker.
        option: what a person can give it longer with, for the message.
        waiting: how many jobs may wait for a worker.
        memory: bytes of address space for each worker.
        remembers: whether workers keep what they have read, which takes long to read again.
    """

    def __init__(
        self,
        keeper: SnapshotKeeper,
        *,
        size: int,
        seconds: float,
        option: str = "",
        waiting: int = 64,
        memory: int = 4 << 30,
        remembers: bool = False,
    ) -> None:
        self.figures = PoolFigures()
        self.seconds = seconds
        self.size = size
        self._keeper = keeper
        self._remembers = remembers
        self._longer = f", or give it longer with {option}" if option else ""
        self._waiting, self._most_waiting = 0, waiting
        self._slots = [Slot(keeper, memory) for _ in range(size)]
        self._free: asyncio.LifoQueue[Slot] = asyncio.LifoQueue()
        self._under_way: dict[tuple[int, bytes], _Shared] = {}
        self._answers: OrderedDict[tuple[int, bytes], tuple[Any, int]] = OrderedDict()
        self._size_of_answers = 0
        self._tasks: set[asyncio.Task[Any]] = set()
        for slot in self._slots:
            self._free.put_nowait(slot)
        keeper.on_renewed.append(self._forget)

    @property
    def busy(self) -> int:
        """How many workers have a job now."""
        return self.size - self._free.qsize()

    @property
    def waiting(self) -> int:
        """How many jobs wait for a worker now."""
        return self._waiting

    @property
    def process_ids(self) -> list[int | None]:
        """The ids of the workers, None for one that does not run now."""
        return [slot.process_id for slot in self._slots]

    async def start(self) -> None:
        """Start the workers ahead of the first job."""
        await asyncio.gather(*(slot.start() for slot in self._slots))

    async def ask(self, job: Job, *, fresh: bool = False, seconds: float | None = None) -> Any:
        """What a job answers on the current snapshot.

        ``fresh``: neither from memory nor together with others, for a query
        that may answer otherwise each time. ``seconds``: another limit of time.

        Raises:
            RequestError: the job failed, took too long, or there are too many.
            SemcrawlError: there is no snapshot.
        """
        snapshot = await self._keeper.current()
        encoded = encode_job(job)
        if fresh:
            return await self._spawn(self._do(snapshot, encoded, seconds or self.seconds))
        key = snapshot.number, encoded
        if key in self._answers:
            self._answers.move_to_end(key)
            self.figures.remembered += 1
            return self._answers[key][0]
        if key not in self._under_way:
            task = self._spawn(self._do(snapshot, encoded, seconds or self.seconds, key))
            self._under_way[key] = _Shared(task)
        return await self._together(key, self._under_way[key])

    async def _together(self, key: tuple[int, bytes], shared: _Shared) -> Any:
        shared.askers += 1
        try:
            # A shielded wait: one asker that goes must not take the others' answer along.
            return await asyncio.shield(shared.task)
        finally:
            shared.askers -= 1
            if not shared.askers:
                shared.task.cancel()
                # Who asks from now on must not join what is being given up.
                if self._under_way.get(key) is shared:
                    del self._under_way[key]

    async def close(self) -> None:
        """End all workers; what is under way fails."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(slot.end() for slot in self._slots))

    async def _do(
        self,
        snapshot: Snapshot,
        job: bytes,
        seconds: float,
        key: tuple[int, bytes] | None = None,
    ) -> Any:
        self._keeper.hold(snapshot)
        try:
            slot = await self._worker(seconds)
            using = self._spawn(slot.do(snapshot, job, seconds))
            # By the task's end, for one that is cancelled at once never begins.
            using.add_done_callback(lambda _: self._free.put_nowait(slot))
            reply, size = await (asyncio.shield(using) if self._remembers else using)
        except TimeoutError:
            self.figures.timed_out += 1
            raise RequestError(
                f"it took more than {seconds:g} s: make it narrower{self._longer}", 504
            ) from None
        finally:
            self._keeper.release(snapshot)
        self.figures.seconds += reply.seconds
        if reply.error:
            self.figures.failed += 1
            raise RequestError(reply.error, reply.status)
        self.figures.answered += 1
        if key is not None:
            self._remember(key, reply.value, size)
        return reply.value

    async def _worker(self, seconds: float) -> Slot:
        if self._free.empty() and self._waiting >= self._most_waiting:
            self.figures.refused += 1
            raise RequestError(
                "too many questions wait for an answer: try again later", 503, retry_after=_RETRY
            )
        self._waiting += 1
        try:
            # Not wait_for, which may swallow that it was cancelled.
            async with asyncio.timeout(seconds):
                return await self._free.get()
        except TimeoutError:
            self.figures.refused += 1
            raise RequestError(
                "other questions take all the time there is: try again later",
                503,
                retry_after=_RETRY,
            ) from None
        finally:
            self._waiting -= 1

    def _remember(self, key: tuple[int, bytes], value: Any, size: int) -> None:
        if key in self._answers:
            return
        self._answers[key] = value, size
        self._size_of_answers += size
        while self._size_of_answers > _REMEMBERED:
            _, (_, gone) = self._answers.popitem(last=False)
            self._size_of_answers -= gone

    def _forget(self, snapshot: Snapshot) -> None:
        """A new snapshot: old answers are void, and idle workers let go of the old one."""
        self._answers.clear()
        self._size_of_answers = 0
        idle = [self._free.get_nowait() for _ in range(self._free.qsize())]
        for slot in reversed(idle):
            if slot.has_older_than(snapshot):
                self._spawn(self._let_go(slot))
            else:
                self._free.put_nowait(slot)

    async def _let_go(self, slot: Slot) -> None:
        try:
            await slot.let_go(self.seconds)
        finally:
            self._free.put_nowait(slot)

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # seen, even where nobody waits for it any more
