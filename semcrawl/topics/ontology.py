"""Reading an ontology, thesaurus or vocabulary into a concept graph: `read_ontology`."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from semcrawl.errors import TopicError
from semcrawl.garbage_collection import no_garbage_collection
from semcrawl.progress import tell
from semcrawl.topics import ontology_files, rdf_concepts
from semcrawl.topics.concepts import ConceptGraphBuilder
from semcrawl.topics.file_graph import FileGraph, FileNotes
from semcrawl.topics.graph_cache import SMALLEST, cache_key, load_graph, store_graph
from semcrawl.topics.rdf_files import LARGEST_FILE
from semcrawl.topics.rdf_statements import RdfStatements, grouped, is_iri, labels_of
from semcrawl.topics.reasoning import Inferred, infer
from semcrawl.topics.vocabularies import BUILT_IN, OWL, SKOS, PropertyRoles, matching


class _Settings(msgspec.Struct, frozen=True):
    language: str
    reason: bool
    import_folders: tuple[Path, ...]
    most_imports: int
    roles: PropertyRoles

    def as_options(self) -> str:
        """Return what a reference writes behind the path."""
        given = ["reason"] if self.reason else []
        if self.most_imports != ontology_files.MOST_IMPORTS:
            given.append(f"imports={self.most_imports}")
        given += self.roles.as_options()
        return f"?{'&'.join(given)}" if given else ""


def read_ontology(
    path: str | Path,
    *,
    language: str = "en",
    reason: bool = False,
    import_folders: Sequence[str | Path] = (),
    most_imports: int = ontology_files.MOST_IMPORTS,
    roles: PropertyRoles | None = None,
) -> FileGraph:
    """Return the concept graph of a file, or of all ontologies in a folder.

    TopicError if it cannot be used. Imports are looked for beside the file and in ``import_folders``; at most so many
    are read. ``reason`` adds what a reasoner infers (needs Java). ``roles`` says which properties mean is-a, label and
    related where the file does not. What is unchanged gives the same graph again.
    """
    place = Path(path)
    folders = tuple(Path(folder) for folder in import_folders)
    settings = _Settings(language, reason, folders, most_imports, roles or PropertyRoles())
    try:
        files = ontology_files.folder_files(place) if place.is_dir() else [place]
        state = tuple((str(file), (found := file.stat()).st_size, found.st_mtime_ns) for file in files)
    except (OSError, ValueError) as error:
        reason_why = getattr(error, "strerror", None) or error
        hint = "" if place.exists() else ontology_files.near_name(place)
        raise TopicError(f"cannot read {path}: {reason_why}{hint}") from error
    return _read(place, state, settings)


@lru_cache(maxsize=4)
def _read(place: Path, state: tuple[tuple[str, int, int], ...], settings: _Settings) -> FileGraph:
    named = [Path(file) for file, _, _ in state]
    sizes = [size for _, size, _ in state]
    slow = settings.reason or sum(sizes) >= SMALLEST
    if not slow or max(sizes) > LARGEST_FILE or not all(file.is_file() for file in named):
        return _read_files(place, settings)
    try:
        tell(f"{place.name}: looking it up in the cache")
        beside = ontology_files.files_beside(place, settings.import_folders)
        key = cache_key(named, str(place), str(place.resolve()), settings)
        if graph := load_graph(key, beside):
            return graph
        graph = _read_files(place, settings)
        imports = [Path(file) for file in graph.notes.files if Path(file) not in named]
        store_graph(key, graph, imports, beside if graph.notes.imports else "")
        return graph
    except OSError as error:
        raise TopicError(f"cannot read {place}: {error.strerror}") from error
    finally:
        tell("")


@no_garbage_collection()
def _read_files(place: Path, settings: _Settings) -> FileGraph:
    statements = RdfStatements(settings.roles.labels)
    files = ontology_files.add_files(place, settings.import_folders, settings.most_imports, statements)
    inferred = infer(files) if settings.reason else None
    tell(f"{place.name}: looking for concepts among {statements.size:,} statements")
    gone = rdf_concepts.deprecated(statements)
    thesaurus = {c: None for c in rdf_concepts.skos_concepts(statements) if c not in gone}
    classes = rdf_concepts.owl_classes(statements, thesaurus)
    individuals = rdf_concepts.owl_individuals(statements, classes, thesaurus)
    given = _Given(statements, settings.roles)
    concepts = {c: None for c in (*thesaurus, *classes, *individuals, *given.concepts()) if c not in gone}
    if not concepts:
        raise TopicError(
            f"{place} holds no concepts: no classes, no individuals of classes, no SKOS concepts; "
            "where the data has other properties for is-a, name them: ?isa=PROPERTY"
        )
    tell(f"{place.name}: labels of {len(concepts):,} concepts")
    builder = ConceptGraphBuilder(place.name or place.resolve().name)
    for concept, labels in labels_of(statements, concepts, settings.language).items():
        builder.add(concept, *labels)
    tell(f"{place.name}: relations of {len(concepts):,} concepts")
    rdf_concepts.add_hierarchy(statements, thesaurus, builder)
    axioms = rdf_concepts.read_axioms(statements)
    edges = rdf_concepts.OwlEdges(statements, settings.language, builder)
    edges.add_axioms(axioms)
    edges.add_types(individuals)
    given.add_edges(builder)
    edges.add_relations(without=given.properties)
    tell(f"{place.name}: joining {len(concepts):,} concepts")
    problems = [*statements.problems, *(_add_inferred(inferred, builder) if inferred else ())]
    aliases = _aliases(inferred, builder) if inferred else {}
    builder.merge(aliases)
    notes = FileNotes(
        str(place),
        settings.as_options(),
        files=tuple(map(str, files)),
        imports=any(statements.resources(f"{OWL}imports")),
        problems=tuple(problems),
        tops=tuple(dict.fromkeys(aliases.get(c, c) for c in rdf_concepts.top_concepts(statements, thesaurus))),
        mappings=rdf_concepts.mappings_of(statements, concepts, aliases),
        notations=grouped((text.value.strip(), c) for c, text in statements.texts(f"{SKOS}notation")),
        packed_axioms=msgspec.msgpack.encode(axioms),
        properties=edges.names,
        aliases=aliases,
    )
    return FileGraph(builder.build(), notes)


class _Given:
    """What the roles of properties, as a person gave them, say of the statements."""

    def __init__(self, statements: RdfStatements, roles: PropertyRoles) -> None:
        names = statements.properties() if roles else []
        is_a, related = matching(roles.is_a, names), matching(roles.related, names)
        self.properties = frozenset((*is_a, *related))
        self._is_a = [pair for name in is_a for pair in statements.resources(name)]
        self._related = [pair for name in related for pair in statements.resources(name)]

    def concepts(self) -> dict[str, None]:
        """Return what the properties lead from and to."""
        ends = (node for pair in (*self._is_a, *self._related) for node in pair)
        return {node: None for node in ends if is_iri(node) and not node.startswith(BUILT_IN)}

    def add_edges(self, builder: ConceptGraphBuilder) -> None:
        """Add is-a edges and the relation ``related``."""
        for narrower, broader in self._is_a:
            builder.link(narrower, broader)
        for one, other in self._related:
            builder.relate_known(one, "related", other, inverse="related")


def _add_inferred(inferred: Inferred, builder: ConceptGraphBuilder) -> list[str]:
    for narrower, broader in inferred.broader:
        builder.link(narrower, broader)
    return [
        f"nothing can belong to <{concept}>: its axioms contradict each other"
        for concept in inferred.impossible
        if concept in builder
    ]


def _aliases(inferred: Inferred, builder: ConceptGraphBuilder) -> dict[str, str]:
    """Return the concepts that are equal to another one, with the first of each group."""
    order = {concept: number for number, concept in enumerate(builder)}
    found: dict[str, str] = {}
    for one, others in grouped(inferred.same).items():
        known = sorted((concept for concept in (one, *others) if concept in order), key=order.__getitem__)
        found.update(dict.fromkeys(known[1:], known[0]) if known else {})
    return found
