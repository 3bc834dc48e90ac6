"""A concept graph that was read from a file, and finding its concepts by the names people write."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import islice
from pathlib import Path

import msgspec

from semcrawl.errors import AmbiguousTopicError, TopicError
from semcrawl.text.languages import language_code
from semcrawl.topics.class_expressions import Named, Restriction, matching_concepts
from semcrawl.topics.concepts import ConceptGraph
from semcrawl.topics.labels import last_part, normal_label
from semcrawl.topics.rdf_concepts import ClassAxioms

_SHOWN = 6
_LONGEST = 500
_NEAR = 5
_MOST_NAMED = 5_000
_PLAIN_NAME = re.compile(r"[\w:.%-]+")


@dataclass(frozen=True)
class FileNotes:
    """What a file says beside its concepts."""

    path: str  # of the file, as it was given
    options: str = ""  # what a reference writes behind the path, ``?reason`` for example
    prefix: str = ""  # what a reference writes before the path, ``taxonomy:`` for example
    files: tuple[str, ...] = ()  # all that were read: the file or those of a folder, and imports
    imports: bool = False  # whether one of them names imports, found or not
    problems: tuple[str, ...] = ()  # what was odd or missing, one line each
    tops: tuple[str, ...] = ()  # the concepts that the file names as its top ones
    mappings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # equal IRIs elsewhere
    notations: Mapping[str, list[str]] = field(default_factory=dict)  # concepts per notation
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # documents per category
    packed_axioms: bytes = b""  # to answer class expressions; unpacked when asked for
    properties: Mapping[str, str] = field(default_factory=dict)  # the label of every property
    aliases: Mapping[str, str] = field(default_factory=dict)  # concepts that are one with another
    trained: bool = False  # whether the file is a trained taxonomy
    good: tuple[str, ...] = ()  # the categories of a trained taxonomy that are marked good

    @cached_property
    def axioms(self) -> ClassAxioms:
        """The class axioms of an ontology."""
        packed = self.packed_axioms
        return msgspec.msgpack.decode(packed, type=ClassAxioms) if packed else ClassAxioms()


class FileGraph(ConceptGraph):
    """A concept graph with the notes of its file."""

    def __init__(self, graph: ConceptGraph, notes: FileNotes) -> None:
        parts = graph.name, graph.ids, graph.label_table, graph.is_a, graph.relation_ends
        super().__init__(*parts, notes.problems, notes.mappings)
        self.notes = notes

    def top_concepts(self) -> list[str]:
        """Return the top concepts that the file names, else the roots, else all without parents."""
        if self.notes.tops:
            return list(self.notes.tops)
        return self.roots() or [concept for concept in self if not self.broader(concept)]

    @cached_property
    def by_last_part(self) -> dict[str, list[str]]:
        """Per last part of an IRI the concepts that have it, themselves or by an equal one."""
        found: dict[str, list[str]] = {}
        for iri in (*self.ids, *self.notes.aliases):
            # What most IRIs need only, for speed.
            part = iri.replace("#", "/").rpartition("/")[2]
            if not part or "%" in part or part == iri:
                part = last_part(iri)
            found.setdefault(part, []).append(self.notes.aliases.get(iri, iri))
        return found

    def place(self, *, absolute: bool = False) -> str:
        """Return the file with its options, as a reference to one of its concepts starts."""
        path = Path(self.notes.path)
        shown = path.absolute() if absolute else path
        return f"{self.notes.prefix}{shown}{self.notes.options}"

    @property
    def is_taxonomy(self) -> bool:
        """Whether its concepts are the categories of a taxonomy."""
        return self.notes.prefix == "taxonomy:"


def find_concept(graph: FileGraph, name: str, language: str = "en") -> str:
    """Return the concept that a name means; TopicError if there is none, or more than one.

    A name is an IRI, the last part of one (also ``DOID:2841`` for ``DOID_2841``, or behind any prefix),
    a label in any case, or a notation. Labels in the language go first, then preferred labels.
    """
    name = name.strip()
    iri = name[1:-1] if name.startswith("<") and name.endswith(">") else name
    iri = graph.notes.aliases.get(iri, iri)
    if iri in graph:
        return iri
    if iri != name:
        raise TopicError(f"there is no {_kind(graph)} <{iri[:200]}> in {graph.name}")
    if len(name) > _LONGEST:
        raise TopicError(f"{graph.name} has no {_kind(graph)} with a name of {len(name):,} letters")
    parts = graph.by_last_part
    found = parts.get(name) or parts.get(name.replace(":", "_")) or _by_label(graph, name, language)
    found = found or graph.notes.notations.get(name) or parts.get(name.rpartition(":")[2], [])
    named = dict.fromkeys(graph.notes.aliases.get(concept, concept) for concept in found)
    found = [concept for concept in named if concept in graph]
    if not found:
        raise TopicError(_not_there(graph, name))
    if len(found) > 1:
        raise _ambiguous(graph, name, found)
    return found[0]


def _by_label(graph: FileGraph, name: str, language: str) -> list[str]:
    found = graph.find(name)
    languages, key = ("", language_code(language)), normal_label(name)

    def is_spoken(concept: str) -> bool:
        texts = (label.text for label in graph.labels(concept) if language_code(label.language) in languages)
        return key in map(normal_label, texts)

    found = list(filter(is_spoken, found)) or found
    return [concept for concept in found if normal_label(graph.label(concept)) == key] or found


def find_property(graph: FileGraph, name: str) -> str:
    """Return the property that a name means: an IRI, the last part of one, or a label."""
    iri = name[1:-1] if name.startswith("<") else name
    told = (part for parts in graph.notes.axioms.told.values() for part in parts)
    used = {part.property for part in told if isinstance(part, Restriction)}
    known = dict.fromkeys(used, "") | dict(graph.notes.properties)
    if iri in known:
        return iri
    key = normal_label(name)
    found = [p for p in known if last_part(p) in (name, name.rpartition(":")[2])]
    found = found or [p for p, label in known.items() if normal_label(label) == key]
    if len(found) != 1:
        # An id of digits says nothing; a label of several words goes into quotes.
        names = sorted(last_part(p) if last_part(p).isalpha() else f"'{known[p] or last_part(p)}'" for p in used)
        some = ", ".join(get_close_matches(name, names, _SHOWN) or names[:_SHOWN]) or "none"
        number = "several properties" if found else "no property"
        raise TopicError(f"{graph.name} has {number} {name[:80]!r}; its classes are related by: {some}")
    return found[0]


def definition_hint(graph: ConceptGraph, concept: str) -> str:
    """Return how to name all that fits a class's definition, where its kinds may lack some; else ""."""
    if not isinstance(graph, FileGraph) or concept not in graph.notes.axioms.definitions:
        return ""
    kinds, name = graph.has_kind.reached(graph.position(concept)), short_name(graph, concept)
    if len(matching_concepts(Named(concept), graph, graph.notes.axioms)) > len(kinds):
        return f"{graph.place()}#({name})"
    return "" if len(kinds) > 1 or "reason" in graph.notes.options else f"{graph.notes.path}?reason#{name}"


