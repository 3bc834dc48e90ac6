"""RDF documents as pages: their statements, a text made of labels and literals, and links.

A document is read thing by thing, the one that it is about first. A thing is a block of the
page: its name, its texts, and the names of what it is related to, which are links where that
has a URL. So judges and strategies read it as they read HTML.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal
from urllib.parse import unquote

import pyoxigraph as ox

from semcrawl import rdf_syntax
from semcrawl.errors import PageError
from semcrawl.page.embedded.json_ld import json_ld_document
from semcrawl.page.embedded.rdf_terms import TAGGED, TYPE, Resource
from semcrawl.page.embedded.statements import kept_statements
from semcrawl.page.links import MAX_ANCHOR, MAX_LINKS, Link, Node
from semcrawl.page.page import Page, collapse, primary_subtag
from semcrawl.resources import facts_beside
from semcrawl.web.response import HTML_TYPES, RDF_TYPES, Response, Wanted, looks_like_markup
from semcrawl.web.urls import join

MAX_TRIPLES = 20_000  # statements of a document that are kept
MAX_ERRORS = 100  # statements that cannot be read, after which the rest is left out

_FACTS = facts_beside(__file__, "data/linked-data.toml")
_TITLES = {iri: rank for rank, iri in enumerate(_FACTS["titles"].split())}
_MAIN, _ADDRESSES, _DUMPS, _NOT_FOLLOWED = (
    frozenset(_FACTS[name].split()) for name in ("main_subject", "addresses", "dumps", "not_followed")
)
ABOUT = frozenset(_FACTS["about"].split())  # properties that name what a page is about

_TEXTS = frozenset({"http://www.w3.org/2001/XMLSchema#string", *(kind.value for kind in TAGGED)})
_FAMILIES = {ox.RdfFormat.RDF_XML: "XML", ox.RdfFormat.JSON_LD: "JSON"}
_WORD_ENDS = re.compile(r"(?<=[a-zà-ÿ])(?=[A-Z])|[_\-+.\s]+")
_SNIFFED = 4_096

LinkPlace = Literal["objects", "subjects", "predicates", "classes"]


@dataclass(frozen=True, slots=True)
class DataReading:
    """How RDF is treated: what is read of it, and which IRIs of a document are links."""

    mode: Literal["off", "embedded", "follow", "only"] = "embedded"
    links: tuple[LinkPlace, ...] = ("objects",)
    dumps: bool = False  # whether files with all of a dataset are followed

    @property
    def reads_documents(self) -> bool:
        """Whether RDF documents are pages."""
        return self.mode in ("follow", "only")


def wanted(data: DataReading) -> Wanted:
    """Return what servers are asked for, and which bodies are read."""
    if not data.reads_documents:
        return Wanted()
    kinds = "text/turtle,application/rdf+xml,application/ld+json,application/n-triples"
    more = "application/trig,application/n-quads"
    if data.mode == "only":
        accept = f"{kinds},{_weighed(more, 0.9)},*/*;q=0.1"
    else:
        accept = f"text/html,application/xhtml+xml;q=0.9,{_weighed(kinds, 0.8)},{_weighed(more, 0.7)},*/*;q=0.5"
    return Wanted(accept, HTML_TYPES | RDF_TYPES | {""}, begins_as_rdf)


def _weighed(kinds: str, weight: float) -> str:
    return ",".join(f"{kind};q={weight}" for kind in kinds.split(","))


def begins_as_rdf(head: bytes) -> bool:
    """Whether the first bytes of a body are those of an RDF document."""
    return rdf_syntax.rdf_format(_decoded(head[:_SNIFFED])) is not None


def document_format(response: Response) -> ox.RdfFormat | None:
    """Return the syntax of an RDF document, by what it declares and how it begins; else None.

    >>> body = b"<http://a.test/> a <http://a.test/Lung> ."
    >>> document_format(Response("http://a.test/", 200, {"content-type": "text/html"}, body, 0, 0))
    <RdfFormat Turtle>
    """
    head = response.body[:_SNIFFED]
    if looks_like_markup(head):
        return None
    is_told = response.content_type in RDF_TYPES
    declared = ox.RdfFormat.from_media_type(response.content_type) if is_told else None
    found = rdf_syntax.rdf_format(_decoded(head))
    if declared and (found is None or _FAMILIES.get(found) == _FAMILIES.get(declared)):
        return declared
    return found


def read_rdf_document(
    response: Response, form: ox.RdfFormat, data: DataReading, *, languages: Sequence[str], max_chars: int
) -> Page:
    """Return an RDF document as a page.

    What cannot be read of it is left out and told in `Page.statements`. Raises ``PageError``:
    ``Unreadable`` where no statement could be read, ``EmptyPage`` where there is none.
    """
    body = response.body[: 4 * max_chars]
    text = _decoded(body)
    is_cut = response.truncated or len(response.body) > len(body)
    problems: list[str] = []
    said = kept_statements(_triples(text, response.url, form, problems, is_cut=is_cut), problems, MAX_TRIPLES)
    if not said.triples:
        why = said.problems[0] if said.problems else "It makes no statements."
        reason = "Unreadable" if said.problems else "EmptyPage"
        raise PageError(f"{response.url} is no RDF document to read: {why}", reason=reason)
    things = _Described(response.url, said.triples, [*map(primary_subtag, languages)])
    made = _Blocks(things, data, max_chars)
    return Page(
        url=response.url,
        title=things.name_of(things.main),
        declared_language=made.language,
        links=made.links,
        base=response.url,
        truncated=is_cut or made.full,
        pieces=made.pieces,
        nodes=made.nodes,
        languages=tuple(languages),
        document=said,
    )


def _decoded(data: bytes) -> str:
    try:
        return data.decode(rdf_syntax.encoding_of(data), errors="replace")
    except LookupError:
        return data.decode(errors="replace")


def _triples(text: str, url: str, form: ox.RdfFormat, problems: list[str], *, is_cut: bool) -> Iterator[ox.Triple]:
    if is_cut:
        problems.append("It is larger than the limit: what is behind the limit is left out.")
    if form == ox.RdfFormat.JSON_LD:
        yield from json_ld_document(text, url, problems)
        return
    try:
        if form == ox.RdfFormat.RDF_XML:
            text = rdf_syntax.without_declaration(text)
            rdf_syntax.root_element(text, 4 * len(text) + 100_000, cut=is_cut)
        else:
            rdf_syntax.check_terms(text)
    except rdf_syntax.UnsafeSyntaxError as error:
        problems.append(f"It is not read: {error}.")
        return
    except rdf_syntax.MalformedXmlError as error:
        problems.append(f"It is not well-formed XML: {error}.")
    yield from _parsed(text, url, form, problems, is_cut=is_cut)


def _parsed(text: str, url: str, form: ox.RdfFormat, problems: list[str], *, is_cut: bool) -> Iterator[ox.Triple]:
    found = ox.parse(text, format=form, base_iri=url, rename_blank_nodes=True)
    errors = 0
    # The parsers of all syntaxes but XML go on behind a statement that they cannot read.
    most = 1 if form == ox.RdfFormat.RDF_XML else MAX_ERRORS
    while errors < most:
        try:
            one = next(found)
        except StopIteration:
            return
        except SyntaxError as error:
            errors += 1
            if not is_cut and errors <= 2:
                reason = " ".join(str(error.msg).split())[:200].rstrip(".")
                problems.append(f"A statement could not be read: {reason}.")
            continue
        triple = one.triple if isinstance(one, ox.Quad) else one
        if not isinstance(triple.object, ox.Triple):
            yield triple
    if form != ox.RdfFormat.RDF_XML:
        problems.append(f"More than {MAX_ERRORS} statements cannot be read: the rest is left out.")


class _Described:
    """What a document says of each thing, and what things are called."""

    def __init__(self, url: str, triples: Sequence[ox.Triple], languages: list[str | None]) -> None:
        self.url = url
        self._languages = languages
        self._targets: dict[str, str | None] = {}
        self.facts: dict[Resource, list[tuple[str, ox.NamedNode | ox.BlankNode | ox.Literal]]] = {}
        # Of each the best name, with its rank by language and property: the least is the best.
        self._names: dict[Resource, tuple[tuple[int, int], str]] = {}
        for subject, predicate, value in triples:
            self.facts.setdefault(subject, []).append((predicate.value, value))
            if isinstance(value, ox.Literal) and predicate.value in _TITLES:
                rank = self.language_rank(value), _TITLES[predicate.value]
                text = collapse(value.value)[:MAX_ANCHOR]
                if text and (subject not in self._names or rank < self._names[subject][0]):
                    self._names[subject] = rank, text

    def language_rank(self, value: ox.Literal) -> int:
        """Return the place of a text's language among the topic's; none declared: behind them."""
        if value.language is None:
            return len(self._languages)
        tag = primary_subtag(value.language)
        return self._languages.index(tag) if tag in self._languages else len(self._languages) + 1

    def is_readable(self, value: ox.Literal) -> bool:
        """Whether a literal is a text in one of the topic's languages, or in none."""
        return value.datatype.value in _TEXTS and self.language_rank(value) <= len(self._languages)

    def name_of(self, thing: Resource) -> str:
        """Return what the document calls a thing, else the words at the end of its IRI."""
        if thing in self._names:
            return self._names[thing][1]
        return "" if isinstance(thing, ox.BlankNode) else local_words(thing.value)

    def target(self, iri: str) -> str | None:
        """Return the URL of the document that an IRI leads to; None where it leads to none."""
        if iri not in self._targets:
            self._targets[iri] = join(self.url, iri)
        return self._targets[iri]

    @cached_property
    def main(self) -> Resource:
        """The thing that the document is about."""
        for facts in self.facts.values():
            for predicate, value in facts:
                if predicate in _MAIN and not isinstance(value, ox.Literal) and value in self.facts:
                    return value
        here = [
            thing for thing in self.facts if isinstance(thing, ox.NamedNode) and self.target(thing.value) == self.url
        ]
        named = [thing for thing in here or self.facts if thing in self._names]
        return max(named or here or self.facts, key=lambda thing: len(self.facts[thing]))


