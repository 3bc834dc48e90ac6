"""The folder of a crawl in shards: its manifest, its shards, and which shard owns a URL.

::

    DIR/shards.json    how many shards there are; written once
    DIR/00, DIR/01, …  an ordinary crawl folder for each shard
    DIR/lock           locked for as long as a driver runs
    DIR/running        there while a driver runs, or after it was killed
    DIR/status.json    how each shard does, while a driver runs
    DIR/gathered/      all shards in one graph, as 'semcrawl gather' makes it
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Self

import msgspec

from semcrawl.errors import ConfigError, NotACrawlError, StoreError, os_errors, told_as
from semcrawl.graph.crawl_folder import GRAPH, INBOX, make_new, require_plain
from semcrawl.graph.snapshots import FolderLock
from semcrawl.version import VERSION
from semcrawl.web.urls import domain_of, host_of
from semcrawl.whole_files import write_whole

MANIFEST, RUNNING, STATUS, GATHERED = "shards.json", "running", "status.json", "gathered"
LINKS = "*.links"  # files in the inbox of a shard
MOST_SHARDS = 4096
DEFAULT_SHARDS = 16
_FORMAT = 1
_LARGEST = 4096  # bytes of a manifest
_writing = partial(os_errors, StoreError, advice="choose another folder, or free some space")


class _ShardsManifest(msgspec.Struct, forbid_unknown_fields=True):
    format: int
    shards: Annotated[int, msgspec.Meta(ge=1, le=MOST_SHARDS)]
    version: Annotated[str, msgspec.Meta(max_length=40)] = VERSION  # of semcrawl, that made it


def is_sharded(folder: str | Path) -> bool:
    """Whether a folder says that it holds a crawl in shards."""
    return os.path.lexists(Path(folder) / MANIFEST)


def parts_of(folder: Path) -> list[Path]:
    """The folders with a graph of a crawl: its own, or those of its shards that have begun, as `require_begun`."""
    return ShardedFolder.open(folder).require_begun() if is_sharded(folder) else [folder]


def is_gathered(folder: Path) -> bool:
    """Whether a folder holds the one graph that shards are gathered in."""
    return folder.name == GATHERED and is_sharded(folder.parent)


def owner_of(url: str, shards: int) -> int:
    """Return the number of the shard that owns a canonical URL: by its registered domain.

    >>> owner_of("http://news.bbc.co.uk/1/hi.html", 16) == owner_of("https://www.bbc.co.uk/", 16)
    True
    """
    return _hash(host_of(url)) % shards


@lru_cache(maxsize=65_536)
def _hash(host: str) -> int:
    return int.from_bytes(blake2b(domain_of(f"//{host}").encode(), digest_size=8).digest(), "big")


class ShardPlace(msgspec.Struct, frozen=True):
    """Which shard of how many."""

    number: int
    count: int

    def owns(self, url: str) -> bool:
        """Whether a canonical URL is of this shard."""
        return owner_of(url, self.count) == self.number

    def step(self, pages: int) -> int:
        """Return the step of the latest of so many pages: all shards take turns."""
        return (pages - 1) * self.count + self.number + 1


def place_of(folder: Path | None) -> ShardPlace | None:
    """Return which shard a crawl folder is, by the manifest beside it; None for none."""
    folder = folder and folder.resolve()
    if folder is None or not is_sharded(folder.parent):
        return None
    names = [place.name for place in ShardedFolder.open(folder.parent).folders]
    return ShardPlace(names.index(folder.name), len(names)) if folder.name in names else None


class ShardedFolder(msgspec.Struct, frozen=True):
    """The folder of a crawl in shards; ``count`` is fixed for the life of the crawl."""

    folder: Path
    count: int

    @classmethod
    def create(cls, folder: str | Path, count: int = DEFAULT_SHARDS) -> Self:
        """Make a new folder for so many shards, which have no crawl yet; then `seal` it.

        Raises ConfigError: there cannot be so many shards; FolderTakenError: the folder holds a crawl or something
        else; StoreError: it cannot be written.
        """
        folder = Path(folder)
        if not 1 <= count <= MOST_SHARDS:
            raise ConfigError(f"a crawl has from 1 to {MOST_SHARDS} shards, not {count}")
        make_new(folder, is_taken=is_sharded(folder))
        return cls(folder, count)

    def seal(self) -> Self:
        """Write the manifest: from now on the folder holds a crawl in shards."""
        manifest = _ShardsManifest(_FORMAT, self.count)
        with _writing(f"cannot write {self.folder}"):
            write_whole(self.folder / MANIFEST, msgspec.json.encode(manifest))
        return self

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """Return what the manifest of a folder says.

        Raises NotACrawlError: the folder is none of a crawl in shards; StoreError: the manifest, or a shard, is damaged
        or a link.
        """
        folder = Path(folder)
        path = folder / MANIFEST
        if not is_sharded(folder):
            raise NotACrawlError(f"{folder} holds no crawl in shards: there is no {path}")
        require_plain(path)
        damages = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
        damaged = told_as(StoreError, f"{path} is no manifest of a crawl in shards", *damages)
        with damaged, os_errors(StoreError, f"cannot read {path}"), path.open("rb") as file:
            manifest = msgspec.json.decode(file.read(_LARGEST), type=_ShardsManifest)
        if manifest.format != _FORMAT:
            raise StoreError(
                f"{path} is of format {manifest.format}, and this version of semcrawl reads "
                f"{_FORMAT}: use the version {manifest.version!r} that made it"
            )
        found = cls(folder, manifest.shards)
        for shard in found.folders:
            require_plain(shard)
        return found

    def require_count(self, count: int | None) -> None:
        """Raise ConfigError where another number of shards is asked for than the crawl has."""
        if count not in (None, self.count):
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

    def require_begun(self) -> list[Path]:
        """Return the folders of the shards that hold a crawl; NotACrawlError: none does."""
        if not self.begun:
            raise NotACrawlError(f"no shard of {self.folder} has begun: start the crawl anew")
        return self.begun

    def owner(self, url: str) -> int:
        """Return the number of the shard that owns a canonical URL."""
        return owner_of(url, self.count)

    def has_links(self, number: int) -> bool:
        """Whether links wait in the inbox of a shard."""
        return any((self.shard(number) / INBOX).glob(LINKS))

    def discard(self) -> None:
        """Remove the folder with all shards; it was empty when it was made."""
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def driven(self) -> Iterator[None]:
        """Hold the folder for one driver; note, for those who copy it, that it runs.

        Raises CrawlLockedError: another driver runs; StoreError: it is a copy that was made while the crawl ran.
        """
        lock, note = FolderLock(self.folder), self.folder / RUNNING
        try:
            require_plain(note)
            inode = str(self.folder.stat().st_ino)
            if note.is_file() and note.read_text("ascii", "replace") != inode:
                raise StoreError(
                    f"{self.folder} was copied while its crawl ran, so that links between its "
                    "shards may be missing: resume the crawl where it ran, stop it, and copy it "
                    f"again; or remove {note} to go on without these links"
                )
            with _writing(f"cannot write {note}"):
                write_whole(note, inode.encode())
            yield
            # Only after an ordinary end: a copy of what was killed may lack links.
            note.unlink(missing_ok=True)
        finally:
            lock.release()
