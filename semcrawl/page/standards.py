"""Facts of web standards that readers of pages need: the tables of ``data/*.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "data"


def standard(name: str) -> dict[str, Any]:
    """Return the tables of one data file, ``encodings`` for example."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
