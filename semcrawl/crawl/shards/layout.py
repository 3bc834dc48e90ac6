"""The folder of a crawl in shards: its manifest, its shards, and which shard owns a URL.

::

    DIR/shards.json    how many shards there are; written once
    DIR/00, DIR/01, …  an ordinary crawl folder for each shard
    DIR/lock           locked for as long as a driver runs
    DIR/running        there while a driver runs, or after it was killed
    DIR/gathered/      all shards in one graph, as 'semcrawl gather' makes it
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Self

import msgspec

from semcrawl.errors import ConfigError, FolderTakenError, NotACrawlError, StoreError
from semcrawl.graph.crawl_folder import GRAPH, LOCK, require_plain
from semcrawl.graph.crawl_graph import CrawlGraph
from semcrawl.graph.snapshots import FolderLock
from semcrawl.version import VERSION
from semcrawl.web.urls import domain_of
from semcrawl.whole_files import write_whole

MANIFEST, RUNNING, GATHERED = "shards.json", "running", "gathered"
MOST_SHARDS = 4096
DEFAULT_SHARDS = 16
_FORMAT = 1
_LARGEST = 4096  # bytes of a manifest


class _ShardsManifest(msgspec.Struct, forbid_unknown_fields=True):
    format: int
    shards: Annotated[int, msgspec.Meta(ge=1, le=MOST_SHARDS)]
    version: Annotated[str, msgspec.Meta(max_length=100)]  # of semcrawl, that made it


def is_sharded(folder: str | Path) -> bool:
    """Whether a folder says that it holds a crawl in shards."""
    return os.path.lexists(Path(folder) / MANIFEST)


def owner_of(url: str, shards: int) -> int:
    """Return the number of the shard that owns a canonical URL: by its registered domain.

    >>> owner_of("http://news.bbc.co.uk/1/hi.html", 16) == owner_of("https://www.bbc.co.uk/", 16)
    True
    """
    return _hash(domain_of(url)) % shards


@lru_cache(maxsize=65_536)
def _hash(domain: str) -> int:
    return int.from_bytes(blake2b(domain.encode(), digest_size=8).digest(), "big")


@dataclass(frozen=True, slots=True)
class ShardPlace:
    """Which shard of how many."""

    number: int
    count: int

    def owns(self, url: str) -> bool:
        """Whether a canonical URL is of this shard; an empty text is of none."""
        return bool(url) and owner_of(url, self.count) == self.number


def place_of(folder: Path | None) -> ShardPlace | None:
    """Return which shard a crawl folder is, by the manifest beside it; None for none."""
    if folder is None or not folder.name.isdecimal() or not is_sharded(folder.parent):
        return None
    whole = ShardedFolder.open(folder.parent)
    number = int(folder.name)
    return ShardPlace(number, whole.count) if whole.shard(number).name == folder.name else None


@dataclass(frozen=True, slots=True)
class ShardedFolder:
    """The folder of a crawl in shards; ``count`` is fixed for the life of the crawl."""

    folder: Path
    count: int
    version: str = VERSION

    @classmethod
    def create(
        cls, folder: str | Path, count: int = DEFAULT_SHARDS, *, sealed: bool = True
    ) -> Self:
        """Make a new folder for so many shards, which have no crawl yet; `seal` where not sealed.

        Raises:
            ConfigError: there cannot be so many shards.
            FolderTakenError: the folder holds a crawl or something else.
            StoreError: it cannot be written.
        """
        folder = Path(folder)
        if not 1 <= count <= MOST_SHARDS:
            raise ConfigError(f"a crawl has from 1 to {MOST_SHARDS} shards, not {count}")
        if is_sharded(folder) or (folder / GRAPH).exists():
            raise FolderTakenError(
                f"{folder} holds a crawl already: go on with 'semcrawl resume {folder}', "
                "or choose another folder"
            )
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise FolderTakenError(f"{folder} exists and is no empty folder: choose another")
        made = cls(folder, count)
        with made._writing():
            folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        if sealed:
            made.seal()
        return made

    def seal(self) -> None:
        """Write the manifest: from now on the folder holds a crawl in shards."""
        manifest = _ShardsManifest(format=_FORMAT, shards=self.count, version=self.version)
        with self._writing():
            write_whole(self.folder / MANIFEST, msgspec.json.encode(manifest))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreError(
                f"cannot write the folder {self.folder}: {error.strerror or error}; choose another"
            ) from error

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """Return what the manifest of a folder says.

        Raises:
            NotACrawlError: the folder is none of a crawl in shards.
            StoreError: the manifest, or a shard, is damaged or a link.
        """
        folder = Path(folder)
        path = folder / MANIFEST
        if not is_sharded(folder):
            raise NotACrawlError(f"{folder} holds no crawl in shards: there is no {path}")
        require_plain(path)
        try:
            with path.open("rb") as file:
                manifest = msgspec.json.decode(file.read(_LARGEST), type=_ShardsManifest)
        except OSError as error:
            raise StoreError(f"cannot read {path}: {error.strerror or error}") from error
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise StoreError(
                f"{path} is no manifest of a crawl in shards: {error}; "
                "bring the file back from a copy"
            ) from error
        if manifest.format != _FORMAT:
            raise StoreError(
                f"{path} is of format {manifest.format}, and this version of semcrawl reads "
                f"{_FORMAT}: use the version {manifest.version[:40]!r} that made it"
            )
        found = cls(folder, manifest.shards, manifest.version)
        for shard in found.folders:
            require_plain(shard)
        return found

    def require_count(self, count: int) -> None:
        """Raise ConfigError where another number of shards is asked for than the crawl has."""
        if count != self.count:
            raise ConfigError(
                f"the crawl in {self.folder} has {self.count} shards, not {count}, for its life: "
                "leave out --shards, or start a new crawl"
            )

    def shard(self, number: int) -> Path:
        """Return the folder of a shard."""
        return self.folder / f"{number:02}"

    @property
    def folders(self) -> list[Path]:
        """The folders of all shards; one that never began is not there, or empty."""
        return [self.shard(number) for number in range(self.count)]

    @property
    def begun(self) -> list[Path]:
        """The folders of the shards that hold a crawl."""
        return [folder for folder in self.folders if (folder / GRAPH).is_dir()]

    @property
    def gathered(self) -> Path:
        """The folder of the one graph that all shards are gathered in."""
        return self.folder / GATHERED

    def owner(self, url: str) -> int:
        """Return the number of the shard that owns a canonical URL."""
        return owner_of(url, self.count)

    def discard(self) -> None:
        """Remove all shards, and the folder where nothing else is in it."""
        (self.folder / MANIFEST).unlink(missing_ok=True)
        for place in self.begun:
            with CrawlGraph.open(place) as graph:
                graph.discard()
        with suppress(OSError):
            for name in (LOCK, RUNNING):
                (self.folder / name).unlink(missing_ok=True)
            self.folder.rmdir()

    @contextmanager
    def driven(self) -> Iterator[None]:
        """Hold the folder for one driver; note, for those who copy it, that it runs.

        Raises:
            CrawlLockedError: another driver runs.
            StoreError: it is a copy that was made while the crawl ran.
        """
        lock = FolderLock(self.folder)
        try:
            self._require_whole()
            note = self.folder / RUNNING
            with self._writing():
                write_whole(note, str(self.folder.stat().st_ino).encode())
            yield
            # Only after an ordinary end: a copy of what was killed may lack links.
            with suppress(OSError):
                note.unlink(missing_ok=True)
        finally:
            lock.release()

    def _require_whole(self) -> None:
        """Shards that were copied one after the other may lack links that were on their way."""
        note = self.folder / RUNNING
        require_plain(note)
        try:
            inode = note.read_bytes()[:40]
        except OSError:
            return
        if inode != str(self.folder.stat().st_ino).encode():
            raise StoreError(
                f"{self.folder} was copied while its crawl ran, so that links between its shards "
                "may be missing: resume the crawl where it ran, stop it, and copy it again; or "
                f"remove {note} to go on without these links"
            )
