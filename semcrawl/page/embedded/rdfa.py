"""RDFa in HTML: RDFa Core 1.1 (Third Edition), 7.5, and HTML+RDFa 1.1 (Second Edition), 3.1.

What differs, on purpose:

- Words of ``rel`` and ``rev`` that are link types of HTML (`LINK_TYPES`) are ignored, or
  a ``vocab`` on the body would make each link a statement. ``rel="license"`` stays.
- Open Graph's ``article:author`` and the like need no declaration (data/rdfa.toml).
- A list belongs to the subject that its elements are about, also inside ``rel``.
- Left out: the processor graph, XHTML's ``role``, and vocabulary expansion (it would fetch).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import cast

import pyoxigraph as ox
from lxml import etree
from lxml.etree import _Element
from msgspec import Struct, field

from semcrawl.page.embedded import rdf_terms as terms
from semcrawl.rdf_syntax import RDF
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
        self._known: dict[tuple[str, str | None], terms.Resource | None] = {}
        self.page: terms.Resource = terms.reference("", base) or ox.BlankNode()

    def declare(self, attributes: Mapping[str, str]) -> list[tuple[str, str | None]]:
        """Take over an element's ``xmlns:`` and ``prefix``; return what `forget` needs."""
        if "prefix" not in attributes and "xmlns:" not in " ".join(attributes):
            return []
        pairs = [(name[6:], value) for name, value in attributes.items() if name.startswith("xmlns:")]
        words = attributes.get("prefix", "").split()
        pairs += [
            (word[:-1], value) for word, value in zip(words[::2], words[1::2], strict=False) if word.endswith(":")
        ]
        before: list[tuple[str, str | None]] = []
        for name, value in pairs:
            prefix = name.lower()
            if prefix != "_" and 0 < len(value) <= terms.MAX_IRI and _PREFIX.fullmatch(prefix):
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
        found = terms.reference(text, self._base)
        self.unread += found is None
        return found

    def resource(self, text: str) -> terms.Resource | None:
        """Return the meaning of ``about`` and ``resource``: a CURIE, safe or not, or a reference.

        >>> names = Names("http://a.test/")
        >>> names.resource("[dc:title]"), names.resource("[nobody:x]")
        (<NamedNode value=http://purl.org/dc/terms/title>, None)
        """
        text = text.strip()
        if text.startswith("["):
            found = self._curie(text[1:-1]) if text.endswith("]") else None
        else:
            found = self._curie(text) or terms.reference(text, self._base)
        self.unread += found is None and text != "[]"
        return found

    def name(self, text: str, vocabulary: str | None) -> terms.Resource | None:
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

    def _name(self, text: str, vocabulary: str | None) -> terms.Resource | None:
        if is_term(text):
            iri = _TERMS.get(text.lower()) if vocabulary is None else vocabulary + text
            return None if iri is None else terms.reference(iri, self._base)
        found = self._curie(text)
        if found is None and _ABSOLUTE.match(text):
            return terms.reference(text, self._base)
        return found

    def _curie(self, text: str) -> terms.Resource | None:
        prefix, colon, rest = text.partition(":")
        if not colon or rest.startswith("//"):
            return None
        if prefix == "_":
            return self._blanks.setdefault(rest, ox.BlankNode())
        namespace = self._prefixes.get(prefix.lower())
        return None if namespace is None else terms.reference(namespace + rest, self._base)


def is_term(text: str) -> bool:
    """Whether a word has the form of a term: a name without a colon."""
    return _TERM.fullmatch(text) is not None


Value = terms.Resource | ox.Literal
Prefixes = list[tuple[str, str | None]]

MAX_LISTED = 2_500  # values of lists; they make more statements than are kept
MAX_ATTRIBUTES = 200  # of an element; getting at them takes time by the square of their number
TEXT_BUDGET = 4_000_000  # characters that one page's literals may be read from

_USES, COPY, _PATTERN = (
    ox.NamedNode(f"http://www.w3.org/ns/rdfa#{name}") for name in ("usesVocabulary", "copy", "Pattern")
)
_FIRST, _REST, _NIL = (ox.NamedNode(RDF + name) for name in ("first", "rest", "nil"))
_MARKUP = {ox.NamedNode(f"{RDF}XMLLiteral"): "xml", ox.NamedNode(f"{RDF}HTML"): "html"}
_LINKS = frozenset({"href", "src"})
_SPEAKING = frozenset({"about", "property", "rel", "resource", "rev", "typeof"})
_SAYING = _LINKS | _SPEAKING | {"lang", "prefix", "vocab", "xml:lang"}


