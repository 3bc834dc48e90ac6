"""Where concepts come from: a class and a row of :data:`SOURCES` per kind of source."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from textwrap import shorten
from typing import NamedTuple
from urllib.parse import quote, unquote

from semcrawl.errors import AmbiguousTopicError, ConfigError, TopicError, regular
from semcrawl.model_files import is_model_file
from semcrawl.resources import shipped_file
from semcrawl.text.languages import language_code
from semcrawl.topics.category_files import read_taxonomy, read_trained_taxonomy
from semcrawl.topics.class_expressions import matching_concepts, parse_expression, topmost
from semcrawl.topics.concepts import ConceptGraph, join_graphs
from semcrawl.topics.file_graph import FileGraph, find_concept, find_property
from semcrawl.topics.multilingual_wordnet import TranslatedWordNet, translated_wordnet
from semcrawl.topics.ontology import read_ontology
from semcrawl.topics.ontology_files import MOST_IMPORTS, folder_files
from semcrawl.topics.rdf_files import RDF_SUFFIXES, is_rdf
from semcrawl.topics.reasoning import kinds_of
from semcrawl.topics.vocabularies import parse_roles
from semcrawl.topics.wordnet import frequent_senses, wordnet

_SENSE_NAME = re.compile(r"\S+\.[nvasr]\.[0-9]{1,3}")
_IN_LANGUAGE = re.compile(r"wordnet:\s*([A-Za-z]{2,3})(?::|(?=#<))")
_SENSES_SHOWN = 6
_LONGEST_MEANING = 72
_LONGEST_WORD = 200
_REFERENCE = re.compile(r"([^#?\0]+)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)
_PIECE = re.compile(r"<[^<>]*>|'[^']*'|\"[^\"]*\"|[(){}]|,|[^<>'\"(){},]+|.", re.DOTALL)
_LARGEST_TOPIC_FILE = 10_000_000


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How concept sources are read, beside what a reference itself says."""

    reason: bool = False  # add what a reasoner infers from an ontology (needs Java)
    # whose labels are preferred, the first most; () leaves it to the topic, and to English
    languages: tuple[str, ...] = ()
    import_folders: tuple[Path, ...] = ()  # where imported ontologies are looked for
    folder: Path | None = None  # what relative paths are relative to; None for the current folder

    def place(self, path: str) -> Path:
        """Return a path as it is to be opened; of a file that is not there, the shipped one."""
        found = self.folder / path if self.folder else Path(path)
        return found if holds(found.exists) else shipped_file(path) or found

    @property
    def label_language(self) -> str:
        """The language whose labels are preferred."""
        return self.languages[0] if self.languages else "en"


class ConceptSource:
    """A kind of source that concepts can be taken from: the base of all sources."""

    form = ""  # how a reference is written, for messages: ``wordnet:WORD``
    prefix = ""  # how its references start, where that alone tells them
    namespace = ""  # what IRIs have instead of the prefix, where ids are no IRIs themselves

    def accepts(self, reference: str, options: ReadOptions) -> bool:  # noqa: ARG002 - for files
        """Return whether a reference is written in this source's form."""
        return reference.startswith(self.prefix)

    def language(self, reference: str) -> str | None:  # noqa: ARG002 - for sources with languages
        """Return the language that a reference itself is in; None where it does not say."""
        return None

    def read(self, reference: str, options: ReadOptions) -> list[tuple[str, ConceptGraph]]:
        """Return the concepts of a reference with their graph; TopicError if there are none."""
        raise NotImplementedError

    def graph(self, reference: str, options: ReadOptions) -> ConceptGraph:
        """Return the graph of a reference's source, whichever concepts the reference names."""
        raise NotImplementedError


