"""The labels of concepts in RDF files: which properties hold them, and what each is worth.

==============================================  ======  ==========================
property                                        weight
==============================================  ======  ==========================
skos:prefLabel, rdfs:label, schema:name         1.0     preferred
skos:altLabel, oboInOwl:hasExactSynonym,        1.0     as good as the preferred
IAO alternative term, schema:alternateName
skos:hiddenLabel                                0.9     misspellings and old forms
oboInOwl:hasNarrowSynonym                       0.7     names a kind of the concept
oboInOwl:hasRelatedSynonym                      0.5     names something near it
oboInOwl:hasBroadSynonym                        0.4     names more than the concept
==============================================  ======  ==========================

Labels of SKOS-XL count as those of SKOS. A concept without a label in the wanted
language, or without a language, gets the last part of its IRI, split into words,
unless that is a mere code.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from semcrawl.topics.labels import Label
from semcrawl.topics.rdf_names import OBO, RDFS, SCHEMA, SKOS, SKOSXL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from semcrawl.topics.statements import Statements, Text

__all__ = ["labels_of", "last_part", "words_of_name"]

_PREFERRED = (f"{SKOS}prefLabel", f"{RDFS}label", *(f"{place}name" for place in SCHEMA))
_OTHERS = {
    f"{SKOS}altLabel": 1.0,
    f"{OBO}hasExactSynonym": 1.0,
    "http://purl.obolibrary.org/obo/IAO_0000118": 1.0,
    "http://www.ebi.ac.uk/efo/alternative_term": 1.0,
    **{f"{place}alternateName": 1.0 for place in SCHEMA},
    f"{SKOS}hiddenLabel": 0.9,
    f"{OBO}hasNarrowSynonym": 0.7,
    f"{OBO}hasRelatedSynonym": 0.5,
    f"{OBO}hasBroadSynonym": 0.4,
}
_CODE = re.compile(r"[A-Za-z]{0,12}[_:.-]?[0-9][0-9_.:-]*[A-Za-z]?|[0-9a-f-]{20,}", re.IGNORECASE)
_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_+\s]+")


def labels_of(
    statements: Statements, concepts: Iterable[str], language: str
) -> dict[str, list[Label]]:
    """Return the labels of every concept, the preferred one first.

    A preferred label in the wanted language comes first, then one without a
    language, then one in any; the other labels follow in the same order.
    """
    found: dict[str, list[tuple[int, int, float, Label]]] = {concept: [] for concept in concepts}
    wanted = language.lower().split("-")[0]
    for subject, text, kind, weight in _all_labels(statements):
        if subject in found and text.value.strip():
            far = _distance(text.language, wanted)
            row = (kind, far, -weight, Label(text.value, text.language, weight))
            found[subject].append(row)
    for rows in found.values():
        rows.sort(key=lambda row: row[:3])
    return {
        concept: _with_name(concept, [row[3] for row in rows], wanted)
        for concept, rows in found.items()
    }


def _all_labels(statements: Statements) -> Iterator[tuple[str, Text, int, float]]:
    """Yield concept, label, 0 if it is a preferred one, and weight."""
    for name in _PREFERRED:
        yield from ((subject, text, 0, 1.0) for subject, text in statements.texts(name))
    for name, weight in _OTHERS.items():
        yield from ((subject, text, 1, weight) for subject, text in statements.texts(name))
    forms = dict(statements.texts(f"{SKOSXL}literalForm"))
    for name, kind, weight in (
        ("prefLabel", 0, 1.0),
        ("altLabel", 1, 1.0),
        ("hiddenLabel", 1, 0.9),
    ):
        for subject, label in statements.resources(SKOSXL + name):
            if label in forms:
                yield subject, forms[label], kind, weight


def _distance(language: str, wanted: str) -> int:
    """Return 0 for the wanted language, 1 for none, 2 for any other."""
    return 1 if not language else 0 if language.lower().split("-")[0] == wanted else 2


def _with_name(concept: str, labels: list[Label], wanted: str) -> list[Label]:
    """Add the words of the concept's name where no label, or only that name, says it so far.

    The name counts as a label without a language: it comes before labels in
    other languages than the wanted one.
    """
    name = last_part(concept)
    words = words_of_name(name)
    if not words:
        return labels
    if not any(_distance(label.language, wanted) < 2 for label in labels):
        return [Label(words, ""), *labels]
    if words != name and any(label.text == name for label in labels):
        return [*labels, Label(words, "")]
    return labels


def last_part(iri: str) -> str:
    """Return what follows the last ``#``, ``/`` or ``:`` of an IRI.

    >>> last_part("http://purl.obolibrary.org/obo/DOID_2841"), last_part("http://a.org/b#C")
    ('DOID_2841', 'C')
    """
    rest = re.split(r"[#/]", iri.rstrip("#/"))[-1]
    return unquote(rest if "/" in iri or "#" in iri else iri.rpartition(":")[2])


def words_of_name(name: str) -> str:
    """Return the words that a name is put together from, "" for a code such as DOID_2841.

    >>> words_of_name("CabernetSauvignon"), words_of_name("has_part"), words_of_name("DOID_2841")
    ('Cabernet Sauvignon', 'has part', '')
    """
    return "" if _CODE.fullmatch(name) else " ".join(_BOUNDARY.sub(" ", name).split())
