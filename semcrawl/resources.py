"""Where shipped queries, ontologies, examples are: top level of a checkout, inside a wheel; which TOML is safe."""

import re
import tomllib
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).resolve().parent


def _shipped(name: str) -> Path:
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def facts_beside(module: str, name: str) -> dict[str, Any]:
    """Return the facts of a TOML file in the folder of a module, given by its ``__file__``."""
    return tomllib.loads((Path(module).parent / name).read_text(encoding="utf-8"))


def queries_folder() -> Path:
    """The folder of the shipped ``.rq`` files."""
    return _shipped("queries")


def ontologies_folder() -> Path:
    """The folder of the shipped vocabulary and topic ontologies."""
    return _shipped("ontologies")


def examples_folder() -> Path:
    """The folder of the shipped examples."""
    return _shipped("examples")


def shipped_file(path: str) -> Path | None:
    """Return a shipped file by folder and name, an ontology by its name alone; None without."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    folders = {"": ontologies_folder, "ontologies": ontologies_folder, "examples": examples_folder}
    if folder not in folders:
        return None
    files = (file for file in folders[folder]().iterdir() if file.is_file())
    return next((file for file in files if file.name == name), None)


_LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){100}""")


def checked_toml(text: str) -> str:
    """Return a text in TOML; ValueError for a key of over 100 parts: readers would take the square of its length."""
    if long := _LONG_KEY.search(text):
        raise ValueError(f"a key has more than 100 parts: {long[0]:.20}…")
    return text
