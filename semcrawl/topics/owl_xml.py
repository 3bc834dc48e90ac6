"""Ontologies in OWL/XML, as RDF by the W3C's "OWL 2 Mapping to RDF Graphs", section 2.

What each element says in Turtle is a row of ``data/owl_xml.toml``. Annotations of axioms, and rules, are left out.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from typing import Any
from urllib.parse import urljoin

import pyoxigraph as ox

from semcrawl.resources import facts_beside
from semcrawl.topics.vocabularies import OWL, RDF, RDFS, XSD

_XML = "{http://www.w3.org/XML/1998/namespace}"
_PREFIXES = {"owl": OWL, "rdf": RDF, "rdfs": RDFS, "xsd": XSD}
_FACTS = facts_beside(__file__, "data/owl_xml.toml")
_ENTITIES: dict[str, str] = _FACTS["entities"]
_AXIOMS: dict[str, Any] = _FACTS["axioms"] | {
    f"Declaration {name}": f"{{0}} a {kind} ." for name, kind in _ENTITIES.items()
}
_EXPRESSIONS: dict[str, Any] = _FACTS["expressions"]
_GROUPS = ("Equivalent", "Same", "Disjoint", "Different")  # axioms whose parts have no order


class _NotMappedError(Exception):
    """An axiom holds what has no place in RDF, or is not known."""


def owl_xml_triples(text: str, base: str) -> Iterator[ox.Triple]:
    """Yield the statements of a safe text in OWL/XML; ValueError if it is not in that language."""
    events = ET.iterparse(BytesIO(text.encode()), ("start", "end"))  # noqa: S314 - see above
    _, root = next(events)
    reader = _OwlXmlReader(root, base)
    yield from reader.header(root.get("versionIRI"))
    depth = 0
    for event, element in events:
        depth += 1 if event == "start" else -1
        if event == "end" and depth == 0:
            yield from reader.axiom(element)
            root.clear()  # what was read is not needed any more


class _OwlXmlReader:
    """Makes the statements of axioms, one axiom after the other."""

    def __init__(self, root: ET.Element, base: str) -> None:
        self._ontology = root.get("ontologyIRI") or base
        self._base = root.get(f"{_XML}base") or self._ontology
        self._prefixes = dict(_PREFIXES)
        self._anonymous: dict[str, ox.BlankNode] = {}

    def header(self, version: str | None) -> Iterator[ox.Triple]:
        """Yield what is said of the ontology itself."""
        own = ox.NamedNode(self._ontology)
        yield ox.Triple(own, ox.NamedNode(f"{RDF}type"), ox.NamedNode(f"{OWL}Ontology"))
        if version:
            yield ox.Triple(own, ox.NamedNode(f"{OWL}versionIRI"), ox.NamedNode(version))

    def axiom(self, element: ET.Element) -> list[ox.Triple]:
        """Return the statements of an axiom, or of what stands among axioms."""
        name = _name(element)
        parts = [part for part in element if _name(part) != "Annotation"]
        try:
            if name == "Prefix":
                self._prefixes[element.attrib["name"]] = element.attrib["IRI"]
                return []
            said = self._axiom(name, element, parts)
            return [found.triple for found in ox.parse(said, format=ox.RdfFormat.TURTLE)]
        except (IndexError, KeyError) as error:
            raise ValueError(f"{name} lacks a part, or has a prefix that is not there") from error
        except (_NotMappedError, RecursionError, SyntaxError, ValueError):  # or an IRI that is none
            return []

    def _axiom(self, name: str, element: ET.Element, parts: Sequence[ET.Element]) -> str:
        """Return what an axiom says; "" for one that says nothing here, such as a rule."""
        found = _AXIOMS.get(f"{name} {_name(parts[0])}" if parts else name) or _AXIOMS.get(name)
        if name == "Declaration" and not found:
            raise KeyError(name)
        if not found:
            return ""
        known = {"ontology": f"<{self._ontology}>"}
        if name == "Import":
            known["text"] = str(ox.NamedNode(self._resolved((element.text or "").strip())))
        if "{inner}" in found:
            known["inner"] = " ".join(map(self._term, parts[0]))
            return self._filled(found, ["", *map(self._term, parts[1:])], known)
        terms = list(map(self._term, parts))
        if name.startswith(_GROUPS) and name != "DisjointUnion":
            # What has a name comes first: of that the others are told.
            terms.sort(key=lambda term: term[0] in "[_")
        return self._filled(found, terms, known)

    def _term(self, element: ET.Element) -> str:
        """Return a literal, an entity or an expression in Turtle."""
        name = _name(element)
        if name == "Literal":
            return str(_literal(element))
        if name in _ENTITIES or name in ("IRI", "AbbreviatedIRI"):
            return str(ox.NamedNode(self._iri(element)))
        if name == "AnonymousIndividual":
            return str(self._anonymous.setdefault(element.get("nodeID", ""), ox.BlankNode()))
        known = {}
        if name == "FacetRestriction":
            known["facet"] = str(ox.NamedNode(element.attrib["facet"]))
        elif name.endswith("Cardinality"):
            kind = ox.NamedNode(f"{XSD}nonNegativeInteger")
            known["cardinality"] = str(ox.Literal(element.attrib["cardinality"], datatype=kind))
        return self._filled(_EXPRESSIONS.get(name), list(map(self._term, element)), known)

    def _filled(self, row: Any, terms: list[str], known: dict[str, str]) -> str:
        """Return the Turtle of a row of the table for some parts."""
        if isinstance(row, dict):
            row = row.get(str(len(terms))) or row.get("more")
        if row is None:
            raise _NotMappedError
        lists = {"all": " ".join(terms), "tail": " ".join(terms[1:]), "others": ", ".join(terms[1:])}
        return _with_whole_names(row).format(*terms, **lists, **known)

    def _iri(self, element: ET.Element) -> str:
        if (short := element.get("abbreviatedIRI")) or _name(element) == "AbbreviatedIRI":
            prefix, _, local = (short or (element.text or "").strip()).partition(":")
            return self._prefixes[prefix] + local
        if _name(element) == "IRI":
            return self._resolved((element.text or "").strip())
        return self._resolved(element.attrib["IRI"])

    def _resolved(self, iri: str) -> str:
        if not iri:
            return self._ontology
        if iri.startswith(("#", "/")):  # joined, not resolved, as the tools do that write them
            base = self._base.partition("#")[0]
            return (base.rstrip("/") if iri[0] == "/" else base) + iri
        return iri if re.match("[A-Za-z][A-Za-z0-9+.-]*:", iri) else urljoin(self._base, iri)


@cache
def _with_whole_names(row: str) -> str:
    return re.sub(r"\b(owl|rdfs):(\w+)", lambda short: f"<{_PREFIXES[short[1]]}{short[2]}>", row)


def _name(element: ET.Element) -> str:
    tag = str(element.tag)  # a comment has none that is a string
    return tag.removeprefix(f"{{{OWL}}}")


def _literal(element: ET.Element) -> ox.Literal:
    text, kind = element.text or "", element.get("datatypeIRI", "")
    if language := element.get(f"{_XML}lang"):
        try:
            return ox.Literal(text, language=language)
        except ValueError:  # a tag that is none
            return ox.Literal(text)
    if not kind or kind == f"{RDF}PlainLiteral":
        return ox.Literal(text)
    return ox.Literal(text, datatype=ox.NamedNode(kind))
