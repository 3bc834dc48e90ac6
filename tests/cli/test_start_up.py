"""A command imports what it needs, and no large package besides."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = ["nltk", "scipy", "networkx", "rdflib", "owlready2", "lxml", "requests", "pandas"]

SCRIPT = """
import json, sys
from semcrawl.cli.main import main
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def imported(*words: str) -> set[str]:
    """The modules that are there after a command."""
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words], capture_output=True, text=True, timeout=300, check=True
    )
    assert ran.stdout
    return set(json.loads(ran.stderr.splitlines()[-1]))


@pytest.mark.parametrize("name", ["--help", "--version"])
def test_the_help_imports_no_command(name: str) -> None:
    found = imported(name)
    assert not found & {*HEAVY, "numpy", "rich", "pyoxigraph", "msgspec", "semcrawl.topics"}
    assert {module for module in found if module.startswith("semcrawl.cli.")} == {"semcrawl.cli.main"}


@pytest.mark.parametrize("line", ["topic wordnet:bank", "query --list"])
def test_a_command_that_reads_no_page_imports_no_large_package(line: str) -> None:
    assert not imported(*line.split()) & set(HEAVY)


def test_a_crawl_imports_only_the_large_packages_that_it_fetches_and_reads_pages_with() -> None:
    assert not imported("crawl", "--help") & {*HEAVY} - {"lxml", "requests"}
