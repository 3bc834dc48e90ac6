"""One page: what is recorded of it, how it was found, its links, and what it says itself."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Annotated, Any

import msgspec
import pyoxigraph as ox
from msgspec import Meta

from semcrawl.errors import RequestError, UrlError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.vocabulary import PREFIXES, XSD, host_of_site, shorten
from semcrawl.serve import api_types as api
from semcrawl.serve.rows import by_url, is_writable, local_name, rows_of, targets_of, url_at_step
from semcrawl.serve.worker import Job
from semcrawl.web.urls import canonical

_MOST_STATEMENTS = 300
_DEEPEST = 8

_RDF = PREFIXES["rdf"]
_TYPE, _FIRST, _REST, _NIL = (_RDF + name for name in ("type", "first", "rest", "nil"))
_PLAIN = (XSD + "string", _RDF + "langString")
_LABELS = ("name", "headline", "title", "label", "prefLabel")

Node = ox.NamedNode | ox.BlankNode
Said = dict[str, list[ox.NamedNode | ox.BlankNode | ox.Literal]]


class PageView(Job, frozen=True):
    """What is known of one page."""

    url: api.PageUrl = ""
    step: Annotated[int, Meta(ge=0, le=2**31, description="The page, by its number in the order of visits.")] = 0

    def do(self, graph: CrawlGraph) -> api.PageReply:
        """Look it up, by its URL or else by its step."""
        if not self.url and not self.step:
            raise RequestError("say which page: give url=URL or step=NUMBER")
        url = page_url(graph, self.url, self.step)
        row = rows_of(graph, "serve/page-facts", url=url)[0]
        on_topic = row.pop("on_topic")
        if on_topic is None:
            on_topic = row["relevance"] >= graph.describe().threshold
        counts = rows_of(graph, "serve/statement-count", url=url)[0]
        to, by = links_of(graph, url)
        return api.PageReply(
            url=url,
            **row,
            host=host_of_site(row["site"]) if row["site"] else None,
            is_relevant=on_topic,
            path=[
                api.PathStep(step["page"], step["title"], step["relevance"], step["priority"])
                for step in reversed(rows_of(graph, "analyse/path-from-seed", url=url))
            ],
            links_out=_best(graph, to),
            links_in=_best(graph, by),
            statements=counts["statements"],
            own=own_statements(graph, url),
            counts=api.LinkCounts(len(to), counts["links_in"]),
        )


def page_url(graph: CrawlGraph, url: str, step: int = 0) -> str:
    """The URL of a visited page as the graph writes it; RequestError where there is none."""
    if not url:
        found = url_at_step(graph, step)
        if found is None:
            raise RequestError(f"no page was visited as step {step}", 404)
        return found
    for form in _forms(url):
        if rows_of(graph, "analyse/page", url=form):
            return form
    raise RequestError(f"the crawl has not visited {url[:300]}{_instead(graph, url)}", 404)


def links_of(graph: CrawlGraph, url: str) -> tuple[list[str], list[str]]:
    """The URLs that a page links to, and those that link to it, each once."""
    to = targets_of(graph, [url]).get(url, [])
    by = [row["source"] for row in rows_of(graph, "serve/sources", url=url, limit=1_000)]
    return list(dict.fromkeys(to)), list(dict.fromkeys(by))


def link_notes(graph: CrawlGraph, urls: Sequence[str]) -> list[dict[str, Any]]:
    """What is known of each URL; relevant pages first, then URLs that wait, then the others."""
    found = by_url(graph, "serve/url-notes", urls)
    rows = [found.get(url, {"url": url}) for url in urls]
    notes = [{name: value for name, value in row.items() if value is not None} for row in rows]
    for note in notes:
        if "dropped" in note:
            note["dropped"] = local_name(note["dropped"])
    notes.sort(key=lambda one: (-one.get("relevance", -1.0), -one.get("priority", -1.0)))
    return notes


def _best(graph: CrawlGraph, urls: Sequence[str]) -> list[api.LinkNote]:
    return msgspec.convert(link_notes(graph, urls)[:100], list[api.LinkNote])


def _forms(url: str) -> list[str]:
    """A URL as it was given, and as the crawl would write it, where queries can name these."""
    forms = [url]
    with suppress(UrlError):
        forms.append(canonical(url))
    return [form for form in dict.fromkeys(forms) if is_writable(form)]


def _instead(graph: CrawlGraph, url: str) -> str:
    for form in _forms(url):
        for row in link_notes(graph, [form]):
            if "dropped" in row:
                return f": it was dropped because of {row['dropped']}"
            if "priority" in row:
                return f": it waits with priority {row['priority']:.4f}"
    return ": look at the URL, or let the crawl go on"


class _Things:
    """The things that a page describes, each once; the page first, then those not inside.

    A reference (``other``) to a thing without a name has its ``number``. Of more than 300
    statements, each property has its first 20 values, and no thing is begun after the 300th.
    """

    def __init__(self, by_thing: dict[Node, Said], page: str) -> None:
        self.statements = 0
        self.more = 0
        self._by_thing = by_thing
        self._page = page
        self._is_long = sum(map(_size, by_thing.values())) > _MOST_STATEMENTS
        self._shown: dict[Node, api.OwnThing] = {}
        self._seen: set[Node] = set()  # the shown things, and the cells of lists
        self._left_out: set[Node] = set()
        self._waiting: list[Node] = []  # things too deep inside of others
        self._references: list[tuple[Node, dict[str, Any]]] = []

    def all(self) -> list[api.OwnThing]:
        said = chain.from_iterable(properties.values() for properties in self._by_thing.values())
        inside = set(chain.from_iterable(said))
        things = []
        for first in sorted(
            self._by_thing, key=lambda thing: (thing.value != self._page, thing in inside, _iri(thing) or "~")
        ):
            self._waiting.append(first)
            while self._waiting:
                thing = self._waiting.pop(0)
                if thing in self._seen or thing in self._left_out:
                    continue
                if self._is_full():
                    self._leave_out(thing)
                    self.more += 1
                else:
                    things.append(self._thing(thing, 0))
        self._number()
        return things

    def _is_full(self) -> bool:
        return self._is_long and self.statements >= _MOST_STATEMENTS

    def _thing(self, thing: Node, depth: int) -> api.OwnThing:
        self._seen.add(thing)
        said = self._by_thing[thing]
        types = [shorten(value.value) for value in said.get(_TYPE, [])]
        self.statements += len(types)
        shown = self._shown[thing] = api.OwnThing(id=_iri(thing), types=types)
        shown.says = [
            {"property": shorten(name), "iri": name} | self._values(said[name], depth)
            for name in sorted(said)
            if name != _TYPE
        ]
        return shown

    def _values(self, values: list[Any], depth: int) -> dict[str, Any]:
        shown: list[dict[str, Any]] = []
        more = 0
        for value, cost in chain.from_iterable(map(self._items, values)):
            is_new = value in self._by_thing and value not in self._seen
            if self._is_long and (len(shown) >= 20 or (is_new and depth < _DEEPEST and self._is_full())):
                self._leave_out(value)
                more += 1
                continue
            self.statements += cost
            shown.append(self._value(value, depth, is_new=is_new))
        return {"values": shown, "more": more} if more else {"values": shown}

    def _value(self, value: Any, depth: int, *, is_new: bool) -> dict[str, Any]:
        if isinstance(value, ox.Literal):
            return _text(value)
        if is_new and depth < _DEEPEST:
            return {"thing": self._thing(value, depth + 1)}
        if is_new:
            self._waiting.append(value)
        if isinstance(value, ox.NamedNode):
            return {"url": value.value}
        said = self._by_thing.get(value, {})
        types = [shorten(one.value) for one in said.get(_TYPE, [])]
        other = {"number": None, "types": types, "label": _label(said)}
        self._references.append((value, other))
        return {"other": other}

    def _items(self, value: Any, cost: int = 1) -> Iterator[tuple[Any, int]]:
        """The items of an RDF list, or the value itself, and how many statements each is."""
        if not self._is_cell(value) and getattr(value, "value", "") != _NIL:
            yield value, cost
            return
        while self._is_cell(value):
            self._seen.add(value)
            said = self._by_thing[value]
            cost += _size(said)
            for item in said.get(_FIRST, []):
                yield from self._items(item, cost)
                cost = 0
            value = next(iter(said.get(_REST, [])), None)
        self.statements += cost

    def _is_cell(self, value: Any) -> bool:
        said = self._by_thing.get(value, {})
        return (
            value not in self._seen
            and isinstance(value, ox.BlankNode)
            and bool(said.keys() & {_FIRST, _REST})
            and said.keys() <= {_FIRST, _REST, _TYPE}
            and len(said.get(_REST, [])) <= 1
        )

    def _leave_out(self, value: Any) -> None:
        """Show a thing, and all that is inside, nowhere else either."""
        left = [value]
        while left:
            thing = left.pop()
            if thing in self._by_thing and thing not in self._left_out:
                self._left_out.add(thing)
                left += [one for values in self._by_thing[thing].values() for one in values]

    def _number(self) -> None:
        numbers: dict[Node, int] = {}
        for thing, other in self._references:
            if thing in self._shown:
                other["number"] = numbers.setdefault(thing, len(numbers) + 1)
                self._shown[thing].number = other["number"]


def _size(said: Said) -> int:
    return sum(map(len, said.values()))


def _text(value: ox.Literal) -> dict[str, Any]:
    shown: dict[str, Any] = {"text": _cut(value.value, 500)}
    if value.language:
        shown["language"] = value.language
    elif value.datatype.value not in _PLAIN:
        shown["datatype"] = shorten(value.datatype.value)
    return shown


def _label(said: Said) -> str | None:
    """The name of a thing, or else the first text that is said of it."""
    texts = [
        (not name.endswith(_LABELS), name, value.value)
        for name, values in said.items()
        for value in values
        if isinstance(value, ox.Literal)
    ]
    return _cut(min(texts)[2], 80) if texts else None


def _cut(text: str, most: int) -> str:
    return text[:most] + ("…" if len(text) > most else "")


def _iri(thing: Node) -> str | None:
    return thing.value if isinstance(thing, ox.NamedNode) else None


def own_statements(graph: CrawlGraph, url: str) -> api.OwnStatements:
    """Return the things that a page describes, as `_Things` shows them, and what went wrong."""
    by_thing: dict[Node, Said] = {}
    read = 0
    # A page has no more statements (semcrawl.page.embedded).
    for subject, predicate, value in graph.query("analyse/own-statements", url=url, limit=1_000).rows:
        if isinstance(subject, Node) and isinstance(predicate, ox.NamedNode):
            by_thing.setdefault(subject, {}).setdefault(predicate.value, []).append(value)  # type: ignore[arg-type]
            read += 1
    known = list(graph.query("serve/statement-facts", url=url))
    recorded = known[0]["statements"] or 0 if known else 0
    things = _Things(by_thing, url)
    shown = things.all()
    return api.OwnStatements(
        # A graph from elsewhere need not have counted.
        count=max(recorded, read),
        shown=things.statements,
        problems=sorted({row["problem"] for row in known if row["problem"]}),
        things=shown,
        more=things.more,
    )
