"""The character encoding of a page's bytes, and the page as text, as in browsers.

Unlike in browsers, a page that declares UTF-8 but holds no valid multi-byte
sequence is read as windows-1252, because that is what such pages are.
"""

import codecs
import re

from semcrawl.resources import facts_beside

_PRESCAN_BYTES = 4096
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"""<meta[\s/][^>]*?charset\s*=\s*["']?\s*([\w.:+-]{2,40})""", re.IGNORECASE)
_XML = re.compile(rb"""\s*<\?xml\s[^>]*?encoding\s*=\s*["']\s*([\w.:+-]{2,40})""")
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
