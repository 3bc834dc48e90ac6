"""References to ontology files in topics: ``doid.owl#asthma``, ``stw.ttl``, ``a.owl?reason#B``.

::

    FILE#NAME                 a concept by the last part of its IRI, its label or its notation
    FILE#<IRI>                a concept by its IRI
    FILE#(EXPRESSION)         all that fits a class expression in Manchester syntax
    FILE                      the top concepts
    FILE#A,B,OTHER#C          several
    FILE?reason#NAME          after reasoning, for which Java is needed
    FILE?wordnet#NAME         joined with WordNet, so that general words are near too
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from semcrawl.errors import TopicError
from semcrawl.topics.concept_names import find_concept, find_property
from semcrawl.topics.rdf_file import RDF_SUFFIXES
from semcrawl.topics.read_options import ReadOptions

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.topics.concepts import ConceptGraph
    from semcrawl.topics.file_graph import FileGraph

__all__ = ["OntologySource", "split_names"]

_REFERENCE = re.compile(r"([^#?\0]+)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_OPTIONS = ("reason", "wordnet")
_PIECE = re.compile(r"<[^<>]*>|'[^']*'|\"[^\"]*\"|[(){}]|,|[^<>'\"(){},]+|.", re.DOTALL)
_LARGEST_TOPIC_FILE = 10_000_000


class _Place(NamedTuple):
    """A file with the options that are written behind its name."""

    path: str
    options: tuple[str, ...]
    names: str | None


class OntologySource:
    """Reads concepts of ontologies, thesauri and vocabularies in files."""

    form = "FILE#CONCEPT of an ontology or thesaurus (such as doid.owl#asthma)"

    def accepts(self, reference: str, options: ReadOptions | None = None) -> bool:
        """Return whether a reference starts with what can only be an ontology file."""
        place = _place(reference)
        if place is None:
            return False
        path = (options or ReadOptions()).place(place.path)
        suffix = path.suffix.lower()
        if place.names is None and not place.options and suffix == ".ttl":
            return _is_file(path) and not _is_topic_file(path)
        named = place.names is not None and suffix not in (".tsv", ".txt") and _is_file(path)
        return named or suffix in RDF_SUFFIXES

    def read(
        self, reference: str, options: ReadOptions | None = None
    ) -> list[tuple[str, ConceptGraph]]:
        """Return the concepts of a reference with their graph; TopicError if there are none."""
        options = options or ReadOptions()
        found: dict[str, ConceptGraph] = {}
        for place in _places(reference, self, options):
            graph = _graph(place, options)
            for concept in _concepts(graph, place, options):
                found.setdefault(concept, graph)
        return list(found.items())

    def iri(self, concept: str) -> str | None:  # noqa: ARG002 - the ids are IRIs already
        """Return None: the ids of these concepts are IRIs."""
        return None

    def reference(self, iri: str) -> str | None:  # noqa: ARG002 - an IRI does not say its file
        """Return None: an IRI does not tell which file it is in."""
        return None


def _place(reference: str) -> _Place | None:
    match = _REFERENCE.fullmatch(reference.strip())
    if match is None or re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", reference.strip()):
        return None
    options = tuple(filter(None, (match[2] or "").split("&")))
    return _Place(match[1].strip(), options, match[3])


def _places(reference: str, source: OntologySource, options: ReadOptions) -> list[_Place]:
    """Return one place per file that is named, each with the names that follow it."""
    first = _place(reference)
    if first is None:
        raise TopicError(f"{reference[:80]!r} names no file; write {source.form}")
    if first.names is None:
        return [first]
    whole, places, names = first, [], list[str]()
    for item in split_names(first.names):
        other = _place(item) if "#" in item and item[0] not in "<('\"" else None
        if other and source.accepts(item, options):
            places.append(first._replace(names=",".join(names)))
            first, names = other, [other.names or ""]
        else:
            names.append(item)
    return [*places, first._replace(names=",".join(names))] if places else [whole]


def split_names(text: str) -> list[str]:
    """Return the parts of a text between commas, but not those in quotes and brackets.

    >>> split_names("asthma, (A and {b, c}),'x, y'")
    ['asthma', '(A and {b, c})', "'x, y'"]
    """
    parts, depth = [""], 0
    for piece in _PIECE.findall(text):
        depth += (piece in "({") - (piece in ")}") if len(piece) == 1 else 0
        if piece == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += piece
    return [part.strip() for part in parts if part.strip()]


def _graph(place: _Place, options: ReadOptions) -> FileGraph:
    from semcrawl.topics.ontology import read_ontology

    unknown = [option for option in place.options if option not in _OPTIONS]
    if unknown:
        raise TopicError(f"there is no option {unknown[0][:40]!r}; the options are reason, wordnet")
    graph = read_ontology(
        options.place(place.path),
        language=options.language or "en",
        reason=options.reason or "reason" in place.options,
        import_folders=options.import_folders,
    )
    if "wordnet" in place.options:
        from semcrawl.topics.joining import joined_with_wordnet

        return joined_with_wordnet(graph)
    return graph


def _concepts(graph: FileGraph, place: _Place, options: ReadOptions) -> list[str]:
    if place.names is None:
        return graph.top_concepts()
    language = options.language or "en"
    if "," in place.names and len(graph.find(place.names)) == 1:
        return graph.find(place.names)  # a label with a comma in it
    names = split_names(place.names)
    if not names:
        raise TopicError(f"{place.path}# names no concept; write for example {place.path}#NAME")
    found: list[str] = []
    for name in names:
        if name.startswith("(") and not graph.find(name):
            found += _fitting(graph, name, place, options)
        else:
            found.append(find_concept(graph, _unquoted(name), language))
    return found


def _unquoted(name: str) -> str:
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] and name[0] in "'\"" else name


def _fitting(graph: FileGraph, text: str, place: _Place, options: ReadOptions) -> list[str]:
    """Return the concepts that fit a class expression, those at the top only."""
    from semcrawl.topics.class_axioms import ClassAxioms
    from semcrawl.topics.expression_matches import matching_concepts, topmost
    from semcrawl.topics.manchester import parse_expression

    language = options.language or "en"
    expression = parse_expression(
        text,
        lambda name: find_concept(graph, name, language),
        lambda name: find_property(graph, name),
    )
    reasoned = options.reason or "reason" in place.options
    if reasoned:
        from semcrawl.topics.ontology import ontology_files
        from semcrawl.topics.reasoning import kinds_of

        files = ontology_files(options.place(place.path), options.import_folders)
        found = [concept for concept in kinds_of(expression, files) if concept in graph]
    else:
        found = matching_concepts(expression, graph, graph.notes.axioms or ClassAxioms())
    if not found:
        hint = "" if reasoned else f"; a reasoner finds more: {place.path}?reason#{text}"
        raise TopicError(f"no concept of {graph.name} fits {text}{hint}")
    return topmost(found, graph)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _is_topic_file(path: Path) -> bool:
    try:
        if path.stat().st_size > _LARGEST_TOPIC_FILE:
            return False
        data = path.read_bytes()
        return b"semcrawl/ns#" in data and b"Topic" in data
    except OSError:
        return True
