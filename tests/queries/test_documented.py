from __future__ import annotations

from pathlib import Path

import pytest

from semcrawl.graph import named_queries

PAGE = Path(__file__).resolve().parents[2] / "docs" / "querying.md"


@pytest.mark.parametrize("folder", ["analyse", "monitor"])
def test_every_query_for_people_is_documented(folder: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in named_queries():
        if name.startswith(folder + "/"):
            assert f"`{name.rpartition('/')[2]}`" in text, name


def test_the_last_part_of_every_name_is_enough() -> None:
    short = [name.rpartition("/")[2] for name in named_queries()]
    assert len(short) == len(set(short))
