"""Where the concepts of a topic come from: one entry per kind of source.

A reference is what a user writes to name concepts, such as ``wordnet:asthma``.
A source knows its own references, reads them, and gives its concepts IRIs. A
new kind of source is one more entry in :data:`SOURCES`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, Protocol
from urllib.parse import quote, unquote

from semcrawl.errors import ConfigError, TopicError
from semcrawl.topics.labels import find_concept, find_property
from semcrawl.topics.ontology import FileGraph, ReadOptions
from semcrawl.topics.rdf_files import RDF_SUFFIXES

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.topics.concepts import ConceptGraph
    from semcrawl.topics.wordnet import WordNet

# References to WordNet in topics: ``wordnet:asthma``, ``wordnet:bank.n.01``, and their IRIs.


WORDNET_IRI = "https://w3id.org/semcrawl/wordnet/"
"""Senses have this IRI, followed by their name."""

_WORDNET_PREFIX = "wordnet:"
_SENSE_NAME = re.compile(r"\S+\.[nvasr]\.[0-9]{1,3}")
_SENSES_SHOWN = 6
_LONGEST = 200


class WordNetSource:
    """Reads words with one sense, sense names, and lists of them.

    Several are joined with commas; sense names also with spaces. A word with
    several senses is refused: which one is meant makes the topic.
    """

    form = "wordnet:WORD or wordnet:SENSE (such as wordnet:asthma.n.01)"

    def accepts(self, reference: str, options: ReadOptions | None = None) -> bool:  # noqa: ARG002 - no options
        """Return whether the reference starts with ``wordnet:``."""
        return reference.startswith(_WORDNET_PREFIX)

    def read(
        self,
        reference: str,
        options: ReadOptions | None = None,  # noqa: ARG002 - WordNet is read one way only
    ) -> list[tuple[str, ConceptGraph]]:
        """Return the concepts of a reference; TopicError if a word is unknown or ambiguous."""
        from semcrawl.topics.wordnet import wordnet

        words = _words(reference.removeprefix(_WORDNET_PREFIX))
        if not words:
            raise TopicError(f"{reference!r} names no word; write for example wordnet:asthma")
        concepts = dict.fromkeys(_resolve(wordnet(), word) for word in words)
        return [(concept, wordnet().graph) for concept in concepts]

    def iri(self, concept: str) -> str | None:
        """Return the IRI of a sense."""
        if not concept.startswith(_WORDNET_PREFIX):
            return None
        return WORDNET_IRI + quote(concept.removeprefix(_WORDNET_PREFIX), safe="")

    def reference(self, iri: str) -> str | None:
        """Return the reference of a sense's IRI."""
        return (
            _WORDNET_PREFIX + unquote(iri.removeprefix(WORDNET_IRI))
            if iri.startswith(WORDNET_IRI)
            else None
        )


def _words(text: str) -> list[str]:
    words: list[str] = []
    for item in filter(None, (item.strip() for item in text.split(","))):
        pieces = item.split()
        words += pieces if any(map(_SENSE_NAME.fullmatch, pieces)) else [item]
    return words


def _resolve(words: WordNet, word: str) -> str:
    """Return the sense of a sense name or of a word that has one sense only."""
    if len(word) > _LONGEST:
        raise TopicError(f"WordNet has no word of {len(word)} letters: {word[:40]!r}...")
    if _SENSE_NAME.fullmatch(word):
        sense = words.sense(word)
        if sense is None:
            raise TopicError(_no_such_sense(words, word))
        return sense
    senses = words.senses(word)
    if not senses:
        raise TopicError(_no_such_word(words, word))
    if len(senses) > 1:
        raise TopicError(_ambiguous(words, word, senses))
    return senses[0]


def _no_such_sense(words: WordNet, name: str) -> str:
    lemma = name.rsplit(".", 2)[0]
    senses = words.senses(lemma)
    if not senses:
        return _no_such_word(words, lemma)
    return f"WordNet has no sense {name!r}; the senses of {lemma!r} are: {_listed(words, senses)}"


