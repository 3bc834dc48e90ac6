"""The names in RDFa's attributes: prefixes, terms and CURIEs, and what they mean."""

import re
from collections.abc import Iterable, Mapping, Sequence

import pyoxigraph as ox

from semcrawl.page.embedded.terms import MAX_IRI, Resource, reference
from semcrawl.resources import facts_beside

_FACTS = facts_beside(__file__, "../data/rdfa.toml")
# What a prefix means where the page does not say otherwise.
_PREFIXES: dict[str, str] = {**_FACTS["open_graph"], **_FACTS["prefixes"]}
_TERMS: dict[str, str] = _FACTS["terms"]  # what a term means where no vocabulary is in force

LINK_TYPES = frozenset(_FACTS["rel"]["link_types"].split())  # never statements about a thing
MAX_WORDS = 32  # further words of an attribute are not read: each would repeat the element's value

_TERM = re.compile(r"[^\W\d][\w.\-·/]*")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:.")
_PREFIX = re.compile(r"[^\W\d][\w.\-·]*")


class Names:
    """What names mean at a place of one page; `unread` counts those without a meaning."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._prefixes: dict[str, str] = dict(_PREFIXES)
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
        """Return the vocabulary that ``vocab`` names; None, the default, where it is empty."""
        found = self.iri(text) if text.strip() else None
        return found.value if found else None

    def iri(self, text: str) -> ox.NamedNode | None:
        """Return the meaning of ``href`` and ``src``, which are no CURIEs."""
        found = reference(text, self._base)
        self.unread += found is None
        return found

    def resource(self, text: str) -> Resource | None:
        """Return the meaning of ``about`` and ``resource``: a CURIE, safe or not, or a reference.

        >>> names = Names("http://a.test/")
        >>> names.resource("[dc:title]"), names.resource("[nobody:x]")
        (<NamedNode value=http://purl.org/dc/terms/title>, None)
        """
        text = text.strip()
        if text.startswith("["):
            found = self._curie(text[1:-1]) if text.endswith("]") else None
        else:
            found = self._curie(text) or reference(text, self._base)
        self.unread += found is None and text != "[]"
        return found

    def name(self, text: str, vocabulary: str | None) -> Resource | None:
        """Return the meaning of a word of ``typeof``: a term, a CURIE or an absolute IRI.

        >>> Names("http://a.test/").name("Person", "http://schema.org/")
        <NamedNode value=http://schema.org/Person>
        """
        key = text, vocabulary
        if key not in self._known:
            self._known[key] = self._name(text, vocabulary)
        found = self._known[key]
        # A word without colon and vocabulary was not meant as RDFa.
        self.unread += found is None and (":" in text or bool(text and vocabulary))
        return found

    def predicates(self, words: Iterable[str], vocabulary: str | None) -> list[ox.NamedNode]:
        """Return the meanings of words of ``property``, ``rel`` or ``rev``, without blank nodes."""
        found = (self.name(word, vocabulary) for word in words)
        return [name for name in found if isinstance(name, ox.NamedNode)]

    def _name(self, text: str, vocabulary: str | None) -> Resource | None:
        if is_term(text):
            iri = _TERMS.get(text.lower()) if vocabulary is None else vocabulary + text
            return None if iri is None else reference(iri, self._base)
        found = self._curie(text)
        if found is None and _ABSOLUTE.match(text):
            return reference(text, self._base)
        return found

    def _curie(self, text: str) -> Resource | None:
        prefix, colon, rest = text.partition(":")
        if not colon or rest.startswith("//"):
            return None
        if prefix == "_":
            return self._blanks.setdefault(rest, ox.BlankNode())
        namespace = self._prefixes.get(prefix.lower())
        return None if namespace is None else reference(namespace + rest, self._base)


def is_term(text: str) -> bool:
    """Whether a word has the form of a term: a name without a colon."""
    return _TERM.fullmatch(text) is not None
