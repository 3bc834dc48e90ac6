"""A small tree of categories with examples in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.models.taxonomy import Taxonomy

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = {
    "Animals/Birds/sparrow.html": "<title>Sparrow</title><p>A bird with wings and feathers",
    "Animals/Birds/owl.txt": "Owls are birds of prey; feathers, wings, eggs",
    "Animals/Mammals/cat.txt": "Cats are mammals with fur and milk",
    "Vehicles/car.txt": "Cars have wheels, an engine and fuel",
    "Vehicles/train.txt": "Trains have wheels and run on rails",
}


def write_tree(folder: Path, examples: dict[str, str] | None = None) -> Path:
    """Write examples as a folder of folders."""
    for name, text in (EXAMPLES if examples is None else examples).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of folders of EXAMPLES."""
    return write_tree(tmp_path / "tree")


@pytest.fixture
def taxonomy(folder: Path) -> Taxonomy:
    """The taxonomy of EXAMPLES."""
    return Taxonomy.train(folder)
