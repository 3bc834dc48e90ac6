"""Two results beside each other, over the topics that both have."""

from __future__ import annotations

import msgspec
import pytest

from semcrawl.errors import LabError
from semcrawl.lab.comparing import Side, find_side, put_side_by_side
from semcrawl.lab.results import Results, Value


def results(values: dict[str, dict[str, float]], web: str = "demo") -> Results:
    """Results with the harvest rate after 10 pages, by crawler and topic."""
    told = [
        Value(crawler, topic, 0, "harvest-rate", 10, value)
        for crawler, topics in values.items()
        for topic, value in topics.items()
    ]
    lists = [name for name in Results.__struct_fields__ if name != "name"]
    empty = dict.fromkeys(lists, ())
    return msgspec.convert(
        {
            **empty,
            "title": "x",
            "about": "",
            "paper": "",
            "facts": (("web", web),),
            "contenders": tuple(values),
            "headline": ("harvest-rate", 10),
            "values": tuple(told),
            "trained_on": {},
            "bars": {},
        },
        Results,
    )


A = results({"dom": {"x": 0.5, "y": 0.25, "z": 1.0}, "best": {"x": 0.5}})
B = results({"dom": {"x": 0.25, "y": 0.25, "w": 0.0}, "hub": {"x": 0.1}})


def test_crawlers_pair_up_by_name_and_topics_by_theirs() -> None:
    found = put_side_by_side(Side("a", A), Side("b", B))
    [one] = found.comparisons
    assert (one.left, one.right, one.topics, one.wins, one.ties) == ("a:dom", "b:dom", 2, 1, 1)
    assert found.means == ((0.375, 0.25),)
    assert found.notes == ("only in a: best", "only in b: hub")


def test_one_crawler_is_compared_with_one_other_or_with_all() -> None:
    [pair] = put_side_by_side(Side("a", A, "best"), Side("b", B, "hub")).comparisons
    assert pair.difference == pytest.approx(0.4)
    all_of_b = put_side_by_side(Side("a", A, "best"), Side("b", B)).comparisons
    assert [one.right for one in all_of_b] == ["b:dom", "b:hub"]


def test_sides_of_the_same_name_keep_their_own_means_and_are_told_apart() -> None:
    found = put_side_by_side(Side("a", A), Side("a", B))
    [one] = found.comparisons
    assert found.means == ((0.375, 0.25),)
    assert (one.left, one.right) == ("a (A):dom", "a (B):dom")
    assert "only in a (B): hub" in found.notes


def test_each_line_has_the_means_over_its_own_topics() -> None:
    found = put_side_by_side(Side("a", A, "dom"), Side("b", B))
    assert found.means == ((0.375, 0.25), (0.5, 0.1))


def test_an_experiment_can_be_compared_with_itself() -> None:
    found = put_side_by_side(Side("a", A, "dom"), Side("a", A, "best"))
    assert found.comparisons[0].ties == 1


def test_another_web_is_told() -> None:
    other = results({"dom": {"x": 0.5}}, web="elsewhere")
    notes = put_side_by_side(Side("a", A), Side("c", other)).notes
    assert "they differ in web: demo; elsewhere" in notes


def test_nothing_in_common_is_an_error() -> None:
    with pytest.raises(LabError, match="no crawler in common"):
        put_side_by_side(Side("a", A), Side("c", results({"hub": {"x": 0.1}})))
    with pytest.raises(LabError, match="for a topic that both have"):
        put_side_by_side(Side("a", A), Side("c", results({"dom": {"v": 0.1}})))


def test_a_side_is_named_by_experiment_file_and_crawler() -> None:
    asked: list[str] = []

    def find(name: str) -> Results:
        asked.append(name)
        return A

    assert find_side("a:dom", find) == Side("a", A, "dom")
    assert find_side("lab/experiments/a/results.json", find).name == "a"
    assert asked == ["a", "lab/experiments/a/results.json"]
