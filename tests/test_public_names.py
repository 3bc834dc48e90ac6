"""The public face: sorted lists of names, each with a docstring, and files named by their job."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import semcrawl
import semcrawl.crawl

if TYPE_CHECKING:
    from types import ModuleType

NAMES = sorted(found.name for found in pkgutil.walk_packages(semcrawl.__path__, prefix="semcrawl."))
PACKAGES = [found.name for found in pkgutil.walk_packages(semcrawl.__path__, "semcrawl.") if found.ispkg]
ROOT = Path(semcrawl.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
VAGUE = {
    "base", "bases", "common", "core", "helper", "helpers", "machine", "manager", "managers",
    "memory", "misc", "shared", "stuff", "tool", "tools", "util", "utilities", "utils",
}  # fmt: skip


def isort_order(name: str) -> tuple[int, str]:
    """CONSTANTS, then Classes, then functions, as the linter sorts them."""
    if name.isupper() and len(name) > 1:
        return 0, name
    return (1 if name[0].isupper() else 2), name


@pytest.fixture(scope="module")
def modules() -> list[ModuleType]:
    """Every module of semcrawl."""
    return [importlib.import_module(name) for name in NAMES]


def test_every_module_says_what_it_is_for(modules: list[ModuleType]) -> None:
    assert len(modules) > 200
    assert [module.__name__ for module in modules if not module.__doc__] == []


def public_names(module: ModuleType) -> list[str]:
    """What a package lists; what a module defines without an underscore."""
    if hasattr(module, "__path__"):
        return list(getattr(module, "__all__", []))
    defined = {n for n, thing in vars(module).items() if is_defined_in(module, thing)}
    return sorted(name for name in defined if not name.startswith("_"))


def is_defined_in(module: ModuleType, thing: object) -> bool:
    is_definition = inspect.isclass(thing) or inspect.isfunction(thing)
    return is_definition and getattr(thing, "__module__", None) == module.__name__


def test_the_public_names_are_there_sorted_and_documented(modules: list[ModuleType]) -> None:
    for module in modules:
        names = public_names(module)
        if hasattr(module, "__path__"):
            assert names == sorted(names, key=isort_order), module.__name__
        assert len(set(names)) == len(names), module.__name__
        for name in names:
            thing = getattr(module, name)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                assert inspect.getdoc(thing), f"{module.__name__}.{name} has no docstring"


def test_only_packages_list_their_names(modules: list[ModuleType]) -> None:
    listing = [module for module in modules if hasattr(module, "__all__")]
    assert [module.__name__ for module in listing if not hasattr(module, "__path__")] == []


@pytest.mark.parametrize("name", PACKAGES)
def test_every_package_lists_its_public_names(name: str) -> None:
    module = importlib.import_module(name)
    gathered = {n for n, thing in vars(module).items() if inspect.isclass(thing)}
    assert gathered <= set(getattr(module, "__all__", ()))


def test_the_methods_of_public_classes_are_documented(modules: list[ModuleType]) -> None:
    named = [(module, name) for module in modules for name in public_names(module)]
    for module, name in named:
        thing = getattr(module, name)
        if not inspect.isclass(thing) or thing.__module__ != module.__name__:
            continue
        for method, member in vars(thing).items():
            if method.startswith("_") or not callable(getattr(thing, method, None)):
                continue
            if inspect.isfunction(member) or isinstance(member, classmethod | staticmethod):
                assert inspect.getdoc(getattr(thing, method)), f"{module.__name__}.{name}.{method}"


@pytest.mark.parametrize("package", [semcrawl, semcrawl.crawl], ids=["semcrawl", "crawl"])
def test_a_package_that_loads_late_leads_to_what_it_names(package: ModuleType) -> None:
    for name in package.__all__:
        assert getattr(package, name) is not None
    assert dir(package) == sorted(package.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Spider'"):
        _ = package.Spider


def test_export_can_be_called_whichever_way_it_was_imported(tmp_path: Path) -> None:
    importlib.import_module("semcrawl.graph.export")
    from semcrawl import CrawlGraph
    from semcrawl.graph import export

    with CrawlGraph.create() as graph, pytest.raises(semcrawl.SemcrawlError, match="never began"):
        export(graph, tmp_path / "a.ttl")


def test_the_version_is_that_of_the_distribution() -> None:
    from importlib.metadata import version

    assert semcrawl.__version__ == version("semcrawl")


def test_no_file_has_a_vague_name() -> None:
    assert not [path for path in ROOT.rglob("*") if path.stem.lower() in VAGUE]


def test_no_class_name_stands_twice() -> None:
    line = re.compile(r"^ *class (\w+)[(:]", re.MULTILINE)
    texts = (path.read_text(encoding="utf-8") for path in FILES)
    times = Counter(name for text in texts for name in line.findall(text))
    assert len(times) > 500
    assert {name for name, number in times.items() if number > 1} == set()


def test_no_module_name_stands_in_many_packages() -> None:
    inside = [path.relative_to(ROOT) for path in FILES if path.stem != "__init__"]
    places = {(path.stem, path.parts[0]) for path in inside if path.parts[0] != "cli"}
    times = Counter(name for name, _ in places)
    assert {name for name, number in times.items() if number > 2} == set()
