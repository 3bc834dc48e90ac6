"""Sites to choose a default with are never those that the benchmark reports on."""

from __future__ import annotations

from benchmarks.labelled_webs import Split
from benchmarks.site_thresholds import development_split

WHOLE = Split(
    {"music": ("a", "b", "c", "d", "e"), "games": ("f", "g")}, {"music": ("v", "w", "x"), "games": ("y", "z")}
)


def test_the_training_half_is_halved_and_the_test_half_left_alone() -> None:
    split = development_split(WHOLE, 0)
    for topic, hosts in WHOLE.training.items():
        parts = split.training[topic], split.test[topic]
        assert sorted(parts[0] + parts[1]) == sorted(hosts)
        assert 0 <= len(parts[0]) - len(parts[1]) <= 1


def test_a_draw_repeats_itself_and_differs_from_others() -> None:
    assert development_split(WHOLE, 1) == development_split(WHOLE, 1)
    assert len({development_split(WHOLE, draw).test["music"] for draw in range(9)}) > 1
