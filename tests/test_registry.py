"""Parts are found by name: built-ins by their entry points, a user's own by file and class."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError
from semcrawl.registry import Registry, split_spec
from semcrawl.relevance import JUDGES
from semcrawl.strategies import STRATEGIES
from semcrawl.strategies.best_first import BreadthFirst

if TYPE_CHECKING:
    from pathlib import Path

OWN = '''
from __future__ import annotations

NUMBER = 3


class Mine:
    """My own crawler.

    With more to say about it.
    """

    batch = 1

    def __init__(self, topic, n: int = 1, share: float = 0.5, fast: bool = False, name: str = "x"):
        self.given = (topic, n, share, fast, name)

    def rank(self, judged):
        return [1.0 for _ in judged.page.links]


class Needy:
    def __init__(self, wish):
        raise ValueError(f"no {wish} today")


def make(topic):
    return Mine(topic, n=9)
'''


@pytest.fixture
def own(tmp_path: Path) -> str:
    """The path of a file with parts of a user's own."""
    path = tmp_path / "own_parts.py"
    path.write_text(OWN)
    return str(path)


def test_the_built_in_strategies_are_found_by_name() -> None:
    assert {"best-first-anchor", "best-first-page", "best-first-page-anchor", "breadth-first", "n-best-first"} <= set(
        STRATEGIES.names()
    )
    assert isinstance(STRATEGIES.create("breadth-first"), BreadthFirst)
    assert "cosine" in JUDGES.names()


def test_every_built_in_loads_and_says_what_it_is() -> None:
    for registry in (STRATEGIES, JUDGES):
        for part in registry.parts():
            assert part.summary.endswith("."), part
            assert part.origin.startswith("semcrawl."), part
            assert "cannot be loaded" not in part.summary


def test_the_list_tells_options_with_their_defaults() -> None:
    [n_best] = [part for part in STRATEGIES.parts() if part.name == "n-best-first"]
    assert dict(n_best.options) == {"n": "10", "by": "page-anchor"}


def test_a_spec_can_be_checked_without_building_anything() -> None:
    assert STRATEGIES.factory("breadth-first") is BreadthFirst
    with pytest.raises(ConfigError, match="no option 'm'"):
        STRATEGIES.factory("n-best-first:m=3")


def test_a_part_of_ones_own_gets_what_it_names_and_its_options(own: str) -> None:
    plain = STRATEGIES.create(f"{own}:Mine", topic="asthma", background="unused")
    assert plain.given == ("asthma", 1, 0.5, False, "x")
    spec = f"{own}:Mine:n=2,share=0.25,fast=true,name=a b"
    assert STRATEGIES.create(spec, topic="asthma").given == ("asthma", 2, 0.25, True, "a b")


def test_a_function_that_makes_a_part_does_as_well(own: str) -> None:
    assert STRATEGIES.create(f"{own}:make", topic="asthma").given[1] == 9


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("breath-first", "no strategy 'breath-first'; did you mean 'breadth-first'?"),
        ("zzz", "no strategy 'zzz'; there are: .*breadth-first.*file.py:ClassName"),
        ("breadth-first:n=3", "'breadth-first' has no option 'n'; it takes: none"),
        ("breadth-first:n=3,", "options are written name:key=value,key=value"),
        ("gone.py:Mine", "there is no file 'gone.py'"),
        ("gone.py", "'gone.py' names no class: write path/to/file.py:ClassName"),
        ("OWN:Yours", "defines no class 'Yours' to make a strategy with"),
        ("OWN:NUMBER", "defines no class 'NUMBER' to make a strategy with"),
        ("OWN:Mine:n=two", "option n=two is no int"),
        ("OWN:Mine:share=much", "option share=much is no float"),
        ("OWN:Mine:fast=maybe", "option fast=maybe is no bool"),
        ("OWN:Mine:size=3", "has no option 'size'; it takes: n, share, fast, name"),
        ("OWN:Needy:wish=rain", "cannot be built: no rain today"),
        ("OWN:Needy", "cannot be built: .*missing 1 required positional argument: 'wish'"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_reason(own: str, spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        STRATEGIES.create(spec.replace("OWN", own), topic="asthma")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 / 0", "cannot be run: ZeroDivisionError: division by zero"),
        ("class Mine", "cannot be run: SyntaxError"),
        ("import no_such_package", "cannot be run: ModuleNotFoundError: No module named"),
        ("import os\nos.no_such_name", "cannot be run: AttributeError"),
        ("raise SystemExit(3)", "cannot be run: SystemExit: 3"),
    ],
)
def test_a_file_that_fails_says_how(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "failing.py"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message) as caught:
        STRATEGIES.create(f"{path}:Mine")
    assert str(path) in str(caught.value)
    assert "semcrawl_user_failing" not in sys.modules


def test_a_group_without_parts_is_empty() -> None:
    nothing = Registry("thing", "semcrawl.no_such_group", frozenset())
    assert nothing.names() == []
    assert nothing.parts() == []
    with pytest.raises(ConfigError, match="there is no thing 'a'"):
        nothing.create("a")


@pytest.mark.parametrize(
    ("spec", "name", "options"),
    [
        ("plain", "plain", {}),
        ("a:n=1", "a", {"n": "1"}),
        ("a:d-max=5, by = page", "a", {"d_max": "5", "by": "page"}),
        ("dir/x.py:Mine", "dir/x.py:Mine", {}),
        ("dir/x.py:Mine:n=1", "dir/x.py:Mine", {"n": "1"}),
        ("a:url=http://b/?c=d,n=1", "a", {"url": "http://b/?c=d", "n": "1"}),
    ],
)
def test_a_spec_is_a_name_and_options(spec: str, name: str, options: dict[str, str]) -> None:
    assert split_spec(spec) == (name, options)