class Lists(Struct):
    """The lists of one subject that are being collected, by predicate."""

    subject: terms.Resource
    values: defaultdict[ox.NamedNode, list[Value]] = field(default_factory=lambda: defaultdict(list))


class Incomplete(Struct):
    """A relation whose other end is still to come: to a list, from here, or to here."""

    predicate: ox.NamedNode
    values: list[Value] | None = None
    reverse: bool = False


class EvaluationContext(Struct):
    """What an element hands to its children (RDFa Core, 7.2)."""

    subject: terms.Resource
    object: terms.Resource | None
    incomplete: list[Incomplete] = []
    lists: Lists | None = None
    language: str | None = None
    vocabulary: str | None = None


class Roles(Struct):
    """The subject and objects of an element's statements (RDFa Core, 7.5, steps 5 and 6)."""

    subject: terms.Resource
    object: terms.Resource | None = None
    typed: terms.Resource | None = None
    skip: bool = False


class Said(Struct):
    """An element's attributes and what they mean."""

    element: _Element
    attributes: Mapping[str, str]
    prefixes: Prefixes
    language: str | None
    vocabulary: str | None
    about: terms.Resource | None = None
    target: terms.Resource | None = None
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
        names = self.attributes
        return "property" in names and self.given is None and "datatype" not in names


def roles_of(said: Said, context: EvaluationContext) -> Roles:
    """Find the subject, the object and what ``typeof`` is of (steps 5 and 6; HTML+RDFa, 3.1)."""
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


class Literals:
    """Makes the literals of one page, as long as its budget lasts."""

    def __init__(self, budget: int = TEXT_BUDGET) -> None:
        self.budget = terms.TextBudget(budget)

    def given(self, element: _Element, attributes: Mapping[str, str]) -> tuple[str, bool] | None:
        """Return ``content``, ``datetime`` or ``<time>``, and whether it may be a time."""
        if "content" in attributes:
            return attributes["content"], False
        if "datetime" in attributes:
            return attributes["datetime"], True
        if element.tag == "time":
            text = self._text(element)
            return None if text is None else (text, True)
        return None

    def make(
        self,
        element: _Element,
        given: tuple[str, bool] | None,
        language: str | None,
        datatype: ox.NamedNode | None = None,
        *,
        typed: bool = False,
    ) -> ox.Literal | None:
        """Return the literal of an element, `typed` if it has ``datatype``; None without budget."""
        text: str | None
        if given is not None:
            text, timed = given
            datatype = (terms.time_datatype(text) if timed and not typed else None) or datatype
        else:
            text = self._markup(element, _MARKUP[datatype]) if datatype in _MARKUP else self._text(element)
        if text is None:
            return None
        if datatype is None or datatype in terms.TAGGED:
            return terms.literal(text, language=language)
        return terms.literal(text, datatype=datatype)

    def _text(self, element: _Element) -> str | None:
        if not len(element):
            return element.text or ""
        if self.budget.spent:
            return self._unless_spent("")
        text = "".join(cast("Iterator[str]", element.itertext()))
        # Elements without text cost, too: each begins and ends.
        self.budget.spend(len(text), 2 * sum(1 for _ in element.iter()))
        return self._unless_spent(text)

    def _markup(self, element: _Element, method: str) -> str | None:
        """Return the inner markup; the XML is well formed, but not canonical."""
        if self.budget.spent:
            return self._unless_spent("")
        pieces = [escape(element.text or "", quote=False)]
        pieces += [etree.tostring(child, encoding="unicode", method=method) for child in element]
        text = "".join(pieces)
        self.budget.spend(len(text), len(pieces))
        return text

    def _unless_spent(self, text: str) -> str | None:
        self.budget.unread += self.budget.spent
        return None if self.budget.spent else text


_Ending = tuple[list[Lists], Prefixes]  # at the end of an element: lists to write, prefixes to drop


