"""What is installed from a wheel has all that the docs name."""

from __future__ import annotations

import re
from pathlib import Path

from tests.installed import ROOT, Installed


def test_shipped_ontologies_go_by_their_name(installed: Installed, tmp_path: Path) -> None:
    assert "bronchial asthma" in installed.run(tmp_path, "semcrawl topic asthma.ttl#asthma")
    garden = "semcrawl topic taxonomy:ontologies/kitchen-garden.txt#Brassica"
    assert "cabbage" in installed.run(tmp_path, garden)
    shown = installed.run(tmp_path, "semcrawl topic examples/asthma.toml")
    assert "\nasthma\n" in shown


def test_definitions_are_in_the_wheel(installed: Installed, tmp_path: Path) -> None:
    assert "sloping land" in installed.run(tmp_path, "semcrawl topic wordnet:bank")


def test_copied_examples_are_where_the_docs_say(installed: Installed, tmp_path: Path) -> None:
    installed.run(tmp_path, "semcrawl examples --copy .")
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    named = set(re.findall(r"\b(?:examples|ontologies)/[\w./-]+\.(?:toml|py|rq|ttl|txt)\b", text))
    assert "examples/lab/demo-classic.toml" in named
    assert [name for name in named if not (tmp_path / name).is_file()] == []
