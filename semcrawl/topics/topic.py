"""What the user wants to find: the topic of a crawl, from a string or a file (docs/topics.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from math import ceil, isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pyoxigraph as ox

from semcrawl import rdf_syntax
from semcrawl.checked_values import checked_values
from semcrawl.errors import TopicError, os_errors, regular, told_as
from semcrawl.notebook import figures, table
from semcrawl.rdf_syntax import RDF
from semcrawl.redaction import file_name
from semcrawl.resources import checked_toml
from semcrawl.text.background import Background, GrowingBackground
from semcrawl.text.languages import analyser, language_code, language_problem
from semcrawl.text.vectors import Vector, tf, tf_idf
from semcrawl.topics.labels import is_label_in, labels_in, normal_label
from semcrawl.topics.ontology_files import near_name
from semcrawl.topics.rdf_files import RDF_SUFFIXES
from semcrawl.topics.sources import SOURCES, ReadOptions, concept_iri, holds, iri_reference, read_concepts, source_of

if TYPE_CHECKING:
    from semcrawl.relevance.explanation import Explanation
    from semcrawl.topics.concepts import ConceptGraph

_NAMES_SHOWN = 5
_KEYWORDS, _EXAMPLES = "keywords:", "examples:"
_HTML_NAMES = (".html", ".htm", ".xhtml", ".shtml")
_WITH_NARROWER, _ALONE = "+", "!"
_READINGS = _WITH_NARROWER + _ALONE
_LARGEST_FILE = 10_000_000
_MOST_KEYWORDS = 2_000  # at up to 20 ms each
_MOST_CONCEPTS = 20_000  # whose labels a background begins with; of more, every n-th

_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_URL = re.compile(r"https?://[^\s/?#]+\S*", re.IGNORECASE)
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")

_SC = "https://w3id.org/semcrawl/ns#"
_DCTERMS = "http://purl.org/dc/terms/"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_TYPE = f"{RDF}type"
_BASE = "https://w3id.org/semcrawl/topic/"

_Term = ox.NamedNode | ox.BlankNode | ox.Literal
_Node = dict[str, list[_Term]]


@dataclass(frozen=True, slots=True)
class TopicConcept:
    """A concept of a topic: its id, how much it matters, and the graph that it is in."""

    id: str
    weight: float
    graph: ConceptGraph = field(compare=False, repr=False)
    alone: bool = False  # whether what is narrower does not belong to the topic


def _narrower(concept: TopicConcept) -> str:
    graph = concept.graph
    labels = [graph.label(one) for one in graph.narrower(concept.id)]
    more = f" and {len(labels) - _NAMES_SHOWN} more" if len(labels) > _NAMES_SHOWN else ""
    return ", ".join(labels[:_NAMES_SHOWN]) + more


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word or phrase of a topic, and how much it matters."""

    text: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True, repr=False)
