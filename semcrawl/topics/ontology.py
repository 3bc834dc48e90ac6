"""Reading an ontology, thesaurus or vocabulary file into a concept graph: `read_ontology`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import TopicError
from semcrawl.topics.concepts import ConceptGraphBuilder
from semcrawl.topics.file_graph import FileGraph, FileNotes
from semcrawl.topics.labels import last_part
from semcrawl.topics.owl import (
    SAME_AS,
    OwlEdges,
    deprecated,
    mappings_of,
    owl_classes,
    owl_individuals,
    read_axioms,
)
from semcrawl.topics.rdf_files import LARGEST_FILE, OWL, RDF, RDF_SUFFIXES, read_triples
from semcrawl.topics.rdf_statements import RdfStatements, add_file, labels_of
from semcrawl.topics.reasoning import Inferred, infer
from semcrawl.topics.skos import add_hierarchy, notations_of, skos_concepts, top_concepts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_FILES = 200
_MOST_IMPORTS = 100
_HEAD = 65_536


def _add_files(path: Path, folders: Sequence[Path], statements: RdfStatements) -> list[Path]:
    add_file(path, statements)
    added, done, asked = [path], {path.resolve()}, set[str]()
    places = [path.parent, *folders]
    while wanted := [iri for _, iri in statements.resources(f"{OWL}imports") if iri not in asked]:
        asked.add(wanted[0])
        if len(asked) > _MOST_IMPORTS:
            statements.problems.append(f"{path} imports more than {_MOST_IMPORTS} files; stopped")
            break
        found = _find_import(wanted[0], places)
        if found is None:
            statements.problems.append(
                f"the import <{wanted[0][:200]}> is in none of the import folders and its "
                "concepts are missing; imports are never fetched from the network"
            )
        elif found.resolve() not in done:
            done.add(found.resolve())
            try:
                add_file(found, statements)
                added.append(found)
            except TopicError as error:
                statements.problems.append(f"an import cannot be read: {error}")
    return added


def _find_import(iri: str, folders: Sequence[Path]) -> Path | None:
    name = last_part(iri)
    files = [path for folder in folders for path in _files(folder)]
    named = (path for path in files if name and name in (path.name, path.stem))
    return next(named, None) or next((path for path in files if _is_ontology(path, iri)), None)


def _files(folder: Path) -> Iterator[Path]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in RDF_SUFFIXES)
    except OSError:
        return
    yield from (path for path in paths[:_MOST_FILES] if path.is_file())


def _is_ontology(path: Path, iri: str) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
        if path.stat().st_size > LARGEST_FILE or iri.rstrip("#/").encode() not in head:
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


def read_ontology(
    path: str | Path,
    *,
    language: str = "en",
    reason: bool = False,
    import_folders: Sequence[str | Path] = (),
) -> FileGraph:
    """Return the concept graph of a file in OWL, RDFS or SKOS; TopicError if it cannot be used.

    Imports are looked for beside the file and in ``import_folders``. ``reason`` adds what a
    reasoner infers (needs Java). An unchanged file gives the same graph again.
    """
    file = Path(path)
    try:
        state = file.stat()
    except (OSError, ValueError) as error:
        reason_why = getattr(error, "strerror", None) or error
        raise TopicError(f"cannot read {path}: {reason_why}") from error
    folders = tuple(Path(folder) for folder in import_folders)
    return _read(file, state.st_mtime_ns, state.st_size, language, reason, folders)


@lru_cache(maxsize=4)
def _read(
    path: Path, _changed: int, _size: int, language: str, reason: bool, folders: tuple[Path, ...]
) -> FileGraph:
    statements = RdfStatements()
    files = _add_files(path, folders, statements)
    inferred = infer(files) if reason else None
    return _graph(path, statements, language, inferred)


def ontology_files(path: Path, folders: Sequence[str | Path] = ()) -> list[Path]:
    """Return a file and the files that it imports."""
    return _add_files(path, [Path(folder) for folder in folders], RdfStatements())


def _graph(
    path: Path, statements: RdfStatements, language: str, inferred: Inferred | None
) -> FileGraph:
    gone = deprecated(statements)
    thesaurus = {c: None for c in skos_concepts(statements) if c not in gone}
    classes = owl_classes(statements, thesaurus)
    individuals = owl_individuals(statements, classes, thesaurus)
    concepts = {c: None for c in (*thesaurus, *classes, *individuals) if c not in gone}
    if not concepts:
        raise TopicError(
            f"{path} holds no concepts: no classes, no individuals of classes, no SKOS concepts"
        )
    builder = ConceptGraphBuilder(path.name)
    for concept, labels in labels_of(statements, concepts, language).items():
        builder.add(concept, *labels)
    add_hierarchy(statements, thesaurus, builder)
    axioms = read_axioms(statements)
    edges = OwlEdges(statements, language, builder)
    edges.add_axioms(axioms)
    edges.add_types(individuals)
    edges.add_relations()
    problems = [*statements.problems, *(_add_inferred(inferred, builder) if inferred else ())]
    notes = FileNotes(
        str(path),
        "?reason" if inferred else "",
        problems=tuple(problems),
        tops=tuple(top_concepts(statements, thesaurus)),
        mappings=mappings_of(statements, concepts),
        notations=notations_of(statements),
        axioms=axioms,
        properties=edges.names,
    )
    return FileGraph(builder.build(), notes)


def _add_inferred(inferred: Inferred, builder: ConceptGraphBuilder) -> list[str]:
    for narrower, broader in inferred.broader:
        builder.link(narrower, broader)
    for one, other in inferred.same:
        builder.relate_known(one, SAME_AS, other, inverse=SAME_AS)
    return [
        f"nothing can belong to <{concept}>: its axioms contradict each other"
        for concept in inferred.impossible
        if concept in builder
    ]
