"""Facts of web standards: the tables of ``data/*.toml``."""

import tomllib
from pathlib import Path
from typing import Any


def standard(name: str) -> dict[str, Any]:
    """Return the tables of one data file, ``encodings`` for example."""
    file = Path(__file__).parent / "data" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
