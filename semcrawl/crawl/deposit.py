"""What archives take: a collection as an RO-Crate 1.1, the pages themselves as a WACZ file.

What is said of a crate is the template ``crate.json``, of its files ``crate.toml``; its report for
readers is ``crate.html``.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from html import escape
from pathlib import Path
from secrets import token_hex
from string import Template
from typing import Any

import msgspec
import pyoxigraph as ox

from semcrawl.errors import ConfigError, FolderTakenError, StoreError, os_errors
from semcrawl.graph import CrawlGraph, require_graph
from semcrawl.graph.crawl_folder import WARC
from semcrawl.graph.dataset import About, collection_queries, collection_triples, local_prefixes
from semcrawl.graph.export import own_statements, write_file
from semcrawl.graph.queries import find_query
from semcrawl.graph.result_formats import write_triples
from semcrawl.graph.vocabulary import shorten
from semcrawl.plots.curves import svg_plot
from semcrawl.plots.terminal import moving_average
from semcrawl.redaction import without_folders
from semcrawl.resources import facts_beside, ontologies_folder
from semcrawl.web.warc_writer import warc_files
from semcrawl.web.warc_writer import write_wacz as write

METADATA = "ro-crate-metadata.json"

_SEMCRAWL = "https://w3id.org/semcrawl"
_WEB = ("http://", "https://")  # the report links to no URL of a stranger's graph that a browser would run
_WINDOW = 50  # pages that the curve of the report takes the mean of
_SHOWN = 50  # pages and sites that the report lists

Entity = dict[str, Any]


def write_wacz(graph: CrawlGraph, path: str | Path, *, min_relevance: float | None = None, **said: Any) -> int:
    """Write all that a crawl has kept as a WACZ file; return how many pages it lists.

    Listed are pages of at least ``min_relevance``. What is ``said`` of them, such as a title, is as
    for `semcrawl.graph.export`. Raises ConfigError: the crawl has kept nothing, or something that
    `semcrawl.graph.export` refuses; StoreError: the file cannot be written.
    """
    about = About.of(**said)
    crawl = graph.describe()
    least = crawl.threshold if min_relevance is None else min_relevance
    pages = list(graph.query("export/kept-pages", min_relevance=least))
    listed = ({"url": row["url"], "title": row["title"] or row["url"], "ts": row["fetched_at"]} for row in pages)
    told = {
        "title": about.title or crawl.name,
        "description": " ".join(_said(graph, least, about, "dcterms:description")),
        "contributors": [{"title": name, "path": place} for name, place in about.people()],
        "licenses": [{"path": about.licence}] if about.licence else [],
    }
    folder = (graph.folder or Path(os.devnull)) / WARC
    write_file(Path(path), lambda part: write(part, folder, listed, told))
    return len(pages)


def _said(graph: CrawlGraph, least: float, about: About, name: str) -> list[str]:
    """What the collection says of itself as a dataset: its ``dcterms:description``, or each ``dcat:keyword``."""
    dataset = graph.store.query(collection_queries(graph, least, about, "")["export/dataset"]).triples
    return sorted(text.value for _, said, text in dataset if shorten(said.value) == name)


def write_crate(graph: CrawlGraph, folder: str | Path, *, min_relevance: float | None = None, **said: Any) -> int:
    """Write the collection of a crawl as an RO-Crate; return how many pages it holds.

    The folder must not exist, be empty, or hold an earlier crate of semcrawl, which is replaced. It appears whole or
    not at all. What is ``said`` of it, such as a title and the licence, is as for `semcrawl.graph.export`. Raises
    ConfigError: no licence, or something that `semcrawl.graph.export` refuses; FolderTakenError: the folder holds
    something else; StoreError: the folder cannot be written.
    """
    require_graph(graph)
    about = About.of(**said)
    if not about.licence:
        raise ConfigError(
            "a crate needs a licence, or nobody knows what may be done with it: give one, "
            "such as CC0-1.0 or CC-BY-4.0, or its address"
        )
    target = Path(folder)
    if target.suffix.lower() == ".zip":
        raise ConfigError(f"a crate is a folder: name it {target.stem}, and zip it afterwards")
    _require_room(target)
    least = graph.describe().threshold if min_relevance is None else min_relevance
    pages = list(graph.query("export/pages", min_relevance=least))
    contents = _contents(graph, least, about, pages)
    failing = os_errors(StoreError, f"cannot write {target}", "; choose another place")
    with failing, _whole_folder(target) as part:
        for name, content in contents.items():
            (part / name).parent.mkdir(exist_ok=True)
            (part / name).write_bytes(content)
        for warc in warc_files(graph.folder / WARC) if graph.folder else ():
            (part / WARC).mkdir(exist_ok=True)
            with (part / WARC / warc.path.name).open("wb") as file:
                file.writelines(warc.pieces())
            with (part / WARC / warc.index.name).open("w", encoding="utf-8") as lines:
                lines.writelines(warc.lines())
        metadata = msgspec.json.encode(_metadata(graph, part, least, about))
        (part / METADATA).write_bytes(msgspec.json.format(metadata, indent=2))
    return len(pages)


def _require_room(target: Path) -> None:
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise FolderTakenError(f"{target} is no folder: choose another")
    if not set(_names(target)) <= _names_of_crate(target / METADATA):
        raise FolderTakenError(f"{target} holds something else than a crate of semcrawl: choose another folder")


def _names(folder: Path) -> list[str]:
    found = (path for path in folder.rglob("*") if not path.is_dir())
    return sorted(path.relative_to(folder).as_posix() for path in found)


def _names_of_crate(metadata: Path) -> set[str]:
    """The files that a crate of ours lists; none for anything else."""
    try:
        entities = msgspec.json.decode(metadata.read_bytes(), type=dict[str, Any])["@graph"]
        found = {METADATA, *(str(entity["@id"]) for entity in entities)}
    except (OSError, msgspec.DecodeError, KeyError, TypeError, ValueError, RecursionError):
        return set()
    return found if _SEMCRAWL in found else set()


@contextmanager
def _whole_folder(target: Path) -> Iterator[Path]:
    """Give a folder beside ``target`` to write to; what is there at the end takes its place."""
    place = target.resolve()
    part = place.with_name(f".{place.name}.{token_hex(4)}.part")
    old = place.with_name(f"{part.name}.old")
    try:
        part.mkdir()
        yield part
        if place.exists():
            place.rename(old)
        try:
            part.rename(place)
        except OSError:
            if old.exists():
                old.rename(place)
            raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
        if place.exists():
            shutil.rmtree(old, ignore_errors=True)


def _contents(graph: CrawlGraph, least: float, about: About, pages: Sequence[dict[str, Any]]) -> dict[str, bytes]:
    """What is written to the files, by name."""
    triples = collection_triples(graph, least, about, "text/turtle")
    queries = collection_queries(graph, least, about, "text/turtle")
    queries["export/statistics"] = find_query("export/statistics").bind()
    queries["export/pages"] = find_query("export/pages").bind({"min_relevance": least})
    said = own_statements(graph, [row["url"] for row in pages])
    statements = (ox.serialize(said, format=ox.RdfFormat.N_QUADS) or b"") if said else b""
    return {
        "collection.ttl": write_triples(triples, "turtle", local_prefixes(graph)),
        "pages.csv": graph.query("export/pages", min_relevance=least).serialize("csv").encode(),
        "report.html": _report(graph, least, about, pages).encode("utf-8", "replace"),
        "topic.toml": without_folders(graph.describe().topic).encode(),
        **({"statements.nq": statements} if statements else {}),
        "vocabulary.ttl": (ontologies_folder() / "semcrawl.ttl").read_bytes(),
        **{f"queries/{name.rpartition('/')[2]}.rq": text.encode() for name, text in queries.items()},
    }


def _report(graph: CrawlGraph, least: float, about: About, pages: Sequence[dict[str, Any]]) -> str:
    """The collection for a person: relevance over time, sites, best pages."""
    crawl, relevances = graph.describe(), list(graph.relevances().values())
    curve = {f"mean of {_WINDOW} pages": moving_average(relevances, _WINDOW)}
    sites = graph.query("analyse/sites", min_relevance=least, limit=_SHOWN)
    values = {
        "title": about.title or crawl.name,
        "described": " ".join(_said(graph, least, about, "dcterms:description")),
        "visited": f"{len(relevances):,}",
        "least": f"{least:.3g}",
        "people": ", ".join(name for name, _ in about.people()),
        "licence": about.licence,
        "started": f"{crawl.started:%Y-%m-%d}",
        "version": crawl.software or "",
        "shown": f"{_SHOWN:,}",
    }
    filled = {name: escape(value) for name, value in values.items()}
    filled["plot"] = svg_plot(curve, x_label="pages fetched", y_label="relevance", origin=False)
    filled["sites"] = "".join(
        f"<tr><td>{escape(row['site'].removeprefix('urn:semcrawl:site:'))}<td>{row['pages']}"
        f"<td>{row['relevant']}<td>{row['mean_relevance']:.3f}"
        for row in sites
        if row["relevant"]
    )
    filled["pages"] = "".join(
        f'<tr><td><a href="{escape(row["url"] * row["url"].startswith(_WEB))}">{escape(row["title"] or row["url"])}</a>'
        f"<td>{row['relevance']:.3f}<td>{row['fetched_at']:%Y-%m-%d}"
        for row in pages[:_SHOWN]
    )
    return _template("crate.html").substitute(filled)


def _template(name: str) -> Template:
    return Template(Path(__file__).with_name(name).read_text(encoding="utf-8"))


def _metadata(graph: CrawlGraph, folder: Path, least: float, about: About) -> Entity:
    crawl = graph.describe()
    people = [
        {"@id": address or f"#creator-{n}", "@type": "Person", "name": name}
        for n, (name, address) in enumerate(about.people(), 1)
    ]
    contacts = [_contact(about.contact)] if about.contact else []
    kinds: dict[str, list[str]] = facts_beside(__file__, "crate.toml")["files"]
    files = [_file(name, folder, kinds) for name in _names(folder)]
    values = {
        "title": about.title or crawl.name,
        "description": " ".join(_said(graph, least, about, "dcterms:description")),
        "keywords": _said(graph, least, about, "dcat:keyword"),
        "today": datetime.now(UTC).date().isoformat(),
        "licence": about.licence,
        "people": _references(people),
        "contacts": _references(contacts),
        "files": _references(files),
        "action": f"The crawl for {crawl.name}",
        "started": crawl.started.isoformat(),
        "ended": crawl.ended and crawl.ended.isoformat(),
        "version": crawl.software,
    }
    encoded = {name: msgspec.json.encode(value).decode() for name, value in values.items()}
    document: Entity = msgspec.json.decode(_template("crate.json").substitute(encoded))
    # What nobody says is left out.
    entities = [{k: v for k, v in one.items() if v} for one in document["@graph"]]
    return {**document, "@graph": [*entities, *files, *people, *contacts]}


def _references(entities: Iterable[Entity]) -> list[Entity] | Entity:
    """References to entities; a single one is no list (RO-Crate 1.1, section 2)."""
    found = [{"@id": entity["@id"]} for entity in entities]
    return found[0] if len(found) == 1 else found


def _contact(address: str) -> Entity:
    mail = address.removeprefix("mailto:")
    said = {"email": mail} if mail != address else {"url": address}
    return {"@id": address, "@type": "ContactPoint", "contactType": "contact", **said}


def _file(name: str, folder: Path, kinds: dict[str, list[str]]) -> Entity:
    kind, about = next(known for pattern, known in kinds.items() if fnmatchcase(name, pattern))
    size = str((folder / name).stat().st_size)
    said = {"name": name, "description": about, "encodingFormat": kind, "contentSize": size}
    return {"@id": name, "@type": "File", **said}