class WordNetSource(ConceptSource):
    """Reads sense names and words with one sense, joined with commas.

    ``wordnet:fr:asthme`` are words of another language, where nltk has its wordnet.
    """

    form = "wordnet:WORD or wordnet:SENSE (such as wordnet:asthma.n.01)"
    prefix = "wordnet:"
    namespace = "https://w3id.org/semcrawl/wordnet/"

    def language(self, reference: str) -> str | None:
        """Return the code of the language that the words of a reference are in, None for English.

        >>> WordNetSource().language("wordnet:fra:asthme")
        'fr'
        """
        match = _IN_LANGUAGE.match(reference)
        code = language_code(match[1]) if match else "en"
        return None if code == "en" else code

    def graph(self, reference: str, _: ReadOptions | None = None) -> ConceptGraph:
        """Return WordNet, with the words of the reference's language."""
        language = self.language(reference)
        return wordnet().graph if language is None else translated_wordnet(language)

    def senses(self, word: str, graph: ConceptGraph) -> list[str]:
        """Return the senses of a word or sense name, the most frequent first; [] if unknown."""
        found = graph.senses(word) if isinstance(graph, TranslatedWordNet) else []
        return found or frequent_senses(word)

    def words(self, reference: str) -> list[str]:
        """Return the words and sense names of a reference."""
        # In Turtle a concept is an IRI beside its source: wordnet:fr#<wordnet:asthma.n.01>
        text = _IN_LANGUAGE.sub("", reference).removeprefix(self.prefix).strip()
        if text.startswith("#<") and text.endswith(">"):
            text = text[2:-1].removeprefix(self.prefix)
        words: list[str] = []
        for item in filter(None, map(str.strip, text.split(","))):
            pieces = item.split()
            words += pieces if any(map(_SENSE_NAME.fullmatch, pieces)) else [item]
        return words

    def read(self, reference: str, _: ReadOptions) -> list[tuple[str, ConceptGraph]]:
        """Return the concepts of a reference; TopicError if a word is unknown or ambiguous."""
        words = self.words(reference)
        if not words:
            raise TopicError(f"{reference!r} names no word; write for example wordnet:asthma")
        graph = self.graph(reference)
        return [(concept, graph) for concept in dict.fromkeys(_resolve(self, graph, word) for word in words)]


def _resolve(source: WordNetSource, graph: ConceptGraph, word: str) -> str:
    if len(word) > _LONGEST_WORD:
        raise TopicError(f"WordNet has no word of {len(word)} letters: {word[:40]!r}...")
    named = _SENSE_NAME.fullmatch(word) is not None
    if (sense := wordnet().sense(word) if named else None) is not None:
        return sense
    lemma = word.rsplit(".", 2)[0] if named else word
    senses = source.senses(lemma, graph)
    if len(senses) == 1 and not named:
        return senses[0]
    start = graph.reference(source.prefix)  # wordnet: or wordnet:fr:
    if not senses:
        near = ", ".join(graph.near_labels(lemma))
        offer = f"did you mean {near}? To" if near else "to"
        raise TopicError(
            f"{graph.name} has no word {lemma!r}; {offer} look for a part of a word use 'semcrawl "
            f"topic {start} --search TEXT', to crawl for the text itself write keywords:{lemma}"
        )
    choices = [(sense.removeprefix(source.prefix), wordnet().definition(sense)) for sense in senses[:_SENSES_SHOWN]]
    short = [shorten(means, _LONGEST_MEANING, placeholder=" …") for _, means in choices]
    shown = [f"{name} ({means})" for (name, _), means in zip(choices, short, strict=True)]
    rest = len(senses) - len(shown)
    listed = ", ".join(shown) + (f", and {rest} more" if rest else "")
    if named:
        raise TopicError(f"WordNet has no sense {word!r}; the senses of {lemma!r} are: {listed}")
    raise AmbiguousTopicError(
        f"{word!r} has {len(senses)} senses in WordNet; say which one you mean, for example "
        f"{start}{choices[0][0]}: {listed}; see 'semcrawl topic {start}{word}{' --all' if rest else ''}'",
        word,
        choices,
    )


class TaxonomySource(ConceptSource):
    """Reads categories of taxonomies: ``taxonomy:categories.tsv#Science/Biology``.

    Without a category it reads the top categories, of a trained taxonomy the good ones.
    """

    form = "taxonomy:PATH#CATEGORY"
    prefix = "taxonomy:"

    def read(self, reference: str, options: ReadOptions) -> list[tuple[str, ConceptGraph]]:
        """Return the categories of a reference; TopicError if there are none."""
        _, hash_, names = reference.partition("#")
        graph = self.graph(reference, options)
        if not hash_:
            return [(concept, graph) for concept in _meant_categories(graph)]
        wanted = [name.strip("'\"") for name in split_names(names)]
        if not wanted:
            raise TopicError(f"{reference[:80]!r} names no category; write {self.form}")
        found = dict.fromkeys(find_concept(graph, name, options.label_language) for name in wanted)
        return [(concept, graph) for concept in found]

    def graph(self, reference: str, options: ReadOptions) -> FileGraph:
        """Return the tree of categories of a file."""
        path = reference.removeprefix(self.prefix).partition("#")[0].strip()
        if not path or "\0" in path:
            raise TopicError(f"{reference[:80]!r} names no file; write {self.form}")
        place = options.place(path)
        if not is_model_file(place):
            return read_taxonomy(place, language=options.label_language)
        try:
            return read_trained_taxonomy(place)
        except ConfigError as error:
            raise TopicError(str(error)) from error


