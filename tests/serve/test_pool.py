"""Workers: killed when a job takes too long, shared where jobs are equal, bounded in number."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from semcrawl import errors
from semcrawl.errors import RequestError
from semcrawl.graph import CrawlGraph
from semcrawl.serve import worker
from semcrawl.serve.monitor import NewPages
from semcrawl.serve.pool import QueryPool, TimeLimit
from semcrawl.serve.snapshots import Snapshots
from semcrawl.serve.worker import Job, Order, SnapshotWorker, decode_job, encode_job
from tests.serve.rows_job import RowsJob
from tests.serve.test_snapshots import add, answering

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from pathlib import Path

COUNT = RowsJob("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
ENDLESS = RowsJob("SELECT (COUNT(*) AS ?n) { " + " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(6)) + " }")

PATIENT = TimeLimit(120)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 300))


@asynccontextmanager
async def pool_of(
    folder: Path, size: int = 1, limit: TimeLimit = PATIENT, interval: float = 0, **more: Any
) -> AsyncIterator[QueryPool]:
    before = set(folder.glob("snapshots/*"))  # of other servers
    snapshots = Snapshots(folder, interval, rest=0)
    pool = QueryPool(snapshots, limit, size=size, **more)
    try:
        yield pool
    finally:
        await pool.close()
        snapshots.close()
        assert set(folder.glob("snapshots/*")) <= before


def test_a_job_comes_through_the_pipe_whole() -> None:
    for job in (RowsJob("best-pages", {"limit": 3, "min_relevance": 0.5}), NewPages(7)):
        assert decode_job(encode_job(job)) == job


def test_a_worker_stands_back_within_the_session_of_the_server(crawled: Path) -> None:
    # Priorities count within a session only.
    async def main() -> None:
        async with pool_of(crawled) as pool:
            await pool.start()
            [worker] = pool.process_ids()
            assert worker is not None
            assert os.getsid(worker) == os.getsid(0)
            assert os.getpgid(worker) == worker
            here = os.getpriority(os.PRIO_PROCESS, 0)
            assert os.getpriority(os.PRIO_PROCESS, worker) > min(here, 18)

    run(main())


def test_named_queries_and_texts_are_answered(crawled: Path) -> None:
    async def main() -> None:
        async with pool_of(crawled) as pool:
            best = await pool.ask(RowsJob("best-pages", {"limit": 2}))
            assert len(best["rows"]) == 2
            assert set(best["rows"][0]) == set(best["variables"])
            assert best["rows"][0]["relevance"] >= best["rows"][1]["relevance"]
            assert (await pool.ask(COUNT))["rows"][0]["n"] > 500

    run(main())


@pytest.mark.parametrize(
    ("job", "status", "said"),
    [
        (RowsJob("no-such-query"), 400, "there is no query 'no-such-query'"),
        (RowsJob("best-pages", {"limit": "many"}), 400, "limit=many is no integer"),
        (RowsJob("SELECT ?u WHERE { ?u a }"), 400, "syntax error: error at 1:25"),
        (RowsJob("SELECT * { SERVICE <http://a.test/> { ?s ?p ?o } }"), 400, "SERVICE"),
        (RowsJob("SELECT (<urn:f>(1) AS ?x) { }"), 400, "no function"),
    ],
)
def test_what_is_wrong_is_told_and_the_worker_goes_on(crawled: Path, job: Job, status: int, said: str) -> None:
    async def main() -> None:
        async with pool_of(crawled) as pool:
            with pytest.raises(RequestError, match=said) as caught:
                await pool.ask(job)
            assert caught.value.status == status
            assert await pool.ask(COUNT)
            assert pool.figures.failed == 1

    run(main())


class Dying(Job, frozen=True):
    """A job whose process ends, as the system ends one that takes too much memory."""

    def do(self, graph: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_job_whose_process_ends_is_told_to_need_too_much_memory(crawled: Path) -> None:
    async def main() -> None:
        async with pool_of(crawled) as pool:
            with pytest.raises(RequestError, match="needs too much memory: make it narrower") as caught:
                await pool.ask(Dying())
            assert caught.value.status == 507
            assert await pool.ask(COUNT)

    run(main())


class Refused(Job, frozen=True):
    """A job that ends with an error of this class."""

    kind: str

    def do(self, graph: Any) -> Any:
        raise getattr(errors, self.kind)("why")


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("QueryError", 400),
        ("UntrustedError", 403),
        ("ConfigError", 422),
        ("ModelError", 422),
        ("AmbiguousTopicError", 422),
        ("NotACrawlError", 422),
        ("LabError", 500),
    ],
)
def test_an_error_has_the_status_of_its_class_or_the_one_above(kind: str, status: int) -> None:
    reply = SnapshotWorker(1 << 30).obey(Order(0, "", "", encode_job(Refused(kind))))
    assert (reply.status, reply.error) == (status, "why")


def test_a_reply_that_is_too_long_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_LONGEST_REPLY", 1000)
    short, long = (msgspec.msgpack.decode(worker.encode_reply(worker.JobReply(b"x" * size))) for size in (900, 1001))
    assert short["value"] == b"x" * 900
    assert long["status"] == 507
    assert long["error"].endswith("make it narrower")


def test_queries_can_call_similarity(crawled: Path) -> None:
    job = RowsJob("SELECT (sc:similarity('asthma') AS ?near) (sc:similarity('cake') AS ?far) { }")

    async def main() -> None:
        async with pool_of(crawled) as pool:
            row = (await pool.ask(job))["rows"][0]
            assert row["near"] > row["far"] == 0

    run(main())


def test_a_job_that_takes_too_long_is_killed_and_the_next_is_answered(crawled: Path) -> None:
    async def main() -> None:
        async with pool_of(crawled, limit=TimeLimit(0.5, "--timeout")) as pool:
            await pool.start()
            with pytest.raises(RequestError, match=r"more than 0\.5 s.*--timeout") as caught:
                await pool.ask(ENDLESS)
            assert caught.value.status == 504
            assert await pool.ask(COUNT, limit=PATIENT)
            assert pool.figures.timed_out == 1

    run(main())


def test_one_slow_job_does_not_hold_up_the_other_workers(crawled: Path) -> None:
    async def main() -> None:
        async with pool_of(crawled, size=2) as pool:
            slow = asyncio.create_task(pool.ask(ENDLESS))
            for limit in range(1, 6):
                await pool.ask(RowsJob("best-pages", {"limit": limit}))
            assert not slow.done()
            assert pool.busy == 1
            slow.cancel()

    run(main())


def test_too_many_jobs_are_refused_with_a_hint(crawled: Path) -> None:
    async def main() -> None:
        async with pool_of(crawled, waiting=1) as pool:
            slow = asyncio.create_task(pool.ask(ENDLESS))
            while not pool.busy:
                await asyncio.sleep(0.01)
            waits = asyncio.create_task(pool.ask(COUNT))
            while not pool.waiting:
                await asyncio.sleep(0.01)
            with pytest.raises(RequestError, match="too many questions") as caught:
                await pool.ask(RowsJob("best-pages"))
            assert (caught.value.status, caught.value.retry_after) == (503, 2)
            slow.cancel()
            waits.cancel()

    run(main())


def test_equal_jobs_are_done_once(crawled: Path) -> None:
    async def main() -> None:
        async with pool_of(crawled, size=2) as pool:
            found = await asyncio.gather(*(pool.ask(COUNT) for _ in range(20)))
            assert pool.figures.answered == 1
            assert all(one == found[0] for one in found)
            await pool.ask(COUNT)
            assert (pool.figures.answered, pool.figures.remembered) == (1, 1)
            await pool.ask(COUNT, fresh=True)
            assert pool.figures.answered == 2

    run(main())


def test_an_asker_that_goes_does_not_take_the_answer_of_others_along(crawled: Path) -> None:
    async def main() -> None:
        async with pool_of(crawled) as pool:
            first, second = (asyncio.create_task(pool.ask(COUNT)) for _ in range(2))
            while not pool.busy:
                await asyncio.sleep(0.001)
            first.cancel()
            assert (await second)["rows"]

    run(main())


def test_a_worker_that_died_is_replaced(crawled: Path) -> None:
    async def main() -> None:
        async with pool_of(crawled) as pool:
            await pool.start()
            process = pool.process_ids()[0]
            assert process is not None
            os.kill(process, signal.SIGKILL)
            # The first to ask may find it dead; the second never does.
            with suppress(RequestError):
                await pool.ask(COUNT)
            assert (await pool.ask(COUNT))["rows"]
            assert pool.process_ids()[0] not in (None, process)

    run(main())


def test_answers_are_those_of_the_current_snapshot_and_old_ones_are_let_go(tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    with CrawlGraph.create(folder) as graph:
        add(graph, "a")

    async def main(graph: CrawlGraph) -> None:
        async with pool_of(folder, size=2) as pool:
            await pool.start()
            for number in range(2, 5):
                add(graph, f"number-{number}")
                while (await pool.ask(COUNT))["rows"][0]["n"] != number:
                    await asyncio.sleep(0.01)
            while pool.busy:
                await asyncio.sleep(0.01)
            # The current one, and perhaps the next that is just being made.
            assert len([p for p in (folder / "snapshots").iterdir() if p.suffix == ""]) <= 2

    with CrawlGraph.open(folder) as graph, answering(graph):
        run(main(graph))


def test_a_job_that_nobody_waits_for_any_more_is_given_up(crawled: Path) -> None:
    async def main() -> None:
        async with pool_of(crawled) as pool:
            await pool.start()
            worker = pool.process_ids()[0]
            askers = [asyncio.create_task(pool.ask(ENDLESS)) for _ in range(2)]
            while not pool.busy:
                await asyncio.sleep(0.01)
            askers[0].cancel()
            await asyncio.wait(askers[:1])
            assert (pool.busy, pool.process_ids()[0]) == (1, worker)
            askers[1].cancel()
            while pool.busy:
                await asyncio.sleep(0.01)
            assert pool.process_ids()[0] is None
            assert (await pool.ask(COUNT))["rows"]

    run(main())


@pytest.mark.parametrize("remembers", [False, True])
@pytest.mark.parametrize("fresh", [False, True])
def test_no_worker_is_lost_however_soon_an_asker_goes(crawled: Path, fresh: bool, remembers: bool) -> None:
    async def main() -> None:
        async with pool_of(crawled, size=2, remembers=remembers) as pool:
            await pool.start()
            await pool.ask(COUNT)
            for steps in range(12):
                asker = asyncio.create_task(pool.ask(RowsJob(f"ASK {{ # {steps}\n}}"), fresh=fresh))
                for _ in range(steps):
                    await asyncio.sleep(0)
                asker.cancel()
                await asyncio.wait([asker])
                while pool.busy:
                    await asyncio.sleep(0.01)
                assert pool.waiting == 0
            assert (await pool.ask(COUNT))["rows"]

    run(main())


def test_a_worker_that_remembers_ends_what_it_has_begun(crawled: Path) -> None:
    async def main() -> None:
        async with pool_of(crawled, remembers=True) as pool:
            await pool.start()
            [worker] = pool.process_ids()
            assert worker is not None
            os.kill(worker, signal.SIGSTOP)
            asker = asyncio.create_task(pool.ask(COUNT))
            while not pool.busy:
                await asyncio.sleep(0.01)
            asker.cancel()
            await asyncio.wait([asker])
            assert pool.busy == 1
            os.kill(worker, signal.SIGCONT)
            while pool.busy:
                await asyncio.sleep(0.01)
            assert pool.process_ids() == [worker]

    run(main())


def test_a_job_that_waits_is_dropped_with_its_asker(crawled: Path) -> None:
    async def main() -> None:
        async with pool_of(crawled) as pool:
            slow = asyncio.create_task(pool.ask(ENDLESS, fresh=True))
            while not pool.busy:
                await asyncio.sleep(0.01)
            waits = asyncio.create_task(pool.ask(COUNT))
            while not pool.waiting:
                await asyncio.sleep(0.01)
            waits.cancel()
            while pool.waiting:
                await asyncio.sleep(0.01)
            assert not slow.done()
            slow.cancel()

    run(main())


def test_who_asks_again_does_not_join_what_is_being_given_up(crawled: Path) -> None:
    async def main() -> None:
        async with pool_of(crawled) as pool:
            first = asyncio.create_task(pool.ask(COUNT))
            while not pool.busy:
                await asyncio.sleep(0)
            # The worker is still starting: the next job must not read its greeting as an answer.
            first.cancel()
            assert (await pool.ask(COUNT))["rows"]

    run(main())


def test_workers_that_were_still_starting_end_with_the_pool(crawled: Path) -> None:
    async def main() -> None:
        async with pool_of(crawled, lanes=("", "two", "three")) as pool:
            starting = asyncio.create_task(pool.start())
            while not all(pool.process_ids()):
                await asyncio.sleep(0)
            processes = [process for process in pool.process_ids() if process]
            starting.cancel()
            await asyncio.wait({starting})
        for process in processes:
            with pytest.raises(ProcessLookupError):
                os.kill(process, 0)

    run(main())
