"""Where the files that ship with semcrawl are: queries and ontologies.

In a checkout they stand at the top level, where people look for them; in an
installed wheel they are inside the package.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def _shipped(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def queries_folder() -> Path:
    """The folder of the shipped ``.rq`` files."""
    return _shipped("queries")


def ontologies_folder() -> Path:
    """The folder of the shipped vocabulary and topic ontologies."""
    return _shipped("ontologies")
