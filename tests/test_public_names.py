"""The public face: sorted lists of names, each with a docstring, and files named by their job."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import semcrawl

if TYPE_CHECKING:
    from types import ModuleType

NAMES = sorted(found.name for found in pkgutil.walk_packages(semcrawl.__path__, prefix="semcrawl."))
PACKAGES = ["semcrawl", *(name for name in NAMES if name.count(".") == 1)]
VAGUE = {"base", "common", "helper", "helpers", "manager", "misc", "tools", "util", "utils"}


def isort_order(name: str) -> tuple[int, str]:
    """CONSTANTS, then Classes, then functions, as the linter sorts them."""
    if name.isupper() and len(name) > 1:
        return 0, name
    return (1 if name[0].isupper() else 2), name


@pytest.fixture(params=NAMES)
def module(request: pytest.FixtureRequest) -> ModuleType:
    """Every module of semcrawl in turn."""
    return importlib.import_module(request.param)


def test_every_module_says_what_it_is_for(module: ModuleType) -> None:
    assert module.__doc__


def test_the_public_names_are_there_sorted_and_documented(module: ModuleType) -> None:
    names = getattr(module, "__all__", [])
    assert list(names) == sorted(names, key=isort_order)
    assert len(set(names)) == len(names)
    for name in names:
        thing = getattr(module, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), f"{module.__name__}.{name} has no docstring"


@pytest.mark.parametrize("name", PACKAGES)
def test_every_package_and_module_lists_its_public_names(name: str) -> None:
    module = importlib.import_module(name)
    if name != "semcrawl.cli":  # it holds commands, which are found by their own names
        assert module.__all__


def test_the_methods_of_public_classes_are_documented(module: ModuleType) -> None:
    for name in getattr(module, "__all__", []):
        thing = getattr(module, name)
        if not inspect.isclass(thing) or thing.__module__ != module.__name__:
            continue
        for method, member in vars(thing).items():
            if method.startswith("_") or not callable(getattr(thing, method, None)):
                continue
            if inspect.isfunction(member) or isinstance(member, classmethod | staticmethod):
                assert inspect.getdoc(getattr(thing, method)), f"{module.__name__}.{name}.{method}"


def test_the_face_of_the_package_leads_to_what_it_names() -> None:
    for name in semcrawl.__all__:
        assert getattr(semcrawl, name) is not None
    assert dir(semcrawl) == sorted(semcrawl.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Spider'"):
        _ = semcrawl.Spider


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
    root = Path(semcrawl.__file__).parent
    assert not [path for path in root.rglob("*") if path.stem.lower() in VAGUE]
