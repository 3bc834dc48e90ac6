"""Statements that a page embeds as Microdata.

By the HTML Living Standard, 5.2 "Encoding microdata", and the W3C note "Microdata to RDF
– Second Edition" of 2014. Each item is described once, so that circles end. An item
without type takes the vocabulary of the first item that leads to it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple, cast

import pyoxigraph as ox
from lxml import etree
from lxml.etree import _Element

from semcrawl.page.embedded import rdf_terms as terms

MAX_PROPERTIES = 20_000  # names of properties looked at; items can share them by reference
MAX_ENCLOSING = 20  # properties around one whose text is read, and references within another
MAX_TEXT = 50_000  # characters of a text; one text can be the value of many properties
TEXT_BUDGET = 1_500_000  # characters that one page's texts may be read from

_URL_ATTRIBUTE = {
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    **dict.fromkeys(("a", "area", "link"), "href"),
    "object": "data",
}
_texts = etree.XPath("descendant::text()[not(parent::script or parent::style)]", smart_strings=False)
# The default registry of the note; schema.org by its other scheme, too.
_VOCABULARIES = ("http://schema.org/", "https://schema.org/", "http://microformats.org/profile/hcard")
_ADDITIONAL_TYPE = {f"{scheme}://schema.org/additionalType" for scheme in ("http", "https")}
# Asking for the attribute alone takes a tenth of the time, and most pages have none.
_itemscopes = etree.XPath("descendant-or-self::*/@itemscope", smart_strings=False)
_items_or_properties = etree.XPath("descendant-or-self::*[@itemscope or @itemprop]")
_references = etree.XPath("descendant-or-self::*/@itemref", smart_strings=False)
_identified = etree.XPath("descendant-or-self::*[@id]")


class UnreadableValueError(ValueError):
    """A property's value is no RDF term, or very long."""


def text_of(element: _Element, budget: terms.TextBudget) -> str:
    """Return the text in an element; raises `UnreadableValueError` where the budget is spent."""
    if not len(element):
        return element.text or ""
    if budget.spent:
        raise UnreadableValueError
    pieces = cast("list[str]", _texts(element))
    text = "".join(pieces)
    budget.spend(len(text), len(pieces))
    return text


def value_of(
    element: _Element, base: str, language: str | None, budget: terms.TextBudget | None
) -> ox.NamedNode | ox.Literal | None:
    """Return the value of a property that is no item ("Microdata to RDF", "property value").

    None where it has none. Unlike in the standard, scripts and style sheets are no text,
    and ``content`` counts where the element's own rule gives no value. `budget` is None where
    the text must not be read; `UnreadableValueError` for a value that cannot be read.
    """
    tag = str(element.tag)
    attribute = _URL_ATTRIBUTE.get(tag)
    if attribute and (own := element.get(attribute)) is not None:
        if (found := terms.reference(own, base)) is None:
            raise UnreadableValueError
        return found
    if tag in {"data", "meter"} and (number := element.get("value")) is not None:
        return _typed(number, terms.number_datatype, None)
    if tag == "time" and (time := element.get("datetime")) is not None:
        return _typed(time, terms.time_datatype, language)
    if (text := element.get("content")) is not None:
        return _bounded(text, language)
    if attribute or tag in {"data", "meter", "meta"}:
        return None
    if budget is None:
        raise UnreadableValueError
    text = text_of(element, budget)
    return _typed(text, terms.time_datatype, language) if tag == "time" else _bounded(text, language)


def _bounded(text: str, language: str | None) -> ox.Literal:
    if len(text) > MAX_TEXT:
        raise UnreadableValueError
    return terms.literal(text, language=language)


def _typed(text: str, datatype_of: Callable[[str], ox.NamedNode | None], language: str | None) -> ox.Literal:
    bare = text.strip() if len(text) <= MAX_TEXT else ""
    datatype = datatype_of(bare)
    return terms.literal(bare, datatype=datatype) if datatype else _bounded(text, language)


def microdata(root: _Element, base: str, problems: list[str]) -> Iterator[ox.Triple]:
    """Yield the statements of a page's Microdata; fill `problems`."""
    if _itemscopes(root):
        items = _Items(root, base)
        yield from items.statements()
        terms.tell_unread(problems, "Microdata", items.unread)
        if items.left <= 0:
            problems.append(f"Only the first {MAX_PROPERTIES:,} properties of Microdata were read.")


class _Inside(NamedTuple):
    item: _Element | None = None
    language: str | None = None
    properties: int = 0
    referred: tuple[_Element, ...] = ()
    inert: bool = False


