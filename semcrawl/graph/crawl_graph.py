"""The crawl graph: the RDF dataset of one crawl, its record of truth, in a folder or in memory."""

from __future__ import annotations

import re
import shutil
import uuid
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import msgspec
import pyoxigraph as ox

from semcrawl.closing import Closing
from semcrawl.errors import ConfigError, NotACrawlError, StoreError, told_as
from semcrawl.graph import crawl_folder, snapshots
from semcrawl.graph.change_log import ChangeLog
from semcrawl.graph.changes import Changes, site_settings_noted
from semcrawl.graph.columns import ALL, CRAWL
from semcrawl.graph.journal import is_left, sync_files
from semcrawl.graph.queries import find_query
from semcrawl.graph.result_formats import sound_lines
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import RDF_TYPE, SC, iri
from semcrawl.notebook import figures
from semcrawl.version import VERSION

if TYPE_CHECKING:
    import networkx
    import rdflib

    from semcrawl.graph.answers import Answer
    from semcrawl.graph.queries import NamedQuery


_SAID = {
    "settings": CRAWL["settings"].iri,
    "topic_file": CRAWL["topic_file"].iri,
    "site_settings": f"{SC}siteSettings",
}  # what a resume obeys

_SOUND = {
    "iri": "isIRI(?o)",
    "string": "datatype(?o) IN (xsd:string, rdf:langString)",
    "dateTime": "YEAR(?o) > 0 && YEAR(?o) < 10000",
    "boolean": "?o IN (true, false)",
}  # values by datatype; all others are numbers

_FORGED = (ArithmeticError, AttributeError, LookupError, SyntaxError, TypeError, ValueError)
# What readers raise where a value is not as a crawl writes it.


@dataclass(frozen=True, slots=True)
class CrawlDescription:
    """What the graph says of the crawl itself; all that a resume needs beside the frontier."""

    id: str
    name: str
    topic: str
    settings: str
    threshold: float
    started: datetime
    ended: datetime | None = None
    stopped: str | None = None
    software: str | None = None  # the version of semcrawl


