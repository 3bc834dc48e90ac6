"""The labels of a graph's concepts, and finding concepts by them."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import numpy as np

from semcrawl.errors import TopicError
from semcrawl.text.terms import stem, tokens
from semcrawl.topics.rdf_files import OBO, RDFS, SCHEMA, SKOS, SKOSXL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from semcrawl.topics.ontology import FileGraph
    from semcrawl.topics.rdf_files import Statements, Text

_MOST_CANDIDATES = 4_000


class Label(NamedTuple):
    """A name of a concept: text, language tag ("" if not known), weight (1 = as good as any)."""

    text: str
    language: str = "en"
    weight: float = 1.0


def normal_label(text: str) -> str:
    """Return the form in which labels are compared: case folded, with single spaces.

    >>> normal_label(" First_Aid ")
    'first aid'
    """
    return " ".join(text.replace("_", " ").casefold().split())


def stemmed_label(text: str) -> str:
    """Return the stems of a label's words, stop words included, with single spaces.

    >>> stemmed_label("Diseases of the Heart") == stemmed_label("disease of the hearts")
    True
    """
    return " ".join(map(stem, tokens(text)))


class LabelTable:
    """All labels of a graph: concept ``n`` has the rows ``start[n] .. start[n + 1] - 1``.

    A row holds the number of its text in ``texts`` (texts are shared and hold no
    line break), its language and weight, and its rank: where several concepts
    have the same label, those of smaller rank are found first.
    """

    def __init__(
        self,
        start: NDArray[np.int64],
        text: NDArray[np.int64],
        texts: Sequence[str],
        *,
        languages: Sequence[str] | str = "en",
        weights: Sequence[float] | None = None,
        ranks: NDArray[np.int64] | None = None,
    ) -> None:
        """Take the columns; one string as ``languages`` holds for every row."""
        self._start = start
        self._text = text
        self._texts = texts
        self._languages = languages
        self._weights = weights
        self._ranks = ranks

    def of(self, concept: int) -> list[Label]:
        """Return the labels of a concept, the preferred one first."""
        return [self._label(row) for row in range(*self._start[concept : concept + 2].tolist())]

    def _label(self, row: int) -> Label:
        languages, weights = self._languages, self._weights
        return Label(
            self._texts[self._text[row]],
            languages if isinstance(languages, str) else languages[row],
            1.0 if weights is None else weights[row],
        )

    def joined(self, other: LabelTable, places: NDArray[np.int64], size: int) -> LabelTable:
        """Return both tables as one of ``size`` concepts; concept n of the other is at places[n].

        The labels of this table come first. A label that a concept has in both
        is kept once.
        """
        own = np.repeat(np.arange(len(self._start) - 1), np.diff(self._start))
        theirs = places[np.repeat(np.arange(len(other._start) - 1), np.diff(other._start))]
        new = np.ones(len(theirs), bool)
        for row in np.flatnonzero(theirs < len(self._start) - 1).tolist():
            new[row] = other._label(row)[:2] not in {label[:2] for label in self.of(theirs[row])}
        rows = np.flatnonzero(new)
        owners = np.concatenate((own, theirs[rows]))
        order = np.argsort(owners, kind="stable")
        start = np.zeros(size + 1, np.int64)
        np.cumsum(np.bincount(owners, minlength=size), out=start[1:])
        text = np.concatenate((self._text, other._text[rows] + len(self._texts)))
        kept, sequence = rows.tolist(), order.tolist()
        languages = [*self._all_languages(), *map(other._all_languages().__getitem__, kept)]
        weights = [*self._all_weights(), *map(other._all_weights().__getitem__, kept)]
        # What this table has is found before what only the other has.
        ranks = np.concatenate((self._all_ranks(), other._all_ranks()[rows] + (1 << 20)))
        return LabelTable(
            start,
            text[order],
            [*self._texts, *other._texts],
            languages=list(map(languages.__getitem__, sequence)),
            weights=list(map(weights.__getitem__, sequence)),
            ranks=ranks[order],
        )

    def _all_languages(self) -> Sequence[str]:
        languages = self._languages
        return [languages] * len(self._text) if isinstance(languages, str) else languages

    def _all_weights(self) -> Sequence[float]:
        return [1.0] * len(self._text) if self._weights is None else self._weights

    def _all_ranks(self) -> NDArray[np.int64]:
        return np.zeros(len(self._text), np.int64) if self._ranks is None else self._ranks

    def find(self, text: str) -> list[int]:
        """Return the concepts with this label, whatever its case, the most usual first."""
        return self._exact.find(normal_label(text))

    def find_stemmed(self, text: str) -> list[int]:
        """Return the concepts with a label of the same stems, the most usual first."""
        return self._stemmed.find(stemmed_label(text))

    def search(self, text: str, limit: int = 20) -> list[str]:
        """Return labels that hold a text, those that begin with it first, then by length."""
        wanted = normal_label(text)
        found = [label for label in self._exact.keys if wanted in label]
        found.sort(key=lambda label: (not label.startswith(wanted), len(label), label))
        return found[:limit]

    def near(self, text: str, limit: int = 5) -> list[str]:
        """Return labels that are spelt much like a text, the nearest first.

        Only labels of about the same length that share the beginning or the end
        with the text are compared, so the answer takes a fraction of a second
        in a graph of any size.
        """
        wanted = normal_label(text)
        if not wanted:
            return []
        size, first, last = len(wanted), wanted[0], wanted[-2:]
        candidates = [
            label
            for label in self._exact.keys
            if abs(len(label) - size) <= 2 and (label[:1] == first or label[-2:] == last)
        ]
        candidates.sort(key=lambda label: (label[:2] != wanted[:2], abs(len(label) - size)))
        return get_close_matches(wanted, candidates[:_MOST_CANDIDATES], limit, 0.7)

    @cached_property
    def _exact(self) -> _Lookup:
        # One pass over the joined text is five times faster than one per label.
        keys = "\n".join(self._texts).replace("_", " ").casefold().split("\n")
        return self._lookup(keys if self._texts else [])

    @cached_property
    def _stemmed(self) -> _Lookup:
        return self._lookup([stemmed_label(text) for text in self._texts])

    def _lookup(self, keys: list[str]) -> _Lookup:
        owners = np.repeat(np.arange(len(self._start) - 1), np.diff(self._start))
        return _Lookup(keys, self._text, owners, self._ranks)


class _Lookup:
    """From a key to the concepts that have it, in order of rank."""

    def __init__(
        self,
        keys: list[str],
        text: NDArray[np.int64],
        owners: NDArray[np.int64],
        ranks: NDArray[np.int64] | None,
    ) -> None:
        self.keys: dict[str, int] = dict(zip(keys, range(len(keys)), strict=True))
        group = np.fromiter(map(self.keys.__getitem__, keys), np.int64, len(keys))[text]
        order = group if ranks is None else group * (int(ranks.max(initial=0)) + 1) + ranks
        self._owners = owners[np.argsort(order, kind="stable")]
        self._start = np.zeros(len(keys) + 1, np.int64)
        np.cumsum(np.bincount(group, minlength=len(keys)), out=self._start[1:])

    def find(self, key: str) -> list[int]:
        number = self.keys.get(key)
        if number is None:
            return []
        found = self._owners[self._start[number] : self._start[number + 1]].tolist()
        return list(dict.fromkeys(found))


# The labels of concepts in RDF files: which properties hold them, and what each is worth.
#
# ==============================================  ======  ==========================
# property                                        weight
# ==============================================  ======  ==========================
# skos:prefLabel, rdfs:label, schema:name         1.0     preferred
# skos:altLabel, oboInOwl:hasExactSynonym,        1.0     as good as the preferred
# IAO alternative term, schema:alternateName
# skos:hiddenLabel                                0.9     misspellings and old forms
# oboInOwl:hasNarrowSynonym                       0.7     names a kind of the concept
# oboInOwl:hasRelatedSynonym                      0.5     names something near it
# oboInOwl:hasBroadSynonym                        0.4     names more than the concept
# ==============================================  ======  ==========================
#
# Labels of SKOS-XL count as those of SKOS. A concept without a label in the wanted
# language, or without a language, gets the last part of its IRI, split into words,
# unless that is a mere code.


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


# Finding the one concept of a graph that a name means: an id, a label or a notation.


_SHOWN = 6
_PATHS_TRIED = 50
_LONGEST = 500
_NEAR = 5
_MOST_NAMED = 5_000


def find_concept(graph: FileGraph, name: str, language: str = "en") -> str:
    """Return the concept that a name means; TopicError if there is none, or more than one.

    A name is an IRI (in angle brackets or not), the last part of one (also with
    a colon for an underscore: ``DOID:2841``), a label in any case, or a
    notation. Of several concepts with a label, those that have it in the
    language are meant, and of these the ones whose preferred label it is.
    """
    name = name.strip()
    iri = name[1:-1] if name.startswith("<") and name.endswith(">") else name
    if iri in graph:
        return iri
    if iri is not name and iri != name:
        raise TopicError(f"there is no {_kind(graph)} <{iri[:200]}> in {graph.name}")
    if len(name) > _LONGEST:
        raise TopicError(f"{graph.name} has no {_kind(graph)} with a name of {len(name):,} letters")
    found = graph.by_last_part.get(name) or graph.by_last_part.get(name.replace(":", "_"))
    found = found or _by_label(graph, name, language) or graph.notes.notations.get(name)
    found = [concept for concept in found or () if concept in graph]
    if not found:
        raise TopicError(_not_there(graph, name))
    if len(found) > 1:
        raise TopicError(_ambiguous(graph, name, found))
    return found[0]


def _by_label(graph: FileGraph, name: str, language: str) -> list[str]:
    found = graph.find(name)
    wanted, key = language.lower().split("-")[0], normal_label(name)
    if len(found) > 1:
        spoken = [concept for concept in found if _has(graph, concept, key, wanted)]
        found = spoken or found
    if len(found) > 1:
        preferred = [concept for concept in found if normal_label(graph.label(concept)) == key]
        found = preferred or found
    return found


def _has(graph: FileGraph, concept: str, key: str, language: str) -> bool:
    return any(
        normal_label(label.text) == key and label.language.lower().split("-")[0] in ("", language)
        for label in graph.labels(concept)
    )


def find_property(graph: FileGraph, name: str) -> str:
    """Return the property that a name means: an IRI, the last part of one, or a label."""
    iri = name[1:-1] if name.startswith("<") else name
    axioms = graph.notes.axioms
    known = dict(graph.notes.properties)
    if axioms is not None:
        told = (part for parts in axioms.told.values() for part in parts)
        known |= {p: known.get(p, "") for part in told if (p := getattr(part, "property", None))}
    if iri in known:
        return iri
    key = normal_label(name)
    found = [p for p in known if last_part(p) == name]
    found = found or [p for p, label in known.items() if normal_label(label) == key]
    if len(found) != 1:
        some = ", ".join(sorted(last_part(p) for p in known)[:_SHOWN])
        number = "several properties" if found else "no property"
        raise TopicError(f"{graph.name} has {number} {name[:80]!r}; it has for example: {some}")
    return found[0]


def path_of(graph: FileGraph, concept: str) -> str:
    """Return the labels from a root down to a concept: ``disease > asthma``."""
    path = min(islice(graph.paths_to_root(concept), _PATHS_TRIED), key=len)
    return " > ".join(graph.label(step) for step in path[-_SHOWN:])


def _not_there(graph: FileGraph, name: str) -> str:
    names = _near_categories(graph, name) if _is_taxonomy(graph) else graph.near_labels(name)
    near = ", ".join(names)
    shown = name if len(name) <= 80 else f"{name[:80]}..."
    trained = graph.notes.trained
    advice = "'semcrawl taxonomy show' lists them" if trained else "look the name up in the file"
    offer = f"did you mean {near}?" if near else advice
    return f"there is no {_kind(graph)} {shown!r} in {graph.name}; {offer}"


def _near_categories(graph: FileGraph, name: str) -> list[str]:
    """The paths of the categories whose name, path or label is spelt much like a text."""
    wanted = name.casefold()
    spelt: dict[str, list[str]] = {}
    for written, categories in graph.notes.notations.items():
        for spelling in {written.casefold(), written.casefold().rpartition("/")[2]}:
            if abs(len(spelling) - len(wanted)) <= 2:
                spelt.setdefault(spelling, []).extend(categories)
    close = get_close_matches(wanted, islice(spelt, _MOST_NAMED), _NEAR, 0.7)
    found = [category for spelling in close for category in spelt[spelling]]
    found += [category for label in graph.near_labels(name) for category in graph.find(label)]
    return [_category_path(graph, category) for category in list(dict.fromkeys(found))[:_NEAR]]


def _category_path(graph: FileGraph, category: str) -> str:
    """The path of a category: of all that it is written as, what has the most steps."""
    known = [text for text, found in graph.notes.notations.items() if category in found]
    return max(known, key=lambda text: (text.count("/"), len(text)), default=graph.label(category))


def _is_taxonomy(graph: FileGraph) -> bool:
    return graph.notes.prefix == "taxonomy:"


def _kind(graph: FileGraph) -> str:
    """What the members of a graph are called: taxonomies have categories."""
    return "category" if _is_taxonomy(graph) else "concept"


def _ambiguous(graph: FileGraph, name: str, found: list[str]) -> str:
    more = f", and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    if _is_taxonomy(graph):
        kinds, by = "categories", "path"
        shown = [_telling_path(graph, category) for category in found[:_SHOWN]]
    else:
        kinds, by = "concepts", "id"
        shown = [f"{_short(graph, one)} ({path_of(graph, one)})" for one in found[:_SHOWN]]
    return (
        f"{name!r} means {len(found)} {kinds} in {graph.name}; "
        f"name one by its {by}: {', '.join(shown)}{more}"
    )


def _telling_path(graph: FileGraph, category: str) -> str:
    """The path of a category; that of a top one is a mere name, so its IRI."""
    path = _category_path(graph, category)
    return path if "/" in path else f"<{category}>"


def _short(graph: FileGraph, concept: str) -> str:
    """Return the shortest name that means only this concept."""
    part = last_part(concept)
    return part if graph.by_last_part.get(part) == [concept] else f"<{concept}>"
