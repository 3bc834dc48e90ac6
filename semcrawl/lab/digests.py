"""Digests of files and of code: what a run depends on beside what its experiment says."""

from __future__ import annotations

import ast
import hashlib
import inspect
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import semcrawl
from semcrawl.registry import split_spec
from semcrawl.resources import queries_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from semcrawl.registry import Registry

__all__ = ["DIGEST_SIZE", "code_digest", "file_digest", "imported_beside", "package_digest"]

DIGEST_SIZE = 16

_PACKAGE = Path(semcrawl.__file__).parent
# What is shown or measured after a run changes no run; the demo web has a digest of its own.
_APART = ("cli", "demo", "export", "serve", "lab/measures", "lab/report")
_MEASURING = frozenset(
    {
        "caveats",
        "comparing",
        "crawler_notes",
        "curves",
        "differences",
        "facts",
        "findings",
        "lab",
        "measuring",
        "page_scores",
        "repetitions",
        "results",
        "scored_run",
        "side_by_side",
        "statistics",
        "topic_values",
        "totals",
        "training_notes",
        "values",
    }
)


def file_digest(path: str | Path) -> str:
    """The digest of a file's content; it is read again when its size or time has changed."""
    found = Path(path).stat()
    return _remembered(str(path), found.st_size, found.st_mtime_ns)


def code_digest(registry: Registry, spec: str) -> list[str]:
    """The digests of the source files of a part's class and of those that it is derived from.

    For ``file.py:Class``, what the file imports from its own folder counts too.
    """
    factory = registry.factory(spec)
    classes = inspect.getmro(factory) if inspect.isclass(factory) else (factory,)
    files = [Path(file) for file in map(_source, classes) if file]
    written = split_spec(spec)[0].rpartition(":")[0]
    if written.endswith(".py"):
        files += imported_beside(Path(written))
    return list(dict.fromkeys(map(file_digest, files)))


def imported_beside(file: Path) -> list[Path]:
    """The Python files of a file's own folder that it imports, and what they import in turn."""
    found: dict[Path, None] = {}
    waiting = [file]
    while waiting:
        for name in _imports(waiting.pop()):
            for place in _places(file.parent, name):
                if place != file and place not in found:
                    found[place] = None
                    waiting.append(place)
    return sorted(found)


@cache
def package_digest() -> str:
    """The digest of semcrawl's own sources and queries, as far as a run depends on them.

    It is worked out once in a process, whose code does not change either.
    """
    return _of_files(_package_files(), _PACKAGE)


def _package_files() -> list[Path]:
    return [
        path
        for path in sorted(_PACKAGE.rglob("*.py"))
        if not path.relative_to(_PACKAGE).as_posix().startswith(tuple(f"{a}/" for a in _APART))
        and not (path.parent == _PACKAGE / "lab" and path.stem in _MEASURING)
    ] + sorted(queries_folder().rglob("*.rq"))


def _of_files(files: Iterable[Path], folder: Path) -> str:
    digest = hashlib.blake2b(digest_size=DIGEST_SIZE)
    for path in files:
        name = path.relative_to(folder) if folder in path.parents else path.name
        digest.update(f"{name}\0{file_digest(path)}\0".encode())
    return digest.hexdigest()


@lru_cache(maxsize=4096)
def _remembered(path: str, size: int, changed: int) -> str:  # noqa: ARG001 - they are the key
    with Path(path).open("rb") as file:
        return hashlib.file_digest(
            file, lambda: hashlib.blake2b(digest_size=DIGEST_SIZE)
        ).hexdigest()


def _imports(file: Path) -> Iterator[str]:
    """The modules that a file imports anywhere, by their dotted names; none if it is no Python."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield module
            # What is imported from a package may be a module of it.
            yield from (f"{module}.{alias.name}".lstrip(".") for alias in node.names)


def _places(folder: Path, name: str) -> Iterator[Path]:
    """The files under a folder that importing a module runs: its own and those of its packages."""
    parts = name.split(".") if name else []
    for end in range(1, len(parts) + 1):
        place = folder.joinpath(*parts[:end])
        for path in (place.with_name(f"{place.name}.py"), place / "__init__.py"):
            if path.is_file():
                yield path


def _source(factory: Any) -> str | None:
    try:
        return inspect.getsourcefile(factory)
    except TypeError:  # what is built in
        return None
