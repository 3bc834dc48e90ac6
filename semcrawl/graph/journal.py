"""The journal of a store on disk: what is recorded, and not in its tables yet.

A transaction for each page costs three times the CPU of tables that hundreds of pages make together. So a page is one
line of a file at first. To put lines into the tables again changes nothing: whoever opens a store does so with those
that a killed process left.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path

import msgspec
import pyoxigraph as ox

from semcrawl.errors import StoreError, told_as
from semcrawl.graph.sparql_text import is_plain_data
from semcrawl.graph.vocabulary import PREFIXES

NAME = "journal.log"
_FEWEST = 80  # lines that are worth tables of their own
_MOST = 1 << 23  # bytes of all lines
_AT_ONCE = 500  # lines of statements that are parsed together: the text of all would lie in memory several times
_MOST_QUADS = 20_000  # that are put into the tables together, for the same reason
_MOST_WRITTEN_OUT = 1 << 30  # characters of all lines, each value with its subject, property and graph
_TERMS = re.compile(r'<[^>]*>|"(?:[^"\\]|\\.)*+"')
_FORGED = f"the {NAME} of a graph was not written by a crawl"
_HEAD = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())


class Journal:
    """Collects what is new, and values that change; SPARQL without variables."""

    def __init__(self, folder: Path) -> None:
        """Take the place of a store, and what was left there; StoreError: that was not written by a crawl."""
        self._folder = folder
        if is_left(folder) and (folder / NAME).stat().st_nlink > 1:
            raise StoreError(f"{folder / NAME} is another file, too: put a copy of it in its place")
        self._forget()
        # What was cut when its process was killed was told to nobody.
        written_out = 0
        with (folder / NAME).open("a+b") as left, suppress(msgspec.MsgspecError):
            left.seek(0)
            while (line := left.readline(_MOST)).endswith(b"\n") and self._size < _MOST:
                statements = msgspec.json.decode(line, type=tuple[list[str], list[str], list[str]])
                written_out += sum(_written_out(one) for part in statements for one in part)
                is_plain = all(is_plain_data(one) for part in statements for one in part)
                if not is_plain or written_out > _MOST_WRITTEN_OUT:
                    raise StoreError(_FORGED)
                self._take(*statements, len(line))
        self._file = (folder / NAME).open("ab", buffering=0)
        self._file.truncate(self._size)
        self._is_left = self._count > 0  # by a process that was killed, or by tables that could not be made

    def __len__(self) -> int:
        return self._count

    def _forget(self) -> None:
        self._count = self._size = 0
        self.is_synced = self._is_left = False  # whether it has what must survive a loss of power
        self._new: dict[str, None] = {}  # statements that are there after all lines, and that came with one
        self._is_there: dict[str, bool] = {}  # by statement that a table may have, whether it is there after all lines
        self._gone: defaultdict[str, set[str]] = defaultdict(set)  # by subject, properties that lost a value

    def _take(self, gone: Sequence[str], new: Sequence[str], stated: Sequence[str], size: int) -> None:
        self._count += 1
        self._size += size
        known, fresh = self._is_there, self._new
        for one in gone:
            # Most priorities that change came with a page of this journal: no table has them.
            if one in known or one not in fresh:
                known[one] = False
            fresh.pop(one, None)
        for one in new:
            if one in known:
                known[one] = True
            else:
                fresh[one] = None
        known |= dict.fromkeys(stated, True)

    def line(self, gone: Sequence[str], new: Sequence[str], stated: Sequence[str]) -> bytes | None:
        """Return the line for single statements that go and that are new, and others that are stated.

        What is new no table has, and no line before, unless it went since. None where it must wait until the others are
        in the tables, or there is no room.
        """
        for subject, predicate, _ in (one.split(" ", 2) for one in gone):
            self._gone[subject].add(f"{predicate} ")
        room = _MOST - self._size
        if self._is_left or sum(map(len, stated)) > room or any(map(self._was_gone, stated)):
            return None
        line = msgspec.json.encode((gone, new, stated)) + b"\n"
        return line if len(line) <= room else None

    def add(self, line: bytes, gone: Sequence[str], new: Sequence[str], stated: Sequence[str]) -> None:
        """Write the line of some statements."""
        try:
            rest = line
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            self._file.truncate(self._size)
            raise
        self._take(gone, new, stated, len(line))

    def _was_gone(self, stated: str) -> bool:
        # What goes is taken out last: it must not be stated again.
        return any(predicate in stated for predicate in self._gone.get(stated.partition(" ")[0], ()))

    def put_into(self, store: ox.Store) -> None:
        """Put all lines into the tables of the store, and begin anew."""
        # What was synced must not go back to a log that may be lost.
        in_bulk = self.is_synced or self._count >= _FEWEST
        self._is_left = True  # where it cannot be done, the tables may have a part: first it must be done again
        with told_as(StoreError, _FORGED, SyntaxError):
            stated = _quads([*self._new, *(one for one, is_there in self._is_there.items() if is_there)])
            for first in stated:
                (store.bulk_extend if in_bulk else store.extend)(chain([first], islice(stated, _MOST_QUADS)))
            gone = _quads([one for one, is_there in self._is_there.items() if not is_there])
            for first in gone:
                some = (quad.triple for quad in chain([first], islice(gone, _MOST_QUADS)))
                triples = ox.serialize(some, format=ox.RdfFormat.N_TRIPLES) or b""
                store.update(f"DELETE DATA {{ {triples.decode()} }}")
        if in_bulk:
            store.flush()
        self._file.truncate(0)
        self._forget()

    def sync(self) -> None:
        """Make all lines safe from a loss of power, and what was put into the tables since they were flushed."""
        sync_files(self._folder.glob("*.log"))
        self.is_synced = True

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def is_left(folder: Path) -> bool:
    """Whether the journal of a store has lines."""
    return (folder / NAME).is_file() and (folder / NAME).stat().st_size > 0


def sync_files(paths: Iterable[Path]) -> None:
    """Make files safe from a loss of power."""
    for path in paths:
        # A log goes when its pages are in the tables of the store, which syncs these.
        with suppress(FileNotFoundError), path.open("rb") as file:
            os.fsync(file.fileno())


def _written_out(statement: str) -> int:
    """About how many characters it would have if each of its values stood with all that goes with it."""
    marks, iris = _TERMS.sub("", statement), (term for term in _TERMS.findall(statement) if term[0] == "<")
    return max(map(len, iris), default=0) * sum(map(marks.count, ",;."))


def _quads(statements: Sequence[str]) -> Iterator[ox.Quad]:
    for start in range(0, len(statements), _AT_ONCE):
        some = statements[start : start + _AT_ONCE]
        # Behind a named graph there is no full stop. Blank nodes keep their names, so that to do it again changes
        # nothing.
        text = "".join(one + ("\n" if one.endswith("}") else " .\n") for one in some)
        yield from ox.parse(_HEAD + text, format=ox.RdfFormat.TRIG)
