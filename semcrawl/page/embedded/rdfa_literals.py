"""The literals of RDFa: an element's text, its markup, and its date or time."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import pyoxigraph as ox
from lxml import etree

from semcrawl.page.embedded.datatypes import time_datatype
from semcrawl.page.embedded.terms import literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element

__all__ = ["BUDGET", "Literals"]

BUDGET = 4_000_000
"""Characters that one page's literals may be read from; behind that there are no more.

An element's text belongs to each element around it, so 2,000 nested properties
would have the same megabyte read 2,000 times.
"""

_NODE = 8  # what a text or an element costs besides its characters

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_MARKUP = {
    ox.NamedNode(f"{_RDF}XMLLiteral"): "xml",
    ox.NamedNode(f"{_RDF}HTML"): "html",
}
# Only a language tag makes these.
_TAGGED = {ox.NamedNode(f"{_RDF}langString"), ox.NamedNode(f"{_RDF}dirLangString")}


class Literals:
    """Makes the literals of one page, as long as its budget lasts."""

    def __init__(self, budget: int = BUDGET) -> None:
        self._left = budget
        self.unread = 0

    def given(self, element: _Element, attributes: Mapping[str, str]) -> tuple[str, bool] | None:
        """The value that stands for the element's text, and whether it may be a date or time.

        That is ``content``, else ``datetime``, else the text of ``<time>``.
        """
        if "content" in attributes:
            return attributes["content"], False
        if "datetime" in attributes:
            return attributes["datetime"], True
        if element.tag == "time":
            text = self._text(element)
            return None if text is None else (text, True)
        return None

    def typed(
        self,
        element: _Element,
        given: tuple[str, bool] | None,
        datatype: ox.NamedNode | None,
        language: str | None,
    ) -> ox.Literal | None:
        """The literal of an element with ``datatype``, which is None where that says nothing.

        A value that was given comes before the markup, even for rdf:HTML: who
        writes both means the value.
        """
        if given is None and datatype in _MARKUP:
            text = self._markup(element, _MARKUP[datatype])
        else:
            text = self._text(element) if given is None else given[0]
        if text is None:
            return None
        if datatype is None or datatype in _TAGGED:
            return literal(text, language=language)
        return literal(text, datatype=datatype)

    def plain(
        self, element: _Element, given: tuple[str, bool] | None, language: str | None
    ) -> ox.Literal | None:
        """The literal of an element without ``datatype``; None where the budget is spent."""
        if given is None:
            text = self._text(element)
            return None if text is None else literal(text, language=language)
        text, timed = given
        datatype = time_datatype(text.strip()) if timed else None
        if datatype is None:
            return literal(text, language=language)
        return literal(text.strip(), datatype=datatype)

    def _text(self, element: _Element) -> str | None:
        if not len(element):
            return element.text or ""
        pieces: list[str] = []
        left = self._left
        walk = etree.iterwalk(element, events=("start", "end")) if left >= 0 else ()
        for event, node in walk:
            # Elements without text cost, too: itertext would pass them by for nothing.
            piece = node.text if event == "start" else node.tail
            left -= _NODE
            if piece and (event == "start" or node is not element):
                left -= len(piece)
                pieces.append(piece)
            if left < 0:
                break
        self._left = left
        if left < 0:
            self.unread += 1
            return None
        return "".join(pieces)

    def _markup(self, element: _Element, method: str) -> str | None:
        """What is in the element as text; the XML is well formed, but not canonical."""
        if self._left < 0:
            self.unread += 1
            return None
        pieces = [escape(element.text or "", quote=False)]
        pieces += [etree.tostring(child, encoding="unicode", method=method) for child in element]
        text = "".join(pieces)
        self._left -= len(text) + _NODE * len(pieces)
        return text
