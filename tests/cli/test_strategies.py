from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]


def test_crawlers_and_judges_are_listed_with_their_options(run: Run) -> None:
    lines = run("strategies").out.splitlines()
    assert lines[0] == "strategies:"
    assert any(line.startswith("  breadth-first") for line in lines)
    n_best = next(n for n, line in enumerate(lines) if line.startswith("  n-best-first"))
    assert lines[n_best + 1].split() == ["n=10"]
    assert "judges:" in lines


def test_the_list_as_json(run: Run) -> None:
    listed = json.loads(run("strategies", "--json").out)
    [n_best] = [part for part in listed["strategies"] if part["name"] == "n-best-first"]
    assert n_best["options"] == {"n": "10", "by": "page-anchor"}
    assert n_best["origin"] == "semcrawl.strategies.best_first:NBestFirst"
    assert "cosine" in [part["name"] for part in listed["judges"]]
