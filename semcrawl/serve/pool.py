"""Query pools: worker processes that answer jobs on the current snapshot, within a time limit.

The store cannot stop a query, so the worker of one that takes too long is killed.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from semcrawl.companions.process import Companion
from semcrawl.errors import RequestError
from semcrawl.serve.snapshots import Snapshot, Snapshots
from semcrawl.serve.worker import Job, JobReply, Order, encode_job

_REMEMBERED = 64 << 20  # bytes of answers
_FITS_A_PIPE = 2048  # bytes that an idle worker's pipe takes at once, on every system
_DIED = JobReply(error="its process ended, as happens where it needs too much memory: make it narrower", status=507)


class TimeLimit(msgspec.Struct, frozen=True):
    """Seconds for each try of a job, and for a free worker; ``option`` raises them."""

    seconds: float
    option: str = ""
    tries: int = 1

    def problem(self) -> RequestError:
        """The error for a job that took too long."""
        # What the page asks by itself, nobody can ask differently.
        advice = f"make it narrower, or give it longer with {self.option}"
        said = advice if self.option else "the server is busy, try again"
        return RequestError(f"it took more than {self.seconds:g} s: {said}", 504)


class _Slot:
    """A worker that is started when it is first needed, and again after it was killed."""

    def __init__(self, snapshots: Snapshots, memory: int) -> None:
        self._snapshots = snapshots
        self._memory = memory
        self._process: Companion | None = None
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.snapshot: Snapshot | None = None  # that it has open
        self._starting = asyncio.Lock()
        self._ending = asyncio.Lock()
        self._replies = msgspec.msgpack.Decoder(JobReply)

    @property
    def process_id(self) -> int | None:
        return None if self._process is None else self._process.process_id

    async def start(self) -> None:
        async with self._starting:
            if self._process is not None and self._process.is_alive:
                return
            await self.end()
            try:
                await self._begin()
            except BaseException:
                # Its late message that it is ready would be taken for the next reply.
                await asyncio.shield(self.end())
                raise

    async def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        messages = self._messages = asyncio.Queue()

        def heard(message: bytes | None) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(messages.put_nowait, message)

        self._process = Companion("semcrawl.serve.worker:main", str(self._memory), heard=heard)
        async with asyncio.timeout(120.0):  # on a busy machine
            await messages.get()

    async def do(self, snapshot: Snapshot, job: bytes, seconds: float) -> tuple[JobReply, int]:
        """Return the reply and its size in bytes; after ``seconds``, kill it (TimeoutError)."""
        await self.start()
        place = self._snapshots
        where = snapshot.number, str(snapshot.path), str(place.folder)
        order = Order(*where, job, place.trust, not snapshot.is_live)
        before, self.snapshot = self.snapshot, snapshot
        place.hold(snapshot)
        try:
            message = await self._obey(order, seconds)
        finally:
            place.release(before)
        return (_DIED, 0) if message is None else (self._replies.decode(message), len(message))

    async def let_go(self, seconds: float) -> None:
        before, self.snapshot = self.snapshot, None
        try:
            with suppress(TimeoutError):
                await self._obey(Order(0, "", ""), seconds)
        finally:
            self._snapshots.release(before)

    async def end(self) -> None:
        # A second call waits for the first: a job may be cancelled again meanwhile.
        async with self._ending:
            process, self._process = self._process, None
            if process is not None:
                await asyncio.to_thread(process.close)
        snapshot, self.snapshot = self.snapshot, None
        self._snapshots.release(snapshot)

    async def _obey(self, order: Order, seconds: float) -> bytes | None:
        """Return the worker's message, None where it has ended; kill it after ``seconds``."""
        if self._process is None:
            return None
        message = None
        try:
            async with asyncio.timeout(seconds):
                encoded = msgspec.msgpack.encode(order)
                if len(encoded) <= _FITS_A_PIPE:
                    self._process.send(encoded)
                else:  # in a thread: a long message waits until the worker has read it
                    await asyncio.to_thread(self._process.send, encoded)
                message = await self._messages.get()
        finally:
            if message is None:
                await asyncio.shield(self.end())
        return message


class PoolFigures(msgspec.Struct):
    """How many jobs came to what end, and how long workers took for them."""

    answered: int = 0
    remembered: int = 0
    failed: int = 0
    timed_out: int = 0
    refused: int = 0
    seconds: float = 0.0


class _Shared(msgspec.Struct):
    task: asyncio.Task[Any]
    askers: int = 0


