"""A concept graph that was read from a file, with what the file says beside concepts."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.topics.concept_labels import last_part
from semcrawl.topics.concepts import ConceptGraph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.topics.class_axioms import ClassAxioms

__all__ = ["FileGraph", "FileNotes"]


@dataclass(frozen=True)
class FileNotes:
    """What a file says beside its concepts.

    Attributes:
        path: of the file, as it was given.
        options: what a reference writes behind the path, ``?reason`` for example.
        prefix: what a reference writes before the path, ``taxonomy:`` for example.
        problems: what was odd or missing, one line each.
        tops: the concepts that the file names as its top ones.
        mappings: per concept the IRIs elsewhere that mean the same.
        notations: per notation, such as a classmark, its concepts.
        examples: per category of a taxonomy its example documents.
        axioms: the class axioms of an ontology, to answer class expressions.
        properties: the label of every property.
        trained: whether the file is a trained taxonomy.
        good: the categories of a trained taxonomy that are marked good.
    """

    path: str
    options: str = ""
    prefix: str = ""
    problems: tuple[str, ...] = ()
    tops: tuple[str, ...] = ()
    mappings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notations: Mapping[str, list[str]] = field(default_factory=dict)
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    axioms: ClassAxioms | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    trained: bool = False
    good: tuple[str, ...] = ()


class FileGraph(ConceptGraph):
    """A concept graph with the notes of its file."""

    def __init__(self, graph: ConceptGraph, notes: FileNotes) -> None:
        """Take over a graph that was built from a file."""
        super().__init__(graph.name, graph.ids, graph._labels, graph.is_a, graph._relations)
        self.notes = notes

    @property
    def problems(self) -> tuple[str, ...]:
        """What was odd or missing in the file, one line each."""
        return self.notes.problems

    def top_concepts(self) -> list[str]:
        """Return the top concepts that the file names, else the roots, else all without parents."""
        if self.notes.tops:
            return list(self.notes.tops)
        return self.roots() or [concept for concept in self if not self.broader(concept)]

    @cached_property
    def by_last_part(self) -> dict[str, list[str]]:
        """The concepts by the last part of their IRIs."""
        found: dict[str, list[str]] = {}
        for concept in self:
            found.setdefault(last_part(concept), []).append(concept)
        return found

    def place(self, *, absolute: bool = False) -> str:
        """Return the file with its options, as a reference to one of its concepts starts."""
        path = Path(self.notes.path)
        shown = path.absolute() if absolute else path
        return f"{self.notes.prefix}{shown}{self.notes.options}"

    def reference(self, concept: str, *, absolute: bool = False) -> str:
        """Return the reference that names a concept of this graph in a topic file."""
        return f"{self.place(absolute=absolute)}#<{concept}>"
