"""The examples do what they say."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semcrawl import Crawl, Topic
from semcrawl.crawl.settings import load_settings
from semcrawl.demo.web import demo_web

if TYPE_CHECKING:
    import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def test_the_first_crawl_ends_with_a_collection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLES / "first_crawl.py"))
    assert "80 pages" in capsys.readouterr().out
    assert "sc:Collection" in (tmp_path / "respiratory-disease.ttl").read_text(encoding="utf-8")


def test_the_own_strategy_crawls_and_takes_its_option(tmp_path: Path) -> None:
    web = demo_web()
    web.write(tmp_path / "web")
    strategy = f"{EXAMPLES / 'own_strategy.py'}:Shallow:decay=0.8"
    with Crawl(web.main_topic.spec, web.seeds, strategy=strategy, replay=[str(tmp_path / "web")], pages=20) as crawl:
        assert crawl.run().progress.pages == 20
        answer = crawl.graph.store.query((EXAMPLES / "languages.rq").read_text(encoding="utf-8"))
        assert answer.variables == ("language", "pages")


def test_the_topic_and_the_job_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    settings, job = load_settings(EXAMPLES / "asthma-job.toml")
    assert settings["pages"] == 500
    assert Topic.parse(job["topic"]).name == "asthma"


def test_every_example_is_listed() -> None:
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in EXAMPLES.iterdir() if path.is_file()} - {"README.md"}
    assert all(f"({name})" in listed for name in files)


def test_the_policy_drops_what_waits_on_sites_that_disappointed(tmp_path: Path) -> None:
    web = demo_web()
    web.write(tmp_path / "web")
    replay = [str(tmp_path / "web")]
    more: dict[str, Any] = {"replay": replay, "strategy": "breadth-first", "pages": 100}
    with Crawl(web.main_topic.spec, web.seeds, policy=[str(EXAMPLES / "patience.rq")], **more) as crawl:
        crawl.run()
        dropped = crawl.query("SELECT ?u { ?u sc:droppedBecause sc:DroppedByPolicy }")
        assert len(dropped) > 0