def _no_such_word(words: WordNet, word: str) -> str:
    near = ", ".join(words.graph.near_labels(word))
    offer = f"did you mean {near}? To" if near else "to"
    return f"WordNet has no word {word!r}; {offer} search for the text itself write keywords:{word}"


def _ambiguous(words: WordNet, word: str, senses: list[str]) -> str:
    return (
        f"{word!r} has {len(senses)} senses in WordNet; say which one you mean, for example "
        f"{senses[0]}: {_listed(words, senses)}"
    )


def _listed(words: WordNet, senses: list[str]) -> str:
    """Return the first senses, each with what tells it from the others."""
    shown = [f"{sense.removeprefix(_WORDNET_PREFIX)} ({_hint(words, sense)})" for sense in senses]
    more = f", and {len(senses) - _SENSES_SHOWN} more" if len(senses) > _SENSES_SHOWN else ""
    return ", ".join(shown[:_SENSES_SHOWN]) + more


def _hint(words: WordNet, sense: str) -> str:
    graph = words.graph
    synonyms = "; ".join(label.text for label in graph.labels(sense)[:3])
    broader = graph.broader(sense)
    return f"{synonyms}: a kind of {graph.label(broader[0])}" if broader else synonyms


# References to ontology files in topics: ``doid.owl#asthma``, ``stw.ttl``, ``a.owl?reason#B``.
#
# ::
#
#     FILE#NAME                 a concept by the last part of its IRI, its label or its notation
#     FILE#<IRI>                a concept by its IRI
#     FILE#(EXPRESSION)         all that fits a class expression in Manchester syntax
#     FILE                      the top concepts
#     FILE#A,B,OTHER#C          several
#     FILE?reason#NAME          after reasoning, for which Java is needed
#     FILE?wordnet#NAME         joined with WordNet, so that general words are near too


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
            graph = _ontology_graph(place, options)
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


def _ontology_graph(place: _Place, options: ReadOptions) -> FileGraph:
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
    from semcrawl.topics.class_expressions import matching_concepts, parse_expression, topmost
    from semcrawl.topics.owl import ClassAxioms

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


# References to taxonomies in topics: ``taxonomy:categories.tsv#Science/Biology``.
#
# The file may also be a trained taxonomy (``semcrawl taxonomy train``). Without a
# category, a taxonomy stands for its top categories, a trained one for those that
# are marked good.


_TAXONOMY_PREFIX = "taxonomy:"


class TaxonomySource:
    """Reads categories by name or path; a taxonomy alone stands for its top or good ones."""

    form = "taxonomy:PATH#CATEGORY"

    def accepts(self, reference: str, options: ReadOptions | None = None) -> bool:  # noqa: ARG002 - the prefix tells
        """Return whether the reference starts with ``taxonomy:``."""
        return reference.startswith(_TAXONOMY_PREFIX)

    def read(
        self, reference: str, options: ReadOptions | None = None
    ) -> list[tuple[str, ConceptGraph]]:
        """Return the categories of a reference; TopicError if there are none."""
        options = options or ReadOptions()
        path, hash_, names = reference.removeprefix(_TAXONOMY_PREFIX).partition("#")
        if not path.strip() or "\0" in path:
            raise TopicError(f"{reference[:80]!r} names no file; write {self.form}")
        language = options.language or "en"
        graph = _taxonomy_graph(options.place(path.strip()), language)
        if not hash_:
            return [(concept, graph) for concept in _meant(graph)]
        wanted = [name.strip("'\"") for name in split_names(names)]
        if not wanted:
            raise TopicError(f"{reference[:80]!r} names no category; write {self.form}")
        found = dict.fromkeys(find_concept(graph, name, language) for name in wanted)
        return [(concept, graph) for concept in found]

    def iri(self, concept: str) -> str | None:  # noqa: ARG002 - the ids are IRIs already
        """Return None: the ids of categories are IRIs."""
        return None

    def reference(self, iri: str) -> str | None:  # noqa: ARG002 - an IRI does not say its file
        """Return None: an IRI does not tell which file it is in."""
        return None