class Topic:
    """Concepts and keywords with weights, seeds and examples; TopicError if a part is wrong."""

    name: str
    concepts: tuple[TopicConcept, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    seeds: tuple[str, ...] = ()  # URLs to start from
    examples: tuple[str, ...] = ()  # URLs or paths of pages that are on the topic
    description: str = ""
    # of its labels and of the pages that it is about, as tags such as fr or pt-BR
    languages: tuple[str, ...] = ("en",)

    def __post_init__(self) -> None:
        # object.__setattr__ is how a frozen dataclass tidies its own fields.
        put = object.__setattr__
        put(self, "name", _line(self.name, "the name of the topic"))
        put(self, "description", _writable(self.description.strip(), "the description"))
        keywords = (Keyword(_line(word.text, "a keyword"), word.weight) for word in self.keywords)
        put(self, "keywords", tuple({word.text: word for word in keywords}.values()))
        put(self, "concepts", tuple({concept.id: concept for concept in self.concepts}.values()))
        put(self, "seeds", tuple(dict.fromkeys(map(_checked_seed, self.seeds))))
        put(self, "examples", tuple(dict.fromkeys(_line(x, "an example") for x in self.examples)))
        put(self, "languages", checked_languages(self.languages))
        self._check_weights()
        self._check_content()

    def __repr__(self) -> str:
        parts = [concept.id for concept in self.concepts] + [word.text for word in self.keywords]
        return f"<Topic {self.name}: {', '.join(parts[:_NAMES_SHOWN])}>"

    def _repr_html_(self) -> str:
        rows = [(one.graph.label(one.id), one.id, f"{one.weight:g}", _narrower(one)) for one in self.concepts]
        rows += [(word.text, "keyword", f"{word.weight:g}", "") for word in self.keywords]
        return figures(self.name, {"in": ", ".join(self.languages)}) + table(
            ("label", "concept", "weight", "narrower"), rows
        )

    @classmethod
    def parse(
        cls,
        spec: str,
        *,
        reason: bool = False,
        language: str | Sequence[str] | None = None,
        import_folders: Sequence[str | Path] = (),
    ) -> Topic:
        """Return the topic that a string describes.

        It is ``keywords:java programming``, ``wordnet:asthma``, ``doid.owl#asthma``, ``examples:`` with pages or a file
        that lists them, or the path of a topic file. A concept stands for all that is narrower, too, as if it ended in
        ``+``; one that ends in ``!`` is meant alone. ``reason`` adds what a reasoner infers; ``language``, a tag or
        several (``fr,ru``), is that of labels and pages; imported ontologies are searched for in ``import_folders``.

        >>> Topic.parse("wordnet:asthma").name
        'asthma'
        """
        spec = spec.strip()
        options = ReadOptions(reason, language_tags(language or ()), tuple(map(Path, import_folders)))
        if spec.startswith(_KEYWORDS):
            items = spec.removeprefix(_KEYWORDS).split(",")
            words = [word for item in items if (word := " ".join(item.split()))]
            if not words:
                raise TopicError("keywords: is followed by no word; write keywords:java programming")
            return Topic(", ".join(words), keywords=tuple(map(Keyword, words)), languages=options.languages or ("en",))
        if spec.startswith(_EXAMPLES):
            return _topic_of_examples(spec.removeprefix(_EXAMPLES).strip(), options)
        if source := source_of(spec, options) or source_of(spec.rstrip(_READINGS), options):
            if not options.languages and (own := source.language(spec)):
                options = replace(options, languages=(own,))
            concepts = tuple(_topic_concepts(spec, 1.0, options))
            return cls(_default_name(concepts), concepts, languages=options.languages or ("en",))
        if "\0" not in spec and Path(spec).suffix.lower() in (".toml", ".ttl"):
            return cls.from_file(options.place(spec), options=options)
        raise TopicError(_unknown_form(spec))

    @classmethod
    def from_file(cls, path: str | Path, *, options: ReadOptions | None = None) -> Topic:
        """Read a topic file, Turtle or TOML as its name ends; paths in it are relative to it."""
        path = Path(path)
        reader = {".toml": cls.from_toml, ".ttl": cls.from_turtle}.get(path.suffix.lower())
        if reader is None:
            raise TopicError(f"{path} is no topic file: its name ends in neither .ttl nor .toml")
        text = _text_of(path, "topic file")
        options = replace(options or ReadOptions(), folder=path.parent)
        return reader(text, where=str(path), options=options)

    @classmethod
    def from_toml(cls, text: str, *, where: str = "the topic", options: ReadOptions | None = None) -> Topic:
        """Read a topic written in TOML; ``where`` is named in error messages."""
        with told_as(TopicError, f"{where} is not in TOML", msgspec.DecodeError, RecursionError, ValueError):
            values = msgspec.toml.decode(checked_toml(text))
        with told_as(TopicError, where, TopicError, ValueError):
            return _topic_of_table(checked_values(values, _TopicFile), options or ReadOptions())

    @classmethod
    def from_turtle(cls, text: str, *, where: str = "the topic", options: ReadOptions | None = None) -> Topic:
        """Read a topic written in Turtle; ``where`` is named in error messages."""
        nodes: dict[str, _Node] = {}
        try:
            rdf_syntax.check_terms(text)
            # Oxigraph's parser keeps the order of the file and tells the line of an error.
            for triple in ox.parse(text, format=ox.RdfFormat.TURTLE, base_iri=_BASE):
                node = nodes.setdefault(str(triple.subject), {})
                node.setdefault(triple.predicate.value, []).append(triple.object)
        except (SyntaxError, ValueError) as error:
            raise TopicError(f"{where} is not in Turtle: {getattr(error, 'msg', error)}") from error
        kind = ox.NamedNode(f"{_SC}Topic")
        topics = [node for node in nodes.values() if kind in node.get(_TYPE, ())]
        if len(topics) != 1:
            raise TopicError(
                f"{where} describes {len(topics) or 'no'} topics; a topic file holds one node with 'a sc:Topic'"
            )
        with told_as(TopicError, where, TopicError):
            return _topic_of_graph(topics[0], nodes, options or ReadOptions())

    def to_toml(self, *, absolute: bool = False) -> str:
        """Return the topic in TOML; ontology files as they were given, or ``absolute``.

        Concepts of files have their labels beside them, except where the files are absolute.
        """
        lines = [f"name = {_quoted(self.name)}"]
        if self.description:
            lines.append(f"description = {_quoted(self.description)}")
        tags = ", ".join(map(_quoted, self.languages))
        lines.append(f"language = {tags if len(self.languages) == 1 else f'[{tags}]'}")
        for key, urls in (("seeds", self.seeds), ("examples", self.examples)):
            if urls:
                lines += [f"{key} = [", *(f"    {_quoted(url)}," for url in urls), "]"]
        keywords = [(keyword.text, keyword.weight, "") for keyword in self.keywords]
        concepts = [
            (
                part.graph.reference(part.id, absolute=absolute) + (_ALONE if part.alone else ""),
                part.weight,
                "" if absolute else _comment(part),
            )
            for part in self.concepts
        ]
        for key, parts in (("keywords", keywords), ("concepts", concepts)):
            if parts:
                lines += ["", f"[{key}]"]
                lines += [f"{_quoted(part)} = {float(weight)!r}{said}" for part, weight, said in parts]
        return "\n".join(lines) + "\n"

    def to_turtle(self, *, absolute: bool = False) -> str:
        """Return the topic in Turtle; ontology files as they were given, or ``absolute``."""
        lines = ["a sc:Topic", f"dcterms:title {_literal(self.name)}"]
        if self.description:
            lines.append(f"dcterms:description {_literal(self.description)}")
        lines += [f"dcterms:language {_literal(tag)}" for tag in self.languages]
        concepts = [(_concept(part, absolute=absolute), part.weight) for part in self.concepts]
        keywords = [(_literal(part.text), part.weight) for part in self.keywords]
        lines += [*_interest_lines("concept", concepts), *_interest_lines("keyword", keywords)]
        lines += [f"sc:seed {_resource(url)}" for url in self.seeds]
        lines += [f"sc:example {_resource(place)}" for place in self.examples]
        body = " ;\n    ".join(lines)
        return f"@prefix sc: <{_SC}> .\n@prefix dcterms: <{_DCTERMS}> .\n\n<#topic> {body} .\n"

    @property
    def example_urls(self) -> tuple[str, ...]:
        """Those of its examples that are no files."""
        return tuple(place for place in self.examples if _URL.fullmatch(place))

    @property
    def language(self) -> str:
        """The first of its languages."""
        return self.languages[0]

    def labels(self, language: str | None = None) -> list[tuple[str, float]]:
        """Return keywords and labels with summed weights, in a language or those of the topic."""
        weights: dict[str, float] = {}
        keywords = ((keyword.text, keyword.weight) for keyword in self.keywords)
        of_concepts = (
            (label.text, label.weight * concept.weight)
            for concept in self.concepts
            for label in labels_in(language or self.languages, concept.graph.labels(concept.id))
        )
        for text, weight in (*keywords, *of_concepts):
            key = normal_label(text)
            weights[key] = weights.get(key, 0.0) + weight
        return list(weights.items())

    def counts(self, language: str | None = None, background: Background | None = None) -> dict[str, float]:
        """Return the weights of the topic's terms, as if they were frequencies.

        Terms are those of the language asked for, else of all the topic's languages; a term that several of them have
        has the largest weight of them. Of n words of a label each counts one n-th, or by its rarity where a background
        is given: "attack" does not tell of an asthma attack.

        >>> Topic("x", keywords=(Keyword("first aid", 2.0), Keyword("aid"))).counts()
        {'first': 1.0, 'aid': 2.0}
        """
        weights: dict[str, float] = {}
        for tag in (language,) if language else self.languages:
            table = background.of(tag) if background is not None else None
            for term, weight in self._counts_in(tag, table).items():
                weights[term] = max(weights.get(term, 0.0), weight)
        return weights

    def _counts_in(self, language: str, background: Background | None) -> dict[str, float]:
        weights: dict[str, float] = {}
        count_terms = analyser(language).count_terms
        for text, weight in self.labels(language):
            counts = count_terms(text)
            size = sum(counts.values())
            for term, count in counts.items():
                tells = 1.0 if size == 1 else 1 / size if background is None else background.rarity(term)
                weights[term] = weights.get(term, 0.0) + weight * count * tells
        return weights

    def vector(self, background: Background | None = None, language: str | None = None) -> Vector:
        """Return the topic as a term vector: tf, times idf where a background is given."""
        counts = self.counts(language, background)
        return tf(counts) if background is None else tf_idf(counts, background)

    def in_language(self, language: str) -> Topic:
        """Return the topic in one of its languages."""
        return replace(self, languages=(language,))

    def background(self) -> Background:
        """Return how common terms are in the topic's languages (`Background.of`).

        English has the shipped table; the others begin with the labels of the topic's sources,
        and grow with the pages of a crawl.
        """
        return Background.of_languages(
            {
                code: Background.default() if code == "en" else GrowingBackground(self._terms_of_labels(code))
                for code in dict.fromkeys(map(language_code, self.languages))
            }
        )

    def _terms_of_labels(self, language: str) -> Iterator[list[str]]:
        """Yield the terms of each concept's labels in a language, as if they were a text."""
        terms = analyser(language).terms
        for graph in {id(concept.graph): concept.graph for concept in self.concepts}.values():
            for concept in graph.ids[:: ceil(len(graph.ids) / _MOST_CONCEPTS) or 1]:
                if own := [label.text for label in graph.labels(concept) if is_label_in([language], label)]:
                    yield terms(" | ".join(own))

    def explain(self, text: str, measure: str = "li") -> Explanation:
        """Return which concepts of the topic a text names, by which words, and how near they are.

        >>> explanation = Topic.parse("wordnet:asthma").explain("Bronchitis and the lungs")
        >>> explanation.matches[0].path
        ('bronchitis', 'respiratory disease', 'asthma')
        """
        from semcrawl.relevance.lens import Lens

        return Lens.compile(self, measure).explain(text)

    def _check_weights(self) -> None:
        weights = {f"keyword {word.text!r}": word.weight for word in self.keywords}
        weights |= {f"concept {concept.id}": concept.weight for concept in self.concepts}
        for part, weight in weights.items():
            if not isfinite(weight) or weight < 0:
                raise TopicError(f"the {part} has the weight {weight}; weights are numbers of 0 or more")
        total = sum(weights.values())
        if weights and not 0 < total < float("inf"):
            raise TopicError(
                f"the weights of the topic {self.name!r} add up to {total}; "
                "give at least one keyword or concept a weight above 0"
            )

    def _check_content(self) -> None:
        if len(self.keywords) > _MOST_KEYWORDS:
            raise TopicError(f"the topic {self.name!r} has more than {_MOST_KEYWORDS:,} keywords; name concepts")
        if not (self.concepts or self.keywords or self.examples):
            raise TopicError(
                f"the topic {self.name!r} says nothing to look for; give it concepts, keywords or examples"
            )
        if self.keywords and not self.concepts and not self.examples and not self.counts():
            raise TopicError(
                f"the keywords of the topic {self.name!r} are stop words or numbers only; "
                "give it a word that tells the topic from others"
            )


def _text_of(path: Path, kind: str) -> str:
    unread = os_errors(TopicError, f"cannot read the {kind} {path}", "" if path.exists() else near_name(path))
    with unread, told_as(TopicError, f"the {kind} {path} is not in UTF-8", UnicodeDecodeError):
        if path.stat().st_size > _LARGEST_FILE:
            raise TopicError(f"{path} is no {kind}: it is larger than 10 MB")
        return regular(path).read_text(encoding="utf-8-sig")


def _writable(text: str, part: str) -> str:
    if found := _UNWRITABLE.search(text):
        raise TopicError(f"{part} holds the control character {found.group()!r}; remove it")
    return text


def _line(text: str, part: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise TopicError(f"{part} is empty")
    return _writable(text, part)


def _checked_seed(url: str) -> str:
    url = url.strip()
    if not _URL.fullmatch(_writable(url, "a seed")):
        raise TopicError(f"the seed {url[:200]!r} is no URL; write it with http:// or https://")
    return file_name(url)  # without an account: nobody is sent it, but whoever reads the graph would have it


def language_tags(languages: str | Sequence[str]) -> tuple[str, ...]:
    """Return the tags of several languages, given one by one or in a text with commas.

    >>> language_tags("fr, ru"), language_tags(["pt-BR"])
    (('fr', 'ru'), ('pt-BR',))
    """
    given = [languages] if isinstance(languages, str) else languages
    return tuple(tag for item in given for part in item.split(",") if (tag := part.strip()))


def checked_languages(languages: str | Sequence[str]) -> tuple[str, ...]:
    """Return the tags of some languages, each once; TopicError for one that nobody knows."""
    tags = tuple(dict.fromkeys(language_tags(languages)))
    for tag in tags or ("",):
        if not _LANGUAGE.fullmatch(tag):
            raise TopicError(f"{tag[:40]!r} is no language tag; write for example en or pt-BR")
        if problem := language_problem(tag):
            raise TopicError(problem)
    return tags


def _topic_of_examples(text: str, options: ReadOptions) -> Topic:
    """Return the topic of pages: URLs and files with commas between, or a file that lists them."""
    listing = None if _URL.match(text) or "\0" in text else options.place(text)
    if listing is None or not holds(listing.is_file) or listing.suffix.lower() in _HTML_NAMES:
        places = re.split(r",\s*(?=https?://)", text) if listing is None else [*map(str.strip, text.split(","))]
        name = f"pages like {_example(places[0], ReadOptions()).partition('://')[2] or Path(places[0]).stem}"
    else:
        options = replace(options, folder=listing.parent)
        lines = map(str.strip, _text_of(listing, "list of examples").splitlines())
        places = [line for line in lines if line and not line.startswith("#")]
        name = f"pages like {listing.stem}"
    if not any(places):
        raise TopicError(f"examples:{text} names no page; give URLs, files, or a file that lists them")
    examples = tuple(_example(place, options) for place in places if place)
    return Topic(name, examples=examples, languages=options.languages or ("en",))


def _example(place: str, options: ReadOptions) -> str:
    """Return an example: a file in the folder of the file that names it."""
    if _URL.match(place):
        return file_name(place)  # without an account, as seeds
    return place if options.folder is None or "\0" in place else str(options.place(place))


def _default_name(concepts: Sequence[TopicConcept], keywords: Sequence[Keyword] = ()) -> str:
    shown = ", ".join(part.graph.label(part.id) for part in concepts[:_NAMES_SHOWN])
    more = len(concepts) - _NAMES_SHOWN
    words = ", ".join(keyword.text for keyword in keywords)
    return f"{shown} and {more} more" if more > 0 else shown or words or "unnamed"


def _unknown_form(spec: str) -> str:
    forms = ["keywords:WORDS", "examples:PAGES", *(one.form for one in SOURCES), "the path of a .ttl or .toml file"]
    shown = spec if len(spec) <= 80 else f"{spec[:80]}..."
    likely = []
    for suffix in RDF_SUFFIXES:
        file, found, name = spec[:1000].partition(suffix)
        if found and (name := name.lstrip(" :/")) and Path(file + suffix).is_file():
            likely.append(f"{file}{suffix}#{name}")
    if _URL.match(spec) or spec.lower().endswith(_HTML_NAMES):
        likely += [f"examples:{shown}", *[f"FILE#{shown}"] * (not spec.lower().endswith(_HTML_NAMES))]
    elif len(spec) <= 60 and not likely:  # a longer name may be too long for a file
        kind, _, rest = spec.partition(":")
        kinds = [form.partition(":")[0] for form in forms if ":" in form]
        likely += [f"{near}:{rest}" for near in get_close_matches(kind, kinds, 1, 0.8) if rest]
        if Path(spec).is_file():
            read = f"{spec!r} is no topic: its format is not read; RDF (.ttl, .rdf, .owl, .jsonld), OBO and .toml are"
            return f"{read}; the terms of a list or a spreadsheet are written as keywords:TERM,TERM, or in a .toml file"
        likely += [spec + end for end in (".toml", *sorted(RDF_SUFFIXES)) if Path(spec + end).is_file()]
        if spec.replace(" ", "").isalnum():
            likely += [f"keywords:{spec}", f"wordnet:{spec}"]
    guess = "did you mean '{}'? ".format("' or '".join(likely)) if likely else ""
    return f"{shown!r} is no topic; {guess}a topic is written as {', '.join(forms)}"


class _TopicFile(msgspec.Struct, forbid_unknown_fields=True):
    name: str | None = None
    description: str = ""
    language: str | list[str] = "en"
    seeds: list[str] = []
    examples: list[str] = []
    keywords: list[str] | dict[str, float] = []
    concepts: list[str] | dict[str, float] = []
    narrower: bool = True


def _topic_of_table(file: _TopicFile, options: ReadOptions) -> Topic:
    languages = options.languages or language_tags(file.language)
    options = replace(options, languages=languages)
    concepts = tuple(
        concept
        for reference, weight in _weighted(file.concepts)
        for concept in _topic_concepts(reference, weight, options, alone=not file.narrower)
    )
    keywords = tuple(Keyword(text, weight) for text, weight in _weighted(file.keywords))
    return Topic(
        name=_default_name(concepts, keywords) if file.name is None else file.name,
        concepts=concepts,
        keywords=keywords,
        seeds=tuple(file.seeds),
        examples=tuple(_example(place, options) for place in file.examples),
        description=file.description,
        languages=languages,
    )


def _topic_concepts(reference: str, weight: float, options: ReadOptions, *, alone: bool = False) -> list[TopicConcept]:
    """Return the concepts of a reference; ``+`` or ``!`` at its end say how they are meant."""
    bare, reading = reference.rstrip(), ""
    if bare.endswith((_WITH_NARROWER, _ALONE)):
        bare, reading = bare[:-1], bare[-1]
    try:
        found = read_concepts(bare, options)
    except TopicError as error:
        if not reading:
            raise
        try:  # a name may end so itself, such as C++
            found, reading = read_concepts(reference, options), ""
        except TopicError:
            raise error from None
    meant_alone = reading == _ALONE if reading else alone
    return [TopicConcept(concept, weight, graph, meant_alone) for concept, graph in found]


def _weighted(parts: list[str] | dict[str, float]) -> list[tuple[str, float]]:
    return list(parts.items()) if isinstance(parts, dict) else [(part, 1.0) for part in parts]


def _comment(part: TopicConcept) -> str:
    """Return the label of a concept for people, where its reference is an IRI."""
    if part.graph.place() is None:
        return ""
    return f"  # {_UNWRITABLE.sub(' ', ' '.join(part.graph.label(part.id).split()))}"


def _quoted(text: str) -> str:
    # What JSON escapes, TOML reads; control characters do not occur in a topic.
    return json.dumps(text, ensure_ascii=False)


def _topic_of_graph(node: _Node, nodes: dict[str, _Node], options: ReadOptions) -> Topic:
    stated = tuple(map(_text, node.get(f"{_DCTERMS}language", ())))
    languages = options.languages or language_tags(stated) or ("en",)
    options = replace(options, languages=languages)
    sources = _texts(node, "source")
    concepts: list[TopicConcept] = []
    keywords: list[Keyword] = []
    for part, weight in [(node, 1.0), *_interests(node, nodes)]:
        for term in part.get(f"{_SC}concept", ()):
            found = _read(term, part if part is not node else {}, sources, options)
            alone = _only(part, f"{_SC}narrower") in ("false", "0")
            concepts += [TopicConcept(concept, weight, graph, alone) for concept, graph in found]
        keywords += [Keyword(_text(term), weight) for term in part.get(f"{_SC}keyword", ())]
    return Topic(
        name=_only(node, f"{_DCTERMS}title") or _only(node, _LABEL) or _default_name(concepts, keywords),
        concepts=tuple(concepts),
        keywords=tuple(keywords),
        seeds=_texts(node, "seed"),
        examples=tuple(_example(place, options) for place in _texts(node, "example")),
        description=_only(node, f"{_DCTERMS}description") or "",
        languages=languages,
    )


def _read(term: _Term, part: _Node, sources: tuple[str, ...], options: ReadOptions) -> list[tuple[str, ConceptGraph]]:
    text = _text(term)
    reference = iri_reference(text)
    own = _texts(part, "source")
    if not own and (not sources or source_of(reference, options)):
        return read_concepts(reference, options)
    name = f"<{reference}>" if isinstance(term, ox.NamedNode) else text
    errors: list[TopicError] = []
    for source in own or sources:
        try:
            return read_concepts(f"{source}#{name}", options)
        except TopicError as error:
            errors.append(error)
    raise errors[0]


def _interests(node: _Node, nodes: dict[str, _Node]) -> Iterator[tuple[_Node, float]]:
    for term in node.get(f"{_SC}interest", ()):
        part = nodes.get(str(term), {})
        if not part.keys() & {f"{_SC}concept", f"{_SC}keyword"}:
            raise TopicError("an sc:interest has neither sc:concept nor sc:keyword")
        weight = _only(part, f"{_SC}weight") or "1"
        try:
            yield part, float(weight)
        except ValueError as error:
            raise TopicError(f"the sc:weight {weight!r} is no number") from error


def _only(node: _Node, predicate: str) -> str | None:
    values = list(dict.fromkeys(map(_text, node.get(predicate, ()))))
    if len(values) > 1:
        raise TopicError(f"<{predicate}> is given {len(values)} times; give it once")
    return values[0] if values else None


def _texts(node: _Node, name: str) -> tuple[str, ...]:
    return tuple(map(_text, node.get(_SC + name, ())))


def _text(term: _Term) -> str:
    if isinstance(term, ox.Literal):
        return term.value
    if isinstance(term, ox.NamedNode):
        return term.value.removeprefix(_BASE)  # a relative IRI is a relative path
    raise TopicError("a blank node stands where a text or an IRI is needed")


def _interest_lines(name: str, parts: list[tuple[str, float]]) -> list[str]:
    # The weighted form for all where one needs it, to keep their order.
    if all(weight == 1 and " ; sc:" not in term for term, weight in parts):
        return [f"sc:{name} {term}" for term, _ in parts]
    return [f"sc:interest [ sc:{name} {term} ; sc:weight {float(weight)!r} ]" for term, weight in parts]


def _concept(part: TopicConcept, *, absolute: bool) -> str:
    written = _resource(concept_iri(part.id))
    if (place := part.graph.place(absolute=absolute)) is not None:
        written += f" ; sc:source {_literal(place)}"
    return f"{written} ; sc:narrower false" if part.alone else written


def _literal(text: str) -> str:
    return str(ox.Literal(text))


def _resource(text: str) -> str:
    """Return an IRI in angle brackets, or a literal where the text would not survive as an IRI."""
    try:
        iri = str(ox.NamedNode(text))
        [triple] = ox.parse(f"<s:s> <p:p> {iri} .", format=ox.RdfFormat.TURTLE, base_iri=_BASE)
    except (SyntaxError, ValueError):
        return _literal(text)
    same = isinstance(triple.object, ox.NamedNode) and triple.object.value == text
    return iri if same else _literal(text)


@dataclass(frozen=True, slots=True)
class ConceptNote:
    """A row of an outline: IRI, label, IRIs in the outline that are broader, whether it is good."""

    iri: str
    label: str
    broader: tuple[str, ...] = ()
    good: bool = False


def label_in(topic: Topic, iri: str) -> str | None:
    """The label that a topic's sources, or WordNet, give a concept; None where it is in none of them.

    >>> label_in(Topic.parse("wordnet:asthma"), "https://w3id.org/semcrawl/wordnet/bronchitis.n.01")
    'bronchitis'
    """
    from semcrawl.topics.wordnet import wordnet

    concept = iri_reference(iri)
    graphs = [part.graph for part in topic.concepts] + ([wordnet().graph] if concept.startswith("wordnet:") else [])
    return next((graph.label(concept) for graph in graphs if concept in graph), None)


def outline(topic: Topic, limit: int = 10_000) -> list[ConceptNote]:
    """The topic's concepts and everything narrower, breadth first, at most ``limit`` of them.

    >>> from semcrawl.topics import Topic
    >>> [note.label for note in outline(Topic.parse("wordnet:asthma"))]
    ['asthma', 'status asthmaticus']
    """
    found: dict[str, tuple[str, ConceptGraph]] = {}
    queue = [(part.id, part.graph) for part in topic.concepts]
    for concept, graph in queue:
        if len(found) < limit and (iri := concept_iri(concept)) not in found:
            found[iri] = (concept, graph)
            queue += [(narrower, graph) for narrower in graph.narrower(concept)]
    return [
        ConceptNote(
            iri, graph.label(concept), tuple(up for one in graph.broader(concept) if (up := concept_iri(one)) in found)
        )
        for iri, (concept, graph) in found.items()
    ]
