"""Reading an ontology, thesaurus or vocabulary file into a concept graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import TopicError
from semcrawl.topics.concepts import ConceptGraph, ConceptGraphBuilder
from semcrawl.topics.labels import labels_of, last_part
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
    read_axioms,
)
from semcrawl.topics.rdf_files import (
    LARGEST_FILE,
    OWL,
    RDF,
    RDF_SUFFIXES,
    Statements,
    add_file,
    read_triples,
)
from semcrawl.topics.reasoning import infer
from semcrawl.topics.skos import add_hierarchy, notations_of, skos_concepts, top_concepts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from semcrawl.topics.owl import ClassAxioms
    from semcrawl.topics.reasoning import Inferred

# Finding the files of ``owl:imports`` in local folders; the network is never asked.


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


# A concept graph that was read from a file, with what the file says beside concepts.


@dataclass(frozen=True)
class FileNotes:
    """What a file says beside its concepts.

    Attributes:
        path: of the file, as it was given.
        options: what a reference writes behind the path, ``?reason`` for example.
        prefix: what a reference writes before the path, ``taxonomy:`` for example.
        problems: what was odd or missing, one line each.
        tops: the concepts that the file names as its top ones.
        mappings: per concept the IRIs elsewhere that mean the same.
        notations: per notation, such as a classmark, its concepts.
        examples: per category of a taxonomy its example documents.
        axioms: the class axioms of an ontology, to answer class expressions.
        properties: the label of every property.
        trained: whether the file is a trained taxonomy.
        good: the categories of a trained taxonomy that are marked good.
    """

    path: str
    options: str = ""
    prefix: str = ""
    problems: tuple[str, ...] = ()
    tops: tuple[str, ...] = ()
    mappings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notations: Mapping[str, list[str]] = field(default_factory=dict)
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    axioms: ClassAxioms | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    trained: bool = False
    good: tuple[str, ...] = ()


class FileGraph(ConceptGraph):
    """A concept graph with the notes of its file."""

    def __init__(self, graph: ConceptGraph, notes: FileNotes) -> None:
        """Take over a graph that was built from a file."""
        super().__init__(graph.name, graph.ids, graph._labels, graph.is_a, graph._relations)
        self.notes = notes

    @property
    def problems(self) -> tuple[str, ...]:
        """What was odd or missing in the file, one line each."""
        return self.notes.problems

    def top_concepts(self) -> list[str]:
        """Return the top concepts that the file names, else the roots, else all without parents."""
        if self.notes.tops:
            return list(self.notes.tops)
        return self.roots() or [concept for concept in self if not self.broader(concept)]

    @cached_property
    def by_last_part(self) -> dict[str, list[str]]:
        """The concepts by the last part of their IRIs."""
        found: dict[str, list[str]] = {}
        for concept in self:
            found.setdefault(last_part(concept), []).append(concept)
        return found

    def place(self, *, absolute: bool = False) -> str:
        """Return the file with its options, as a reference to one of its concepts starts."""
        path = Path(self.notes.path)
        shown = path.absolute() if absolute else path
        return f"{self.notes.prefix}{shown}{self.notes.options}"

    def reference(self, concept: str, *, absolute: bool = False) -> str:
        """Return the reference that names a concept of this graph in a topic file."""
        return f"{self.place(absolute=absolute)}#<{concept}>"


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


# How concept sources are read, beside what a reference itself says.


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Options of reading.

    Attributes:
        reason: add what a reasoner infers from an ontology (needs Java).
        language: whose labels are preferred; None leaves it to the topic, and to English.
        import_folders: where imported ontologies are looked for.
        folder: what relative paths are relative to; None for the current folder.
    """

    reason: bool = False
    language: str | None = None
    import_folders: tuple[Path, ...] = ()
    folder: Path | None = None

    def place(self, path: str) -> Path:
        """Return a path as it is to be opened."""
        return self.folder / path if self.folder else Path(path)