def _meant_categories(graph: FileGraph) -> list[str]:
    if not graph.notes.trained:
        return graph.top_concepts()
    if not graph.notes.good:
        raise TopicError(
            f"no category of {graph.notes.path} is marked good; mark some with "
            f"'semcrawl taxonomy mark {graph.notes.path} CATEGORY', or name one: "
            f"taxonomy:{graph.notes.path}#CATEGORY"
        )
    return list(graph.notes.good)


class _Place(NamedTuple):
    path: str
    options: tuple[str, ...]
    names: str | None


class OntologySource(ConceptSource):
    """Reads concepts of ontologies, thesauri and vocabularies in files.

    ::

        FILE#NAME          a concept by the last part of its IRI, its label or its notation
        FILE#<IRI>         a concept by its IRI
        FILE#(EXPRESSION)  all that fits a class expression in Manchester syntax
        FILE               the top concepts
        FILE#A,B,OTHER#C   several
        FILE?reason#NAME   after reasoning, for which Java is needed
        FILE?wordnet#NAME  joined with WordNet, so that general words are near too
        FILE?imports=500   with up to 500 imported files
        FILE?isa=P&label=Q&related=R  with properties that mean is-a, label and related
        FILE?profile=wikidata         the same with properties of a known source

    A FILE may be a folder: all ontologies in it are read as one.
    """

    form = "FILE#CONCEPT of an ontology or thesaurus (such as doid.owl#asthma)"

    def accepts(self, reference: str, options: ReadOptions) -> bool:
        """Return whether a reference starts with what can only be an ontology file."""
        place = _place(reference)
        if place is None:
            return False
        path = options.place(place.path)
        suffix = path.suffix.lower()
        if place.names is None and not place.options and suffix == ".ttl":
            return holds(path.is_file) and not _is_topic_file(path)
        if suffix in RDF_SUFFIXES:
            return True
        if holds(path.is_dir):
            return place.names is not None or holds(lambda: bool(folder_files(path)))
        named = place.names is not None and suffix not in (".tsv", ".txt")
        return holds(path.is_file) and (named or (suffix != ".toml" and is_rdf(path)))

    def read(self, reference: str, options: ReadOptions) -> list[tuple[str, ConceptGraph]]:
        """Return the concepts of a reference with their graph; TopicError if there are none."""
        found: dict[str, ConceptGraph] = {}
        for place in self._places(reference, options):
            graph = _ontology_graph(place, options)
            for concept in _concepts(graph, place, options):
                found.setdefault(concept, graph)
        return list(found.items())

    def graph(self, reference: str, options: ReadOptions) -> FileGraph:
        """Return the graph of the first file that a reference names."""
        return _ontology_graph(self._first_place(reference), options)

    def _first_place(self, reference: str) -> _Place:
        place = _place(reference)
        if place is None:
            raise TopicError(f"{reference[:80]!r} names no file; write {self.form}")
        return place

    def _places(self, reference: str, options: ReadOptions) -> list[_Place]:
        first = self._first_place(reference)
        if first.names is None:
            return [first]
        whole, places, names = first, [], list[str]()
        for item in split_names(first.names):
            other = _place(item) if "#" in item and item[0] not in "<('\"" else None
            if other and self.accepts(item, options):
                places.append(first._replace(names=",".join(names)))
                first, names = other, [other.names or ""]
            else:
                names.append(item)
        return [*places, first._replace(names=",".join(names))] if places else [whole]


def _place(reference: str) -> _Place | None:
    match = _REFERENCE.fullmatch(reference.strip())
    if match is None or re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", reference.strip()):
        return None
    return _Place(match[1].strip(), tuple(filter(None, (match[2] or "").split("&"))), match[3])


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


_OPTIONS = ("reason", "wordnet", "imports=NUMBER", "profile=NAME", "isa=P", "label=P", "related=P")


def _ontology_graph(place: _Place, options: ReadOptions) -> FileGraph:
    flags, valued = _sorted_options(place.options)
    imports = [value for key, value in valued if key == "imports"]
    graph = read_ontology(
        options.place(place.path),
        language=options.label_language,
        reason=options.reason or "reason" in flags,
        import_folders=options.import_folders,
        most_imports=_whole_number(imports[-1]) if imports else MOST_IMPORTS,
        roles=parse_roles((key, value) for key, value in valued if key != "imports"),
    )
    return _joined_with_wordnet(graph) if "wordnet" in flags else graph


def _sorted_options(options: Sequence[str]) -> tuple[set[str], list[tuple[str, str]]]:
    """Return the options without a value, and those with one; TopicError for an unknown one."""
    known = {text.partition("=")[0]: "=" in text for text in _OPTIONS}
    flags, valued = set[str](), list[tuple[str, str]]()
    for key, equals, value in (option.partition("=") for option in options):
        if known.get(key) is not bool(equals):
            listed = ", ".join(_OPTIONS)
            raise TopicError(f"there is no option {key[:40] + equals!r}; the options are {listed}")
        valued.append((key, value)) if equals else flags.add(key)
    return flags, valued


