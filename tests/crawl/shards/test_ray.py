"""A crawl in shards on a Ray cluster: a machine is lost, and the rest goes on with its shards."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from semcrawl.crawl.shards.beginning import begin_shards
from tests.crawl.shards.ray_machines import DRIVER, HAS_RAY, RayMachines, events
from tests.crawl.shards.webs import PAGES, TOPIC, outboxes, recorded, url, write_web

pytestmark = pytest.mark.skipif(not HAS_RAY, reason="Ray is not installed: pip install 'semcrawl[cluster]'")


def test_a_lost_machine_costs_no_page_and_no_link(tmp_path: Path) -> None:
    web, folder = write_web(tmp_path / "web"), tmp_path / "crawl"
    begin_shards(TOPIC, [url(0)], folder, 4, replay=[str(web)], pages=0)
    told, notes = list[str](), list[str]()
    with RayMachines(2) as machines:
        machines.start(0)
        machines.start(1)
        with machines.drive(folder) as driver:
            for page, note in events(driver):
                notes += [note] * bool(note)
                told += [page] * bool(page)
                if page and len(told) == 10:
                    machines.kill(1)
        assert driver.returncode == 0
    assert [note for note in notes if note.startswith("a worker is lost")]
    assert len(told) == len(set(told))
    assert len(recorded(folder)) == PAGES
    assert outboxes(folder) == 0


def test_the_loss_of_the_head_is_told_before_ray_ends_the_driver(tmp_path: Path) -> None:
    web, folder = write_web(tmp_path / "web"), tmp_path / "crawl"
    begin_shards(TOPIC, [url(0)], folder, 2, replay=[str(web)], pages=0)
    program = f"from semcrawl.crawl.shards import cluster\ncluster._LOOK = 0.1\n{DRIVER}"
    with RayMachines(1) as machines:
        machines.start(0)
        with machines.on(0, sys.executable, "-u", "-c", program, str(folder), machines.address) as driver:
            next(events(driver))
            machines.kill(0)
            told = next((line for line in driver.stdout or () if "does not answer" in line), "")
            driver.kill()
    assert told.startswith(f"the head of the Ray cluster at {machines.address} does not answer")


def test_another_version_on_a_machine_of_the_cluster_is_refused(tmp_path: Path) -> None:
    web, folder = write_web(tmp_path / "web"), tmp_path / "crawl"
    begin_shards(TOPIC, [url(0)], folder, 2, replay=[str(web)], pages=0)
    program = f"from semcrawl.crawl.shards import cluster\ncluster.VERSION = '0.0.1'\n{DRIVER}"
    with RayMachines(1) as machines:
        machines.start(0)
        told, _ = machines.on(0, sys.executable, "-c", program, str(folder), machines.address).communicate()
    assert "ConfigError: the driver runs semcrawl 0.0.1, and a worker of the cluster" in told
    assert not recorded(folder)
