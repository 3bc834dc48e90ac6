"""Which character encoding the bytes of a page are in, and the page as text.

The order is that of browsers: a byte order mark, the HTTP header, a ``<meta>``
or an XML declaration near the beginning, then a guess: UTF-8 if the bytes are
valid UTF-8, else windows-1252. Labels mean what the WHATWG Encoding standard
says (``latin1`` is windows-1252); labels that it does not know are ignored.

One thing differs from browsers: a page that declares UTF-8 but holds no single
valid multi-byte sequence is read as windows-1252, because that is what such
pages are.
"""

from __future__ import annotations

import codecs
import re

_PRESCAN_BYTES = 4096
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(rb"""<meta[\s/][^>]*?charset\s*=\s*["']?\s*([\w.:+-]{2,40})""", re.IGNORECASE)
_XML = re.compile(rb"""\s*<\?xml\s[^>]*?encoding\s*=\s*["']\s*([\w.:+-]{2,40})""")
_WIDE = frozenset({"utf-16-le", "utf-16-be"})
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"),
          (codecs.BOM_UTF16_BE, "utf-16-be"))  # fmt: skip

# Python's codec on the left, on the right the labels of the standard that lead
# to it, where the name of the codec alone does not. Codecs that browsers take
# for a superset of the label stand in for it, as the standard asks.
_LABELS = {
    "utf-8": "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
    "utf-16-le": "utf-16 utf-16le unicode unicodefeff ucs-2 iso-10646-ucs-2 csunicode",
    "utf-16-be": "utf-16be unicodefffe",
    "cp1252": "windows-1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 iso88591 iso_8859-1"
    " iso_8859-1:1987 iso-ir-100 csisolatin1 latin1 latin-1 l1 ibm819 cp819 ascii us-ascii"
    " ansi_x3.4-1968",
    "iso8859-2": "iso-8859-2 iso8859-2 iso88592 iso_8859-2 latin2 l2 csisolatin2",
    "iso8859-3": "iso-8859-3 iso8859-3 iso_8859-3 latin3 l3",
    "iso8859-4": "iso-8859-4 iso8859-4 iso_8859-4 latin4 l4",
    "iso8859-5": "iso-8859-5 iso8859-5 iso_8859-5 cyrillic csisolatincyrillic",
    "iso8859-6": "iso-8859-6 iso8859-6 iso_8859-6 arabic asmo-708 ecma-114",
    "iso8859-7": "iso-8859-7 iso8859-7 iso_8859-7 greek greek8 elot_928 ecma-118",
    "iso8859-8": "iso-8859-8 iso8859-8 iso_8859-8 iso-8859-8-i iso-8859-8-e hebrew visual logical",
    "iso8859-10": "iso-8859-10 iso8859-10 latin6 l6",
    "iso8859-13": "iso-8859-13 iso8859-13",
    "iso8859-14": "iso-8859-14 iso8859-14",
    "iso8859-15": "iso-8859-15 iso8859-15 iso_8859-15 latin-9 latin9 l9",
    "iso8859-16": "iso-8859-16",
    "cp1250": "windows-1250 cp1250 x-cp1250",
    "cp1251": "windows-1251 cp1251 x-cp1251",
    "cp1253": "windows-1253 cp1253 x-cp1253",
    "cp1254": "windows-1254 cp1254 x-cp1254 iso-8859-9 iso8859-9 iso_8859-9 latin5 l5",
    "cp1255": "windows-1255 cp1255 x-cp1255",
    "cp1256": "windows-1256 cp1256 x-cp1256",
    "cp1257": "windows-1257 cp1257 x-cp1257",
    "cp1258": "windows-1258 cp1258 x-cp1258",
    "cp874": "windows-874 dos-874 tis-620 iso-8859-11 iso8859-11",
    "cp866": "ibm866 cp866 866 csibm866",
    "koi8-r": "koi8-r koi8 koi koi8_r cskoi8r",
    "koi8-u": "koi8-u koi8-ru",
    "mac-roman": "macintosh mac x-mac-roman csmacintosh",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gb18030": "gb18030 gbk gb2312 gb_2312 gb_2312-80 x-gbk chinese csgb2312 iso-ir-58 cp936",
    "big5hkscs": "big5 big5-hkscs big-5 cn-big5 x-x-big5 csbig5",
    "euc_jp": "euc-jp x-euc-jp cseucpkdfmtjapanese",
    "iso2022_jp": "iso-2022-jp csiso2022jp",
    "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji ms932 windows-31j csshiftjis",
    "cp949": "euc-kr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean windows-949 cseuckr",
}
_CODECS = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}


def codec_of(label: str) -> str | None:
    """Return Python's codec for an encoding label as the web uses it, or None if unknown.

    >>> codec_of(" Latin1 "), codec_of("GB2312"), codec_of("utf-7")
    ('cp1252', 'gb18030', None)
    """
    return _CODECS.get(label.strip().lower())


def decode(body: bytes, declared: str | None = None) -> tuple[str, str]:
    """Return a page's text and the codec it was read with; bad bytes become U+FFFD.

    ``declared`` is the label of the HTTP header. Never fails, whatever the bytes.

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
    """The codec that the first bytes declare or, for UTF-16 without a mark, show."""
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
    """UTF-16 without a mark, told by an ASCII character and a zero byte in turn."""
    pairs = start[:64]
    if not any(pairs[1::2]) and all(pairs[0:-1:2]):
        return "utf-16-le"
    if not any(pairs[0::2]) and all(pairs[1::2]):
        return "utf-16-be"
    return None