def rdfa(root: _Element, base: str, problems: list[str]) -> Iterator[ox.Triple]:
    """Yield the statements that a page makes in RDFa, in document order; fill ``problems``."""
    reading = _Reading(base)
    nothing: _Ending = ([], [])
    open_elements: list[tuple[_Element | None, EvaluationContext, _Ending]] = [
        (root.getparent(), EvaluationContext(reading.names.page, None), nothing)
    ]
    for element in root.iter("*"):
        above = element.getparent()
        while open_elements[-1][0] is not above:
            yield from reading.leave(*open_elements.pop()[2])
        context = open_elements[-1][1]
        ending = nothing
        if len(cast("list[str]", element.keys())) > MAX_ATTRIBUTES:
            reading.unread += 1
        elif element is root or _says_something(element, context):
            context, ending = reading.enter(element, context, is_root=element is root)
            if reading.found:
                yield from reading.found
                reading.found.clear()
        open_elements.append((element, context, ending))
        if reading.listed > MAX_LISTED:
            break
    while open_elements:
        yield from reading.leave(*open_elements.pop()[2])
    terms.tell_unread(problems, "RDFa", reading.unread + reading.names.unread + reading.literals.budget.unread)


def _says_something(element: _Element, context: EvaluationContext) -> bool:
    names = cast("list[str]", element.keys())
    if _SAYING.isdisjoint(names):
        return "xmlns:" in " ".join(names)
    if len(element) or context.incomplete:
        return True
    # Most links hold only text: their target is the subject of nothing.
    said = _SAYING.intersection(names) - _LINKS
    if said == {"rel"}:
        return not LINK_TYPES.issuperset(element.get("rel", "").lower().split())
    return bool(said)


def copied(triples: Sequence[ox.Triple], most: int) -> list[ox.Triple]:
    """Return statements with ``rdfa:copy`` carried out (HTML+RDFa 1.1, 3.5), at most so many."""
    patterns = {one.subject for one in triples if one.predicate == terms.TYPE and one.object == _PATTERN}
    said = dict.fromkeys(triples)
    wanted = [(one.subject, one.object) for one in triples if one.predicate == COPY]
    for subject, pattern in wanted:  # grows: a pattern may copy others
        if pattern not in patterns or len(said) > most:
            continue
        for one in [one for one in said if one.subject == pattern]:
            made = ox.Triple(subject, one.predicate, one.object)
            if one.object == _PATTERN or made in said:
                continue
            said[made] = None
            if one.predicate == COPY:
                wanted.append((subject, one.object))
    used = patterns.intersection(pattern for _, pattern in wanted)
    return [one for one in said if one.subject not in used and not (one.predicate == COPY and one.object in used)][
        :most
    ]