class QueryPool:
    """Workers that answer jobs, ``size`` in each lane; used from one event loop.

    Equal jobs on one snapshot are done once: askers share the job under way, later ones get the
    answer from memory. A job that nobody waits for any more is cancelled and its worker killed,
    except where it ``remembers`` what it has read. At most ``waiting`` jobs wait for a worker.
    """

    def __init__(
        self,
        snapshots: Snapshots,
        limit: TimeLimit,
        *,
        size: int = 1,
        lanes: Sequence[str] = ("",),
        waiting: int = 64,
        memory: int = 4 << 30,
        remembers: bool = False,
    ) -> None:
        self.figures = PoolFigures()
        self.limit = limit
        self._snapshots = snapshots
        self._remembers = remembers
        self.waiting, self._most_waiting = 0, waiting
        self._slots = {lane: [_Slot(snapshots, memory) for _ in range(size)] for lane in lanes}
        self._free: dict[str, asyncio.LifoQueue[_Slot]] = {}
        self._under_way: dict[tuple[int, bytes], _Shared] = {}
        self._answers: OrderedDict[tuple[int, bytes], tuple[Any, int]] = OrderedDict()
        self._size_of_answers = 0
        self._tasks: set[asyncio.Task[Any]] = set()
        for lane, slots in self._slots.items():
            self._free[lane] = asyncio.LifoQueue()
            for slot in slots:
                self._free[lane].put_nowait(slot)
        snapshots.on_renewed.append(self._forget)

    @property
    def busy(self) -> int:
        """How many workers have a job now."""
        return len(self._all_slots()) - sum(free.qsize() for free in self._free.values())

    def process_ids(self, lane: str | None = None) -> list[int | None]:
        """The ids of the workers, or of those of one lane; None for one that does not run now."""
        return [slot.process_id for slot in (self._all_slots() if lane is None else self._slots[lane])]

    def _all_slots(self) -> list[_Slot]:
        return [slot for slots in self._slots.values() for slot in slots]

    async def start(self) -> None:
        """Start a worker of each lane, the one that is taken first, ahead of the first job."""
        await asyncio.gather(*(slots[-1].start() for slots in self._slots.values()))

    async def ask(self, job: Job, *, fresh: bool = False, limit: TimeLimit | None = None, lane: str = "") -> Any:
        """Return what a job answers; ``fresh``: not shared. RequestError where it fails."""
        limit = limit or self.limit
        snapshot = await self._snapshots.current()
        encoded = encode_job(job)
        if fresh:
            return await self._spawn(self._do(snapshot, encoded, limit, lane))
        key = snapshot.number, encoded
        if key in self._answers:
            self._answers.move_to_end(key)
            self.figures.remembered += 1
            return self._answers[key][0]
        if key not in self._under_way:
            self._under_way[key] = _Shared(self._spawn(self._do(snapshot, encoded, limit, lane, key)))
        shared = self._under_way[key]
        shared.askers += 1
        try:
            # Shielded: an asker that goes must not cancel the others' job.
            return await asyncio.shield(shared.task)
        finally:
            shared.askers -= 1
            if not shared.askers:
                shared.task.cancel()
                # Nobody may join a job that is being cancelled.
                if self._under_way.get(key) is shared:
                    del self._under_way[key]

    async def close(self) -> None:
        """End all workers; what is under way fails."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(slot.end() for slot in self._all_slots()))

    async def _do(
        self, snapshot: Snapshot, job: bytes, limit: TimeLimit, lane: str, key: tuple[int, bytes] | None = None
    ) -> Any:
        self._snapshots.hold(snapshot)
        try:
            for _ in range(limit.tries):
                reply, size = await self._try(snapshot, job, limit, lane)
                if reply is not None and reply is not _DIED:
                    break
        finally:
            self._snapshots.release(snapshot)
        if reply is None:
            self.figures.timed_out += 1
            raise limit.problem()
        self.figures.seconds += reply.seconds
        if reply.error:
            self.figures.failed += 1
            raise RequestError(reply.error, reply.status)
        self.figures.answered += 1
        if key is not None:
            self._remember(key, reply.value, size)
        return reply.value

    async def _try(self, snapshot: Snapshot, job: bytes, limit: TimeLimit, lane: str) -> tuple[JobReply | None, int]:
        """The reply and its size; None where it took too long."""
        slot = await self._worker(lane, limit)
        using = self._use(slot, self._free[lane], slot.do(snapshot, job, limit.seconds))
        try:
            return await (asyncio.shield(using) if self._remembers else using)
        except TimeoutError:
            return None, 0

    async def _worker(self, lane: str, limit: TimeLimit) -> _Slot:
        free = self._free[lane]
        if free.empty() and self.waiting >= self._most_waiting:
            raise self._refusal("too many questions wait for an answer")
        self.waiting += 1
        try:
            # Not wait_for, which may swallow that it was cancelled.
            async with asyncio.timeout(limit.seconds * limit.tries):
                return await free.get()
        except TimeoutError:
            raise self._refusal("other questions take all the time there is") from None
        finally:
            self.waiting -= 1

    def _refusal(self, why: str) -> RequestError:
        self.figures.refused += 1
        return RequestError(f"{why}: try again later", 503, retry_after=2)

    def _remember(self, key: tuple[int, bytes], value: Any, size: int) -> None:
        if key in self._answers:
            return
        self._answers[key] = value, size
        self._size_of_answers += size
        while self._size_of_answers > _REMEMBERED:
            _, (_, gone) = self._answers.popitem(last=False)
            self._size_of_answers -= gone

    def _forget(self, snapshot: Snapshot) -> None:
        """Forget the answers of the old snapshot, and make idle workers close it."""
        self._answers.clear()
        self._size_of_answers = 0
        for free in self._free.values():
            idle = [free.get_nowait() for _ in range(free.qsize())]
            for slot in reversed(idle):
                if slot.snapshot is not None and slot.snapshot.number != snapshot.number:
                    self._use(slot, free, slot.let_go(self.limit.seconds))
                else:
                    free.put_nowait(slot)

    def _use(self, slot: _Slot, free: asyncio.LifoQueue[_Slot], work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        using = self._spawn(work)
        # By the task's end, for one that is cancelled at once never begins.
        using.add_done_callback(lambda _: free.put_nowait(slot))
        return using

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # marks it as seen, so that it is not logged
