"""Reading an ontology, thesaurus or vocabulary file into a concept graph."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import TopicError
from semcrawl.topics.class_axioms import read_axioms
from semcrawl.topics.concept_labels import labels_of
from semcrawl.topics.file_graph import FileGraph, FileNotes
from semcrawl.topics.graph_builder import ConceptGraphBuilder
from semcrawl.topics.imports import add_imports
from semcrawl.topics.owl import (
    SAME_AS,
    add_axioms,
    add_relations,
    add_types,
    deprecated,
    mappings_of,
    owl_classes,
    owl_individuals,
    property_names,
)
from semcrawl.topics.rdf_file import add_file
from semcrawl.topics.reasoning import infer
from semcrawl.topics.skos import add_hierarchy, notations_of, skos_concepts, top_concepts
from semcrawl.topics.statements import Statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.topics.reasoning import Inferred

__all__ = ["ontology_files", "read_ontology"]

_MOST_KEPT = 4


def read_ontology(
    path: str | Path,
    *,
    language: str = "en",
    reason: bool = False,
    import_folders: Sequence[str | Path] = (),
) -> FileGraph:
    """Return the concept graph of a file in OWL, RDFS or SKOS, in any syntax of RDF or OWL/XML.

    Labels in ``language`` are preferred. Imports are looked for beside the
    file and in ``import_folders``. With ``reason``, what a reasoner infers is
    added, for which Java is needed. A file that is read again and has not
    changed gives the same graph. TopicError if the file cannot be used.
    """
    file = Path(path)
    try:
        state = file.stat()
    except (OSError, ValueError) as error:
        reason_why = getattr(error, "strerror", None) or error
        raise TopicError(f"cannot read {path}: {reason_why}") from error
    folders = tuple(Path(folder) for folder in import_folders)
    return _read(file, state.st_mtime_ns, state.st_size, language, reason, folders)


@lru_cache(maxsize=_MOST_KEPT)
def _read(
    path: Path, _changed: int, _size: int, language: str, reason: bool, folders: tuple[Path, ...]
) -> FileGraph:
    statements, files = _collect(path, folders)
    inferred = infer(files) if reason else None
    return _graph(path, statements, language, inferred)


def ontology_files(path: Path, folders: Sequence[str | Path] = ()) -> list[Path]:
    """Return a file and the files that it imports."""
    return _collect(path, tuple(Path(folder) for folder in folders))[1]


def _collect(path: Path, folders: Sequence[Path]) -> tuple[Statements, list[Path]]:
    statements = Statements()
    add_file(path, statements)
    return statements, add_imports(path, folders, statements)


def _graph(
    path: Path, statements: Statements, language: str, inferred: Inferred | None
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
    names, inverses = property_names(statements, language)
    add_axioms(axioms, concepts, names, inverses, builder)
    add_types(statements, individuals, concepts, builder)
    add_relations(statements, concepts, names, inverses, builder)
    problems = [
        *statements.problems,
        *(_add_inferred(inferred, concepts, builder) if inferred else ()),
    ]
    notes = FileNotes(
        str(path),
        "?reason" if inferred else "",
        problems=tuple(problems),
        tops=tuple(top_concepts(statements, thesaurus)),
        mappings=mappings_of(statements, concepts),
        notations=notations_of(statements),
        axioms=axioms,
        properties=names,
    )
    return FileGraph(builder.build(), notes)


def _add_inferred(
    inferred: Inferred, concepts: dict[str, None], builder: ConceptGraphBuilder
) -> list[str]:
    """Add inferred edges; return a line for classes that nothing can belong to."""
    for narrower, broader in inferred.broader:
        if narrower in concepts and broader in concepts and narrower != broader:
            builder.add(narrower, broader=[broader])
    for one, other in inferred.same:
        if one in concepts and other in concepts:
            builder.relate(one, SAME_AS, other, inverse=SAME_AS)
    empty = [concept for concept in inferred.impossible if concept in concepts]
    return [
        f"nothing can belong to <{concept}>: its axioms contradict each other" for concept in empty
    ]
