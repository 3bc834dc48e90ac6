"""The results as RDF: two data sets in the W3C's Data Cube vocabulary.

One holds every value of every run, the other the means over topics with their
intervals. Crawlers, topics and measures are coded by concepts in concept schemes,
as the vocabulary asks for (RDF Data Cube, section 8).
"""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING
from urllib.parse import quote

from semcrawl.graph.vocabulary import PREFIXES, decimal, string
from semcrawl.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from semcrawl.lab.results import Results

# What may follow a prefix in Turtle without escapes.
_LOCAL = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_QB = "http://purl.org/linked-data/cube#"
_USED = ("sc", "dcterms", "rdfs", "skos", "xsd")
_GENERAL = {
    "strategy": "sc:comparedStrategy",
    "topic": "sc:comparedTopic",
    "measure": "sc:comparedBy",
}
_SCHEMES = {"strategy": "Crawlers", "topic": "Topics", "measure": "Measures"}


def data_cube(results: Results) -> str:
    """The values as Turtle; values that are no numbers are left out.

    IRIs are ``urn:semcrawl:lab:`` with the name of the experiment, or its title where it has
    none, so that results of the same experiment have the same names wherever they were
    computed, and a part of it has others.
    """
    return "".join(_Cube(results).lines())


class _Cube:
    def __init__(self, results: Results) -> None:
        self._results = results
        name = results.name or results.title
        self._root = f"urn:semcrawl:lab:{quote(name, safe='', errors='replace')}"

    def lines(self) -> Iterator[str]:
        for name in _USED:
            yield f"@prefix {name}: <{PREFIXES[name]}> .\n"
        yield f"@prefix qb: <{_QB}> .\n"
        yield f"@prefix lab: <{self._root}:> .\n"
        for scheme in _SCHEMES:
            yield f"@prefix {scheme}: <{self._root}:{scheme}:> .\n"
        yield "\n"
        yield from self._data_sets()
        yield from self._structures()
        yield from self._codes()
        yield from self._values()
        yield from self._means()

    def _data_sets(self) -> Iterator[str]:
        described = [f"dcterms:description {string(self._results.about)}"]
        if self._results.paper:
            described.append(f"dcterms:references {string(self._results.paper)}")
        title = self._results.title
        for name, what in (("values", "every run"), ("means", "means over topics")):
            yield _subject(
                f"lab:{name}",
                "a qb:DataSet",
                f"dcterms:title {string(f'{title}: {what}')}",
                f"rdfs:label {string(f'{title}: {what}')}",
                *described,
                f"dcterms:creator {string(f'semcrawl {VERSION}')}",
                f"qb:structure lab:{name}-structure",
            )

    def _structures(self) -> Iterator[str]:
        for dimension, general in _GENERAL.items():
            yield _subject(
                f"lab:{dimension}-dimension",
                "a qb:DimensionProperty, qb:CodedProperty",
                f"rdfs:label {string(dimension, 'en')}",
                f"rdfs:subPropertyOf {general}",
                "rdfs:range skos:Concept",
                f"qb:codeList lab:{dimension}",
            )
        for number in ("sc:repetition", "sc:pagesFetched"):
            yield _subject(number, "a qb:DimensionProperty", "rdfs:range xsd:integer")
        for number in ("sc:value", "sc:lowEnd", "sc:highEnd"):
            yield _subject(number, "a qb:MeasureProperty", "rdfs:range xsd:decimal")
        coded = [f"lab:{name}-dimension" for name in _GENERAL]
        strategy, _, measure = coded
        structures = {
            "values": ([*coded, "sc:repetition", "sc:pagesFetched"], ["sc:value"]),
            "means": (
                [strategy, measure, "sc:pagesFetched"],
                ["sc:value", "sc:lowEnd", "sc:highEnd"],
            ),
        }
        for name, (dimensions, measures) in structures.items():
            parts = [
                f"qb:component [ qb:dimension {dimension} ; qb:order {place} ]"
                for place, dimension in enumerate(dimensions, 1)
            ]
            parts += [f"qb:component [ qb:measure {one} ]" for one in measures]
            yield _subject(f"lab:{name}-structure", "a qb:DataStructureDefinition", *parts)

    def _codes(self) -> Iterator[str]:
        for dimension, title in _SCHEMES.items():
            yield _subject(
                f"lab:{dimension}", "a skos:ConceptScheme", f"rdfs:label {string(title, 'en')}"
            )
        for name in self._results.contenders:
            yield self._code("strategy", name, name)
        for name, count in self._results.topics:
            yield self._code("topic", name, name, [f"sc:pagesToFind {count}"])
        for note in self._results.measures:
            more = [
                f"skos:definition {string(note.definition, 'en')}",
                f"dcterms:source {string(note.source)}",
                f"sc:higherIsBetter {str(note.higher_is_better).lower()}",
            ]
            yield self._code("measure", note.name, note.title, more)

    def _code(self, scheme: str, name: str, label: str, more: Iterable[str] = ()) -> str:
        return _subject(
            self._code_iri(scheme, name),
            "a skos:Concept",
            f"skos:prefLabel {string(label)}",
            f"skos:notation {string(name)}",
            f"skos:inScheme lab:{scheme}",
            f"skos:topConceptOf lab:{scheme}",
            *more,
        )

    def _values(self) -> Iterator[str]:
        for found in self._results.values:
            if found.value is not None and isfinite(found.value):
                yield _observation(
                    "values",
                    self._coded("strategy", found.contender),
                    self._coded("topic", found.topic),
                    self._coded("measure", found.measure),
                    f"sc:repetition {found.repetition}",
                    f"sc:pagesFetched {found.at}",
                    f"sc:value {decimal(found.value)}",
                )

    def _means(self) -> Iterator[str]:
        for found in self._results.over_topics:
            ends = found.interval
            if all(map(isfinite, (ends.mean, ends.low, ends.high))):
                yield _observation(
                    "means",
                    self._coded("strategy", found.contender),
                    self._coded("measure", found.measure),
                    f"sc:pagesFetched {found.at}",
                    f"sc:value {decimal(ends.mean)}",
                    f"sc:lowEnd {decimal(ends.low)}",
                    f"sc:highEnd {decimal(ends.high)}",
                )

    def _coded(self, dimension: str, name: str) -> str:
        return f"lab:{dimension}-dimension {self._code_iri(dimension, name)}"

    def _code_iri(self, scheme: str, name: str) -> str:
        if _LOCAL.fullmatch(name):
            return f"{scheme}:{name}"
        return f"<{self._root}:{scheme}:{quote(name, safe='', errors='replace')}>"


def _observation(data_set: str, *parts: str) -> str:
    return _subject("[]", "a qb:Observation", f"qb:dataSet lab:{data_set}", *parts)


def _subject(term: str, *parts: str) -> str:
    said = " ;\n    ".join(parts)
    return f"{term} {said} .\n"
