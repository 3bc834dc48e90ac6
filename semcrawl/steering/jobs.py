"""Work beside the crawl: jobs on a snapshot of its graph, and the process that does them.

The process sends an empty message when it is ready, then a reply to each job. It only
reads the snapshot, so that it can be killed at any moment.
"""

import queue
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import msgspec

from semcrawl.closing import Closing
from semcrawl.companions.process import Companion, ParentPipe, end_with_parent
from semcrawl.errors import QueryError, SemcrawlError
from semcrawl.graph import SC, CrawlGraph
from semcrawl.graph.snapshots import open_snapshot, remove_snapshot
from semcrawl.registry import names_file
from semcrawl.steering.distiller import Distillation, distill
from semcrawl.steering.policies import Policy, PolicyRow, RowForm, read_rows


class View(msgspec.Struct, frozen=True):
    """How a crawl looks at texts: its topic (TOML), judge and background, as its settings say."""

    topic: str
    judge: str
    background: str = ""


def query_functions(view: Callable[[], View]) -> Mapping[str, Callable[..., float | None]]:
    """The functions by IRI; ``view`` is asked for when a query first calls one.

    ``sc:similarity(text)`` is the similarity of a text to the topic by the crawl's judge;
    ``sc:similarity(text, judge)`` by another one, such as ``"ssrm:measure=resnik"``.
    """
    return {SC + "similarity": _Similarity(view)}


class _Similarity:
    def __init__(self, view: Callable[[], View]) -> None:
        self.problem = ""  # what was wrong with a call
        self._view = view
        self._found: dict[str, Callable[[str], float]] = {}
        self._cached = lru_cache(maxsize=100_000)(self._compute)

    def __call__(self, *texts: str) -> float | None:
        if not 1 <= len(texts) <= 2:
            self.problem = "sc:similarity takes a text, and a judge if you like"
            return None
        try:
            return self._cached(*texts)
        except SemcrawlError as error:
            self.problem = f"sc:similarity: {error}"
            return None

    def _compute(self, text: str, judge: str = "") -> float:
        if judge not in self._found:
            self._found[judge] = _similarity(self._view(), judge)
        return round(float(self._found[judge](text)), 6)


def _similarity(view: View, judge: str) -> Callable[[str], float]:
    """The similarity of texts by a judge; SSRM's where the crawl's own has none."""
    # Imported here: few queries call for a lens, and these bring much along.
    from semcrawl.page.background import find_background
    from semcrawl.relevance import JUDGES
    from semcrawl.topics import Topic

    if names_file(judge):
        raise QueryError(f"a query names no file: {judge[:100]!r} is not loaded")
    topic = Topic.from_toml(view.topic)
    known = {"topic": topic, "background": find_background(view.background, topic)}
    try:
        made = JUDGES.create(judge or view.judge, **known)
    except SemcrawlError:
        if judge:
            raise
        # The crawl's judge was an object of the user's.
        made = JUDGES.create("ssrm", **known)
    if made.similarity is None or not made.similarity.for_short_texts:
        made = JUDGES.create("ssrm", **known)
    of_text: Callable[[str], float] = made.similarity.of_text
    return of_text


MEMORY = 4 << 30  # bytes of address space, against runaway joins


class PolicyJob(msgspec.Struct, frozen=True, tag="policy"):
    """Run a policy's query and read at most ``limit`` of its rows."""

    snapshot: str
    text: str
    form: str
    limit: int
    view: View


class DistillJob(msgspec.Struct, frozen=True, tag="distill"):
    """Find the ``best`` hubs and authorities."""

    snapshot: str
    across: str
    share: float
    best: int


Job = PolicyJob | DistillJob


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
        with CrawlGraph(open_snapshot(job.snapshot)) as graph:
            if isinstance(job, DistillJob):
                found = distill(graph, share=job.share, across=job.across)
                return Reply(distillation=found.best(job.best))
            view = job.view
            graph.store.functions = query_functions(lambda: view)
            rows, left_out = read_rows(graph.store.query(job.text), RowForm[job.form], job.limit)
            return Reply(rows=rows, left_out=left_out)
    except SemcrawlError as error:
        return Reply(error=str(error))
    except MemoryError:
        return Reply(error=f"it needs more than {MEMORY >> 30} GB of memory: make it narrower")
    except Exception as error:  # noqa: BLE001 - whatever it is, the crawl shall hear of it
        return Reply(error=f"{type(error).__name__}: {error}")


