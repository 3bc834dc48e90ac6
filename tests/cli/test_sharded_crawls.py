"""``semcrawl crawl --shards`` and ``resume``: with Ray in a network of its own, and without Ray."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from semcrawl.crawl.shards.beginning import begin_shards
from semcrawl.crawl.shards.layout import ShardedFolder, is_sharded
from tests.cli.conftest import SEED, Ran
from tests.crawl.shards.webs import recorded

Run = Callable[..., Ran]


def begin(folder: Path, web: Path) -> ShardedFolder:
    return begin_shards("wordnet:asthma", [SEED], folder, 2, replay=[str(web)]).folder


@pytest.fixture
def no_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)


@pytest.mark.usefixtures("no_ray")
def test_without_ray_it_says_how_to_get_it(run: Run, web: Path, tmp_path: Path) -> None:
    words = ("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--ray", "auto")
    run(*words, "--folder", tmp_path / "new").fails(2, "pip install 'semcrawl[cluster]'")
    assert not (tmp_path / "new").exists()
    begin(tmp_path / "begun", web)
    run("resume", tmp_path / "begun", "--ray", "auto").fails(2, "pip install 'semcrawl[cluster]'")


def test_shards_run_on_this_machine_and_go_on(run: Run, web: Path, tmp_path: Path) -> None:
    words = ("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--shards", 3)
    done = run(*words, "--folder", tmp_path / "crawl", "--pages", 2)
    assert done.code == 0, done.err
    assert "Stopped because the wanted number of pages is visited." in done.out
    assert len(recorded(tmp_path / "crawl")) == 2
    done = run("resume", tmp_path / "crawl", "--pages", 0)
    assert "Stopped because no URL is left to visit." in done.out
    assert len(recorded(tmp_path / "crawl")) == 6


def test_a_mirror_follows_all_shards_and_can_be_brought_in_step(
    run: Run, web: Path, sparql_server: str, tmp_path: Path
) -> None:
    words = ("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--shards", 3)
    done = run(*words, "--folder", tmp_path / "crawl", "--mirror", f"{sparql_server}/update")
    assert done.code == 0, done.err
    pages = run("query", f"{sparql_server}/query", "SELECT ?page WHERE { ?page a sc:Page }", "--format", "csv")
    assert len(pages.out.splitlines()) == 7
    done = run("mirror", tmp_path / "crawl")
    assert f"{sparql_server}/update has all of the graph: " in done.out
    begin(tmp_path / "other", web)
    run("mirror", tmp_path / "other").fails(2, "the crawl has no mirror")


def test_what_asks_one_graph_gathers_the_shards(run: Run, web: Path, tmp_path: Path) -> None:
    run("resume", begin(tmp_path / "crawl", web).folder)
    done = run("validate", tmp_path / "crawl")
    assert "a valid crawl graph of 6 pages" in done.out, done.err
    assert "2 shards of" in done.err


def test_a_crawl_of_which_no_shard_has_begun_is_told(run: Run, tmp_path: Path) -> None:
    ShardedFolder.create(tmp_path / "crawl", 2).seal()
    for command in ("status", "revisit", "gather", "validate"):
        run(command, tmp_path / "crawl").fails(2, "no shard of", "start the crawl anew")


def test_a_shard_whose_folder_is_lost_is_told(run: Run, web: Path, tmp_path: Path) -> None:
    shutil.rmtree(begin(tmp_path / "crawl", web).shard(1))
    assert "missing shards 1\n" in run("status", tmp_path / "crawl").out
    assert "1 shard of" in run("gather", tmp_path / "crawl").err.partition("warning: ")[2]


def test_a_recorded_web_that_is_gone_is_told_once(run: Run, web: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(web, tmp_path / "web"))
    begin(tmp_path / "crawl", copy)
    shutil.rmtree(copy)
    run("resume", tmp_path / "crawl").fails(2, f"there is no recorded web at {copy}")


def test_another_number_of_shards_is_refused_on_resume(run: Run, web: Path, tmp_path: Path) -> None:
    begin(tmp_path / "crawl", web)
    run("resume", tmp_path / "crawl", "--shards", 3).fails(2, "has 2 shards, not 3")


def test_a_crawl_without_shards_takes_no_cluster(run: Run, web: Path, tmp_path: Path) -> None:
    words = ("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--pages", 1)
    assert run(*words, "--folder", tmp_path / "one").code == 0
    run("resume", tmp_path / "one", "--shards", 2).fails(2, "holds no crawl in shards")


def test_the_page_in_the_browser_is_another_command(run: Run, web: Path, tmp_path: Path) -> None:
    begin(tmp_path / "crawl", web)
    run("resume", tmp_path / "crawl", "--serve").fails(2, "semcrawl serve")


def test_a_driver_that_runs_is_told(run: Run, web: Path, tmp_path: Path) -> None:
    shards = begin(tmp_path / "crawl", web)
    with shards.driven():
        copy = tmp_path / "copy"
        shutil.copytree(shards.folder, copy)
    ran = run("resume", copy, "--trust")
    ran.fails(1, "was copied while its crawl ran")


needs_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="pip install 'semcrawl[cluster]'")


def alone(*words: object) -> subprocess.CompletedProcess[str]:
    """Run the command in a network that has nothing but loopback; skip where none can be made."""
    program = "from semcrawl.cli.main import main; main()"
    command = [sys.executable, "-c", program, *map(str, words)]
    made = ["unshare", "--map-root-user", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "-"]
    if shutil.which("unshare") is None or subprocess.run([*made, "true"], check=False).returncode:
        pytest.skip("no network of its own can be made here (unshare)")
    return subprocess.run(
        [*made, *command],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )


@needs_ray
def test_shards_run_on_ray(web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "crawl"
    words = ("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--ray", "local")
    done = alone(*words, "--shards", 3, "--folder", folder, "--pages", 2)
    if "no Ray cluster answers at local" in done.stderr:
        pytest.skip("Ray does not start here in the time that it gives itself")
    assert done.returncode == 0, done.stderr
    assert "Stopped because the wanted number of pages is visited." in done.stdout
    assert len(recorded(folder)) == 2
    assert is_sharded(folder)
    done = alone("resume", folder, "--pages", 0, "--ray", "local")
    if "no Ray cluster answers at local" not in done.stderr:
        assert done.returncode == 0, done.stderr
        assert "Stopped because no URL is left to visit." in done.stdout
        assert len(recorded(folder)) == 6


@needs_ray
def test_a_cluster_that_does_not_answer_is_told(web: Path, tmp_path: Path) -> None:
    words = ("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--shards", 2)
    done = alone(*words, "--ray", "127.0.0.1:9", "--folder", tmp_path / "crawl")
    assert done.returncode == 2, done.stderr
    assert "no Ray cluster answers at 127.0.0.1:9" in done.stderr
    assert not (tmp_path / "crawl").exists()
