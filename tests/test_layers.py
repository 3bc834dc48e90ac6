"""Dependencies point one way (docs/architecture.md): what stands below knows nothing of above.

Imports are read from the source, those inside functions too. What a module
names for types only is held to the same direction, with its own allowance:
a type may be named where its module is not needed to run.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import semcrawl

ROOT = Path(semcrawl.__file__).parent

FOUNDATIONS = {
    "arrays",
    "checked_values",
    "closing",
    "garbage_collection",
    "errors",
    "model_files",
    "notebook",
    "version",
    "resources",
    "whole_files",
    "progress",
    "redaction",
    "user_cache",
    "rdf_syntax",
}

# What each part may import to run; every part may use the foundations.
RUNS_ON: dict[str, set[str]] = {
    "arrays": set(),
    "checked_values": set(),
    "closing": set(),
    "garbage_collection": set(),
    "errors": set(),
    "model_files": set(),
    "notebook": set(),
    "version": set(),
    "resources": set(),
    "whole_files": set(),
    "progress": set(),
    "redaction": set(),
    "user_cache": set(),
    "rdf_syntax": set(),
    "registry": set(),
    "text": set(),
    "web": set(),
    "plots": {"relevance"},
    "topics": {"text", "web"},
    "page": {"text", "web"},
    "graph": set(),
    "companions": set(),
    "relevance": {"page", "registry", "text", "topics"},
    "models": {"graph", "page", "registry", "relevance", "text", "topics", "web"},
    "strategies": {"models", "page", "registry", "relevance", "text", "topics"},
    "steering": {"companions", "graph", "page", "registry", "relevance", "text", "topics", "web"},
    "crawl": {
        "companions",
        "graph",
        "models",
        "page",
        "plots",
        "registry",
        "relevance",
        "steering",
        "strategies",
        "text",
        "topics",
        "web",
    },
}

# These stand on top and may use all of the above; here is what they may use of each other.
ON_TOP: dict[str, set[str]] = {
    "lab": {"demo"},
    "demo": set(),
    "serve": set(),
    "cli": {"demo", "lab", "serve"},
    "__main__": {"cli"},
}

# Beside what it runs on, a part may name these for types.
NAMES_TYPES_OF: dict[str, set[str]] = {}

# The one look upward: Topic.explain is where a person asks, and a lens answers, inside the call.
UPWARD = {("semcrawl/topics/topic.py", "relevance")}


@dataclass(frozen=True)
class Import:
    """One import of one part of semcrawl by another."""

    file: str
    line: int
    part: str
    target: str
    for_types: bool

    def __str__(self) -> str:
        what = "names types of" if self.for_types else "imports"
        return f"{self.file}:{self.line}: {self.part} {what} {self.target}"


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports_of(path: Path) -> list[Import]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.dump(block.test)
        for statement in block.body
        for node in ast.walk(statement)
    }
    found = []
    for node in ast.walk(tree):
        for target in targets_of(node):
            if target != part_of(path):
                file = str(path.relative_to(ROOT.parent))
                line = getattr(node, "lineno", 0)
                found.append(Import(file, line, part_of(path), target, id(node) in for_types))
    return found


def targets_of(node: ast.AST) -> list[str]:
    """The parts of semcrawl that a statement imports."""
    if isinstance(node, ast.ImportFrom):
        assert node.level == 0, "imports are absolute, so that they can be read"
        if node.module == "semcrawl":
            return [alias.name for alias in node.names]
        modules = [node.module or ""]
    elif isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    else:
        return []
    return [name.split(".")[1] for name in modules if name.startswith("semcrawl.")]


MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


@cache
def all_imports() -> list[Import]:
    return [found for path in MODULES for found in imports_of(path)]


def allowed(part: str, *, for_types: bool) -> set[str]:
    below = RUNS_ON[part] if part in RUNS_ON else {*RUNS_ON, *ON_TOP[part]}
    return below | FOUNDATIONS | (NAMES_TYPES_OF.get(part, set()) if for_types else set())


def test_every_part_has_its_place() -> None:
    parts = {part_of(path) for path in MODULES}
    assert parts <= RUNS_ON.keys() | ON_TOP.keys()


@pytest.mark.parametrize("for_types", [False, True], ids=["to run", "for types"])
def test_no_part_knows_what_stands_above_it(for_types: bool) -> None:
    wrong = [
        str(found)
        for found in all_imports()
        if found.for_types is for_types
        and found.target not in allowed(found.part, for_types=for_types)
        and (found.file, found.target) not in UPWARD
    ]
    assert wrong == []


def test_no_exception_outlives_its_need() -> None:
    assert {(found.file, found.target) for found in all_imports()} >= UPWARD


def test_the_table_itself_has_no_circle() -> None:
    placed: set[str] = set()
    while len(placed) < len(RUNS_ON):
        ready = {part for part, below in RUNS_ON.items() if part not in placed and below <= placed}
        assert ready, f"a circle among {RUNS_ON.keys() - placed}"
        placed |= ready


@pytest.mark.parametrize("part", ["demo", "lab", "plots", "steering"])
def test_modules_of_a_part_need_each_other_one_way(part: str) -> None:
    own = {path.stem: path for path in (ROOT / part).glob("*.py") if path.stem != "__init__"}
    needs = {name: modules_of(path, part) & own.keys() for name, path in own.items()}
    placed: set[str] = set()
    while len(placed) < len(needs):
        ready = {name for name, below in needs.items() if name not in placed and below <= placed}
        assert ready, f"a circle among {needs.keys() - placed}"
        placed |= ready


def modules_of(path: Path, part: str) -> set[str]:
    """The modules of a part that a file imports, also inside functions and for types."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"semcrawl.{part}"):
            names = [alias.name for alias in node.names]
            found |= {*(node.module or "").split(".")[2:3], *names}
    return found - {path.stem}


def test_the_test_sees_imports_of_every_form() -> None:
    text = "from semcrawl import cli\nimport semcrawl.graph.store\ndef late():\n    from semcrawl.crawl import Crawl\n"
    seen = [target for node in ast.walk(ast.parse(text)) for target in targets_of(node)]
    assert sorted(seen) == ["cli", "crawl", "graph"]


def test_the_test_sees_the_imports_that_are_there() -> None:
    runs = {(found.part, found.target) for found in all_imports() if not found.for_types}
    types = {(found.part, found.target) for found in all_imports() if found.for_types}
    assert {("crawl", "graph"), ("cli", "crawl"), ("page", "text")} <= runs
    assert ("plots", "relevance") in types - runs
