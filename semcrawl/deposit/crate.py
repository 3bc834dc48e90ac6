"""A collection as an RO-Crate 1.1: a folder that describes itself, to be deposited as it is."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec
import pyoxigraph as ox

from semcrawl.deposit.collection_report import collection_report
from semcrawl.errors import ConfigError, FolderTakenError, StoreError
from semcrawl.graph import CrawlDescription, CrawlGraph, find_query
from semcrawl.graph.dataset import About, collection_queries, collection_triples, local_prefixes
from semcrawl.graph.export import own_statements
from semcrawl.graph.result_formats import write_triples
from semcrawl.redaction import without_folders
from semcrawl.resources import ontologies_folder

METADATA = "ro-crate-metadata.json"
_CONTEXT = "https://w3id.org/ro/crate/1.1/context"
_PROFILE = "https://w3id.org/ro/crate/1.1"
_SOFTWARE = "https://w3id.org/semcrawl"
_TURTLE, _SPARQL = "text/turtle", "application/sparql-query"

Entity = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _File:
    """A file of the crate: what writes it, and what is said of it."""

    name: str
    write: Callable[[Path], object]
    about: str
    media_type: str


def write_crate(
    graph: CrawlGraph,
    folder: str | Path,
    *,
    min_relevance: float | None = None,
    title: str = "",
    creator: str | Sequence[str] = (),
    licence: str = "",
    contact: str = "",
) -> int:
    """Write the collection of a crawl as an RO-Crate; how many pages it holds.

    The folder must not exist, be empty, or hold an earlier crate of semcrawl, which is replaced.
    It appears whole or not at all. The other arguments are those of `semcrawl.graph.export`.

    Raises:
        ConfigError: no licence, or something that `semcrawl.graph.export` refuses.
        FolderTakenError: the folder holds something else.
        StoreError: the folder cannot be written.
    """
    about = About.of(title, creator, licence, contact)
    if not about.licence:
        raise ConfigError(
            "a crate needs a licence, or nobody knows what may be done with it: give one, "
            "such as CC0-1.0 or CC-BY-4.0, or its address"
        )
    target = Path(folder)
    _require_room(target)
    crawl = graph.describe()
    least = crawl.threshold if min_relevance is None else min_relevance
    pages = [row["url"] for row in graph.query("export/pages", min_relevance=least)]
    files = list(_files(graph, least, about, crawl, pages))
    try:
        with _whole_folder(target) as part:
            for file in files:
                (part / file.name).parent.mkdir(exist_ok=True)
                file.write(part / file.name)
            entities = _entities(files, part, about, crawl, len(pages))
            _write_json(part / METADATA, {"@context": _CONTEXT, "@graph": entities})
    except OSError as error:
        raise StoreError(
            f"cannot write {target}: {error.strerror or error}; choose another place"
        ) from error
    return len(pages)


def _require_room(target: Path) -> None:
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise FolderTakenError(f"{target} is no folder: choose another")
    names = {path.relative_to(target).as_posix() for path in target.rglob("*") if not path.is_dir()}
    if names and not names <= _names_of_crate(target / METADATA):
        raise FolderTakenError(
            f"{target} holds something else than a crate of semcrawl: choose another folder"
        )


def _names_of_crate(metadata: Path) -> set[str]:
    """The files that a crate of ours lists; none for anything else."""
    try:
        entities = msgspec.json.decode(metadata.read_bytes(), type=dict[str, Any])["@graph"]
        found = {entity["@id"]: entity for entity in entities}
    except (OSError, msgspec.DecodeError, KeyError, TypeError):
        return set()
    is_ours = _SOFTWARE in found
    return {METADATA, *(name for name in found if isinstance(name, str))} if is_ours else set()


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


def _files(
    graph: CrawlGraph, least: float, about: About, crawl: CrawlDescription, pages: Sequence[str]
) -> Iterator[_File]:
    def turtle() -> bytes:
        triples = collection_triples(graph, least, about, _TURTLE)
        return write_triples(triples, "turtle", local_prefixes(graph))

    def table() -> bytes:
        return graph.query("export/pages", min_relevance=least).serialize("csv").encode()

    def report() -> bytes:
        return collection_report(graph, least, about).encode()

    topic = without_folders(crawl.topic).encode()
    yield _made("collection.ttl", turtle, "The pages, concepts and provenance in RDF.", _TURTLE)
    yield _made("pages.csv", table, "A row for each page, best first.", "text/csv")
    yield _made("report.html", report, "The collection at a glance.", "text/html")
    yield _made("topic.toml", lambda: topic, "The topic of the crawl.", "application/toml")
    said = own_statements(graph, pages)
    if said:
        quads = ox.serialize(said, format=ox.RdfFormat.N_QUADS) or b""
        what = "What the pages say themselves, each in the named graph of its URL."
        yield _made("statements.nq", lambda: quads, what, "application/n-quads")
    vocabulary = (ontologies_folder() / "semcrawl.ttl").read_bytes()
    yield _made("vocabulary.ttl", lambda: vocabulary, "What the terms sc:… mean.", _TURTLE)
    yield from _query_files(graph, least, about)
    yield from _archives(graph.folder)


def _made(name: str, content: Callable[[], bytes], about: str, media_type: str) -> _File:
    return _File(name, lambda path: path.write_bytes(content()), about, media_type)


def _query_files(graph: CrawlGraph, least: float, about: About) -> Iterator[_File]:
    texts = collection_queries(graph, least, about, _TURTLE)
    texts["export/statistics"] = find_query("export/statistics").bind()
    texts["export/pages"] = find_query("export/pages").bind({"min_relevance": least})
    for name, text in texts.items():
        said = f"The query {name}, which the collection was made with."
        written = f"queries/{name.rpartition('/')[2]}.rq"
        yield _File(written, _text_writer(text), said, _SPARQL)


def _text_writer(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text, encoding="utf-8")


def _archives(folder: Path | None) -> Iterator[_File]:
    """The WARC files that the crawl has kept, with their indexes."""
    if folder is None:
        return
    kinds = {".warc.gz": "application/warc", ".cdxj": "text/x-cdxj"}
    for ending, media_type in kinds.items():
        for path in sorted((folder / "warc").glob(f"*{ending}")):
            if path.is_file() and not path.is_symlink():
                said = "Requests and answers of the crawl, as they were sent."
                about = said if ending == ".warc.gz" else "Where the answers are in the archive."
                yield _File(f"warc/{path.name}", _copier(path), about, media_type)


def _copier(source: Path) -> Callable[[Path], object]:
    return lambda path: shutil.copyfile(source, path)


def _entities(
    files: Sequence[_File], folder: Path, about: About, crawl: CrawlDescription, pages: int
) -> list[Entity]:
    people = [_person(name, address, n) for n, (name, address) in enumerate(about.people(), 1)]
    contact = [_contact(about.contact)] if about.contact else []
    root: Entity = {
        "@id": "./",
        "@type": "Dataset",
        "name": about.title or crawl.name,
        "description": _description(crawl, pages),
        "datePublished": datetime.now(UTC).date().isoformat(),
        "license": {"@id": about.licence},
        "hasPart": _references(file.name for file in files),
        "mentions": {"@id": "#crawl"},
    }
    if people:
        root["author"] = _references(person["@id"] for person in people)
    if contact:
        root["contactPoint"] = _references(one["@id"] for one in contact)
    licence = {"@id": about.licence, "@type": "CreativeWork", "name": about.licence}
    licence["description"] = "The licence of this dataset."
    return [
        {
            "@id": METADATA,
            "@type": "CreativeWork",
            "conformsTo": {"@id": _PROFILE},
            "about": {"@id": "./"},
        },
        root,
        *(_file_entity(file, folder) for file in files),
        *people,
        *contact,
        licence,
        *_provenance(crawl, people),
    ]


def _description(crawl: CrawlDescription, pages: int) -> str:
    number = "1 web page" if pages == 1 else f"{pages:,} web pages"
    return f"{number} on the topic {crawl.name!r}, found by a focused crawl of semcrawl."


def _references(names: Iterable[str]) -> Entity | list[Entity]:
    found = [{"@id": name} for name in names]
    return found[0] if len(found) == 1 else found


def _person(name: str, address: str, number: int) -> Entity:
    return {"@id": address or f"#creator-{number}", "@type": "Person", "name": name}


def _contact(address: str) -> Entity:
    entity = {"@id": address, "@type": "ContactPoint", "contactType": "contact"}
    mail = address.removeprefix("mailto:")
    return entity | ({"email": mail} if mail != address else {"url": address})


def _file_entity(file: _File, folder: Path) -> Entity:
    return {
        "@id": file.name,
        "@type": "File",
        "name": file.name,
        "description": file.about,
        "encodingFormat": file.media_type,
        "contentSize": str((folder / file.name).stat().st_size),
    }


def _provenance(crawl: CrawlDescription, people: Sequence[Entity]) -> list[Entity]:
    action: Entity = {
        "@id": "#crawl",
        "@type": "CreateAction",
        "name": f"The crawl for {crawl.name}",
        "startTime": crawl.started.isoformat(),
        "instrument": {"@id": _SOFTWARE},
        "object": {"@id": "topic.toml"},
        "result": _references(["collection.ttl", "pages.csv"]),
    }
    if crawl.ended:
        action["endTime"] = crawl.ended.isoformat()
    if people:
        action["agent"] = _references(person["@id"] for person in people)
    software: Entity = {
        "@id": _SOFTWARE,
        "@type": "SoftwareApplication",
        "name": "semcrawl",
        "url": _SOFTWARE,
    }
    if crawl.software:
        software["softwareVersion"] = crawl.software
    return [action, software]


def _write_json(path: Path, document: Entity) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(document), indent=2))
