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
from semcrawl.topics.class_expressions import Restriction
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

    def with_last_part(self, name: str) -> list[str]:
        """Return the concepts whose IRIs, or those of equal ones, have a name as last part."""
        aliases = self.notes.aliases
        ending = (name, f"{name}#", f"{name}/")
        near = [c for c in (*self.ids, *aliases) if c.endswith(ending) or "%" in c]
        return list(dict.fromkeys(aliases.get(c, c) for c in near if last_part(c) == name))

    @cached_property
    def by_last_part(self) -> dict[str, str | None]:
        """Per last part of an IRI the concept that has it, None where several have it."""
        found: dict[str, str | None] = {}
        for concept in self.ids:
            # What most IRIs need only, for speed.
            part = concept.replace("#", "/").rpartition("/")[2]
            if not part or "%" in part or part == concept:
                part = last_part(concept)
            found[part] = None if part in found else concept
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

    A name is an IRI, the last part of one (also ``DOID:2841`` for ``DOID_2841``), a label in
    any case, or a notation. Labels in the language go first, then preferred labels.
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
    found = graph.with_last_part(name) or graph.with_last_part(name.replace(":", "_"))
    found = found or _by_label(graph, name, language) or graph.notes.notations.get(name, [])
    found = list(dict.fromkeys(graph.notes.aliases.get(concept, concept) for concept in found))
    found = [concept for concept in found if concept in graph]
    if not found:
        raise TopicError(_not_there(graph, name))
    if len(found) > 1:
        raise _ambiguous(graph, name, found)
    return found[0]


def _by_label(graph: FileGraph, name: str, language: str) -> list[str]:
    found = graph.find(name)
    languages, key = ("", language_code(language)), normal_label(name)
    spoken = [
        concept
        for concept in found
        for label in graph.labels(concept)
        if normal_label(label.text) == key and language_code(label.language) in languages
    ]
    found = list(dict.fromkeys(spoken)) or found
    return [concept for concept in found if normal_label(graph.label(concept)) == key] or found


def find_property(graph: FileGraph, name: str) -> str:
    """Return the property that a name means: an IRI, the last part of one, or a label."""
    iri = name[1:-1] if name.startswith("<") else name
    known = dict(graph.notes.properties)
    for part in (part for parts in graph.notes.axioms.told.values() for part in parts):
        if isinstance(part, Restriction):
            known.setdefault(part.property, "")
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


def _not_there(graph: FileGraph, name: str) -> str:
    near = ", ".join(_near_categories(graph, name) if graph.is_taxonomy else graph.near_labels(name))
    shown = name if len(name) <= 80 else f"{name[:80]}..."
    trained = graph.notes.trained
    search = f"look for a part of it: semcrawl topic '{graph.place()}' --search TEXT"
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
    plain = _PLAIN_NAME.fullmatch(part) and graph.by_last_part.get(part) == concept
    return part if plain else f"<{concept}>"
