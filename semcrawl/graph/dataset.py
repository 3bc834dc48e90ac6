"""A collection as a dataset: what it holds, who made it and how, with nothing that is private.

The triples are answers of the queries in ``queries/export``. What a person says of the
collection is checked here; what a crawl knows of the machine that it ran on stays there.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any, Self

import msgspec
import pyoxigraph as ox

from semcrawl.errors import ConfigError, QueryError
from semcrawl.graph.crawl_graph import CrawlGraph
from semcrawl.graph.queries import find_query
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import PREFIXES, SC, iri
from semcrawl.redaction import exported_settings, file_name, shown_spec, without_folders
from semcrawl.resources import facts_beside

_MAIL = re.compile(r"[^@\s<>\"]+@[^@\s<>\"]+\.[^@\s<>\".]+")
_WEB = re.compile(r"https?://[^/\s]+")
_CREATOR = re.compile(r"([^<>]+?) *(?:<([^<>]*)>)?")
_ORCID = re.compile(r"https?://orcid\.org/([0-9-]{18}[0-9X])")


@dataclass(frozen=True, slots=True)
class About:
    """What a person says of a collection; an empty text is not said.

    ``licence`` and ``contact`` are addresses. A creator is a name, perhaps with an address
    behind it: ``Ann Lee <https://orcid.org/0000-0002-1825-0097>``.
    """

    title: str = ""
    creator: tuple[str, ...] = ()
    licence: str = ""
    contact: str = ""
    description: str = ""

    @classmethod
    def of(
        cls, title: str = "", creator: Sequence[str] = (), licence: str = "", contact: str = "", description: str = ""
    ) -> Self:
        """What a person has written, checked; ConfigError if it cannot be understood."""
        creators = (creator,) if isinstance(creator, str) else creator
        named = tuple(_creator(text) for one in creators if (text := _line(one)))
        return cls(_line(title), named, licence_address(licence), _contact_address(contact), _line(description))

    def people(self) -> list[tuple[str, str]]:
        """The creators: name and address, or no address."""
        found = (_CREATOR.fullmatch(one) for one in self.creator)
        return [(one[1], one[2] or "") for one in found if one]


def _line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _creator(text: str) -> str:
    found = _CREATOR.fullmatch(text)
    if found is None or _WEB.match(text) or (found[2] is not None and not _is_web(found[2])):
        raise ConfigError(
            f"the creator {text!r} is no name: write 'Ann Lee', or with an address "
            "'Ann Lee <https://orcid.org/0000-0002-1825-0097>'"
        )
    if orcid := _ORCID.fullmatch(found[2] or ""):
        # The last character checks the others: ISO/IEC 7064, MOD 11-2.
        digits = [10 if c == "X" else int(c) for c in reversed(orcid[1]) if c != "-"]
        if sum(digit * 2**place for place, digit in enumerate(digits)) % 11 != 1:
            raise ConfigError(f"the ORCID of {text!r} is nobody's: one of its digits is wrong")
    return text


def licence_address(licence: str) -> str:
    """The address of a licence, given as address or SPDX name.

    Raises ConfigError: the text is neither.

    >>> licence_address("cc-by-4.0"), licence_address("MIT")
    ('https://creativecommons.org/licenses/by/4.0/', 'https://spdx.org/licenses/MIT')
    """
    text = licence.strip()
    if not text or _is_web(text):
        return text
    table = facts_beside(__file__, "licences.toml")
    known = {name: f"https://spdx.org/licenses/{name}" for name in table["names"]}
    known |= table["addresses"]
    for name, address in known.items():
        if name.lower() == text.lower():
            return str(address)
    near = get_close_matches(text.upper(), known, n=3)
    hint = f" (did you mean {', '.join(near)}?)" if near else ""
    raise ConfigError(
        f"the licence {text[:100]!r} is not known{hint}: give a name of SPDX such as "
        "CC-BY-4.0, or the licence's address, https://…"
    )


def _contact_address(contact: str) -> str:
    text = contact.strip().removeprefix("mailto:")
    if not text or _is_web(text):
        return text
    if not _MAIL.fullmatch(text) or not _is_iri(f"mailto:{text}"):
        raise ConfigError(f"the contact {text[:100]!r} is neither an e-mail address nor an address https://…")
    return f"mailto:{text}"


def _is_web(text: str) -> bool:
    return bool(_WEB.match(text)) and _is_iri(text)


def _is_iri(text: str) -> bool:
    try:
        ox.parse(f"<s:s> <p:p> {iri(text)} .", format=ox.RdfFormat.N_TRIPLES).__next__()
    except (QueryError, SyntaxError):
        return False
    return True


def collection_triples(graph: CrawlGraph, least: float, about: About, media_type: str) -> list[ox.Triple]:
    """The collection of pages of at least this relevance, for a file of this media type."""
    found = (
        ox.Quad(*triple)
        for text in collection_queries(graph, least, about, media_type).values()
        for triple in graph.store.query(text).triples
    )
    collection = OxigraphStore()
    collection.raw.extend(without_private(found))
    statistics = collection.query(find_query("export/statistics").bind()).triples
    return [*(quad.triple for quad in collection.quads()), *statistics]


def collection_queries(graph: CrawlGraph, least: float, about: About, media_type: str) -> dict[str, str]:
    """The queries that a collection is made with, by name, their parameters bound."""
    pages = {"min_relevance": least}
    written = {"issued": datetime.now(UTC).date().isoformat(), "media_type": media_type}
    bound: dict[str, dict[str, Any]] = {
        "export/collection": pages,
        "export/concepts": pages,
        "export/provenance": {**pages, **plan_of(graph)},
        "export/dataset": {**pages, **asdict(about), **written},
    }
    return {name: find_query(name).bind(values) for name, values in bound.items()}


def plan_of(graph: CrawlGraph) -> dict[str, str]:
    """The strategy and the judge of a crawl, without the folders of files."""
    try:
        settings = msgspec.json.decode(graph.describe().settings, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError):
        settings = {}  # a stranger's folder
    return {name: shown_spec(str(settings.get(name, "")))[:1000] for name in ("strategy", "judge")}


_CLEARED: dict[str, Callable[[str], str]] = {
    f"{SC}settings": exported_settings,
    f"{SC}siteSettings": exported_settings,
    f"{SC}topicFile": without_folders,
    f"{SC}source": file_name,
    f"{SC}example": file_name,
    f"{SC}policyName": shown_spec,
    f"{SC}factorBy": without_folders,
    f"{SC}note": without_folders,
}
_NAMES = "|".join(name.removeprefix(SC) for name in _CLEARED)
PRIVATE = re.compile(rf"<file:|sc:(?:{_NAMES})\b|ns#(?:{_NAMES})\b")
"""In the text of an update: that it may have something private."""


def without_private(quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
    """What a crawl says, without folders, proxies and accounts of the machine that it ran on.

    What pages say themselves, in their named graphs, stays as it is.
    """
    crawl = ox.DefaultGraph()
    for quad in quads:
        subject, predicate, found, graph = quad
        if graph != crawl:
            yield quad
            continue
        clear = _CLEARED.get(predicate.value)
        if clear is not None and isinstance(found, ox.Literal):
            found = ox.Literal(clear(found.value))
        yield ox.Quad(_without_folder(subject), predicate, _without_folder(found))


def _without_folder(term: Any) -> Any:
    if not isinstance(term, ox.NamedNode) or not term.value.startswith("file:"):
        return term
    return ox.NamedNode(f"urn:semcrawl:file:{file_name(term.value)}")


def local_prefixes(graph: CrawlGraph) -> dict[str, str]:
    """The prefixes that a collection is written with, one for its own names among them."""
    return {**PREFIXES, "this": f"{graph.describe().id}#"}
