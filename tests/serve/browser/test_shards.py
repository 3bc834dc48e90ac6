"""The shards of a crawl, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.serve.browser.reader import Reader
    from tests.serve.conftest import Served


def test_where_shards_run_how_fast_and_how_full_they_are(reader: Reader, served_shards: Served) -> None:
    reader.visit(served_shards.url, "waiting")
    reader.click(".subnav a", "Shards")
    reader.see(".view-shards p", "None of 2 shards runs: 8 pages")
    rows = reader.texts(".view-shards tbody tr")
    assert [row.split()[0] for row in rows] == ["0", "1"]
    assert all("not running" in row for row in rows)


def test_a_crawl_without_shards_does_not_speak_of_them(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "waiting")
    reader.see(".subnav a", "Dropped")
    assert not [text for text in reader.texts(".subnav a") if text == "Shards"]
