"""The names in RDFa's attributes: prefixes, terms and CURIEs, and what they mean.

Facts and their sources:

- `PREFIXES` and `TERMS`: W3C, "RDFa Core Initial Context",
  https://www.w3.org/2011/rdfa-context/rdfa-1.1. HTML adds no terms of its own,
  so ``next`` or ``stylesheet`` mean nothing here; they do in XHTML+RDFa, whose
  navigation links are noise for us.
- `OPEN_GRAPH`: the types of https://ogp.me and their namespaces. Pages write
  ``article:author`` without declaring ``article``. To the letter, that is an
  IRI of a scheme "article"; we read what was meant.
- `LINK_TYPES`: the link types of the HTML standard, and of some programs that
  make pages, that say how to treat a link or where it leads in a site.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semcrawl.page.embedded.terms import MAX_IRI, Resource, reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_XHTML = "http://www.w3.org/1999/xhtml/vocab#"
_W3 = "http://www.w3.org/"

PREFIXES: Mapping[str, str] = {
    "": _XHTML,
    "as": "https://www.w3.org/ns/activitystreams#",
    "cc": "http://creativecommons.org/ns#",
    "csvw": f"{_W3}ns/csvw#",
    "ctag": "http://commontag.org/ns#",
    "dc": "http://purl.org/dc/terms/",
    "dc11": "http://purl.org/dc/elements/1.1/",
    "dcat": f"{_W3}ns/dcat#",
    "dcterms": "http://purl.org/dc/terms/",
    "dqv": f"{_W3}ns/dqv#",
    "duv": "https://www.w3.org/ns/duv#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "gr": "http://purl.org/goodrelations/v1#",
    "grddl": f"{_W3}2003/g/data-view#",
    "ical": f"{_W3}2002/12/cal/icaltzd#",
    "jsonld": f"{_W3}ns/json-ld#",
    "ldp": f"{_W3}ns/ldp#",
    "ma": f"{_W3}ns/ma-ont#",
    "oa": f"{_W3}ns/oa#",
    "odrl": f"{_W3}ns/odrl/2/",
    "og": "http://ogp.me/ns#",
    "org": f"{_W3}ns/org#",
    "owl": f"{_W3}2002/07/owl#",
    "prov": f"{_W3}ns/prov#",
    "qb": "http://purl.org/linked-data/cube#",
    "rdf": f"{_W3}1999/02/22-rdf-syntax-ns#",
    "rdfa": f"{_W3}ns/rdfa#",
    "rdfs": f"{_W3}2000/01/rdf-schema#",
    "rev": "http://purl.org/stuff/rev#",
    "rif": f"{_W3}2007/rif#",
    "rr": f"{_W3}ns/r2rml#",
    "schema": "http://schema.org/",
    "sd": f"{_W3}ns/sparql-service-description#",
    "sioc": "http://rdfs.org/sioc/ns#",
    "skos": f"{_W3}2004/02/skos/core#",
    "skosxl": f"{_W3}2008/05/skos-xl#",
    "sosa": f"{_W3}ns/sosa/",
    "ssn": f"{_W3}ns/ssn/",
    "time": f"{_W3}2006/time#",
    "v": "http://rdf.data-vocabulary.org/#",
    "vcard": f"{_W3}2006/vcard/ns#",
    "void": "http://rdfs.org/ns/void#",
    "wdr": f"{_W3}2007/05/powder#",
    "wdrs": f"{_W3}2007/05/powder-s#",
    "xhv": _XHTML,
    "xml": f"{_W3}XML/1998/namespace",
    "xsd": f"{_W3}2001/XMLSchema#",
}
"""What a prefix means where the page does not say otherwise."""

OPEN_GRAPH: Mapping[str, str] = {
    name: f"http://ogp.me/ns/{name}#"
    for name in ("article", "book", "fb", "music", "profile", "video", "website")
}
"""Prefixes of Open Graph that pages use without declaring them."""

TERMS: Mapping[str, str] = {
    "describedby": f"{_W3}2007/05/powder-s#describedby",
    "license": f"{_XHTML}license",
    "role": f"{_XHTML}role",
}
"""What a term means where no vocabulary is in force."""

# fmt: off
LINK_TYPES = frozenset({
    "alternate", "amphtml", "apple-touch-icon", "apple-touch-icon-precomposed", "archives",
    "bookmark", "canonical", "category", "compression-dictionary", "dns-prefetch", "edituri",
    "expect", "external", "first", "help", "home", "https://api.w.org/", "icon", "image_src",
    "last", "manifest", "mask-icon", "me", "modulepreload", "next", "nofollow", "noopener",
    "noreferrer", "opener", "pingback", "preconnect", "prefetch", "preload", "prerender", "prev",
    "previous", "privacy-policy", "profile", "search", "self", "shortcut", "shortlink",
    "sponsored", "start", "stylesheet", "tag", "terms-of-service", "top", "ugc", "up",
    "wlwmanifest",
})
"""Values of ``rel`` and ``rev`` that are never statements about a thing.

