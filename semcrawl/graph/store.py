"""Where triples are kept: the embedded Oxigraph store."""

import errno
import re
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from semcrawl.errors import NotACrawlError, QueryError, StoreError, told_as
from semcrawl.graph.answers import Answer, python_value
from semcrawl.graph.change_log import ChangeLog
from semcrawl.graph.journal import Journal
from semcrawl.graph.sparql_text import kind_of, refuse_outsize, refuse_service, undeclared_prefixes
from semcrawl.graph.vocabulary import PREFIXES, shorten

_LONG, _LONGEST = 4_000, 1 << 28  # characters of the statements of a graph: of each, and beside these
_PLACE = re.compile(r"error at (\d+):(\d+)")
_REASON = re.compile(r"[A-Z][a-z]+(?: [^\s,\[\]]+)+")


def syntax_message(text: str, problem: str) -> str:
    """Why the engine refused a query: the place, the text there, the reason if it has words.

    >>> print(syntax_message("SELECT ?u WHERE { ?u a }", 'error at 1:24: expected one of "$", …'))
    the query has a syntax error: error at 1:24, near '}'
    """
    if not text.strip():
        return "the query is empty: write SELECT, ASK, CONSTRUCT or DESCRIBE"
    if kind_of(text) == "update":
        return "a crawl graph can be asked, not changed: write SELECT, ASK, CONSTRUCT or DESCRIBE"
    place = _PLACE.search(problem)
    if not place:
        return f"the query has a syntax error: {' '.join(problem.split())[:200]}"
    line, column = int(place[1]), int(place[2])
    for prefix, there in undeclared_prefixes(text).items():
        # The engine stumbles at a later place, and does not say why.
        if prefix not in PREFIXES and there <= (line, column):
            return (
                f"the query has a syntax error: error at {there[0]}:{there[1]}, "
                f"{_text_at(text, *there)}: the prefix {prefix + ':'!r} is not declared"
            )
    reason = _REASON.search(problem, place.end())
    why = f": {reason[0]}" if reason else ""
    if kind_of(text) == "unknown":
        why = ": a query begins with SELECT, ASK, CONSTRUCT or DESCRIBE"
    elif not why and text.count("{") > text.count("}"):
        why = ": a } is missing"
    return f"the query has a syntax error: {place[0]}, {_text_at(text, line, column)}{why}"


def _text_at(text: str, line: int, column: int) -> str:
    lines = text.splitlines()
    here = lines[line - 1] if line <= len(lines) else ""
    rest = here[column - 1 :].strip()
    return f"near {rest[:30]!r}" if rest else f"after {(here.strip() or text.strip())[-30:]!r}"


_UNKNOWN_FUNCTION = re.compile(r"custom function <(\S+)> is not supported")


