"""What a Microdata property's element says: an IRI, a literal, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from lxml import etree

from semcrawl.page.embedded.datatypes import number_datatype, time_datatype
from semcrawl.page.embedded.terms import literal, reference

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyoxigraph as ox
    from lxml.etree import _Element

__all__ = ["Texts", "UnreadableValueError", "address", "value_of"]

MAX_IRI = 2_048
"""Longer addresses are not recorded: images as ``data:``, mostly."""

MAX_TEXT = 50_000
"""Longer texts are not recorded, because one text can be the value of many properties."""

BUDGET = 1_500_000
"""Characters that one page's texts may be read from; behind that there are no more."""

_NODE = 8  # what a text costs besides its characters

_URL_ATTRIBUTE = {
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    **dict.fromkeys(("a", "area", "link"), "href"),
    "object": "data",
}
_texts = etree.XPath(
    "descendant::text()[not(parent::script or parent::style)]", smart_strings=False
)


class UnreadableValueError(ValueError):
    """A property has a value, but one that no RDF term comes of, or a very long one."""


class Texts:
    """Reads the texts of one page's elements, as long as its budget lasts.

    An element's text belongs to each property around it, too.
    """

    def __init__(self, budget: int = BUDGET) -> None:
        self._left = budget

    def of(self, element: _Element) -> str:
        """The text in an element; raises `UnreadableValueError` where the budget is spent."""
        if not len(element):
            return element.text or ""
        if self._left < 0:
            raise UnreadableValueError
        pieces = cast("list[str]", _texts(element))
        text = "".join(pieces)
        self._left -= len(text) + _NODE * len(pieces)
        return text


def address(text: str | None, base: str) -> ox.NamedNode | None:
    """The IRI that an attribute's address means; None where it means none or is too long."""
    return reference(text, base) if text is not None and len(text) <= MAX_IRI else None


def value_of(
    element: _Element, base: str, language: str | None, texts: Texts | None
) -> ox.NamedNode | ox.Literal | None:
    """The value of a property that is no item, by element as the HTML standard says.

    Made RDF by W3C "Microdata to RDF – Second Edition", "property value":
    addresses are IRIs, ``data`` and ``meter`` numbers and ``time`` a date, time
    or duration where they are written as XML Schema writes these. Everything
    else is text, in the language of the element where it has one.

    Text has the white space that it has in the markup: neither standard
    removes it, and no other RDF reader does. That of scripts and style sheets
    is left out, which the standard would keep: nobody means it.

    ``content`` counts on every element that has no value by its own rule;
    schema.org's examples use it so, the standard has it for ``meta`` only.
    Where an element lacks the attribute that has its value, it has none; the
    standard says an empty text. `texts` is None where the element's text must
    not be looked at.

    A value that is there and cannot be read raises `UnreadableValueError`.
    """
    tag = str(element.tag)
    attribute = _URL_ATTRIBUTE.get(tag)
    if attribute and (own := element.get(attribute)) is not None:
        found = address(own, base)
        if found is None:
            raise UnreadableValueError
        return found
    if tag in {"data", "meter"} and (number := element.get("value")) is not None:
        return _typed(number, number_datatype, None)
    if tag == "time" and (time := element.get("datetime")) is not None:
        return _typed(time, time_datatype, language)
    text = element.get("content")
    if text is not None:
        return _bounded(text, language)
    if attribute or tag in {"data", "meter", "meta"}:
        return None
    if texts is None:
        raise UnreadableValueError
    text = texts.of(element)
    return _typed(text, time_datatype, language) if tag == "time" else _bounded(text, language)


def _bounded(text: str, language: str | None) -> ox.Literal:
    if len(text) > MAX_TEXT:
        raise UnreadableValueError
    return literal(text, language=language)


def _typed(
    text: str, datatype_of: Callable[[str], ox.NamedNode | None], language: str | None
) -> ox.Literal:
    bare = text.strip() if len(text) <= MAX_TEXT else ""
    datatype = datatype_of(bare)
    return literal(bare, datatype=datatype) if datatype else _bounded(text, language)
