"""``semcrawl doctor`` and ``completion``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from semcrawl.cli import installation

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]


def findings(run: Run) -> dict[str, dict[str, str]]:
    return {one["what"]: one for one in json.loads(run("doctor", "--json").out)}


def test_the_doctor_names_packages_extras_folders_and_shipped_files(run: Run) -> None:
    found = findings(run)
    assert "rdflib" in found["packages"]["found"]
    assert found["packages"]["advice"] == ""
    assert {"extra pandas", "extra validate", "cache folder", "state folder"} <= found.keys()
    assert "extra dev" not in found
    assert found["queries"]["found"].endswith(" files")
    assert found["WordNet"]["found"] == "117,659 senses"


def test_a_missing_extra_comes_with_the_way_to_get_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    there = installation._version
    monkeypatch.setattr(installation, "_version", lambda name: "" if name == "pandas" else there(name))
    done = run("doctor")
    assert done.code == 0
    assert "missing: pandas; pip install 'semcrawl[pandas]'" in done.out


def test_a_missing_package_that_every_crawl_needs_is_a_failure(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "_version", lambda _: "")
    assert run("doctor").code == 1


def test_a_cache_that_cannot_be_written_is_told(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "semcrawl").write_text("a file where the folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert "cannot be written" in findings(run)["cache folder"]["advice"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(run: Run, shell: str) -> None:
    done = run("completion", shell)
    assert done.code == 0
    assert f"_SEMCRAWL_COMPLETE={shell}_complete" in done.out


def test_what_the_script_asks_for_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_SEMCRAWL_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "semcrawl expl")
    monkeypatch.setenv("COMP_CWORD", "1")
    command = [sys.executable, "-m", "semcrawl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "plain,explain"
