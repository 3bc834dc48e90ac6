"""What RDFa knows at an element: who its statements are about, and what its children get."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyoxigraph as ox

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element

__all__ = [
    "Context",
    "Ending",
    "Incomplete",
    "Lists",
    "Resource",
    "Roles",
    "Said",
    "Value",
    "roles_of",
]

Resource = ox.NamedNode | ox.BlankNode
Value = ox.NamedNode | ox.BlankNode | ox.Literal


@dataclass(slots=True)
class Lists:
    """The lists of one subject that are being collected, by predicate."""

    subject: Resource
    values: dict[ox.NamedNode, list[Value]] = field(default_factory=dict)

    def of(self, predicate: ox.NamedNode) -> list[Value]:
        """The list for a predicate, which begins empty."""
        return self.values.setdefault(predicate, [])


@dataclass(slots=True)
class Incomplete:
    """A relation whose other end is still to come: to a list, from here, or to here."""

    predicate: ox.NamedNode
    values: list[Value] | None = None
    reverse: bool = False


@dataclass(slots=True)
class Context:
    """What an element hands to its children (RDFa Core, 7.2)."""

    subject: Resource
    object: Resource | None
    incomplete: list[Incomplete] = field(default_factory=list)
    lists: Lists | None = None
    language: str | None = None
    vocabulary: str | None = None


@dataclass(slots=True)
class Ending:
    """What is to be done when an element ends."""

    lists: list[Lists]
    prefixes: list[tuple[str, str | None]]


@dataclass(slots=True)
class Roles:
    """Who is who in an element's statements (RDFa Core, 7.5, steps 5 and 6)."""

    subject: Resource
    object: Resource | None = None
    typed: Resource | None = None
    skip: bool = False


@dataclass(slots=True)
class Said:
    """An element's attributes and what they mean."""

    element: _Element
    attributes: Mapping[str, str]
    prefixes: list[tuple[str, str | None]]
    language: str | None
    vocabulary: str | None
    about: Resource | None = None
    target: Resource | None = None
    rel: list[ox.NamedNode] | None = None
    rev: list[ox.NamedNode] | None = None
    given: tuple[str, bool] | None = None

    @property
    def linked(self) -> bool:
        """Whether there is a ``rel`` or ``rev``, even if its words mean nothing."""
        return self.rel is not None or self.rev is not None

    @property
    def chains(self) -> bool:
        """Whether the value of ``property`` may be what the elements inside are about."""
        return (
            "property" in self.attributes
            and self.given is None
            and "datatype" not in self.attributes
        )


def roles_of(said: Said, context: Context) -> Roles:
    """Find the subject, the object and what ``typeof`` is of (steps 5 and 6).

    ``head`` and ``body`` are about what the element around them is about, even
    with a ``typeof``: so says HTML+RDFa.
    """
    typed = "typeof" in said.attributes
    around = context.subject if context.object is None else context.object
    if said.linked:
        roles = Roles(said.about or around, said.target)
        if typed and said.about is None:
            roles.object = roles.object or ox.BlankNode()
        if typed:
            roles.typed = said.about or roles.object
        return roles
    if said.chains:
        roles = Roles(said.about or around)
        if typed and said.about is not None:
            roles.typed = said.about
        elif typed:
            roles.typed = roles.object = said.target or ox.BlankNode()
        return roles
    subject = said.about or said.target
    if subject is None and typed and said.element.tag not in {"head", "body"}:
        subject = ox.BlankNode()
    skip = subject is None and not typed and "property" not in said.attributes
    subject = subject or around
    return Roles(subject, typed=subject if typed else None, skip=skip)
