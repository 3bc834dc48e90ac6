"""The table of figures in the docs follows what was measured."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import NAMES
from benchmarks.checks import Check
from benchmarks.table import PAGE, updated

PAGE_TEXT = """# Benchmarks

| benchmark | figure | target | measured | when |
|---|---|---|---|---|
| road | dearer than lxml | at most 1.4 | **2.10** | 2026-11-01 |
| road | a figure that is measured no more | at most 1 | 1.00 | 2026-11-01 |
| serve | streams broken | at most 0 | 0 | 2026-11-02 |

## road
"""


def test_the_rows_of_a_benchmark_are_replaced_and_all_else_stays() -> None:
    checks = [Check("dearer than lxml", 1.3, "at most", 1.4), Check("pages", 1_200, "at least", 1_500, " pages/s")]
    assert updated(PAGE_TEXT, "road", checks, "today", NAMES).splitlines()[2:] == [
        "| benchmark | figure | target | measured | when |",
        "|---|---|---|---|---|",
        "| road | dearer than lxml | at most 1.4 | 1.30 | today |",
        "| road | pages | at least 1500 pages/s | **1,200 pages/s** | today |",
        "| serve | streams broken | at most 0 | 0 | 2026-11-02 |",
        "",
        "## road",
    ]


def test_a_benchmark_that_is_new_takes_its_place_in_the_order() -> None:
    page = updated(PAGE_TEXT, "recording", [Check("pages", 9, "at least", 1)], "today", NAMES)
    rows = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ")]
    assert rows == ["benchmark", "road", "road", "recording", "serve"]


def test_a_page_without_the_table_is_told() -> None:
    with pytest.raises(SystemExit, match="has no table"):
        updated("# Benchmarks\n", "road", [], "today", NAMES)


def test_the_page_of_the_docs_has_the_table_and_names_only_benchmarks_that_there_are() -> None:
    page = updated(PAGE.read_text("utf-8"), "no such benchmark", [], "today", NAMES)
    table = page.partition("| when |\n|---|---|---|---|---|\n")[2].partition("\n\n")[0]
    assert {row.split("|")[1].strip() for row in table.splitlines()} <= {*NAMES}