def _not_there(graph: FileGraph, name: str) -> str:
    near = ", ".join(_near_categories(graph, name) if graph.is_taxonomy else graph.near_labels(name))
    shown = name if len(name) <= 80 else f"{name[:80]}..."
    trained = graph.notes.trained
    search = f"look for a part of it: semcrawl topic '{graph.place()}' --search TEXT"
    if {"some", "only", "value"} & set(name.split()):
        search = f"a class expression stands in parentheses: {graph.place()}#({shown})"
    advice = "'semcrawl taxonomy show' lists them" if trained else search
    offer = f"did you mean {near}? Or {advice}" if near else advice
    return f"there is no {_kind(graph)} {shown!r} in {graph.name}; {offer}"


def _near_categories(graph: FileGraph, name: str) -> list[str]:
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
    known = [text for text, found in graph.notes.notations.items() if category in found]
    return max(known, key=lambda text: (text.count("/"), len(text)), default=graph.label(category))


def _kind(graph: FileGraph) -> str:
    return "category" if graph.is_taxonomy else "concept"


def _ambiguous(graph: FileGraph, name: str, found: list[str]) -> AmbiguousTopicError:
    more = f", and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    if graph.is_taxonomy:
        kinds, by = "categories", "path"
        named = {category: _category_path(graph, category) for category in found[:_SHOWN]}
        # The path of a top category is a mere name, which does not tell it from others.
        choices = [(path if "/" in path else f"<{iri}>", "") for iri, path in named.items()]
    else:
        kinds, by = "concepts", "id"
        paths = {one: graph.path_to_root(one)[-_SHOWN:] for one in found[:_SHOWN]}
        choices = [(short_name(graph, one), " > ".join(map(graph.label, path))) for one, path in paths.items()]
    shown = [f"{choice} ({means})" if means else choice for choice, means in choices]
    return AmbiguousTopicError(
        f"{name!r} means {len(found)} {kinds} in {graph.name}; name one by its {by}: {', '.join(shown)}{more}",
        name,
        choices,
    )


def short_name(graph: FileGraph, concept: str) -> str:
    """Return the shortest name that a reference can have for a concept, behind ``#``."""
    if graph.is_taxonomy and "/" in (path := _category_path(graph, concept)):
        return path
    part = last_part(concept)
    plain = _PLAIN_NAME.fullmatch(part) and set(graph.by_last_part.get(part, ())) == {concept}
    return part if plain else f"<{concept}>"
