"""Finding the files of ``owl:imports`` in local folders; the network is never asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.errors import TopicError
from semcrawl.topics.concept_labels import last_part
from semcrawl.topics.rdf_file import LARGEST_FILE, RDF_SUFFIXES, add_file, read_triples
from semcrawl.topics.rdf_names import OWL, RDF

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from semcrawl.topics.statements import Statements

__all__ = ["add_imports", "find_import"]

_MOST_FILES = 200
_MOST_IMPORTS = 100
_HEAD = 65_536


def add_imports(path: Path, folders: Sequence[Path], statements: Statements) -> list[Path]:
    """Add what a file imports, and what that imports in turn; return the files that were added.

    A missing import is told in the problems of the statements; reading goes on.
    """
    added, done, asked = [path], {path.resolve()}, set[str]()
    places = [path.parent, *folders]
    while wanted := [iri for _, iri in statements.resources(f"{OWL}imports") if iri not in asked]:
        asked.add(wanted[0])
        if len(asked) > _MOST_IMPORTS:
            statements.problems.append(f"{path} imports more than {_MOST_IMPORTS} files; stopped")
            break
        found = find_import(wanted[0], places)
        if found is None:
            statements.problems.append(
                f"the import <{wanted[0][:200]}> is in none of the import folders and its "
                "concepts are missing; imports are never fetched from the network"
            )
        elif found.resolve() not in done:
            done.add(found.resolve())
            _add(found, statements, added)
    return added


def _add(path: Path, statements: Statements, added: list[Path]) -> None:
    try:
        add_file(path, statements)
        added.append(path)
    except TopicError as error:
        statements.problems.append(f"an import cannot be read: {error}")


def find_import(iri: str, folders: Sequence[Path]) -> Path | None:
    """Return the file of an imported ontology: one of its name, else one that has its IRI."""
    name = last_part(iri)
    for folder in folders:
        for path in _files(folder):
            if name and name in (path.name, path.stem):
                return path
    return next((p for folder in folders for p in _files(folder) if _is_ontology(p, iri)), None)


def _files(folder: Path) -> Iterator[Path]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in RDF_SUFFIXES)
    except OSError:
        return
    yield from (path for path in paths[:_MOST_FILES] if path.is_file())


def _is_ontology(path: Path, iri: str) -> bool:
    """Return whether a file declares an ontology of this IRI; only a likely one is parsed."""
    try:
        with path.open("rb") as file:
            likely = path.stat().st_size <= LARGEST_FILE and iri.rstrip("#/").encode() in file.read(
                _HEAD
            )
        if not likely:
            return False
        names = {f"{RDF}type": f"{OWL}Ontology", f"{OWL}versionIRI": iri}
        for triple in read_triples(path):
            wanted = names.get(triple.predicate.value)
            own = getattr(triple.subject, "value", None) == iri or wanted == iri
            if wanted and own and getattr(triple.object, "value", None) == wanted:
                return True
    except (OSError, TopicError):
        return False
    return False
