"""The journal of a store on disk: what is recorded, and not in its tables yet.

A transaction for each page costs three times the CPU of tables that hundreds of pages make together. So a page is one
line of a file at first. To put lines into the tables again changes nothing: whoever opens a store does so with those
that a killed process left.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import pyoxigraph as ox

from semcrawl.errors import StoreError, told_as
from semcrawl.graph.vocabulary import PREFIXES

NAME = "journal.log"
_FEWEST = 80  # lines that are worth tables of their own
_MOST = 1 << 24  # bytes of all lines
_FORGED = f"the {NAME} of a graph was not written by a crawl"
_HEAD = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())

Net = Mapping[str, tuple[str | None, str | None]]
"""By subject and property, the value before and the value after; None: no value."""

_Line = tuple[list[str], dict[str, tuple[str | None, str | None]]]


class Journal:
    """Collects what is new, and values that change; SPARQL without variables."""

    def __init__(self, folder: Path) -> None:
        """Take the place of a store, and what was left there."""
        self.is_synced = False  # whether it has what must survive a loss of power
        self._folder = folder
        self._file = (folder / NAME).open("ab", buffering=0)
        self._forget()
        # What was cut when its process was killed was told to nobody.
        with (folder / NAME).open("rb") as left, suppress(msgspec.MsgspecError):
            while (line := left.readline(_MOST)).endswith(b"\n") and self._size < _MOST:
                new, net = msgspec.json.decode(line, type=_Line)
                self._take(new, net, len(line))
        self._file.truncate(self._size)

    def __len__(self) -> int:
        return self._count

    def _forget(self) -> None:
        self._count = self._size = 0
        self._new: list[str] = []
        self._net: dict[str, tuple[str | None, str | None]] = {}
        self._gone: defaultdict[str, list[str]] = defaultdict(list)  # by subject, properties that lost a value

    def _take(self, new: Sequence[str], net: Net, size: int) -> None:
        self._count += 1
        self._size += size
        self._new += new
        for what, (before, after) in net.items():
            self._net[what] = (self._net[what][0] if what in self._net else before, after)

    def add(self, new: Sequence[str], net: Net) -> bool:
        """Write a line; False where it must wait until the others are in the tables, or there is no room."""
        for what, (before, _) in net.items():
            if before:
                subject, _, predicate = what.partition(" ")
                self._gone[subject].append(f"{predicate} ")
        line = msgspec.json.encode((new, net)) + b"\n"
        if self._size + len(line) > _MOST or any(map(self._was_gone, new)):
            return False
        try:
            rest = line
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            self._file.truncate(self._size)
            raise
        self._take(new, net, len(line))
        return True

    def _was_gone(self, new: str) -> bool:
        # All that is new comes before all that goes: what went must not come again.
        return any(predicate in new for predicate in self._gone.get(new.partition(" ")[0], ()))

    def put_into(self, store: ox.Store) -> None:
        """Put all lines into the tables of the store, and begin anew."""
        with told_as(StoreError, _FORGED, SyntaxError):
            self._write(store)
        if self._count >= _FEWEST:
            store.flush()
        elif self.is_synced:
            sync_files(self._folder.glob("*.log"))
        self._file.truncate(0)
        self.is_synced = False
        self._forget()

    def _write(self, store: ox.Store) -> None:
        new, gone, late = self._new.copy(), list[str](), list[str]()
        for what, (before, after) in self._net.items():
            if before != after:
                if before:
                    gone.append(f"{what} {before}")
                if after:
                    (late if before else new).append(f"{what} {after}")
        if self._count < _FEWEST:
            store.extend(_quads(new))
        else:
            store.bulk_extend(_quads(new))
        if gone:
            triples = ox.serialize((quad.triple for quad in _quads(gone)), format=ox.RdfFormat.N_TRIPLES) or b""
            store.update(f"DELETE DATA {{ {triples.decode()} }}")
        store.extend(_quads(late))

    def sync(self) -> None:
        """Make all lines safe from a loss of power, and what was put into the tables since they were flushed."""
        sync_files(self._folder.glob("*.log"))
        self.is_synced = True

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def is_left(folder: Path) -> bool:
    """Whether the journal of a store has lines."""
    with suppress(OSError):
        return (folder / NAME).stat().st_size > 0
    return False


def sync_files(paths: Iterable[Path]) -> None:
    """Make files safe from a loss of power."""
    for path in paths:
        # A log goes when its pages are in the tables of the store, which syncs these.
        with suppress(FileNotFoundError), path.open("rb") as file:
            os.fsync(file.fileno())


def _quads(statements: Sequence[str]) -> Iterator[ox.Quad]:
    # Behind a named graph there is no full stop. Blank nodes keep their names, so that to do it again changes nothing.
    text = "".join(one + ("\n" if one.endswith("}") else " .\n") for one in statements)
    return ox.parse(_HEAD + text, format=ox.RdfFormat.TRIG)
