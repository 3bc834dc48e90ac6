"""The log of a crawl's changes, for a SPARQL server that follows its graph.

``FOLDER/mirror`` holds the text of each transaction, numbered. It is written before the
transaction, which writes its number into the graph: after any end the graph tells which changes
of the log it has. A change names data only, see `Changes.text`, so that it can be made anywhere.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from semcrawl.closing import Closing
from semcrawl.errors import StoreError
from semcrawl.graph.columns import CRAWL
from semcrawl.graph.crawl_folder import MIRROR, require_no_links
from semcrawl.graph.vocabulary import iri

LARGEST = 1 << 32  # bytes of a log; what follows loads the whole graph once it is larger
_CHECK_EVERY = 1000  # changes
_FILE = "changes.sqlite"
_TABLE = "CREATE TABLE changes (number INTEGER PRIMARY KEY, text BLOB NOT NULL)"
_WAIT = 60.0  # seconds for another that writes


def moved_to(crawl: str, before: int | None, after: int) -> str:
    """Return the operations by which a graph says how many changes of a crawl it has."""
    column, subject = CRAWL["mirrored_changes"].predicate, iri(crawl)
    gone = "" if before is None else f"DELETE DATA {{ {subject} {column} {before} }} ;\n"
    return f"{gone}INSERT DATA {{ {subject} {column} {after} }}"


class ChangeLog(Closing):
    """The log in the folder of a crawl; it is made where there is none.

    ``number`` is that of the latest change that the graph has. Each thread has a log of its own.

    Raises:
        StoreError: it cannot be read or written, or is none of ours.
    """

    def __init__(self, folder: Path, crawl: str) -> None:
        place = folder / MIRROR
        require_no_links(folder)
        self.crawl = crawl
        self.number = 0
        self._path = place / _FILE
        with self._errors():
            place.mkdir(mode=0o755, exist_ok=True)
            self.is_new = not self._path.exists()
            self._rows = sqlite3.connect(
                self._path, timeout=_WAIT, isolation_level=None, check_same_thread=False
            )
            self._rows.execute("PRAGMA trusted_schema = OFF")
            if self.is_new:
                self._rows.executescript(f"PRAGMA journal_mode = WAL; BEGIN; {_TABLE}; COMMIT")
            # A kill loses nothing; against a loss of power the files are synced with the graph's.
            self._rows.execute("PRAGMA synchronous = OFF")
            found = self._rows.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL")
            if [row[0] for row in found] != [_TABLE]:
                self._rows.close()
                raise StoreError(f"{self._path} is no log of a crawl: remove it")

    def write(self, text: str, apply: Callable[[str], None]) -> None:
        """Write the next change, then make it; one that cannot be made leaves nothing."""
        number = self.number + 1
        with self._errors():
            self._rows.execute("INSERT OR REPLACE INTO changes VALUES (?, ?)", (number, text))
            if not number % _CHECK_EVERY and self._path.stat().st_size > LARGEST:
                self._rows.execute("DELETE FROM changes")
        apply(f"{text} ;\n{moved_to(self.crawl, self.number, number)}")
        self.number = number

    def begin(self, number: int | None, apply: Callable[[str], None]) -> None:
        """Go on from the graph's number; a new log leaves one out, as changes may be missing."""
        if number is None or self.is_new:
            apply(moved_to(self.crawl, number, (number or 0) + 1))
            number = (number or 0) + 1
        with self._errors():
            # What the end of a process left: the graph does not have it.
            self._rows.execute("DELETE FROM changes WHERE number > ?", (number,))
        self.number = number

    def after(self, number: int, last: int, most_bytes: int) -> Iterator[tuple[int, str]]:
        """Yield the changes from the next of ``number`` to ``last``, so many bytes or a bit more.

        Raises:
            StoreError: the next one is no longer, or was never, in the log.
        """
        with self._errors():
            asked = "SELECT number, text FROM changes WHERE number > ? AND number <= ? ORDER BY 1"
            rows = self._rows.execute(asked, (number, last))
            for found, text in rows:
                if found != number + 1 or most_bytes <= 0:
                    break
                yield found, text
                number, most_bytes = found, most_bytes - len(text)
            rows.close()

    def taken(self, number: int) -> None:
        """Remove the changes up to this one: the mirror has them."""
        with self._errors():
            self._rows.execute("DELETE FROM changes WHERE number <= ?", (number,))

    def sync(self) -> None:
        """Make what was written safe from a loss of power."""
        for path in self._path.parent.iterdir():
            with path.open("rb") as file:
                os.fsync(file.fileno())

    def close(self) -> None:
        """Let go of the files; closing twice is fine."""
        self._rows.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"cannot read or write the log of changes {self._path}: {error}; "
                "free some space, or remove the folder to begin a new log"
            ) from error