class _Reading:
    def __init__(self, base: str) -> None:
        self.names = Names(base)
        self.found: list[ox.Triple] = []
        self.unread = 0
        self.literals = Literals()
        self.listed = 0

    def enter(
        self, element: _Element, context: EvaluationContext, *, is_root: bool
    ) -> tuple[EvaluationContext, _Ending]:
        said = self._said(element, context, is_root=is_root)
        roles = roles_of(said, context)
        mine: list[Lists] = []
        lists = context.lists
        if lists is None or roles.subject != context.object:
            lists = Lists(roles.subject)
            mine.append(lists)
        if roles.typed is not None:
            for word in self._words(said.attributes["typeof"]):
                if (name := self.names.name(word, said.vocabulary)) is not None:
                    self._state(roles.typed, terms.TYPE, name)
        incomplete = self._relate(said, roles, lists)
        if "property" in said.attributes:
            self._describe(said, roles, lists)
        if roles.skip:
            inner = EvaluationContext(context.subject, context.object, context.incomplete, lists)
        else:
            self._complete(context, roles.subject)
            children_about = roles.object or roles.subject
            if children_about != roles.subject:
                lists = Lists(children_about)
                mine.append(lists)
            inner = EvaluationContext(roles.subject, children_about, incomplete, lists)
        inner.language, inner.vocabulary = said.language, said.vocabulary
        return inner, (mine, said.prefixes)

    def leave(self, ended: list[Lists], prefixes: Prefixes) -> Iterator[ox.Triple]:
        """Forget an element's prefixes; write the lists that began with it (step 14)."""
        self.names.forget(prefixes)
        for lists in ended:
            for predicate, values in lists.values.items():
                nodes: list[terms.Resource] = [*(ox.BlankNode() for _ in values), _NIL]
                yield ox.Triple(lists.subject, predicate, nodes[0])
                for value, node, rest in zip(values, nodes, nodes[1:], strict=False):
                    yield ox.Triple(node, _FIRST, value)
                    yield ox.Triple(node, _REST, rest)

    def _said(self, element: _Element, context: EvaluationContext, *, is_root: bool) -> Said:
        attributes = cast("dict[str, str]", dict(element.items()))
        prefixes = self.names.declare(attributes)
        language, vocabulary = context.language, context.vocabulary
        if "xml:lang" in attributes or "lang" in attributes:
            language = attributes.get("xml:lang", attributes.get("lang"))
        if "vocab" in attributes and (vocabulary := self.names.vocabulary(attributes["vocab"])) is not None:
            self._state(self.names.page, _USES, ox.NamedNode(vocabulary))
        said = Said(element, attributes, prefixes, language, vocabulary)
        said.about = self._first(attributes, "about")
        said.target = self._first(attributes, "resource", "href", "src")
        said.rel = self._relation(attributes, "rel", vocabulary)
        said.rev = self._relation(attributes, "rev", vocabulary)
        if "property" in attributes:
            said.given = self.literals.given(element, attributes)
        if is_root and said.about is None and (said.linked or said.chains or said.target is None):
            said.about = self.names.page
        return said

    def _first(self, attributes: Mapping[str, str], *names: str) -> terms.Resource | None:
        before = self.names.unread
        for name in names:
            if name in attributes:
                means = self.names.iri if name in _LINKS else self.names.resource
                if (found := means(attributes[name])) is not None:
                    return found
        if _SPEAKING.isdisjoint(attributes):
            self.names.unread = before  # an ordinary link
        return None

    def _relation(self, attributes: Mapping[str, str], name: str, vocabulary: str | None) -> list[ox.NamedNode] | None:
        """Return the predicates of ``rel`` or ``rev``; None where it is missing, or HTML's own."""
        terms_count = "property" not in attributes
        given = self._words(attributes.get(name, ""))
        words = [word for word in given if word.lower() not in LINK_TYPES and (terms_count or not is_term(word))]
        is_missing = not words and (bool(given) or name not in attributes)
        return None if is_missing else self.names.predicates(words, vocabulary)

    def _relate(self, said: Said, roles: Roles, lists: Lists) -> list[Incomplete]:
        """State what ``rel`` and ``rev`` say (step 9), or return the incomplete (step 10)."""
        rel, rev, other = said.rel or [], said.rev or [], roles.object
        inlist = "inlist" in said.attributes
        if other is None:
            if said.linked:
                roles.object = ox.BlankNode()
            return [
                *(Incomplete(name, lists.values[name] if inlist else None) for name in rel),
                *(Incomplete(name, reverse=True) for name in rev),
            ]
        self._state_all(roles.subject, rel, other, lists if inlist else None)
        for name in rev:
            self._state(other, name, roles.subject)
        return []

    def _describe(self, said: Said, roles: Roles, lists: Lists) -> None:
        """RDFa Core, step 11."""
        predicates = self.names.predicates(self._words(said.attributes["property"]), said.vocabulary)
        if (value := self._value(said, roles) if predicates else None) is not None:
            self._state_all(roles.subject, predicates, value, lists if "inlist" in said.attributes else None)

    def _state_all(self, subject: terms.Resource, names: list[ox.NamedNode], value: Value, lists: Lists | None) -> None:
        for name in names:
            if lists is not None:
                self._list(lists.values[name], value)
            else:
                self._state(subject, name, value)

    def _value(self, said: Said, roles: Roles) -> Value | None:
        if "datatype" in said.attributes:
            known = self.names.predicates([said.attributes["datatype"].strip()], said.vocabulary)
            datatype = known[0] if known else None
            return self.literals.make(said.element, said.given, said.language, datatype, typed=True)
        if said.given is None:
            if said.target is not None and not said.linked:
                return said.target
            if roles.typed is not None and "about" not in said.attributes:
                return roles.typed
        return self.literals.make(said.element, said.given, said.language)

    def _complete(self, context: EvaluationContext, subject: terms.Resource) -> None:
        """Give the relations of elements around this one their other end (step 12)."""
        for one in context.incomplete:
            if one.values is not None:
                self._list(one.values, subject)
            elif one.reverse:
                self._state(subject, one.predicate, context.subject)
            else:
                self._state(context.subject, one.predicate, subject)

    def _words(self, text: str) -> list[str]:
        words = text.split(maxsplit=MAX_WORDS)
        self.unread += len(words) > MAX_WORDS
        return words[:MAX_WORDS]

    def _list(self, values: list[Value], value: Value) -> None:
        self.listed += 1
        if self.listed <= MAX_LISTED:
            values.append(value)
        else:
            self.unread += 1

    def _state(self, subject: terms.Resource, predicate: ox.NamedNode, value: Value) -> None:
        self.found.append(ox.Triple(subject, predicate, value))
