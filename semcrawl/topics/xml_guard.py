"""Checks of an XML text before a parser of RDF sees it.

The parser of RDF/XML expands entities without a limit, and takes time that
grows with the square of the depth. So entities may only be what ontologies use
them for (short names of namespaces), and depth is limited. Nothing outside the
file is ever read: an external entity is refused.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from semcrawl.errors import TopicError

__all__ = ["root_element", "without_declaration"]

_DEEPEST = 1_000
_DECLARATION = re.compile(r"\s*<\?xml\b[^>]*\?>")


class _Refused(Exception):  # noqa: N818 - it carries a reason, it is no error of its own
    """A construct that is not read, with the reason."""


def root_element(text: str, where: str, largest: int) -> str:
    """Return namespace and name of the root, joined; TopicError if the text is not safe XML.

    ``largest`` is the number of characters that the text may have once its
    entities are expanded.

    >>> root_element('<x:a xmlns:x="http://example.org/"><b/></x:a>', "it", 1000)
    'http://example.org/a'
    """
    check = _Check()
    try:
        check.parser.Parse(text, True)
        check.finish(text, largest)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, str(error.code))
        raise TopicError(
            f"{where} is not well-formed XML: {reason}, line {error.lineno}"
        ) from error
    except _Refused as error:
        raise TopicError(f"{where} is not read: {error}") from error
    except (UnicodeEncodeError, ValueError) as error:
        raise TopicError(f"{where} is not well-formed XML: {error}") from error
    return check.root


class _Check:
    """One pass over an XML text."""

    def __init__(self) -> None:
        self.root = ""
        self._depth = 0
        self._entities: dict[str, str] = {}
        self._declared = 0
        # The separator "" joins a namespace and a name to the IRI that RDF means.
        self.parser = expat.ParserCreate(namespace_separator="")
        self.parser.EntityDeclHandler = self._entity
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def _start(self, name: str, _attributes: object) -> None:
        self.root = self.root or name
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _Refused(f"its elements are nested more than {_DEEPEST:,} deep")

    def _end(self, _name: str) -> None:
        self._depth -= 1

    def _entity(
        self,
        name: str,
        is_parameter: int,
        value: str | None,
        _base: str | None,
        _system: str | None,
        _public: str | None,
        _notation: str | None,
    ) -> None:
        self._declared += 1
        if is_parameter or value is None:
            raise _Refused(f"it declares the external or parameter entity {name!r}; remove it")
        if "&" in value:
            raise _Refused(f"its entity {name!r} is made of other entities; write it out")
        self._entities.setdefault(name, value)

    def finish(self, text: str, largest: int) -> None:
        # A declaration that expat passes over, in a comment say, might be one to the next parser.
        if text.count("<!ENTITY") != self._declared:
            raise _Refused("it has <!ENTITY outside of the document type; remove it")
        uses = sum(text.count(f"&{name};") * len(value) for name, value in self._entities.items())
        if uses + len(text) > largest:
            raise _Refused(f"its entities would make it larger than {largest:,} characters")


def without_declaration(text: str) -> str:
    """Return an XML text without ``<?xml …?>``, which names an encoding that no longer holds."""
    return _DECLARATION.sub("", text, count=1)
