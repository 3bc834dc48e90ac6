"""The docs as a site: what is made from the code, and that no page is left out."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import semcrawl
from scripts.docs_site import (
    MADE_FROM,
    commands_page,
    from_docs,
    on_page_markdown,
    python_page,
    queries_page,
    settings_page,
)
from semcrawl.cli.main import COMMANDS
from semcrawl.crawl.settings import Settings
from semcrawl.graph import named_queries

ROOT = Path(__file__).parents[1]


def test_every_page_of_the_docs_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r": ([\w/-]+\.md)$", navigation, re.MULTILINE))
    assert {path.name for path in (ROOT / "docs").glob("*.md")} <= listed


def test_the_page_on_commands_has_each_with_its_help() -> None:
    page = commands_page()
    for name in COMMANDS:
        assert f"\n## semcrawl {name}\n" in page
    assert "--strategy" in page


def test_the_page_on_settings_has_each_with_its_default() -> None:
    page = settings_page()
    for name in Settings.__struct_fields__:
        assert f"| `{name}` | " in page
    assert "| `pages` | `1000` | stop after so many pages (0: no limit) |" in page


def test_the_page_on_queries_has_each() -> None:
    page = queries_page()
    for name in named_queries():
        assert f"\n## {name}\n" in page


def test_the_page_on_python_has_each_name_with_its_contract() -> None:
    page = python_page()
    for name in (name for name in semcrawl.__all__ if name != "__version__"):
        assert f"\n### {name} {{" in page
    assert "distill(graph: CrawlGraph, method: str = 'hits'" in page
    assert "\n- `resume(" in page


def test_links_out_of_the_docs_become_words() -> None:
    written = "See [`columns.py`](../semcrawl/graph/columns.py) and [lab](lab.md#runs)."
    assert on_page_markdown(written) == "See `columns.py` and [lab](lab.md#runs)."


def test_links_to_what_a_page_is_made_from_lead_to_the_page() -> None:
    assert on_page_markdown("[all](../queries)") == "[all](reference/queries.md)"
    for file in MADE_FROM:
        assert (ROOT / "docs" / file).exists()


def test_links_of_the_start_page_and_the_changelog_stay_on_the_site() -> None:
    for name in ("README.md", "CHANGELOG.md"):
        page = on_page_markdown(from_docs(name))
        links = [link for link in re.findall(r"\]\(([^)#]+)", page) if "://" not in link]
        assert links
        for link in links:
            assert link in {"changelog.md", *MADE_FROM.values()} or (ROOT / "docs" / link).exists(), f"{name}: {link}"


def test_the_container_is_made_of_what_the_package_is_built_from() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    copied = [name for line in lines if line[:5] == "COPY " for name in line.split()[1:-1]]
    for name in copied:
        assert (ROOT / name).exists()
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = build["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert {*included, "semcrawl", "pyproject.toml", "README.md", "LICENSE"} <= set(copied)
