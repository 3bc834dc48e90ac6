"""Ontologies in OBO format, as the statements that the same ontology has in OWL.

Ids become the IRIs that the OBO Foundry gives them (``DOID:1612`` is ``http://purl.obolibrary.org/obo/DOID_1612``), so
that concepts of ``doid.obo`` and ``doid.owl`` are the same. Definitions, cross-references and comments are left out.
"""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pyoxigraph as ox

from semcrawl.resources import facts_beside
from semcrawl.topics.class_expressions import And, Expression, Named, Or, Restriction, turtle
from semcrawl.topics.vocabularies import OBO, OWL, RDF, RDFS, SKOS

_FOUNDRY = "http://purl.obolibrary.org/obo/"
_STANZA = re.compile(r"\[(\w+)\]\s*(!.*)?")
_REMARK = re.compile(r"(?<!\\)\s!(\s.*)?$|(?<!\\)\s\{[^{}]*\}\s*(!.*)?$")
_ESCAPE = re.compile(r"\\(.)")
_SPACES = {"n": " ", "W": " ", "t": " "}
_SYNONYM = re.compile(r'"((?:[^"\\]|\\.)*)"\s*([A-Z]+)?')
_FACTS = facts_beside(__file__, "data/obo.toml")
_SYNONYM_TAGS: dict[str, str] = _FACTS["synonyms"]
_KINDS: dict[str, str] = _FACTS["kinds"]
_LINKS: dict[str, dict[str, str]] = _FACTS["links"]

_Row = tuple[str, str]  # a tag and what follows it


def obo_triples(text: str) -> Iterator[ox.Triple]:
    """Yield the statements of a text in OBO format; what says nothing usable is skipped."""
    reader = _OboReader()
    for kind, rows in _stanzas(text):
        if not kind:
            yield from reader.header(rows)
        elif kind in _KINDS:
            yield from reader.stanza(kind, rows)


def _stanzas(text: str) -> Iterator[tuple[str, list[_Row]]]:
    """Yield the kind and the rows of every stanza, the header first, with the kind ""."""
    kind = ""
    rows: list[_Row] = []
    for line in map(str.strip, re.sub(r"\\\r?\n", " ", text).split("\n")):
        if found := _STANZA.fullmatch(line):
            yield kind, rows
            kind, rows = found[1], []
        elif line and line[0] != "!":
            tag, _, value = line.partition(":")
            rows.append((tag.rstrip(), _REMARK.sub("", value.strip())))
    yield kind, rows


def _unescaped(value: str) -> str:
    return _ESCAPE.sub(lambda found: _SPACES.get(found[1], found[1]), value)


class _OboReader:
    """Makes the statements of stanzas; knows what the header says of ids."""

    def __init__(self) -> None:
        self._ontology = "ontology"
        self._spaces: dict[str, str] = {}  # the IRIs of prefixes that are not the Foundry's

    def header(self, rows: list[_Row]) -> Iterator[ox.Triple]:
        for tag, value in rows:
            if tag == "ontology" and value:
                self._ontology = value
            if tag == "idspace" and len(value.split()) > 1:
                self._spaces[value.split()[0]] = value.split()[1]
        here = f"{_FOUNDRY}{quote(self._ontology)}.owl"
        yield from _stated(here, f"{RDF}type", Named(f"{OWL}Ontology"))
        for tag, value in rows:
            if tag == "import":
                yield from _stated(here, f"{OWL}imports", Named(_unescaped(value)))

    def stanza(self, kind: str, rows: list[_Row]) -> Iterator[ox.Triple]:
        name = next((value for tag, value in rows if tag == "id"), "")
        flags = {tag for tag, value in rows if value == "true"}
        if not name or flags & {"is_anonymous", "builtin"}:
            return
        node = self._iri(name)
        # A relation between a term and a text is none between concepts.
        owl_kind = "AnnotationProperty" if "is_metadata_tag" in flags else _KINDS[kind]
        yield from _stated(node, f"{RDF}type", Named(OWL + owl_kind))
        if "is_obsolete" in flags:
            yield from _stated(node, f"{OWL}deprecated", "true")
        for tag, value in rows:
            yield from self._row(kind, node, tag, value)
        if kind == "Term":
            yield from self._definitions(node, rows)

    def _row(self, kind: str, node: str, tag: str, value: str) -> Iterator[ox.Triple]:
        ids = value.split()
        if tag == "name":
            yield from _stated(node, f"{RDFS}label", _unescaped(value))
        elif tag in _SYNONYM_TAGS and (found := _SYNONYM.match(value)):
            scope = (found[2] or _SYNONYM_TAGS[tag]).capitalize()
            yield from _stated(node, f"{OBO}has{scope}Synonym", _unescaped(found[1]))
        elif tag == "alt_id":
            yield from _stated(node, f"{SKOS}notation", value)
        elif tag in _LINKS[kind] and ids:
            yield from _stated(node, _LINKS[kind][tag], Named(self._iri(ids[0])))
        elif tag in ("relationship", "property_value") and len(ids) > 1 and '"' not in value:
            if kind == "Instance":
                yield from _stated(node, self._iri(ids[0]), Named(self._iri(ids[1])))
            elif kind == "Term" and tag == "relationship":
                yield from _stated(node, f"{RDFS}subClassOf", self._part(ids))

    def _definitions(self, node: str, rows: list[_Row]) -> Iterator[ox.Triple]:
        for tag, kind in (("intersection_of", And), ("union_of", Or)):
            parts = tuple(self._part(value.split()) for name, value in rows if name == tag)
            if len(parts) > 1:
                yield from _stated(node, f"{OWL}equivalentClass", kind(parts))

    def _part(self, ids: list[str]) -> Expression:
        """Return ``part_of A:1`` as a restriction, and ``A:1`` as a class."""
        if len(ids) < 2:
            return Named(self._iri("".join(ids)))
        return Restriction("some", self._iri(ids[0]), Named(self._iri(ids[1])))

    def _iri(self, name: str) -> str:
        name = _unescaped(name)
        prefix, colon, local = name.partition(":")
        if local.startswith("//"):
            return name
        if not colon:
            return f"{_FOUNDRY}{quote(self._ontology)}#{quote(name)}"
        if prefix in self._spaces:
            return self._spaces[prefix] + quote(local)
        return f"{_FOUNDRY}{quote(prefix)}_{quote(local)}"


def _stated(subject: str, predicate: str, value: str | Expression) -> list[ox.Triple]:
    """Return the triples of a text or an expression said of a subject; none for names no IRIs."""
    try:
        said = str(ox.Literal(value)) if isinstance(value, str) else turtle(value)
        text = f"{ox.NamedNode(subject)} {ox.NamedNode(predicate)} {said} ."
    except ValueError:
        return []
    return [found.triple for found in ox.parse(text, format=ox.RdfFormat.TURTLE)]
