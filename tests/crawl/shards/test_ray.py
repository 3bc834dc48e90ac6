"""A crawl in shards on a Ray cluster: a machine is lost, and the rest goes on with its shards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from semcrawl.crawl.shards.beginning import begin_shards
from tests.crawl.shards.ray_machines import HAS_RAY, RayMachines
from tests.crawl.shards.webs import PAGES, TOPIC, outboxes, recorded, url, write_web

pytestmark = pytest.mark.skipif(not HAS_RAY, reason="Ray is not installed: pip install 'semcrawl[cluster]'")


def test_a_lost_machine_costs_no_page_and_no_link(tmp_path: Path) -> None:
    web, folder = write_web(tmp_path / "web"), tmp_path / "crawl"
    begin_shards(TOPIC, [url(0)], folder, 4, replay=[str(web)], pages=0)
    told, notes, lines = list[str](), list[str](), list[str]()
    with RayMachines(2) as machines:
        machines.start(0)
        machines.start(1)
        with machines.drive(folder) as driver:
            for line in driver.stdout or ():
                lines.append(line)
                if not line.startswith("["):  # Ray tells of the loss, too
                    continue
                page, note = json.loads(line)
                notes += [note] * bool(note)
                told += [page] * bool(page)
                if page and len(told) == 10:
                    machines.kill(1)
        assert driver.returncode == 0, "".join(lines)
    assert [note for note in notes if note.startswith("a worker is lost")]
    assert len(told) == len(set(told))
    assert len(recorded(folder)) == PAGES
    assert outboxes(folder) == 0