``author`` and ``license`` are link types too, but say something; they count
where a vocabulary is in force or the initial context has them.
"""
# fmt: on

MAX_WORDS = 32  # further words of an attribute are not read: each would repeat the element's value

_TERM = re.compile(r"[^\W\d][\w.\-·/]*")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:.")
_PREFIX = re.compile(r"[^\W\d][\w.\-·]*")


class Names:
    """What names mean at a place of one page; `unread` counts those that should and do not.

    Prefixes come and go with the elements that declare them: `declare` when an
    element begins, `forget` when it ends.
    """

    def __init__(self, base: str) -> None:
        self._base = base
        self._prefixes: dict[str, str] = {**OPEN_GRAPH, **PREFIXES}
        self._blanks: dict[str, ox.BlankNode] = {}
        self.unread = 0
        self._known: dict[tuple[str, str | None], Resource | None] = {}
        self.page: Resource = reference("", base) or ox.BlankNode()

    def declare(self, attributes: Mapping[str, str]) -> list[tuple[str, str | None]]:
        """Take over an element's ``xmlns:`` and ``prefix``; return what `forget` needs."""
        if "prefix" not in attributes and "xmlns:" not in " ".join(attributes):
            return []
        pairs = [
            (name[6:], value) for name, value in attributes.items() if name.startswith("xmlns:")
        ]
        words = attributes.get("prefix", "").split()
        pairs += [
            (word[:-1], value)
            for word, value in zip(words[::2], words[1::2], strict=False)
            if word.endswith(":")
        ]
        before: list[tuple[str, str | None]] = []
        for name, value in pairs:
            prefix = name.lower()
            if prefix != "_" and 0 < len(value) <= MAX_IRI and _PREFIX.fullmatch(prefix):
                before.append((prefix, self._prefixes.get(prefix)))
                self._prefixes[prefix] = value
        if before:
            self._known.clear()
        return before

    def forget(self, before: Sequence[tuple[str, str | None]]) -> None:
        """Undo a `declare`."""
        if before:
            self._known.clear()
        for prefix, value in reversed(before):
            if value is None:
                self._prefixes.pop(prefix, None)
            else:
                self._prefixes[prefix] = value

    def vocabulary(self, text: str) -> str | None:
        """The vocabulary that ``vocab`` names; None where it is empty: back to the default."""
        found = self.iri(text) if text.strip() else None
        return found.value if found else None

    def iri(self, text: str) -> ox.NamedNode | None:
        """The meaning of ``href`` and ``src``: no CURIEs, and nothing that no URL is as long as."""
        found = self._reference(text)
        self.unread += found is None
        return found

    def resource(self, text: str) -> Resource | None:
        """The meaning of ``about`` and ``resource``: a CURIE, safe or not, or a reference.

        >>> names = Names("http://a.test/")
        >>> names.resource("[dc:title]"), names.resource("[nobody:x]")
        (<NamedNode value=http://purl.org/dc/terms/title>, None)
        """
        text = text.strip()
        if text.startswith("["):
            found = self._curie(text[1:-1]) if text.endswith("]") else None
        else:
            found = self._curie(text) or self._reference(text)
        self.unread += found is None and text != "[]"
        return found

    def name(self, text: str, vocabulary: str | None) -> Resource | None:
        """The meaning of a word of ``typeof``: a term, a CURIE or an absolute IRI.

        >>> Names("http://a.test/").name("Person", "http://schema.org/")
        <NamedNode value=http://schema.org/Person>
        """
        key = text, vocabulary
        if key not in self._known:
            self._known[key] = self._name(text, vocabulary)
        found = self._known[key]
        # A word that never means anything without a vocabulary was not meant for us.
        self.unread += found is None and (":" in text or bool(text and vocabulary))
        return found

    def predicates(self, words: Iterable[str], vocabulary: str | None) -> list[ox.NamedNode]:
        """The meanings of the words of ``property``, ``rel`` or ``rev``; blank nodes are none."""
        found = (self.name(word, vocabulary) for word in words)
        return [name for name in found if isinstance(name, ox.NamedNode)]

    def _name(self, text: str, vocabulary: str | None) -> Resource | None:
        if is_term(text):
            iri = TERMS.get(text.lower()) if vocabulary is None else vocabulary + text
            return None if iri is None else self._reference(iri)
        found = self._curie(text)
        if found is None and _ABSOLUTE.match(text):
            return self._reference(text)
        return found

    def _reference(self, text: str) -> ox.NamedNode | None:
        return reference(text, self._base) if len(text) <= MAX_IRI else None

    def _curie(self, text: str) -> Resource | None:
        prefix, colon, rest = text.partition(":")
        if not colon or rest.startswith("//"):
            return None
        if prefix == "_":
            return self._blanks.setdefault(rest, ox.BlankNode())
        namespace = self._prefixes.get(prefix.lower())
        return None if namespace is None else self._reference(namespace + rest)


def words_of(text: str) -> list[str]:
    """The words of ``typeof``, ``property``, ``rel`` or ``rev``."""
    return text.split(maxsplit=MAX_WORDS)[:MAX_WORDS]


def is_term(text: str) -> bool:
    """Whether a word has the form of a term: a name without a colon.

    >>> is_term("dc:title"), is_term("title")
    (False, True)
    """
    return _TERM.fullmatch(text) is not None
