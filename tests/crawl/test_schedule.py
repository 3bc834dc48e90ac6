"""When jobs beside a crawl run: a rhythm, an account each, and patience with failures."""

from __future__ import annotations

import time

from semcrawl.crawl.pages.steering import Schedule, Turn


def run(schedule: Schedule, pages: int, cpu: float = 0.0, *, failed: bool = False) -> list[str]:
    """All that is due after so many pages, each costing so much."""
    schedule.look(pages)
    ran = []
    while (name := schedule.next()) is not None:
        schedule.started(name, pages)
        schedule.finished(name, cpu, failed=failed)
        ran.append(name)
    return ran


def test_a_job_runs_at_its_rhythm() -> None:
    schedule = Schedule({"a": Turn(every=10)}, share=None)
    assert [pages for pages in range(1, 35) if run(schedule, pages)] == [10, 20, 30]


def test_jobs_that_are_due_together_run_in_their_order() -> None:
    schedule = Schedule({"distiller": Turn(10), "hubs": Turn(5)}, share=None)
    assert run(schedule, 10) == ["distiller", "hubs"]


def test_one_that_fails_is_tried_half_as_often_each_time_until_it_succeeds() -> None:
    schedule = Schedule({"a": Turn(every=10)}, share=None)
    tried = [pages for pages in range(1, 101) if run(schedule, pages, failed=pages < 70)]
    assert tried == [10, 30, 70, 80, 90, 100]


def test_what_was_not_seen_because_of_a_failure_is_seen_later() -> None:
    schedule = Schedule({"a": Turn(every=10)}, share=None)
    run(schedule, 10)
    run(schedule, 20, failed=True)
    assert (schedule["a"].last, schedule["a"].last_good) == (20, 10)


def test_an_expensive_job_waits_and_holds_up_no_other() -> None:
    schedule = Schedule({"dear": Turn(1), "cheap": Turn(1)}, share=0.05)
    schedule.look(1)
    schedule.started("dear", 1)
    schedule.finished("dear", 60.0, failed=True)
    assert [run(schedule, pages) for pages in (5, 6)] == [["cheap"], ["cheap"]]


def test_accounts_grow_with_what_the_crawl_itself_has_spent() -> None:
    schedule = Schedule({"a": Turn(1)}, share=1.0)
    run(schedule, 1, cpu=0.1)
    schedule.look(2)
    # Once more would make 0.2 s, of which 0.05 s are given.
    assert schedule.next() is None
    end = time.process_time() + 0.25
    while time.process_time() < end:
        pass
    assert schedule.next() == "a"


def test_everything_can_be_made_due() -> None:
    schedule = Schedule({"a": Turn(100), "b": Turn(100)}, share=None)
    schedule.run_all()
    assert run(schedule, 1) == ["a", "b"]
