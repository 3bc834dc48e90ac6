"""The table of shards: what the driver has noted, shown beside the gathered graph."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from semcrawl.crawl.shards.layout import STATUS, ShardedFolder
from semcrawl.graph import SC
from tests.serve.conftest import running_server

if TYPE_CHECKING:
    from pathlib import Path

    from tests.serve.conftest import Served


def test_each_shard_has_a_row(served_shards: Served) -> None:
    assert served_shards.client.get("/api/crawl").json()["can"]["shards"]
    rows = served_shards.client.get("/api/shards").json()
    assert [row["shard"] for row in rows] == [0, 1]
    assert sum(row["pages"] for row in rows) == 8
    assert all(0.0 <= row["full"] < 0.1 for row in rows)


def test_where_a_shard_runs_is_shown_while_its_driver_runs(served_shards: Served) -> None:
    whole = ShardedFolder.open(served_shards.folder.parent)
    path = whole.folder / STATUS
    rows = [{**row, "where": "a machine, process 7", "speed": 2.5} for row in json.loads(path.read_text())]
    with whole.driven():
        path.write_text(json.dumps(rows))
        told = served_shards.client.get("/api/shards").json()
        assert {(row["where"], row["speed"]) for row in told} == {("a machine, process 7", 2.5)}
    told = served_shards.client.get("/api/shards").json()
    assert {(row["where"], row["speed"]) for row in told} == {("", 0.0)}


def test_what_was_gathered_while_shards_ran_is_not_said_to_have_ended(served_shards: Served, tmp_path: Path) -> None:
    shutil.copytree(served_shards.folder.parent, tmp_path / "crawl", ignore=shutil.ignore_patterns("snapshots"))
    folder = tmp_path / "crawl" / served_shards.folder.name
    store = ox.Store(str(folder / "graph"))
    for quad in list(store.quads_for_pattern(None, ox.NamedNode(f"{SC}stoppedBecause"), None)):
        store.remove(quad)
    del store
    with running_server(folder) as server:
        told = server.client.get("/api/crawl").json()
    assert (told["state"], told["reason"]) == ("stopped", "this is how far its shards were when they were gathered")


@pytest.mark.parametrize("forged", [b"[1]", b"[{", b"\xff", b"[" * 200_000, b'[{"shard": -1}]'])
def test_a_note_that_no_driver_wrote_is_told_as_that(served_shards: Served, forged: bytes) -> None:
    path = served_shards.folder.parent / STATUS
    before = path.read_bytes()
    path.write_bytes(forged)
    answer = served_shards.client.get("/api/shards")
    path.write_bytes(before)
    assert answer.status_code == 503
    assert answer.json()["error"].startswith(f"{STATUS} is no note of a driver")


def test_a_crawl_without_shards_has_no_rows(served: Served) -> None:
    assert served.client.get("/api/shards").json() == []