class CrawlGraph(Closing):
    """The graph of one crawl. Close it, or use it as a context manager."""

    def __init__(
        self,
        store: OxigraphStore,
        folder: Path | None = None,
        lock: snapshots.FolderLock | None = None,
        snapshot: Path | None = None,
        *,
        trust: bool = False,
    ) -> None:
        self.store = store
        self.folder = folder
        self.trust = trust
        self.runs_code = True  # whether code that its settings name may be loaded
        self.judge: Any = None  # of a crawl in memory, with what it has learnt
        self.before_snapshots: Callable[[], None] = lambda: None  # writes what was put off
        self._lock = lock
        self._snapshot = snapshot

    @classmethod
    def create(cls, folder: str | Path | None = None) -> Self:
        """A new, empty graph: in a folder that holds no crawl yet, or in memory.

        Raises FolderTakenError: the folder holds a crawl or something else; StoreError: the folder
        cannot be written; nothing is left behind then.
        """
        if folder is None:
            return cls(OxigraphStore())
        folder = Path(folder)
        crawl_folder.make_new(folder)
        lock = snapshots.FolderLock(folder)
        try:
            return cls(OxigraphStore(folder / crawl_folder.GRAPH), folder, lock)
        except StoreError:
            crawl_folder.remove_crawl(folder)
            lock.release()
            raise

    @staticmethod
    def require(folder: Path) -> None:
        """Raise NotACrawlError where a folder holds no crawl."""
        if not folder.exists():
            crawls = [graph.parent.name for graph in islice(folder.absolute().parent.glob("*/graph"), 1000)]
            near = get_close_matches(folder.name, crawls, n=1)
            there = f"; beside it are {', '.join(sorted(crawls)[:5])}" if crawls else ": give the folder of a crawl"
            hint = f"; did you mean {folder.with_name(near[0])}?" if near else there
            raise NotACrawlError(f"there is no folder {folder}{hint}")
        snapshots.require_graph(folder)

    @classmethod
    def open(cls, folder: str | Path, *, trust: bool = False) -> Self:
        """The graph of an existing crawl, for writing; CrawlLockedError while another has it."""
        folder = Path(folder)
        cls.require(folder)
        crawl_folder.require_no_links(folder)
        with ExitStack() as undo:
            lock = snapshots.FolderLock(folder)
            undo.callback(lock.release)
            snapshots.clear_snapshots(folder)
            graph = cls(OxigraphStore(folder / crawl_folder.GRAPH), folder, lock, trust=trust)
            undo.callback(graph.close)
            graph._require_whole()
            if (folder / crawl_folder.MIRROR).is_dir():
                # What a stranger's log says is not made; a server is sent the whole graph then.
                graph.keep_log(is_wanted=graph.is_trusted)
            undo.pop_all()
        return graph

    @classmethod
    def read(cls, folder: str | Path, *, trust: bool = False) -> Self:
        """The graph of an existing crawl, for reading only; of a running crawl, a snapshot."""
        folder = Path(folder)
        cls.require(folder)
        crawl_folder.require_no_links(folder)
        lock = None
        with ExitStack() as undo:
            if not (snapshots.is_locked(folder) and (place := snapshots.request_snapshot(folder))):
                lock = snapshots.FolderLock(folder, shared=True)
                undo.callback(lock.release)
                with suppress(OSError):
                    snapshots.clear_snapshots(folder)
                place = snapshots.link_snapshot(folder) if is_left(folder / crawl_folder.GRAPH) else None
            if place:
                undo.callback(snapshots.remove_snapshot, place)
            store = OxigraphStore(place or folder / crawl_folder.GRAPH, read_only=True)
            graph = cls(store, folder, lock, snapshot=place, trust=trust)
            undo.callback(graph.close)
            graph._require_whole()
            undo.pop_all()
        return graph

    def _require_whole(self) -> None:
        """Raise StoreError where another made it, and a table is damaged or its values are too long."""
        with told_as(StoreError, f"the graph of {self.place} is damaged", RuntimeError):
            if not self.is_own:
                self.store.require_whole()

    @property
    def place(self) -> str:
        """Where it is: a folder, or the address of a server."""
        return str(self.folder or self.store.path or "in memory")

    def __repr__(self) -> str:
        try:
            return f"<CrawlGraph on {self.describe().name}: {self.place}>"
        except StoreError as error:  # it is closed
            return f"<CrawlGraph {self.place}: {error}>"

    def _repr_html_(self) -> str:
        with suppress(StoreError):
            counts = next(iter(self.query("monitor/progress")))
            return figures(self.describe().name, counts) + self.query("best-pages", limit=5)._repr_html_()
        return figures(repr(self), {})

    def close(self) -> None:
        """Let go of the store, the lock and a snapshot; closing twice is fine."""
        self.store.close()
        if self._lock:
            self._lock.release()
        if self._snapshot:
            snapshots.remove_snapshot(self._snapshot)

    def __exit__(self, *error: object) -> None:
        try:
            if isinstance(error[1], Exception):
                self.blame(error[1])
        finally:
            self.close()

    def blame(self, error: Exception) -> None:
        """Raise StoreError where the graph was forged, or may be, as the reason for an error."""
        if not isinstance(error, _FORGED):
            return
        self._require_values()
        if not self.is_own:
            raise StoreError(
                f"the graph of {self.place} cannot be read as that of a crawl: {type(error).__name__}: {error}"
            ) from error

    def discard(self) -> None:
        """Close the graph and remove it, and its folder too where nothing else is in it."""
        self.store.close()
        if self.folder and self._lock:
            crawl_folder.remove_crawl(self.folder)
        self.close()

    @property
    def is_trusted(self) -> bool:
        """Whether its settings may name code and files: the user says so, or made it here."""
        return self.trust or self.is_own

    @property
    def is_own(self) -> bool:
        """Whether this user made it here, or it is in memory."""
        with suppress(NotACrawlError):  # it never began
            if self.store.is_remote:
                return False
            return self.folder is None or crawl_folder.is_own(self.folder, self._id(), self._said())
        return False

    def _id(self) -> str:
        # No query: it could not be ended where a table is damaged.
        crawl = ox.NamedNode(SC + "Crawl")
        for quad in self.store.raw.quads_for_pattern(None, ox.NamedNode(RDF_TYPE), crawl, ox.DefaultGraph()):
            return str(quad.subject)[1:-1]
        raise NotACrawlError(f"the crawl in {self.folder} never began")

    def claim(self) -> None:
        """Note that this user made it here, with all that it says now."""
        if self.folder is not None:
            crawl_folder.mark_as_own(self.folder, self.describe().id, self._said())

    def require_sound(self) -> None:
        """Raise StoreError where another made it, and it says what no crawl writes."""
        if not self.is_own:
            self._require_values()
            found = iter(self.store.quads())
            while sound_lines(islice(found, 100)):  # what several pages say may be long
                pass

    def _require_values(self) -> None:
        """Raise StoreError where a property has a value of another kind than is written."""
        for column in (column for table in ALL for column in table):
            sound = _SOUND.get(column.datatype, "isNumeric(?o) && ABS(?o) < 1e15")
            asked = f"ASK {{ ?s {column.predicate} ?o FILTER(!COALESCE({sound}, false)) }}"
            if self.store.query(asked):
                raise StoreError(
                    f"the graph of {self.place} was not written by a crawl: "
                    f"{column.predicate} has a value that is no {column.datatype}"
                )

    @property
    def is_snapshot(self) -> bool:
        """Whether this is a snapshot of a crawl that another process is running."""
        return self._snapshot is not None and self._lock is None

    @property
    def parts(self) -> Sequence[CrawlGraph]:
        """The graphs that it is made of: itself, or those of its shards."""
        return (self,)

    @property
    def kind(self) -> Literal["pages", "sites"]:
        """What the crawl looks for: pages, or websites."""
        return "sites" if len(self.query("sites/site-settings")) else "pages"

    def require_pages(self, why: str) -> None:
        """Raise ConfigError, with the reason, where the crawl is one for websites."""
        if self.kind == "sites":
            raise ConfigError(f"this is a crawl for websites{why}")

    def query(self, query: str, **parameters: object) -> Answer:
        """Answer a named query with its parameters bound, or a SPARQL text.

        A threshold of relevance that is not given is the crawl's own. Raises QueryError: unknown
        name, wrong parameter, or malformed text.
        """
        if len(query.split()) == 1 and "{" not in query:
            return self.store.query(self.named_query(query).bind(parameters))
        return self.store.query(query)

    def named_query(self, query: str | NamedQuery) -> NamedQuery:
        """The query of that name, or a query of the user's, with the crawl's own threshold."""
        found = find_query(query) if isinstance(query, str) else query
        threshold = self.threshold if found.needs_threshold else None
        return found if threshold is None else found.at_threshold(threshold)

    @property
    def threshold(self) -> float | None:
        """The relevance from which on a page is relevant; None before the crawl begins."""
        threshold = self.store.value(None, CRAWL["threshold"].iri)
        if threshold is None or isinstance(threshold, float | int):
            return threshold
        raise StoreError(f"the graph of {self.place} is no crawl's: its threshold is no number")

    def rdflib(self) -> rdflib.Dataset:
        """The graph as an rdflib Dataset over the same store, to read while this is open."""
        import oxrdflib
        import rdflib

        view = oxrdflib.OxigraphStore(store=self.store.raw)
        if self.store.is_read_only:
            # A Dataset adds a graph also where it is only looked at.
            view.add_graph = lambda graph: None  # type: ignore[method-assign]  # noqa: ARG005
        return rdflib.Dataset(store=view)

    def networkx(self, min_relevance: float | None = 0.0) -> networkx.DiGraph[str]:
        """The visited pages with scores and links; ``min_relevance`` None is the threshold."""
        import networkx

        least = {} if min_relevance is None else {"min_relevance": min_relevance}
        graph: networkx.DiGraph[str] = networkx.DiGraph()
        pages = list(self.query("export/pages", **least))
        urls = {row["url"] for row in pages}
        scores = (row for row in self.query("export/page-scores") if row["url"] in urls)
        for row in (*pages, *scores):  # times as text: GraphML, GEXF, GML and JSON have none
            known = {k: v.isoformat() if isinstance(v, datetime) else v for k, v in row.items() if v is not None}
            graph.add_node(known.pop("url"), **known)
        links = self.query("export/links", **least)
        graph.add_edges_from((row["source"], row["target"]) for row in links)
        return graph

    def describe(self) -> CrawlDescription:
        """What the graph says of the crawl; NotACrawlError if it never began, else StoreError."""
        row = next(iter(self.query("monitor/crawl")), None)
        if row is None:
            there = f"the crawl in {self.place} never began: remove the folder and start anew"
            raise NotACrawlError(f"{self.place} has no graph of a crawl" if self.store.is_remote else there)
        wrong = f"the graph of {self.place} is no crawl's"
        with told_as(StoreError, wrong, msgspec.ValidationError):
            return msgspec.convert({"id": row.pop("crawl"), **row}, CrawlDescription)

    def apply(self, changes: Changes) -> None:
        """Write changes in one transaction."""
        changes.write(self.store)

    def begin(self, seeds: Changes, *, topic_turtle: str, site_settings: str | None = None, **columns: Any) -> None:
        """Record what is crawled and how, by columns of the crawl, together with the seeds, in one transaction."""
        crawl = uuid.uuid4().urn
        if site_settings is not None:
            site_settings_noted(seeds, site_settings)
        if self.folder is not None:
            said = self._said(site_settings=site_settings, **columns)
            crawl_folder.mark_as_own(self.folder, crawl, said)
        topic_triples = " ".join(
            f"{t.subject} {t.predicate} {t.object} ."
            for t in ox.parse(topic_turtle, format=ox.RdfFormat.TURTLE, base_iri=crawl)
        )
        known = CRAWL.write(topic=f"{crawl}#topic", software_version=VERSION, **columns)
        begun = f"INSERT DATA {{ <{crawl}> a sc:Crawl ; {known} . {topic_triples} }}"
        self.store.update(f"{begun} ;\n{seeds.text(self.store)}")
        self.store.flush()

    def note_start(self, settings: str, threshold: float, site_settings: str | None = None) -> None:
        """Record that the crawl runs, with these settings: it has not stopped, nor ended."""
        self._keep_mark(settings=settings, site_settings=site_settings)
        changes = Changes()
        if site_settings is not None:
            site_settings_noted(changes, site_settings)
        self._rewrite(
            changes,
            settings=settings,
            threshold=threshold,
            software_version=VERSION,
            ended_at=None,
            stopped_because=None,
        )

    def note_stop(self, reason: str, now: float, settings: str) -> None:
        """Record when and why the crawl stopped, and the settings that it last ran with."""
        self._keep_mark(settings=settings)
        self._rewrite(Changes(), settings=settings, ended_at=now, stopped_because=reason)
        self.store.flush()

    def _keep_mark(self, **new: str | None) -> None:
        """Let the mark of an own folder fit what is about to be stored."""
        if self.folder is None:
            return
        before, after = self._said(), self._said(**new)
        crawl = self.describe().id
        if before != after and crawl_folder.is_own(self.folder, crawl, before):
            # Both, as the end may come before the new is stored.
            crawl_folder.mark_as_own(self.folder, crawl, after, before)

    def _said(self, **new: str | None) -> str:
        """A digest of what a resume obeys, all values of each property; ``new`` as if stored."""
        values = [
            sorted(str(quad.object) for quad in self.store.quads_with(predicate))
            if (text := new.get(name)) is None
            else [str(ox.Literal(text))]
            for name, predicate in _SAID.items()
        ]
        return sha256(repr(values).encode("utf-8", "surrogatepass")).hexdigest()

    def _rewrite(self, changes: Changes, **values: Any) -> None:
        crawl = self.describe().id
        changes.remove(crawl, ", ".join(CRAWL[name].predicate for name in values))
        changes.state(f"{iri(crawl)} {CRAWL.write(**values)}")
        self.apply(changes)

    def relevances(self) -> dict[str, float]:
        """The relevance of every visited page, by URL, in the order of the visits."""
        return {row["url"]: row["relevance"] for row in self.query("analyse/harvest")}

    def memory_folder(self, kind: str, name: str = "") -> Path | None:
        """Where the ``judge``, or the ``strategy`` of that name, keeps its memory, if on disk."""
        if self.folder is None:
            return None
        place = self.folder / kind / re.sub(r"\W+", "-", name)
        place.mkdir(parents=True, exist_ok=True)
        return place

    def sync(self) -> None:
        """Make what was written safe from a loss of power: what the store names, then its log."""
        if self.folder is None:
            return
        log = self.store.log
        place = log.end if log else 0
        for pattern in (crawl_folder.PAGE_COUNTS, "judge/**/*", "strategy/**/*", "warc/*.gz", "mirror/*.log"):
            sync_files(filter(Path.is_file, self.folder.glob(pattern)))
        self.store.sync()
        if log:
            log.mark_safe(place)

    def keep_log(self, *, is_wanted: bool = True) -> None:
        """Log all changes from now on, whenever it is opened for writing; or no more. StoreError: it cannot be."""
        if self.folder is not None and is_wanted and not self.store.log:
            log = ChangeLog(self.folder)
            if log.unsure:
                self.store.update(" ;\n".join(log.unsure))
            self.store.log = log
        elif self.folder is not None and not is_wanted:
            self.store.log = None
            shutil.rmtree(self.folder / crawl_folder.MIRROR, ignore_errors=True)

    def snapshot(self) -> Path:
        """A snapshot for a process that reads beside this one."""
        self.before_snapshots()
        return snapshots.take_snapshot(self.folder, self.store)

    def answer_readers(self) -> int:
        """Hand snapshots to the processes that wait for one."""
        if self.folder is None:
            return 0
        return snapshots.answer_snapshot_requests(self.folder, self.store, self.before_snapshots)


def require_graph(graph: object) -> None:
    """Raise ConfigError where something else, such as the folder of a crawl, is given in place of its graph."""
    if not isinstance(graph, CrawlGraph):
        raise ConfigError(f"{graph!r} is no crawl graph: give crawl.graph, or open one by 'with read_crawl(folder)'")
