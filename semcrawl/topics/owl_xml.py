"""Ontologies in OWL/XML, as RDF by the W3C's "OWL 2 Mapping to RDF Graphs", section 2.

Annotations of axioms, and rules, are left out.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from io import BytesIO
from urllib.parse import urljoin

import pyoxigraph as ox

from semcrawl.topics.vocabularies import OWL, RDF

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_XML = "{http://www.w3.org/XML/1998/namespace}"
_TYPE = f"{RDF}type"

_ENTITIES = {
    "Class": f"{OWL}Class",
    "ObjectProperty": f"{OWL}ObjectProperty",
    "DataProperty": f"{OWL}DatatypeProperty",
    "AnnotationProperty": f"{OWL}AnnotationProperty",
    "NamedIndividual": f"{OWL}NamedIndividual",
    "Datatype": f"{_RDFS}Datatype",
}
_OF_PROPERTIES = ("Object", "Data", "Annotation")
_PAIRS = {  # axioms of two parts, and the property between them
    "SubClassOf": f"{_RDFS}subClassOf",
    "DatatypeDefinition": f"{OWL}equivalentClass",
    "InverseObjectProperties": f"{OWL}inverseOf",
    **{f"Sub{kind}PropertyOf": f"{_RDFS}subPropertyOf" for kind in _OF_PROPERTIES},
    **{f"{kind}PropertyDomain": f"{_RDFS}domain" for kind in _OF_PROPERTIES},
    **{f"{kind}PropertyRange": f"{_RDFS}range" for kind in _OF_PROPERTIES},
}
_EQUAL = {  # axioms of any number of equal parts
    "EquivalentClasses": f"{OWL}equivalentClass",
    "EquivalentObjectProperties": f"{OWL}equivalentProperty",
    "EquivalentDataProperties": f"{OWL}equivalentProperty",
    "SameIndividual": f"{OWL}sameAs",
}
_DIFFERENT = {  # axioms of different parts: the property between two, the class of a longer list
    "DisjointClasses": ("disjointWith", "AllDisjointClasses"),
    "DisjointObjectProperties": ("propertyDisjointWith", "AllDisjointProperties"),
    "DisjointDataProperties": ("propertyDisjointWith", "AllDisjointProperties"),
    "DifferentIndividuals": ("differentFrom", "AllDifferent"),
}
_LISTS = {"DisjointUnion": f"{OWL}disjointUnionOf", "HasKey": f"{OWL}hasKey"}
_CHARACTERISTIC = re.compile(
    "((?:Inverse)?Functional|Reflexive|Irreflexive|Symmetric|Asymmetric|Transitive)"
    "(?:Object|Data)Property"
)
_COMBINATION = re.compile("(?:Object|Data)(IntersectionOf|UnionOf|OneOf)")
_COMPLEMENTS = {"ObjectComplementOf": "complementOf", "DataComplementOf": "datatypeComplementOf"}
_RESTRICTION = re.compile("(?:Object|Data)(SomeValuesFrom|AllValuesFrom|HasValue)")
_CARDINALITY = re.compile("(Object|Data)(Min|Max|Exact)Cardinality")

_Node = ox.NamedNode | ox.BlankNode
_Term = ox.NamedNode | ox.BlankNode | ox.Literal


class _NotMappedError(Exception):
    """An axiom holds what has no place in RDF, or is not known."""


def owl_xml_triples(text: str, base: str) -> Iterator[ox.Triple]:
    """Yield the statements of a text in OWL/XML; ValueError if it is not in that language.

    The text has to be safe: well-formed, and with entities that were looked at.
    """
    events = ET.iterparse(BytesIO(text.encode()), ("start", "end"))  # noqa: S314 - see above
    _, root = next(events)
    reader = _OwlXmlReader(root, base)
    yield from reader.found
    depth = 0
    for event, element in events:
        depth += 1 if event == "start" else -1
        if event == "end" and depth == 0:
            yield from reader.axiom(element)
            root.clear()  # what was read is not needed any more


class _OwlXmlReader:
    """Makes the statements of axioms, one axiom after the other, in ``found``."""

    def __init__(self, root: ET.Element, base: str) -> None:
        self._ontology = root.get("ontologyIRI") or base
        self._base = root.get(f"{_XML}base") or self._ontology
        self._prefixes = {"owl": OWL, "rdf": RDF, "rdfs": _RDFS, "xsd": _XSD}
        self._anonymous: dict[str, ox.BlankNode] = {}
        self.found: list[ox.Triple] = []
        self._add(ox.NamedNode(self._ontology), _TYPE, ox.NamedNode(f"{OWL}Ontology"))
        if version := root.get("versionIRI"):
            self._add(ox.NamedNode(self._ontology), f"{OWL}versionIRI", ox.NamedNode(version))

    def axiom(self, element: ET.Element) -> list[ox.Triple]:
        """Return the statements of an axiom, or of what stands among axioms."""
        self.found = []
        name = _name(element)
        parts = [part for part in element if _name(part) != "Annotation"]
        try:
            self._read(name, element, parts)
        except (IndexError, KeyError) as error:
            raise ValueError(f"{name} lacks a part, or has a prefix that is not there") from error
        except (_NotMappedError, RecursionError, ValueError):  # or an IRI that is none
            return []
        return self.found

    def _read(self, name: str, element: ET.Element, parts: Sequence[ET.Element]) -> None:
        if name == "Prefix":
            self._prefixes[element.attrib["name"]] = element.attrib["IRI"]
        elif name == "Import":
            imported = ox.NamedNode(self._resolved((element.text or "").strip()))
            self._add(ox.NamedNode(self._ontology), f"{OWL}imports", imported)
        elif name == "Annotation":
            self._add(ox.NamedNode(self._ontology), self._iri(parts[0]), self._term(parts[1]))
        elif name == "Declaration":
            self._add(self._node(parts[0]), _TYPE, ox.NamedNode(_ENTITIES[_name(parts[0])]))
        elif name in _PAIRS:
            self._pair(name, parts)
        elif name.endswith("Assertion"):
            self._assertion(name, parts)
        elif found := _CHARACTERISTIC.fullmatch(name):
            self._add(self._node(parts[0]), _TYPE, ox.NamedNode(f"{OWL}{found[1]}Property"))
        elif name in _LISTS:
            self._add(self._node(parts[0]), _LISTS[name], self._list(map(self._node, parts[1:])))
        elif name in _EQUAL or name in _DIFFERENT:
            self._group(name, parts)

    def _pair(self, name: str, parts: Sequence[ET.Element]) -> None:
        if _name(parts[0]) == "ObjectPropertyChain":
            chain = self._list(map(self._node, parts[0]))
            self._add(self._node(parts[1]), f"{OWL}propertyChainAxiom", chain)
        else:
            self._add(self._node(parts[0]), _PAIRS[name], self._node(parts[1]))

    def _assertion(self, name: str, parts: Sequence[ET.Element]) -> None:
        if name == "ClassAssertion":
            self._add(self._node(parts[1]), _TYPE, self._node(parts[0]))
        elif name == "ObjectPropertyAssertion" and _name(parts[0]) == "ObjectInverseOf":
            self._add(self._node(parts[2]), self._iri(parts[0][0]), self._node(parts[1]))
        elif not name.startswith("Negative"):
            self._add(self._node(parts[1]), self._iri(parts[0]), self._term(parts[2]))

    def _group(self, name: str, parts: Sequence[ET.Element]) -> None:
        # What has a name comes first: of that the others are told.
        nodes = sorted(map(self._node, parts), key=lambda node: isinstance(node, ox.BlankNode))
        if name in _EQUAL:
            for other in nodes[1:]:
                self._add(nodes[0], _EQUAL[name], other)
        elif len(nodes) == 2:
            self._add(nodes[0], OWL + _DIFFERENT[name][0], nodes[1])
        else:
            self._new(OWL + _DIFFERENT[name][1], {"members": self._list(nodes)})

    def _term(self, element: ET.Element) -> _Term:
        return _literal(element) if _name(element) == "Literal" else self._node(element)

    def _node(self, element: ET.Element) -> _Node:
        """Return the node of an entity or an expression, after adding what describes it."""
        name = _name(element)
        if name in _ENTITIES or name in ("IRI", "AbbreviatedIRI"):
            return ox.NamedNode(self._iri(element))
        if name == "AnonymousIndividual":
            return self._anonymous.setdefault(element.get("nodeID", ""), ox.BlankNode())
        if name == "ObjectInverseOf":
            inverse = ox.BlankNode()
            self._add(inverse, f"{OWL}inverseOf", self._node(element[0]))
            return inverse
        return self._expression(name, element)

    def _expression(self, name: str, element: ET.Element) -> _Node:
        described: dict[str, _Term] = {}
        if name in _COMPLEMENTS:
            described[_COMPLEMENTS[name]] = self._node(element[0])
        elif found := _COMBINATION.fullmatch(name):
            key = found[1][0].lower() + found[1][1:]
            described[key] = self._list(map(self._term, element))
        elif name == "DatatypeRestriction":
            described["onDatatype"] = self._node(element[0])
            described["withRestrictions"] = self._list(map(self._facet, element[1:]))
        else:
            return self._restriction(name, element)
        kind = f"{_RDFS}Datatype" if name.startswith("Data") else f"{OWL}Class"
        return self._new(kind, described)

    def _restriction(self, name: str, element: ET.Element) -> _Node:
        described: dict[str, _Term] = {}
        if (found := _RESTRICTION.fullmatch(name)) and len(element) == 2:
            described[found[1][0].lower() + found[1][1:]] = self._term(element[1])
        elif found := _CARDINALITY.fullmatch(name):
            described |= self._cardinality(found[1], found[2], element)
        elif name == "ObjectHasSelf":
            described["hasSelf"] = ox.Literal("true", datatype=ox.NamedNode(f"{_XSD}boolean"))
        else:
            raise _NotMappedError(name)
        return self._new(f"{OWL}Restriction", {"onProperty": self._node(element[0]), **described})

    def _cardinality(self, kind: str, bound: str, element: ET.Element) -> dict[str, _Term]:
        start = {"Min": "min", "Max": "max", "Exact": ""}[bound]
        number = ox.Literal(
            element.attrib["cardinality"], datatype=ox.NamedNode(f"{_XSD}nonNegativeInteger")
        )
        if len(element) == 1:
            return {f"{start}Cardinality" if start else "cardinality": number}
        key = f"{start}QualifiedCardinality" if start else "qualifiedCardinality"
        on = "onClass" if kind == "Object" else "onDataRange"
        return {key: number, on: self._node(element[1])}

    def _facet(self, element: ET.Element) -> _Node:
        node = ox.BlankNode()
        self._add(node, element.attrib["facet"], _literal(element[0]))
        return node

    def _new(self, kind: str, described: dict[str, _Term]) -> ox.BlankNode:
        node = ox.BlankNode()
        self._add(node, _TYPE, ox.NamedNode(kind))
        for key, value in described.items():
            self._add(node, OWL + key, value)
        return node

    def _list(self, members: Iterator[_Term] | Sequence[_Term]) -> _Node:
        rest: _Node = ox.NamedNode(f"{RDF}nil")
        for member in reversed(list(members)):
            cell = ox.BlankNode()
            self._add(cell, f"{RDF}first", member)
            self._add(cell, f"{RDF}rest", rest)
            rest = cell
        return rest

    def _add(self, subject: _Node, predicate: str, value: _Term) -> None:
        self.found.append(ox.Triple(subject, ox.NamedNode(predicate), value))

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
