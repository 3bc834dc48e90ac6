"""Copies of the shards of a crawl on object storage, or anywhere that fsspec reaches.

::

    URL/shards.json         the manifest of the crawl
    URL/03/copy.json        the files of a shard, and under which name each is kept; written last
    URL/03/…                tables of its graph, which never change, once each; all other files anew each time

A shard that is lost is brought back as it was when it was last copied. What other shards had sent to it since then is
taken from the links that they have recorded, and sent again.
"""

import shutil
import threading
from importlib import import_module
from pathlib import Path, PurePosixPath
from queue import SimpleQueue

import msgspec

from semcrawl.crawl.shards.layout import MANIFEST, ShardedFolder, is_sharded
from semcrawl.crawl.shards.shard import send_again
from semcrawl.errors import ConfigError, StoreError, told_as
from semcrawl.graph.crawl_folder import GRAPH, INBOX, MEMORIES, PAGE_COUNTS, require_plain
from semcrawl.graph.snapshots import is_locked, link_snapshot, remove_snapshot, request_snapshot

_COPY, _EVERY = "copy.json", 60.0  # seconds between two copies of a shard, at least
_LARGEST_LIST = 10_000_000  # bytes of a manifest, or of a list of files
_Names = dict[str, str]  # of files in the shard's folder, and of what is kept of each


class Copies:
    """The copies of a crawl in shards at a URL.

    Raises ConfigError: fsspec, or what it needs for the URL, is not installed.
    """

    def __init__(self, url: str) -> None:
        try:
            self._files, self._root = import_module("fsspec.core").url_to_fs(url)
        except (ImportError, ValueError) as error:
            advice = "pip install 'semcrawl[copies]', and what fsspec needs for the address (s3fs for s3://)"
            raise ConfigError(f"--copies {url}: {error}; {advice}") from error
        self.problems = SimpleQueue[str]()

    def restore(self, folder: Path) -> list[int]:
        """Bring back the shards of a folder that are missing, or all of it; return their numbers.

        Raises StoreError: there is no copy, or it cannot be read.
        """
        with told_as(StoreError, f"cannot bring back the copy at {self._root}", Exception):  # of many kinds of storage
            if not is_sharded(folder):
                folder.mkdir(parents=True, exist_ok=True)
                (folder / MANIFEST).write_bytes(self._list(MANIFEST))
            whole = ShardedFolder.open(folder)
            missing = [number for number, place in enumerate(whole.folders) if place not in whole.begun]
            for number in missing:
                self._restore(whole.shard(number))
        for number in missing:
            send_again(whole, number)
        return missing

    def _restore(self, place: Path) -> None:
        part = place.with_suffix(".part")
        names = msgspec.json.decode(self._list(f"{place.name}/{_COPY}"), type=_Names)
        if len({*names.values()}) < len(names):
            raise StoreError("it names one file several times")
        require_plain(part)
        shutil.rmtree(part, ignore_errors=True)
        for name, kept in names.items():
            if {"", ".", ".."} & {*name.split("/"), kept} or "/" in kept:
                raise StoreError(f"it names {name!r} and {kept!r}, which are no file of a shard and no copy of one")
        paths = {name: self._kept(f"{place.name}/{kept}") for name, kept in names.items()}
        sizes = {name: int(self._files.size(path)) for name, path in paths.items()}
        if sum(sizes.values()) > shutil.disk_usage(place.parent).free // 2:
            raise StoreError(f"shard {place.name} is larger than half of what is free on the disk")
        for name, path in paths.items():
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            with self._files.open(path, "rb") as kept_file, (part / name).open("wb") as file:
                while sizes[name] > 0 and (piece := kept_file.read(min(sizes[name], 1 << 20))):
                    sizes[name] -= file.write(piece)
        shutil.rmtree(place, ignore_errors=True)
        part.rename(place)

    def _kept(self, name: str) -> str:
        """The path of a file that is kept; StoreError where it is a link or a pipe: another may have made the copy."""
        about = self._files.info(f"{self._root}/{name}")
        if about["type"] != "file" or about.get("islink"):
            raise StoreError(f"{name} is no regular file")
        return f"{self._root}/{name}"

    def _list(self, name: str) -> bytes:
        # A web server need not say how long a file is.
        with self._files.open(self._kept(name), "rb") as file:
            found: bytes = file.read(_LARGEST_LIST + 1)
        if len(found) > _LARGEST_LIST:
            raise StoreError(f"{name} has more than {_LARGEST_LIST:,} bytes, and is no list of files")
        return found

    def save(self, whole: ShardedFolder, number: int) -> None:
        """Copy a shard as it is now, also while it runs."""
        place, there = whole.shard(number), f"{self._root}/{whole.shard(number).name}"
        self._files.makedirs(there, exist_ok=True)
        snapshot = (request_snapshot(place) if is_locked(place) else None) or link_snapshot(place)
        try:
            paths = {f"{GRAPH}/{path.name}": path for path in snapshot.iterdir()}
            # After the graph: what has learnt may be ahead of it, and never behind.
            for pattern in (PAGE_COUNTS, *(f"{name}/**/*" for name in MEMORIES), f"{INBOX}/*"):
                paths |= {path.relative_to(place).as_posix(): path for path in place.glob(pattern) if path.is_file()}
            known, names = {PurePosixPath(path).name for path in self._files.find(there)}, _Names()
            for name, path in paths.items():
                about = path.stat()
                kept = names[name] = f"{about.st_mtime_ns}-{about.st_size}-{name.replace('/', '-')}"
                if kept not in known or path.suffix != ".sst":
                    self._files.put_file(str(path), f"{there}/{kept}")
        finally:
            remove_snapshot(snapshot)
        self._files.pipe_file(f"{there}/{_COPY}", msgspec.json.encode(names))
        for old in known - {*names.values(), _COPY}:
            self._files.rm_file(f"{there}/{old}")

    def follow(self, whole: ShardedFolder, ended: threading.Event) -> None:
        """Copy one shard after the other until the crawl has ended, and then all of them once more."""
        is_last = False
        while not is_last:
            is_last = ended.wait(_EVERY)
            try:
                self._files.makedirs(self._root, exist_ok=True)
                self._files.pipe_file(f"{self._root}/{MANIFEST}", (whole.folder / MANIFEST).read_bytes())
                for number in range(whole.count):
                    self.save(whole, number)
            except Exception as error:  # noqa: BLE001 - storage raises errors of many kinds; the crawl goes on
                self.problems.put(f"the copy at {self._root} is not up to date: {error}")
