"""A collection as an RO-Crate 1.1: a folder that describes itself, to be deposited as it is.

What is said of the crate is the template ``crate.json``, of its files ``crate.toml``.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from secrets import token_hex
from string import Template
from typing import Any

import msgspec
import pyoxigraph as ox

from semcrawl.errors import ConfigError, FolderTakenError, StoreError
from semcrawl.graph.crawl_graph import CrawlDescription, CrawlGraph
from semcrawl.graph.dataset import About, collection_queries, collection_triples, local_prefixes
from semcrawl.graph.export import own_statements
from semcrawl.graph.queries import find_query
from semcrawl.graph.result_formats import write_triples
from semcrawl.redaction import without_folders
from semcrawl.resources import facts_beside, ontologies_folder

METADATA = "ro-crate-metadata.json"

Entity = dict[str, Any]


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
    contents = _contents(graph, least, about, pages)
    try:
        with _whole_folder(target) as part:
            for name, content in contents.items():
                (part / name).parent.mkdir(exist_ok=True)
                (part / name).write_bytes(content)
            _copy_archives(graph.folder, part / "warc")
            metadata = msgspec.json.encode(_metadata(part, about, crawl, len(pages)))
            (part / METADATA).write_bytes(msgspec.json.format(metadata, indent=2))
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
    if not set(_names(target)) <= _names_of_crate(target / METADATA):
        raise FolderTakenError(
            f"{target} holds something else than a crate of semcrawl: choose another folder"
        )


def _names(folder: Path) -> list[str]:
    found = (path for path in folder.rglob("*") if not path.is_dir())
    return sorted(path.relative_to(folder).as_posix() for path in found)


def _names_of_crate(metadata: Path) -> set[str]:
    """The files that a crate of ours lists; none for anything else."""
    try:
        entities = msgspec.json.decode(metadata.read_bytes(), type=dict[str, Any])["@graph"]
        found = {METADATA, *(str(entity["@id"]) for entity in entities)}
    except (OSError, msgspec.DecodeError, KeyError, TypeError):
        return set()
    return found if "https://w3id.org/semcrawl" in found else set()


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


def _contents(
    graph: CrawlGraph, least: float, about: About, pages: Sequence[str]
) -> dict[str, bytes]:
    """What is written to the files, by name."""
    triples = collection_triples(graph, least, about, "text/turtle")
    table = graph.query("export/pages", min_relevance=least).serialize("csv")
    queries = collection_queries(graph, least, about, "text/turtle")
    queries["export/statistics"] = find_query("export/statistics").bind()
    queries["export/pages"] = find_query("export/pages").bind({"min_relevance": least})
    said = own_statements(graph, pages)
    statements = (ox.serialize(said, format=ox.RdfFormat.N_QUADS) or b"") if said else b""
    return {
        "collection.ttl": write_triples(triples, "turtle", local_prefixes(graph)),
        "pages.csv": table.encode(),
        "topic.toml": without_folders(graph.describe().topic).encode(),
        **({"statements.nq": statements} if statements else {}),
        "vocabulary.ttl": (ontologies_folder() / "semcrawl.ttl").read_bytes(),
        **{
            f"queries/{name.rpartition('/')[2]}.rq": text.encode() for name, text in queries.items()
        },
    }


def _copy_archives(folder: Path | None, target: Path) -> None:
    """The WARC files that the crawl has kept, with their indexes."""
    for path in sorted((folder / "warc").glob("*")) if folder else ():
        if path.name.endswith((".warc.gz", ".cdxj")) and path.is_file() and not path.is_symlink():
            target.mkdir(exist_ok=True)
            shutil.copyfile(path, target / path.name)


def _metadata(folder: Path, about: About, crawl: CrawlDescription, pages: int) -> Entity:
    number = "1 web page" if pages == 1 else f"{pages:,} web pages"
    people = [
        {"@id": address or f"#creator-{n}", "@type": "Person", "name": name}
        for n, (name, address) in enumerate(about.people(), 1)
    ]
    contacts = [_contact(about.contact)] if about.contact else []
    kinds: dict[str, list[str]] = facts_beside(__file__, "crate.toml")["files"]
    files = [_file(name, folder, kinds) for name in _names(folder)]
    values = {
        "title": about.title or crawl.name,
        "description": f"{number} on the topic {crawl.name!r}, found by a crawl of semcrawl.",
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
    template = Template(Path(__file__).with_name("crate.json").read_text(encoding="utf-8"))
    filled = template.substitute({k: msgspec.json.encode(v).decode() for k, v in values.items()})
    document: Entity = msgspec.json.decode(filled)
    # What nobody says is left out.
    entities = [{k: v for k, v in one.items() if v} for one in document["@graph"]]
    return {**document, "@graph": [*entities, *files, *people, *contacts]}


def _references(entities: Iterable[Entity]) -> list[Entity]:
    return [{"@id": entity["@id"]} for entity in entities]


def _contact(address: str) -> Entity:
    mail = address.removeprefix("mailto:")
    said = {"email": mail} if mail != address else {"url": address}
    return {"@id": address, "@type": "ContactPoint", "contactType": "contact", **said}


def _file(name: str, folder: Path, kinds: dict[str, list[str]]) -> Entity:
    kind, about = next(known for pattern, known in kinds.items() if fnmatchcase(name, pattern))
    size = str((folder / name).stat().st_size)
    said = {"name": name, "description": about, "encodingFormat": kind, "contentSize": size}
    return {"@id": name, "@type": "File", **said}