def main() -> None:
    """Do jobs until there are no more."""
    parent = ParentPipe(politeness=5, memory=MEMORY)
    end_with_parent()
    decode: Callable[[bytes], Job] = msgspec.msgpack.Decoder(Job).decode
    parent.send(b"")  # ready
    told = 0.0  # the first reply tells what it cost to start
    for message in parent:
        reply = do(decode(message))
        spent, told = time.process_time() - told, time.process_time()
        parent.send(msgspec.msgpack.encode(msgspec.structs.replace(reply, cpu=spent)))


_STARTUP = 120.0  # seconds until the process is ready, on a machine that is busy


class SideProcess(Closing):
    """One job at a time in a process started when needed; killed after ``seconds`` (``option``)."""

    def __init__(self, seconds: float, option: str = "--policy-seconds") -> None:
        self.seconds = seconds
        self._option = option
        self._process: Companion | None = None
        self._messages: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()

    @property
    def is_busy(self) -> bool:
        """Whether a job is under way."""
        return self._process is not None and self._process.deadline is not None

    @property
    def process_id(self) -> int | None:
        """The id of the process, None where none runs."""
        return None if self._process is None else self._process.process_id

    def start(self, job: Job) -> None:
        """Begin a job; there must be none under way."""
        assert not self.is_busy
        seconds = self.seconds
        if self._process is None:
            seconds, self._messages = _STARTUP, queue.SimpleQueue()
            self._process = Companion("semcrawl.steering.jobs:main", heard=self._messages.put)
        self._process.allow(seconds)
        self._process.send(msgspec.msgpack.encode(job))

    def poll(self, wait: float = 0.0) -> Reply | None:
        """The reply to the job under way, None while it works; it is waited for at most so long."""
        until = time.monotonic() + wait
        message: bytes | None = b""
        while message == b"":
            process = self._process
            if process is None or process.deadline is None:
                return None
            left = min(process.deadline, until) - time.monotonic()
            try:
                message = self._messages.get(block=left > 0, timeout=max(left, 0.0))
            except queue.Empty:
                return self._give_up() if process.is_late else None
            # After the first message it is ready: from now on its time counts.
            process.allow(self.seconds if message == b"" else 0)
        if message is None:
            self.close()
            return Reply(error="its process ended without an answer: make it narrower")
        return msgspec.msgpack.decode(message, type=Reply)

    def wait(self) -> Reply:
        """The reply to the job under way, when it is there or its time is over."""
        while (reply := self.poll(_STARTUP)) is None:
            assert self.is_busy
        return reply

    def close(self) -> None:
        """End the process; closing twice is fine, and a new job starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    def _give_up(self) -> Reply:
        self.close()
        why = f"it took more than {self.seconds:g} s: make it narrower, or give it longer"
        return Reply(error=f"{why} with {self._option}", cpu=self.seconds)


def run_policy(
    side: SideProcess, policy: Policy, snapshot: str, context: Mapping[str, object], limit: int, view: View
) -> Reply:
    """Run a policy once and wait for it; QueryError where it fails or is slow."""
    side.start(PolicyJob(snapshot, policy.text(context), policy.form.name, limit, view))
    reply = side.wait()
    if reply.error:
        raise QueryError(f"the policy {policy.name}: {reply.error}")
    return reply


CHECK_SECONDS = 10.0  # a test shortens it


def check_policies(policies: Sequence[Policy]) -> None:
    """Run the users' own policies once on an empty graph, in another process.

    Raises QueryError: a syntax error, an unknown function, or one that takes long even where there
    is nothing to look at.
    """
    own = [policy for policy in policies if policy.is_own]
    if not own:
        return
    context = {"across": "hosts", "since": 0, "step": 0, "threshold": 0.5}
    with CrawlGraph.create() as empty, SideProcess(CHECK_SECONDS) as side:
        place = empty.snapshot()
        try:
            for policy in own:
                run_policy(side, policy, str(place), context, 1, View("", ""))
        finally:
            remove_snapshot(place)