class _Items:
    def __init__(self, root: _Element, base: str) -> None:
        self._base = base
        self._page = base.partition("#")[0]
        self._insides: dict[_Element, _Inside] = {}
        self._subjects: dict[_Element, terms.Resource] = {}
        self._values: dict[_Element, ox.NamedNode | ox.Literal | None] = {}
        self._budget = terms.TextBudget(TEXT_BUDGET)
        self.left = MAX_PROPERTIES
        self.unread = 0
        self._by_id = _by_id(root)
        self._targets = set(self._by_id.values())
        self._own: defaultdict[_Element, list[tuple[int, _Element]]] = defaultdict(list)
        self._within: defaultdict[_Element, list[tuple[int, _Element]]] = defaultdict(list)
        self._top: list[_Element] = []
        for place, element in enumerate(cast("list[_Element]", _items_or_properties(root))):
            self._sort_in(place, element)

    def statements(self) -> Iterator[ox.Triple]:
        for top in self._top:
            waiting: list[tuple[_Element, str | None]] = [(top, None)]
            while waiting and self.left > 0:
                item, inherited = waiting.pop()
                nested: list[tuple[_Element, str | None]] = []
                yield from self._describe(item, inherited, nested)
                waiting += reversed(nested)

    def _describe(
        self, item: _Element, inherited: str | None, nested: list[tuple[_Element, str | None]]
    ) -> Iterator[ox.Triple]:
        """Yield the statements about one item; add items met for the first time to `nested`."""
        subject = self._subject(item)
        vocabulary = inherited
        for number, kind in enumerate(self._types(item)):
            yield ox.Triple(subject, terms.TYPE, kind)
            if number == 0:
                vocabulary = _vocabulary(kind.value)
        for element in self._properties(item):
            names = dict.fromkeys(element.get("itemprop", "").split())
            self.left -= max(1, len(names))
            if self.left <= 0:
                return
            if names and "itemscope" in element.attrib and element not in self._subjects:
                nested.append((element, vocabulary))
            value = self._value(element) if names else None
            if value is None:
                continue
            for name in names:
                predicate = terms.reference(self._predicate(name, vocabulary), self._base)
                if predicate is None or len(predicate.value) > terms.MAX_IRI:
                    self.unread += 1
                    continue
                yield ox.Triple(subject, predicate, value)
                if predicate.value in _ADDITIONAL_TYPE and not isinstance(value, ox.Literal):
                    yield ox.Triple(subject, terms.TYPE, value)

    def _subject(self, item: _Element) -> terms.Resource:
        if item not in self._subjects:
            # An empty itemid would be the page itself; it is an id that nobody filled in.
            name = item.get("itemid", "").strip()
            named = terms.reference(name, self._base) if name else None
            self.unread += bool(name) and named is None
            self._subjects[item] = named or ox.BlankNode()
        return self._subjects[item]

    def _types(self, item: _Element) -> Iterator[ox.NamedNode]:
        for name in dict.fromkeys(item.get("itemtype", "").split()):
            kind = terms.reference(name, self._base) if terms.has_scheme(name) else None
            if kind is None:
                self.unread += 1
            else:
                yield kind

    def _value(self, element: _Element) -> terms.Resource | ox.Literal | None:
        if "itemscope" in element.attrib:
            return self._subject(element)
        if element not in self._values:
            inside = self._inside(element)
            budget = self._budget if inside.properties <= MAX_ENCLOSING else None
            try:
                value = value_of(element, self._base, inside.language, budget)
            except UnreadableValueError:
                self.unread += 1
                value = None
            self._values[element] = value
        return self._values[element]

    def _predicate(self, name: str, vocabulary: str | None) -> str:
        """The note, "Generate Predicate URI"."""
        if terms.has_scheme(name):
            return name
        if vocabulary is None:
            return f"{self._page}#{name}"
        return f"{vocabulary}{name}" if vocabulary[-1] in "#/" else f"{vocabulary}#{name}"

    def _properties(self, item: _Element) -> list[_Element]:
        """The HTML standard, "the properties of an item", in the order of the page."""
        found = dict(self._own[item])
        for name in dict.fromkeys(item.get("itemref", "").split()):
            if (target := self._by_id.get(name)) is not None:
                found.update(self._within[target])
        return [found[place] for place in sorted(found) if found[place] is not item]

    def _sort_in(self, place: int, element: _Element) -> None:
        parent = element.getparent()
        around = _Inside() if parent is None else self._inside(parent)
        if around.inert:
            return
        if "itemprop" in element.attrib:
            if around.item is not None:
                self._own[around.item].append((place, element))
            itself = (element,) if element in self._targets else ()
            for target in around.referred + itself:
                self._within[target].append((place, element))
        elif "itemscope" in element.attrib:
            self._top.append(element)

    def _inside(self, element: _Element) -> _Inside:
        path: list[_Element] = []
        above: _Element | None = element
        while above is not None and above not in self._insides:
            path.append(above)
            above = above.getparent()
        inside = _Inside() if above is None else self._insides[above]
        for step in reversed(path):
            inside = self._insides[step] = self._step(inside, step)
        return inside

    def _step(self, around: _Inside, element: _Element) -> _Inside:
        attributes = element.attrib
        language = attributes.get("lang", around.language)
        inert = around.inert or element.tag == "template"
        if "itemscope" in attributes:
            return _Inside(element, language, around.properties, (), inert)
        referred = around.referred
        if element in self._targets and len(referred) < MAX_ENCLOSING:
            referred += (element,)
        properties = around.properties + ("itemprop" in attributes)
        return _Inside(around.item, language, properties, referred, inert)


def _by_id(root: _Element) -> dict[str, _Element]:
    wanted = {name for names in cast("list[str]", _references(root)) for name in names.split()}
    found: dict[str, _Element] = {}
    if wanted:
        for element in cast("list[_Element]", _identified(root)):
            if (name := element.get("id", "")) in wanted:
                found.setdefault(name, element)
    return found


def _vocabulary(kind: str) -> str:
    """Return the vocabulary of a type: the registry's, or all up to its last segment or fragment.

    >>> _vocabulary("http://schema.org/Person/Teacher"), _vocabulary("http://a.test/v#Book")
    ('http://schema.org/', 'http://a.test/v#')
    """
    for known in _VOCABULARIES:
        if kind.startswith(known):
            return known
    before, number_sign, _ = kind.partition("#")
    if number_sign:
        return f"{before}#"
    path = before.partition("?")[0]
    authority = path.find("://") + 3 if "://" in path else 0
    end = path.rfind("/", authority)
    return path[: end + 1] if end >= 0 else path
