"""Debian packages: what the archive says of them, downloaded, unpacked for a moment.

Uses ``apt-cache``, ``apt-get download`` and ``dpkg-deb`` of the system. Packages
are never installed and their scripts never run.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from semcrawl.errors import SemcrawlError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["PackageFacts", "download", "package_facts", "unpacked"]

_TOOLS = ("apt-cache", "apt-get", "dpkg-deb")
_BATCH = 20


class PackageFacts(NamedTuple):
    """What the archive says of one package."""

    name: str
    version: str
    size: int
    homepage: str
    summary: str


def package_facts(names: Sequence[str]) -> dict[str, PackageFacts]:
    """What the archive knows of the packages; those that it does not have are left out.

    Raises:
        SemcrawlError: this system has no apt.
    """
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if missing:
        raise SemcrawlError(
            f"{', '.join(missing)} not found: the web is made of Debian packages, "
            "build it on Debian or a system derived from it"
        )
    told = _run(["apt-cache", "show", "--no-all-versions", *names]).stdout
    found = (_facts(paragraph) for paragraph in told.split("\n\n"))
    return {facts.name: facts for facts in found if facts is not None}


def _facts(paragraph: str) -> PackageFacts | None:
    """One paragraph of the archive's control data.

    >>> _facts("Package: a-doc\\nVersion: 1\\nSize: 9\\nDescription-en: All of A\\n more")
    PackageFacts(name='a-doc', version='1', size=9, homepage='', summary='All of A')
    """
    lines = (line for line in paragraph.splitlines() if not line.startswith(" "))
    fields = {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}
    if "Package" not in fields:
        return None
    summary = fields.get("Description-en") or fields.get("Description", "")
    size, homepage = int(fields.get("Size", "0")), fields.get("Homepage", "")
    return PackageFacts(fields["Package"], fields.get("Version", ""), size, homepage, summary)


def download(names: Sequence[str], folder: Path) -> dict[str, Path]:
    """Download the packages that the folder lacks; return the files of all that are there."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [name for name in names if _archive(folder, name) is None]
    for start in range(0, len(wanted), _BATCH):
        batch = wanted[start : start + _BATCH]
        if _download(batch, folder) != 0:
            # One package that cannot be had makes apt give up on the others.
            for name in batch:
                _download([name], folder)
    files = {name: _archive(folder, name) for name in names}
    return {name: file for name, file in files.items() if file is not None}


def _download(names: list[str], folder: Path) -> int:
    return _run(["apt-get", "-q", "download", *names], folder).returncode


def _archive(folder: Path, name: str) -> Path | None:
    return max(folder.glob(f"{name}_*.deb"), default=None)


@contextmanager
def unpacked(archive: Path) -> Iterator[Path | None]:
    """The package's files in a folder that lasts as long as the context, None if damaged."""
    with tempfile.TemporaryDirectory() as folder:
        done = _run(["dpkg-deb", "-x", str(archive), folder])
        yield Path(folder).resolve() if done.returncode == 0 else None


def _run(command: list[str], folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
