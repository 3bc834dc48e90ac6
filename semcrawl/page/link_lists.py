"""Sitemaps and feeds: documents that are lists of links, and no pages themselves.

Sitemaps (sitemaps.org, protocol 0.9) as XML or as text, also packed with gzip; RSS 0.9 to 2.0 and Atom (RFC 4287).
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from lxml import etree
from msgspec import Struct

from semcrawl.errors import FetchError, PageError
from semcrawl.page.links import MAX_ANCHOR, Link
from semcrawl.page.page import Page, collapse
from semcrawl.page.rdf_document import local_words
from semcrawl.rdf_syntax import MalformedXmlError, UnsafeSyntaxError, encoding_of, root_element
from semcrawl.web.response import Response, decode, unix_time
from semcrawl.web.urls import join

PACKED_TYPES = frozenset({"application/gzip", "application/x-gzip"})

MAX_LISTED = 10_000  # links of a list that are taken
MAX_LENGTH = 2_000_000  # characters of all their URLs: relative ones can be long by the list's own
MAX_UNPACKED = 10_000_000  # bytes of a list, unpacked
MAX_TAGS = 200_000  # of a list that are read; ten kilobytes, packed, could be millions of empty elements

_GZIP = b"\x1f\x8b"
_SNIFFED = 4_096
_BEGINS = re.compile(
    # Possessive, as comments that could end at many places would take time without end.
    rb"(?:\xef\xbb\xbf)?(?:<!--.*?-->|<\?[^>]*\?>|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>|\s)*+"
    rb"<(?:\w+:)?(urlset|sitemapindex|rss|feed)[\s>]",
    re.DOTALL | re.IGNORECASE,
)


class LinkList(Struct, frozen=True):
    """The links of a sitemap or feed, as a page that has nothing else."""

    page: Page
    lists: tuple[str, ...] = ()  # further lists that it names: those of a sitemap index
    changes: Mapping[str, float] = {}  # when pages were last changed


class _ListedUrl(NamedTuple):
    address: str
    title: str = ""
    changed: str = ""


def begins_as_list(head: bytes) -> bool:
    """Whether the first bytes of a body are those of a sitemap or feed, or packed with gzip."""
    return head.startswith(_GZIP) or _BEGINS.match(head[:_SNIFFED]) is not None


def read_link_list(response: Response) -> LinkList | None:
    """Return the links of a sitemap or feed, None for anything else.

    A list that is cut or not well formed gives the links before its fault.
    Raises ``PageError``: ``Unreadable``, where it is not safe to parse or no link can be read.
    """
    body = response.body
    if body.startswith(_GZIP):
        with suppress(FetchError):  # it is damaged, and none
            body, _ = decode(body, "gzip", MAX_UNPACKED)
    if not _BEGINS.match(body[:_SNIFFED]):
        return None
    root = _tree(body, response)
    listed = list[_ListedUrl]()
    with suppress(UnicodeDecodeError):  # half a character by its number, which the parser lets through
        listed.extend(_LISTS[_local(root)](root))
    if not listed:
        raise _unreadable(response, "it lists nothing")
    found, length = list[tuple[str, _ListedUrl]](), 0
    for one in listed[:MAX_LISTED]:
        url = join(response.url, one.address)
        length += len(url or "")
        if length > MAX_LENGTH:
            break
        if url and url != response.url:
            found.append((url, one))
    targets = {url: one.title for url, one in found}
    if _local(root) == "sitemapindex":
        return LinkList(Page(url=response.url), tuple(targets))
    texts = [collapse(title)[:MAX_ANCHOR] or local_words(url) for url, title in targets.items()]
    links = [
        Link(url, text, position=place, first_leaf=place, last_leaf=place)
        for place, (url, text) in enumerate(zip(targets, texts, strict=True))
    ]
    changes = {url: when for url, one in found if (when := _moment(one.changed))}
    return LinkList(Page(url=response.url, links=links, pieces=[f" {text}" for text in texts]), changes=changes)


def _moment(text: str) -> float | None:
    """Return the Unix time of a date (W3C-DTF, RFC 3339); a day counts up to its end.

    >>> _moment("1970-01-02"), _moment("1970-01-01T01:00:00+01:00"), _moment("soon")
    (172799.0, 0.0, None)
    """
    when = unix_time(text)
    return when + 86_399 if when is not None and len(text) == len("2026-11-18") else when


def _tree(body: bytes, response: Response) -> etree._Element:
    body = b"<".join(body.split(b"<", MAX_TAGS)[:MAX_TAGS])
    try:
        text = body.decode(encoding_of(body), errors="replace")
        root_element(text, 2 * len(text) + 100_000, cut=True)
    except (UnsafeSyntaxError, LookupError) as error:
        raise _unreadable(response, str(error)) from error
    except MalformedXmlError:
        pass  # what stands before the fault is read
    root = etree.fromstring(body, etree.XMLParser(recover=True, resolve_entities=False, no_network=True))
    if root is None or _local(root) not in _LISTS:
        raise _unreadable(response, "it breaks off before the first link")
    return root


def _local(element: etree._Element) -> str:
    return etree.QName(element).localname.lower() if isinstance(element.tag, str) else ""


def _child(element: etree._Element, name: str) -> str:
    return next(((one.text or "").strip() for one in element if _local(one) == name), "")


def _sitemap(root: etree._Element) -> Iterator[_ListedUrl]:
    for entry in root:
        if address := _child(entry, "loc"):
            yield _ListedUrl(address, changed=_child(entry, "lastmod"))


def _rss(root: etree._Element) -> Iterator[_ListedUrl]:
    for item in root.iter("{*}item"):
        if address := _child(item, "link") or _child(item, "guid"):
            yield _ListedUrl(address, _child(item, "title"))


def _atom(root: etree._Element) -> Iterator[_ListedUrl]:
    for entry in root.iter("{*}entry"):
        for link in entry.iterchildren("{*}link"):
            address = link.get("href", "")
            if address and link.get("rel", "alternate") == "alternate":
                yield _ListedUrl(address, _child(entry, "title"), _child(entry, "updated"))
                break


_LISTS = {"urlset": _sitemap, "sitemapindex": _sitemap, "rss": _rss, "feed": _atom}


def _unreadable(response: Response, why: str) -> PageError:
    return PageError(f"{response.url} is a sitemap or feed that cannot be read: {why}", reason="Unreadable")