def _taxonomy_graph(path: Path, language: str) -> FileGraph:
    from semcrawl.topics.category_files import (
        is_trained_taxonomy,
        read_taxonomy,
        read_trained_taxonomy,
    )

    if not is_trained_taxonomy(path):
        return read_taxonomy(path, language=language)
    try:
        return read_trained_taxonomy(path)
    except ConfigError as error:
        raise TopicError(str(error)) from error


def _meant(graph: FileGraph) -> list[str]:
    """The categories that a taxonomy alone stands for."""
    if not graph.notes.trained:
        return graph.top_concepts()
    if not graph.notes.good:
        raise TopicError(
            f"no category of {graph.notes.path} is marked good; mark some with "
            f"'semcrawl taxonomy mark {graph.notes.path} CATEGORY', or name one: "
            f"taxonomy:{graph.notes.path}#CATEGORY"
        )
    return list(graph.notes.good)


class ConceptSource(Protocol):
    """A kind of source that concepts can be taken from."""

    form: str
    """How a reference is written, for messages: ``wordnet:WORD``."""

    def accepts(self, reference: str, options: ReadOptions | None = None) -> bool:
        """Return whether a reference is written in this source's form."""

    def read(
        self, reference: str, options: ReadOptions | None = None
    ) -> list[tuple[str, ConceptGraph]]:
        """Return the concepts of a reference with their graph; TopicError if there are none."""

    def iri(self, concept: str) -> str | None:
        """Return the IRI of a concept id, None if the id is not of this source."""

    def reference(self, iri: str) -> str | None:
        """Return the reference of a concept's IRI, None if the IRI is not of this source."""


SOURCES: tuple[ConceptSource, ...] = (WordNetSource(), TaxonomySource(), OntologySource())
"""Every source, in the order in which they are asked."""


def source_of(reference: str, options: ReadOptions | None = None) -> ConceptSource | None:
    """Return the first source that accepts a reference, None if none does."""
    return next((source for source in SOURCES if source.accepts(reference, options)), None)


def read_concepts(
    reference: str, options: ReadOptions | None = None
) -> list[tuple[str, ConceptGraph]]:
    """Return the concepts of a reference with their graph.

    >>> [concept for concept, graph in read_concepts("wordnet:asthma")]
    ['wordnet:asthma.n.01']
    """
    source = source_of(reference, options)
    if source is None:
        forms = ", ".join(source.form for source in SOURCES)
        raise TopicError(f"{reference[:80]!r} names no concept; a concept is written as {forms}")
    return source.read(reference, options)


def concept_reference(concept: str, graph: ConceptGraph, *, absolute: bool = False) -> str:
    """Return the reference that :func:`read_concepts` takes for a concept of a graph.

    A concept of a file is named with the path of the file, as it was given or absolute.
    """
    if isinstance(graph, FileGraph):
        return graph.reference(concept, absolute=absolute)
    return concept


def concept_iri(concept: str) -> str:
    """Return the IRI of a concept id; an id that no source claims is an IRI already.

    >>> concept_iri("wordnet:asthma.n.01")
    'https://w3id.org/semcrawl/wordnet/asthma.n.01'
    """
    return next((iri for source in SOURCES if (iri := source.iri(concept))), concept)


def iri_reference(iri: str) -> str:
    """Return the reference that :func:`read_concepts` takes for an IRI.

    >>> iri_reference("https://w3id.org/semcrawl/wordnet/asthma.n.01")
    'wordnet:asthma.n.01'
    """
    return next((name for source in SOURCES if (name := source.reference(iri))), iri)
