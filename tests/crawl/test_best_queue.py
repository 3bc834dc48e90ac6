from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from semcrawl.crawl.frontier import BestQueue

items = st.tuples(st.floats(allow_nan=False, allow_infinity=False), st.integers(), st.text(max_size=3))


@given(st.lists(items))
def test_items_come_out_in_order(pushed: list[tuple[float, int, str]]) -> None:
    queue = BestQueue()
    for item in pushed:
        queue.push(item)
    assert [queue.pop() for _ in range(len(queue))] == sorted(pushed)


@given(st.lists(st.one_of(items, st.none()), max_size=300))
def test_it_agrees_with_a_sorted_list_at_every_step(steps: list[tuple[float, int, str] | None]) -> None:
    queue, model = BestQueue(), list[tuple[float, int, str]]()
    for step in steps:
        if step is None and model:
            model.sort()
            assert queue.peek() == model[0]
            assert queue.pop() == model.pop(0)
        elif step is not None:
            is_new_first = not model or step < min(model)
            model.append(step)
            # An equal item may be said to be the first as well: there is no telling them apart.
            assert queue.push(step) == is_new_first or step == min(model)
        assert len(queue) == len(model)


def test_many_items_are_merged_and_still_in_order() -> None:
    queue = BestQueue()
    pushed = [(((n * 7919) % 1000) / 1000, n, str(n)) for n in range(1000)]
    for item in pushed:
        queue.push(item)
    assert [queue.pop() for _ in pushed] == sorted(pushed)
