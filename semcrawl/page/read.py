"""From a response to a page, in the encoding that browsers would take: `read_page`."""

import codecs
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

from lxml import etree

from semcrawl.errors import FetchError, PageError
from semcrawl.page.embedded.statements import syntaxes_in
from semcrawl.page.html_tree import HostileMarkupError, expand_empty, parse
from semcrawl.page.links import ALTERNATE, MAX_LINKS, FoundLink, Node, Walk, header_directives, links_of
from semcrawl.page.page import Page, collapse, primary_subtag
from semcrawl.page.rdf_document import DataReading, document_format, read_rdf_document
from semcrawl.resources import facts_beside
from semcrawl.web.response import RDF_TYPES, Fetcher, Response, looks_like_markup
from semcrawl.web.urls import join

_PRESCAN_BYTES = 4096
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"""<meta[\s/][^>]*?charset\s*+=\s*+["']?\s*+([\w.:+-]{2,40})""", re.IGNORECASE)
_XML = re.compile(rb"""\s*<\?xml\s[^>]*?encoding\s*+=\s*+["']\s*+([\w.:+-]{2,40})""")
_WIDE = frozenset({"utf-16-le", "utf-16-be"})
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"),
          (codecs.BOM_UTF16_BE, "utf-16-be"))  # fmt: skip

_LABELS: dict[str, str] = facts_beside(__file__, "data/encodings.toml")  # labels by codec
_CODECS = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}


def codec_of(label: str) -> str | None:
    """Return Python's codec for an encoding label, or None if unknown.

    >>> codec_of(" Latin1 "), codec_of("GB2312"), codec_of("utf-7")
    ('cp1252', 'gb18030', None)
    """
    return _CODECS.get(label.strip().lower())


def decode(body: bytes, declared: str | None = None) -> tuple[str, str]:
    """Return a page's text and its codec; ``declared`` is the label of the HTTP header.

    Unlike in browsers, a page that declares UTF-8 but holds no valid multi-byte sequence is read
    as windows-1252, because that is what such pages are.

    >>> decode(b"<meta charset=koi8-r><p>" + "мир".encode("koi8-r"))
    ('<meta charset=koi8-r><p>мир', 'koi8-r')
    >>> decode("café".encode("latin-1"), "utf-8")
    ('café', 'cp1252')
    """
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace"), codec
    named = _codec_declared(declared, body) or _codec_inside(body)
    if named is None or named == "utf-8":
        return _decode_utf8(body, named=named is not None)
    return body.decode(named, "replace"), named


def _decode_utf8(body: bytes, *, named: bool) -> tuple[str, str]:
    try:
        # Not final: UTF-8 that was cut in the middle of a character is still UTF-8.
        text, length = codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        is_utf8 = named and not body.decode("utf-8", "ignore").isascii()
    else:
        if length == len(body) or not text.isascii():
            return text, "utf-8"
        is_utf8 = False
    codec = "utf-8" if is_utf8 else "cp1252"
    return body.decode(codec, "replace"), codec


def _codec_declared(label: str | None, body: bytes) -> str | None:
    codec = codec_of(label) if label else None
    # Markup in UTF-16 is full of zero bytes; without any, the header is wrong.
    return None if codec in _WIDE and b"\0" not in body[:_PRESCAN_BYTES] else codec


def _codec_inside(body: bytes) -> str | None:
    start = body[:_PRESCAN_BYTES]
    if b"\0" in start[:4]:
        return _bare_utf16(start)
    if b"<!--" in start:
        start = _COMMENT.sub(b"", start)
    found = _META.search(start) or _XML.match(start)
    codec = codec_of(found.group(1).decode("ascii", "replace")) if found else None
    # A declaration that could be read as ASCII cannot be telling the truth here.
    return "utf-8" if codec in _WIDE else codec


def _bare_utf16(start: bytes) -> str | None:
    # ASCII characters and zero bytes in turn.
    pairs = start[:64]
    if not any(pairs[1::2]) and all(pairs[0:-1:2]):
        return "utf-16-le"
    if not any(pairs[0::2]) and all(pairs[1::2]):
        return "utf-16-be"
    return None


MAX_CHARS = 1_000_000  # characters of a page's markup that are read
MAX_TITLE = 1_000  # characters that are kept of a title
MAX_DESCRIPTION = 5_000
HTML_ONLY = DataReading()  # what is read where nothing else is said

_LONGEST_LINK_FIELD = 16_384

# How files begin that servers send as text/html all the same.
_BINARY = (b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"RIFF",
           b"\x7fELF", b"\xd0\xcf\x11\xe0", b"Rar!", b"7z\xbc\xaf", b"OggS", b"ID3")  # fmt: skip
# Text holds a stray control character at most; of random bytes a tenth are such.
_SAMPLE = 2_048
_STRAY = 8
_NOISE = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")