def _whole_number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,6}", text):
        raise TopicError(f"imports={text[:40]} gives no number of files; write imports=500")
    return int(text)


@lru_cache(maxsize=2)
def _joined_with_wordnet(graph: FileGraph) -> FileGraph:
    joint = "&wordnet" if graph.notes.options else "?wordnet"
    notes = replace(graph.notes, options=graph.notes.options + joint)
    return FileGraph(join_graphs(graph, wordnet().graph), notes)


def _concepts(graph: FileGraph, place: _Place, options: ReadOptions) -> list[str]:
    if place.names is None:
        return graph.top_concepts()
    if "," in place.names and len(graph.find(place.names)) == 1:
        return graph.find(place.names)  # a label with a comma in it
    names = split_names(place.names)
    if not names:
        raise TopicError(f"{place.path}# names no concept; write for example {place.path}#NAME")
    found: list[str] = []
    for name in names:
        quoted = len(name) > 1 and name[0] == name[-1] and name[0] in "'\""
        if name.startswith("(") and not graph.find(name):
            found += _fitting(graph, name, place, options)
        else:
            found.append(find_concept(graph, name[1:-1] if quoted else name, options.label_language))
    return found


def _fitting(graph: FileGraph, text: str, place: _Place, options: ReadOptions) -> list[str]:
    expression = parse_expression(
        text, lambda name: find_concept(graph, name, options.label_language), lambda name: find_property(graph, name)
    )
    reasoned = options.reason or "reason" in place.options
    if reasoned:
        kinds = kinds_of(expression, [Path(file) for file in graph.notes.files])
        named = dict.fromkeys(graph.notes.aliases.get(kind, kind) for kind in kinds)
        found = [concept for concept in named if concept in graph]
    else:
        found = matching_concepts(expression, graph, graph.notes.axioms)
    if not found:
        hint = "" if reasoned else f"; a reasoner finds more: {place.path}?reason#{text}"
        raise TopicError(f"no concept of {graph.name} fits {text}{hint}")
    return topmost(found, graph)


def holds(question: Callable[[], bool]) -> bool:
    """Return what a path answers; false where the system cannot say, as of a name too long."""
    try:
        return question()
    except (OSError, ValueError, TopicError):
        return False


def _is_topic_file(path: Path) -> bool:
    try:
        if path.stat().st_size > _LARGEST_TOPIC_FILE:
            return False
        data = regular(path).read_bytes()
        return b"semcrawl/ns#" in data and b"Topic" in data
    except OSError:
        return True


# In the order in which they are asked.
SOURCES: tuple[ConceptSource, ...] = (WordNetSource(), TaxonomySource(), OntologySource())


def source_of(reference: str, options: ReadOptions | None = None) -> ConceptSource | None:
    """Return the first source that accepts a reference, None if none does."""
    options = options or ReadOptions()
    return next((source for source in SOURCES if source.accepts(reference, options)), None)


def read_concepts(reference: str, options: ReadOptions | None = None) -> list[tuple[str, ConceptGraph]]:
    """Return the concepts of a reference with their graph.

    >>> [concept for concept, graph in read_concepts("wordnet:asthma")]
    ['wordnet:asthma.n.01']
    """
    source = source_of(reference, options)
    if source is None:
        forms = ", ".join(source.form for source in SOURCES)
        raise TopicError(f"{reference[:80]!r} names no concept; a concept is written as {forms}")
    return source.read(reference, options or ReadOptions())


def read_graph(reference: str, options: ReadOptions | None = None) -> ConceptGraph:
    """Return the graph of a reference's source, whichever concepts the reference names."""
    prefixed = (one for one in SOURCES if one.prefix and reference.startswith(one.prefix))
    return next(prefixed, OntologySource()).graph(reference, options or ReadOptions())


def concept_iri(concept: str) -> str:
    """Return the IRI of a concept id; an id that no source claims is an IRI already.

    >>> concept_iri("wordnet:asthma.n.01")
    'https://w3id.org/semcrawl/wordnet/asthma.n.01'
    """
    for source in SOURCES:
        if source.namespace and concept.startswith(source.prefix):
            return source.namespace + quote(concept.removeprefix(source.prefix), safe="")
    return concept


def iri_reference(iri: str) -> str:
    """Return the reference that :func:`read_concepts` takes for an IRI.

    >>> iri_reference("https://w3id.org/semcrawl/wordnet/asthma.n.01")
    'wordnet:asthma.n.01'
    """
    for source in SOURCES:
        if source.namespace and iri.startswith(source.namespace):
            return source.prefix + unquote(iri.removeprefix(source.namespace))
    return iri
