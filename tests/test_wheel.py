"""What is installed from a wheel has all that the docs name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def environment(installed: Path) -> dict[str, str]:
    """The variables with which Python finds the unpacked wheel, and no checkout."""
    return {**os.environ, "PYTHONPATH": str(installed)}


def ran(installed: Path, folder: Path, *words: str) -> str:
    """What a command of the installed package prints, in a folder away from the checkout."""
    program = "import semcrawl.cli.main as m; print(m.__file__); m.main()"
    command = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=folder,
        env=environment(installed),
        capture_output=True,
        text=True,
        check=False,
    )
    assert command.returncode == 0, command.stderr
    place, _, out = command.stdout.partition("\n")
    assert Path(place).is_relative_to(installed)
    return out


def test_shipped_ontologies_go_by_their_name(installed: Path, tmp_path: Path) -> None:
    assert "bronchial asthma" in ran(installed, tmp_path, "topic", "asthma.ttl#asthma")
    assert "cabbage" in ran(installed, tmp_path, "topic", "taxonomy:ontologies/kitchen-garden.txt#Brassica")
    assert ran(installed, tmp_path, "topic", "examples/asthma.toml").startswith("asthma\n")


def test_definitions_are_in_the_wheel(installed: Path, tmp_path: Path) -> None:
    assert "sloping land" in ran(installed, tmp_path, "topic", "wordnet:bank")


def test_copied_examples_are_where_the_docs_say(installed: Path, tmp_path: Path) -> None:
    ran(installed, tmp_path, "examples", "--copy", ".")
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    named = set(re.findall(r"\b(?:examples|ontologies)/[\w./-]+\.(?:toml|py|rq|ttl|txt)\b", text))
    assert "examples/lab/demo-classic.toml" in named
    assert [name for name in named if not (tmp_path / name).is_file()] == []
