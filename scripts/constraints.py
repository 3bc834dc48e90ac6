"""Write ``constraints.txt``: the versions that the tests ran with.

Run as ``python -m scripts.constraints``. ``pip install -c constraints.txt semcrawl`` takes them.
"""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

__all__ = ["declared", "needed", "text"]

ROOT = Path(__file__).parents[1]
FILE = ROOT / "constraints.txt"
HEAD = "# Versions that the tests ran with; written by python -m scripts.constraints.\n"


def declared() -> list[Requirement]:
    """Return what the project asks for, with the packages of its tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    return [Requirement(line) for line in lines]


def needed() -> dict[str, list[Requirement]]:
    """Return, by name, what is asked of every installed package that the project needs."""
    found: dict[str, list[Requirement]] = {}
    waiting = [(one, "") for one in declared()]
    while waiting:
        one, extra = waiting.pop()
        name = canonicalize_name(one.name)
        if (one.marker and not one.marker.evaluate({"extra": extra})) or one in found.get(name, []):
            continue
        found.setdefault(name, []).append(one)
        try:
            lines = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        waiting += [(Requirement(line), inner) for line in lines for inner in {"", *one.extras}]
    return found


def text() -> str:
    """Return the content of the file."""
    names = sorted(needed())
    return HEAD + "".join(f"{name}=={distribution(name).version}\n" for name in names)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