def local_words(iri: str) -> str:
    """Return the words at the end of an IRI.

    >>> local_words("http://a.test/resource/AllergicAsthma_(disease)")
    'Allergic Asthma (disease)'
    """
    end = re.split(r"[/#]", iri.rstrip("/#"))[-1]
    return " ".join(filter(None, _WORD_ENDS.split(unquote(end))))[:MAX_ANCHOR]


@dataclass
class _Blocks:
    """The blocks of text and the links that things are shown by."""

    things: _Described
    data: DataReading
    max_chars: int
    pieces: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    full: bool = False

    def __post_init__(self) -> None:
        self._tags: Counter[str] = Counter()
        main, facts = self.things.main, self.things.facts
        for thing in (main, *(one for one in facts if one != main)):
            self._block(thing)
        if "predicates" in self.data.links:
            first, number = len(self.pieces), len(self.nodes)
            for name in dict.fromkeys(name for said in facts.values() for name, _ in said):
                self._link(name, self.things.name_of(ox.NamedNode(name)), "", number)
            self.nodes.append(Node(-1, "section", first, len(self.pieces) - 1))

    @property
    def language(self) -> str | None:
        """The language that most of the texts declare."""
        return self._tags.most_common(1)[0][0] if self._tags else None

    def _block(self, thing: Resource) -> None:
        first, name = len(self.pieces), self.things.name_of(thing)
        number = len(self.nodes)
        if isinstance(thing, ox.NamedNode) and "subjects" in self.data.links:
            self._link(thing.value, name, "", number)
        elif name:
            self._text(name)
        for predicate, value in self.things.facts[thing]:
            if isinstance(value, ox.Literal):
                self._literal(predicate, value, name, number)
            elif isinstance(value, ox.NamedNode):
                self._related(predicate, value, number)
        self.nodes.append(Node(-1, "section", first, len(self.pieces) - 1))

    def _literal(self, predicate: str, value: ox.Literal, name: str, number: int) -> None:
        text = value.value
        if predicate in _ADDRESSES and text.startswith(("http://", "https://")):
            self._link(text, local_words(text), predicate, number)
        elif self.things.is_readable(value) and text != name:
            self._tags.update(filter(None, [primary_subtag(value.language)]))
            self._text(text)

    def _related(self, predicate: str, value: ox.NamedNode, number: int) -> None:
        place = "classes" if predicate == TYPE.value else "objects"
        is_left_out = predicate in _NOT_FOLLOWED or (predicate in _DUMPS and not self.data.dumps)
        name = self.things.name_of(value)
        if place in self.data.links and not is_left_out:
            self._link(value.value, name, predicate, number)
        else:
            self._text(name)

    def _text(self, text: str) -> bool:
        self.max_chars -= len(text) + 1
        self.full |= self.max_chars < 0
        if not self.full:
            self.pieces.append(f" {text}")
        return not self.full

    def _link(self, iri: str, name: str, predicate: str, number: int) -> None:
        target = self.things.target(iri)
        leaf = len(self.pieces)
        self.full |= len(self.links) >= MAX_LINKS
        if not self._text(name) or target is None or target == self.things.url:
            return
        relation = (predicate,) if predicate else ()
        self.links.append(Link(target, name, relation, False, len(self.links), leaf, leaf, number, "rdf"))