def read_page(
    response: Response,
    *,
    languages: tuple[str, ...] = ("en",),
    max_chars: int = MAX_CHARS,
    data: DataReading = HTML_ONLY,
) -> Page:
    """Return the page that a response holds, to be read in one of some languages.

    ``data`` says whether RDF documents are pages, and what leads to them. Raises ``PageError``:
    ``NotHtml``, ``NotRdf``, ``Unreadable``, or ``EmptyPage`` (no title, text and links).
    """
    body = response.body
    if data.reads_documents and (form := document_format(response)) is not None:
        return read_rdf_document(response, form, data, languages=languages, max_chars=max_chars)
    kind = response.content_type or "undeclared type"
    if data.mode == "only":
        raise _error(response.url, f"is not an RDF document ({kind})", "NotRdf")
    is_html = response.is_html or (data.reads_documents and looks_like_markup(body))
    if not is_html or body.startswith(_BINARY):
        begins = f", begins {repr(body[:8])[1:]}" if is_html or not response.content_type else ""
        raise _error(response.url, f"is not an HTML page ({kind}{begins})", "NotHtml")
    # No encoding of the web needs more than four bytes for a character.
    markup, charset = decode(body[: 4 * max_chars], response.charset)
    noise = len(_NOISE.findall(markup, 0, _SAMPLE))
    if noise > _STRAY and noise * 10 > min(len(markup), _SAMPLE):
        raise _error(response.url, f"is not text in {charset}, or damaged", "Unreadable")
    cut = markup[:max_chars]
    return _page(
        expand_empty(cut) if response.content_type == "application/xhtml+xml" else cut,
        response.url,
        headers=response.headers,
        charset=charset,
        truncated=response.truncated or len(markup) > max_chars,
        languages=languages,
        alternates=RDF_TYPES if data.reads_documents else frozenset(),
    )


def page_at(fetcher: Fetcher, url: str, *, redirects: int = 0, languages: tuple[str, ...] = ("en",)) -> Page | None:
    """Return the page of a URL, after so many redirects at most; None where none can be read."""
    with suppress(FetchError, PageError):
        for _ in range(redirects + 1):
            response = fetcher.fetch(url)
            if response.redirect is None:
                return read_page(response, languages=languages)
            url = response.redirect
    return None


def read_html(html: str, url: str, *, languages: tuple[str, ...] = ("en",)) -> Page:
    """Return the page that HTML text is, as if it had been fetched from a URL.

    >>> page = read_html("<title>Lungs</title><p>About <a href=asthma>asthma", "http://a.test/x/")
    >>> page.title, page.text, page.links[0].url
    ('Lungs', 'About asthma', 'http://a.test/x/asthma')
    """
    return _page(html, url, headers={}, charset="utf-8", truncated=False, languages=languages)


def _page(
    markup: str,
    url: str,
    *,
    headers: Mapping[str, str],
    charset: str,
    truncated: bool,
    languages: tuple[str, ...],
    alternates: frozenset[str] = frozenset(),
) -> Page:
    found = _walk(markup, url, alternates)
    if alternates and "link" in headers:
        found.links += _header_links(headers["link"], alternates)
    base = (join(url, found.base) if found.base else None) or url
    directives = found.directives | header_directives(headers.get("x-robots-tag", ""))
    declared = found.language, found.meta_language, headers.get("content-language")
    page = Page(
        url=url,
        title=collapse(found.title or "")[:MAX_TITLE],
        description=collapse(found.description or "")[:MAX_DESCRIPTION],
        declared_language=next(filter(None, map(primary_subtag, declared)), None),
        links=links_of(found, base, url),
        feeds=tuple(filter(None, (join(base, href) for href in found.feeds))),
        base=base,
        canonical=join(base, found.canonical) if found.canonical else None,
        noindex="noindex" in directives,
        nofollow="nofollow" in directives,
        charset=charset,
        truncated=truncated or found.full,
        pieces=found.pieces,
        nodes=list(map(Node._make, found.nodes)),
        markup=markup if any(syntaxes_in(markup)) else "",
        languages=languages,
    )
    if not (page.title or page.links or any(page.pieces)):
        raise _error(url, "is empty: it has no title, no text and no links", "EmptyPage")
    return page


def _header_links(value: str, alternates: frozenset[str]) -> Iterator[FoundLink]:
    """Yield the links to other forms of a page that the field ``Link`` names (RFC 8288)."""
    from requests.utils import parse_header_links

    for one in parse_header_links(value[:_LONGEST_LINK_FIELD]):
        relations = one.get("rel", "").lower().split()
        kind = one.get("type", "").partition(";")[0].strip().lower()
        if kind in alternates and not ALTERNATE.isdisjoint(relations):
            yield FoundLink("link", one["url"], " ".join(relations), 0, -1, -1)


def _walk(markup: str, url: str, alternates: frozenset[str]) -> Walk:
    # Old parsers stop at a zero character; browsers read over it.
    markup = markup.replace("\0", "")
    try:
        root = parse(markup)
    except (etree.LxmlError, HostileMarkupError) as error:
        raise _error(url, f"could not be parsed ({error})", "Unreadable") from error
    if root is None:
        raise _error(url, "is empty: there is no element in it", "EmptyPage")
    return Walk(root, max_links=MAX_LINKS, alternates=alternates)


def _error(url: str, problem: str, reason: str) -> PageError:
    return PageError(f"{url} {problem}", reason=reason)