class OxigraphStore:
    """The embedded store: on disk, in memory (``path`` None), or opened for reading only.

    ``functions`` can be called in queries by their IRIs. They are given texts and return a
    number, or None for an error, which an attribute ``problem`` may tell of. Updates are written
    to the ``log`` first, where there is one.
    """

    is_remote = False  # whether it is on a server

    def __init__(self, path: Path | None = None, *, read_only: bool = False) -> None:
        self.path: Path | str | None = path
        self.is_read_only = read_only
        self.functions: Mapping[str, Callable[..., float | None]] = {}
        self.log: ChangeLog | None = None
        self._lock = threading.RLock()  # pyoxigraph loses updates of several threads
        self._store: ox.Store | None
        self._journal: Journal | None = None
        with _store_errors(path):
            if path is None:
                self._store = ox.Store()
            elif not read_only:
                self._store = ox.Store(str(path))
                self._journal = Journal(path)
            elif path.is_dir():
                self._store = ox.Store.read_only(str(path))
            else:
                raise NotACrawlError(f"{path} holds no graph: give the folder of a crawl")

    @property
    def raw(self) -> ox.Store:
        """The pyoxigraph store itself, for an rdflib view or a dump."""
        if self._store is None:
            raise StoreError("the crawl graph is closed: open the crawl again")
        if self._journal:
            with _store_errors(self.path), self._lock:
                self._journal.put_into(self._store)
        return self._store

    def query(
        self,
        text: str,
        *,
        most: int | None = None,
        default_graphs: Sequence[str] = (),
        named_graphs: Sequence[str] = (),
        base: str | None = None,
    ) -> Answer:
        """Answer a query; known prefixes need not be declared. SERVICE is refused.

        ``most`` rows or triples are read. Named graphs go before what its FROM says. ``base``
        is what relative IRIs are relative to.
        """
        refuse_outsize(text)
        refuse_service(text)
        graphs: dict[str, Any] = {}
        if default_graphs or named_graphs:
            graphs["default_graph"] = [ox.NamedNode(name) for name in default_graphs]
            graphs["named_graphs"] = [ox.NamedNode(name) for name in named_graphs]
        known: dict[ox.NamedNode, Callable[..., Any]] = {
            ox.NamedNode(name): _on_terms(one) for name, one in self.functions.items()
        }
        try:
            found = self.raw.query(text, base_iri=base, prefixes=PREFIXES, custom_functions=known, **graphs)
            answer = Answer(found, most, text)
        except SyntaxError as error:
            raise QueryError(syntax_message(text, str(error))) from error
        except (OSError, RuntimeError, ValueError) as error:
            if unknown := _UNKNOWN_FUNCTION.search(str(error)):
                there = ", ".join(map(shorten, self.functions)) or "none"
                raise QueryError(
                    f"the query calls {shorten(unknown[1])}, which is no function; there is: {there}"
                ) from error
            raise _store_error(error, self.path) from error
        for function in self.functions.values():
            if problem := getattr(function, "problem", ""):
                function.problem = ""  # type: ignore[attr-defined]
                raise QueryError(problem)
        return answer

    def update(self, text: str) -> None:
        """Apply an update in one transaction; known prefixes need not be declared."""
        syntax = told_as(QueryError, "the update has a syntax error", SyntaxError)
        with syntax, _store_errors(self.path), self._lock, self.log.written(text) if self.log else nullcontext():
            self.raw.update(text, prefixes=PREFIXES)

    def keep(self, gone: Sequence[str], new: Sequence[str], stated: Sequence[str], text: Callable[[], str]) -> bool:
        """Record statements, to be written by and by (`Journal.line`); False where only `update` can, with the text."""
        with _store_errors(self.path), self._lock:
            if self._journal is None or (line := self._journal.line(gone, new, stated)) is None:
                return False
            with self.log.written(text()) if self.log else nullcontext():
                self._journal.add(line, gone, new, stated)
            return True

    def sync(self) -> None:
        """Make what was written safe from a loss of power."""
        if self._journal is not None:
            with self._lock:  # the thread of a mirror syncs, too, and what is synced must not go elsewhere meanwhile
                self._journal.sync()

    def dump(self, form: ox.RdfFormat, target: Path) -> None:
        """Write the whole store to a file, streaming."""
        single = None if form.supports_datasets else ox.DefaultGraph()
        with _store_errors(target):
            self.raw.dump(str(target), form, from_graph=single, prefixes=PREFIXES)

    def quads(self, graph: ox.NamedNode | None = None) -> Iterator[ox.Quad]:
        """All statements, or those of one named graph, in no particular order."""
        return self.raw.quads_for_pattern(None, None, None, graph)

    def quads_with(self, predicate: str) -> Iterator[ox.Quad]:
        """The statements with a property, outside the named graphs."""
        return self.raw.quads_for_pattern(None, ox.NamedNode(predicate), None, ox.DefaultGraph())

    def value(self, subject: str | None, name: str) -> Any:
        """The value that a subject, or any, has for a property, or None; without a query."""
        try:
            node = None if subject is None else ox.NamedNode(subject)
            pattern = node, ox.NamedNode(name), None, ox.DefaultGraph()
        except ValueError:
            return None
        quad = next(iter(self.raw.quads_for_pattern(*pattern)), None)
        return None if quad is None else python_value(quad.object)

    def has(self, name: str, *, own: bool = False) -> bool:
        """Whether any statement, or one of the crawl's own, has this IRI as its subject, property or value."""
        try:
            node = ox.NamedNode(name)
        except ValueError:
            return False
        where = ox.DefaultGraph() if own else None
        places = ((node, None, None, where), (None, node, None, where), (None, None, node, where))
        return any(next(iter(self.raw.quads_for_pattern(*place)), None) for place in places)

    def require_whole(self) -> None:
        """Raise StoreError for a damaged table: a query that sorts would collect the error until there is no memory.

        Tables by object alone are not looked at, nor those by named graph, which few queries need. It is an error, too,
        if the statements are far longer than those of crawls: a long term is stored once, and read with each of them.
        """
        room, properties = _LONGEST, set[Any]()
        with _store_errors(self.path):
            for quad in self.raw.quads_for_pattern(None, None, None, None):
                room += _LONG - len(str(quad))
                if room < 0:
                    raise StoreError(
                        f"the graph of {self.path} was not written by a crawl: its statements are too long"
                    )
                properties.add(quad.predicate)
            for one in properties:
                deque(self.raw.quads_for_pattern(None, one, None, None), maxlen=0)

    def flush(self) -> None:
        """Write the log through to the disk."""
        with _store_errors(self.path), self._lock:
            self.raw.flush()

    def backup(self, folder: Path) -> None:
        """Snapshot into a new folder, by hard links: takes milliseconds."""
        with _store_errors(folder), self._lock:
            self.raw.backup(str(folder))

    def close(self) -> None:
        """Let go of the files; closing twice is fine."""
        if self._journal is not None:
            with suppress(StoreError):  # what cannot be written stays in the journal
                _ = self.raw
            self._journal.close()
        self._store = self._journal = None
        if self.log is not None:
            self.log.close()


def _on_terms(function: Callable[..., float | None]) -> Callable[..., ox.Literal | None]:
    def on_terms(*terms: ox.Literal | ox.NamedNode) -> ox.Literal | None:
        texts = [getattr(term, "value", None) for term in terms]
        number = None if None in texts else function(*texts)
        return None if number is None else ox.Literal(number)

    return on_terms


@contextmanager
def _store_errors(path: Path | str | None) -> Iterator[None]:
    try:
        yield
    except (OSError, RuntimeError) as error:
        raise _store_error(error, path) from error


def _store_error(error: Exception, path: Path | str | None) -> StoreError:
    where = f" {path}" if path else ""
    text = str(error)
    if getattr(error, "errno", None) == errno.ENOSPC or "No space left" in text:
        return StoreError(
            f"the disk is full: could not write the crawl graph{where}; "
            "free some space, then go on with 'semcrawl resume'"
        )
    if getattr(error, "errno", None) == errno.EFBIG or "File too large" in text:
        return StoreError(
            f"a limit on the size of files is reached: could not write the crawl graph{where}; "
            "raise it (see 'ulimit -f'), then go on with 'semcrawl resume'"
        )
    if "Read-only file system" in text or "Permission denied" in text:
        return StoreError(f"cannot write the crawl graph{where}: {text}; choose another folder")
    return StoreError(f"the crawl graph{where} failed: {text}")
