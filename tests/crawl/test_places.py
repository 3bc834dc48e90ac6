from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.crawl import Settings
from semcrawl.crawl.settings import with_full_paths

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_files_are_named_in_full_and_names_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine.py", "mine.rq", "birds.model", "web.warc"):
        (tmp_path / name).touch()
    found = with_full_paths(
        Settings(
            strategy="mine.py:Mine:n=2",
            judge="taxonomy:model=birds.model",
            policy=("mine.rq:every=3", "tunnel", "gone.rq"),
            replay=("web.warc", "gone.warc"),
        )
    )
    assert found.strategy == f"{tmp_path}/mine.py:Mine:n=2"
    assert found.judge == f"taxonomy:model={tmp_path}/birds.model"
    assert found.policy == (f"{tmp_path}/mine.rq:every=3", "tunnel", "gone.rq")
    assert found.replay == (f"{tmp_path}/web.warc", "gone.warc")


def test_full_paths_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "mine.rq").touch()
    settings = Settings(policy=(f"{tmp_path}/mine.rq:every=3",), judge="ssrm:measure=li")
    assert with_full_paths(settings) == settings
