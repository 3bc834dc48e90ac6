"""Hostile answers: slow, endless, inflated, lying, poisoned, broken off, at odd addresses."""

from __future__ import annotations

import asyncio
import gzip
import struct
import zlib

from tests.hostile.server import GOOD, HTML, NOT_FOUND, Answer, Behaviour, answer, drip, flood, page, reset

MARKUP = b"<!doctype html><title>A page</title><p>Asthma, bronchial asthma. "
OPEN = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
UNTIL_CLOSE = OPEN + b"Connection: close\r\n\r\n"
CHUNKED = OPEN + b"Transfer-Encoding: chunked\r\n\r\n"
GZIP = "Content-Encoding: gzip"


def _zeros(megabytes: int) -> tuple[bytes, bytes, bytes]:
    """Zeros in little room: deflated without a frame, in that of zlib, in that of gzip.

    Only the first megabyte is packed, and repeated: nobody shall wait for the rest.
    """
    one = bytes(1_000_000)
    packer = zlib.compressobj(9, wbits=-15)
    deflated = (packer.compress(one) + packer.flush(zlib.Z_FULL_FLUSH)) * megabytes + packer.flush()
    adler, crc = 1, 0
    for _ in range(megabytes):
        adler, crc = zlib.adler32(one, adler), zlib.crc32(one, crc)
    end = struct.pack("<II", crc, megabytes * len(one))
    return deflated, b"\x78\xda" + deflated + struct.pack(">I", adler), gzip.compress(b"")[:10] + deflated + end


ZEROS_DEFLATED, ZEROS_IN_ZLIB, ZEROS_GZIPPED = _zeros(60)


def sending(start: bytes, drop: bytes, pause: float = 0.05) -> Answer:
    """An answer that drips."""

    async def send(writer: asyncio.StreamWriter) -> None:
        await drip(writer, start, drop, pause=pause)

    return send


def flooding(start: bytes, piece: bytes) -> Answer:
    """An answer that never ends, as fast as it is taken."""

    async def send(writer: asyncio.StreamWriter) -> None:
        await flood(writer, start, piece)

    return send


def stalling(start: bytes) -> Answer:
    """An answer that stops in the middle; the connection stays."""

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(start)
        await writer.drain()
        await asyncio.sleep(60)

    return send


def resetting(start: bytes) -> Answer:
    """An answer that ends with a reset of the connection."""

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(start)
        await writer.drain()
        await asyncio.sleep(0.05)  # the bytes arrive first
        reset(writer)

    return send


def in_pieces(data: bytes, size: int, pause: float = 0.0) -> Answer:
    """A whole answer in small pieces."""

    async def send(writer: asyncio.StreamWriter) -> None:
        for start in range(0, len(data), size):
            writer.write(data[start : start + size])
            await writer.drain()
            await asyncio.sleep(pause)

    return send


def raw(*lines: str, body: bytes = MARKUP) -> bytes:
    """An answer of these header lines, nothing added."""
    return "\r\n".join((*lines, "", "")).encode("latin-1") + body


def chunks(body: bytes, size: int = 7) -> bytes:
    """A body in chunks."""
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


SLOW = [
    Behaviour("silence", "slow", "TimedOut", stalling(b"")),
    Behaviour("slow-status", "slow", "TimedOut|BadResponse", sending(b"HTTP/1.1 200 ", b"O")),
    Behaviour("slow-headers", "slow", "TimedOut|BadResponse", sending(OPEN, b"X: x\r\n")),
    Behaviour("slow-body", "slow", "TimedOut", sending(
        OPEN + b"Content-Length: 999\r\n\r\n", b"x")),
    Behaviour("slow-chunks", "slow", "TimedOut", sending(CHUNKED, b"1\r\nx\r\n")),
    Behaviour("slow-gzip", "slow", "TimedOut", sending(
        OPEN + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"")[:10], b"\0\0\0\xff\xff")),
    Behaviour("slow-trailers", "slow", "TimedOut|BadResponse|page", sending(
        CHUNKED + chunks(MARKUP)[:-2], b"X: x\r\n")),
    Behaviour("slow-continue", "slow", "TimedOut|BadResponse", sending(
        b"", b"HTTP/1.1 100 Continue\r\n\r\n")),
    Behaviour("slow-image", "slow", "NotHtml", sending(
        raw("HTTP/1.1 200 OK", "Content-Type: image/png", "Content-Length: 900", body=b""), b"x")),
    Behaviour("slow-error", "slow", "HttpError", sending(
        raw("HTTP/1.1 404 No", "Content-Length: 900", body=b""), b"x")),
    Behaviour("slow-redirect", "slow", "redirect", sending(
        raw("HTTP/1.1 302 Go", "Location: /good", "Content-Length: 900", body=b""), b"x")),
    Behaviour("slow-robots", "slow", "TimedOut", GOOD, robots=stalling(b""), good=False),
    Behaviour("stalled-headers", "slow", "TimedOut", stalling(OPEN)),
    Behaviour("stalled-body", "slow", "TimedOut", stalling(
        OPEN + b"Content-Length: 999\r\n\r\n<p>")),
    Behaviour("stalled-chunk", "slow", "TimedOut", stalling(CHUNKED + b"ff\r\n<p>asthma")),
    Behaviour("try-tomorrow", "slow", "waiting", answer(
        b"", "Retry-After: 86400", status="503 Later")),
    Behaviour("byte-by-byte", "slow", "page", in_pieces(GOOD, 1)),
    Behaviour("slow-but-whole", "slow", "page", in_pieces(GOOD, 60, 0.1)),
]  # fmt: skip

ENDLESS = [
    Behaviour("endless-body", "endless", "page", flooding(UNTIL_CLOSE + MARKUP, b"asthma " * 999)),
    Behaviour("endless-chunks", "endless", "page", flooding(
        CHUNKED, chunks(MARKUP * 50, 4096)[:-5])),
    Behaviour("endless-gzip", "endless", "TooLarge|page|EmptyPage", flooding(
        OPEN + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"")[:10],
        b"\0\0\0\xff\xff" * 4096)),
    Behaviour("endless-headers", "endless", "BadResponse", flooding(OPEN, b"X: x\r\n" * 500)),
    Behaviour("endless-header", "endless", "BadResponse", flooding(OPEN + b"X: ", b"x" * 9999)),
    Behaviour("endless-status", "endless", "BadResponse", flooding(b"HTTP/1.1 200 ", b"x" * 9999)),
    Behaviour("endless-chunk-size", "endless", "BadResponse", flooding(CHUNKED, b"0" * 9999)),
    Behaviour("endless-extension", "endless", "BadResponse", flooding(
        CHUNKED + b"5;", b"x" * 9999)),
    Behaviour("endless-image", "endless", "NotHtml", flooding(
        b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n", b"\x89PNG" * 999)),
    Behaviour("endless-error", "endless", "HttpError", flooding(
        b"HTTP/1.1 500 No\r\nContent-Type: text/html\r\n\r\n", MARKUP * 99)),
    Behaviour("endless-redirect", "endless", "redirect", flooding(
        b"HTTP/1.1 302 Go\r\nLocation: /good\r\n\r\n", MARKUP * 99)),
    Behaviour("endless-robots", "endless", "page", GOOD, robots=flooding(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", b"# asthma\n" * 999)),
]  # fmt: skip

BOMBS = [
    Behaviour("gzip-bomb", "bomb", "TooLarge", answer(ZEROS_GZIPPED, GZIP)),
    Behaviour("x-gzip-bomb", "bomb", "TooLarge", answer(
        ZEROS_GZIPPED, "Content-Encoding: x-gzip")),
    Behaviour("deflate-bomb", "bomb", "TooLarge", answer(
        ZEROS_IN_ZLIB, "Content-Encoding: deflate")),
    Behaviour("raw-deflate-bomb", "bomb", "TooLarge", answer(
        ZEROS_DEFLATED, "Content-Encoding: deflate")),
    Behaviour("many-member-bomb", "bomb", "TooLarge", answer(
        _zeros(9)[2] * 20, GZIP)),
    Behaviour("empty-member-bomb", "bomb", "EmptyPage|TooLarge", answer(
        gzip.compress(b"") * 10_000, GZIP)),
    Behaviour("gzip-twice", "bomb", "BadEncoding", answer(
        gzip.compress(ZEROS_GZIPPED), "Content-Encoding: gzip, gzip")),
    Behaviour("brotli", "bomb", "BadEncoding", answer(b"\x0b\x02\x80", "Content-Encoding: br")),
    Behaviour("zstd", "bomb", "BadEncoding", answer(b"(\xb5/\xfd", "Content-Encoding: zstd")),
    Behaviour("compress", "bomb", "BadEncoding", answer(b"\x1f\x9d", "Content-Encoding: compress")),
    Behaviour("gzip-error-bomb", "bomb", "HttpError", answer(
        ZEROS_GZIPPED, GZIP, status="404 Not Found")),
    Behaviour("gzip-image-bomb", "bomb", "NotHtml", answer(
        ZEROS_GZIPPED, GZIP, "Content-Type: image/png")),
    Behaviour("gzip-robots-bomb", "bomb", "RobotsUnreachable", GOOD, good=False, robots=answer(
        ZEROS_GZIPPED, GZIP, "Content-Type: text/plain")),
    Behaviour("gzip-of-markup", "bomb", "page|TooLarge", answer(
        gzip.compress(MARKUP + b"asthma <b>" * 900_000), GZIP)),
    Behaviour("gzip-empty", "bomb", "EmptyPage", answer(gzip.compress(b""), GZIP)),
    Behaviour("gzip-damaged", "bomb", "BadEncoding", answer(
        gzip.compress(b"")[:10] + b"\xff" * 99, GZIP)),
    Behaviour("gzip-not", "bomb", "BadEncoding", answer(MARKUP, GZIP)),
    Behaviour("gzip-cut", "bomb", "page", answer(gzip.compress(MARKUP * 9)[:-9], GZIP)),
    Behaviour("gzip-and-more", "bomb", "page", answer(gzip.compress(MARKUP) + b"junk", GZIP)),
    Behaviour("gzip-unsaid", "bomb", "NotHtml", answer(gzip.compress(MARKUP))),
    Behaviour("gzip-in-chunks", "bomb", "page", raw(
        "HTTP/1.1 200 OK", HTML, GZIP, "Transfer-Encoding: chunked",
        body=chunks(gzip.compress(MARKUP), 1))),
]  # fmt: skip

OK = "HTTP/1.1 200 OK"
LIES = [
    Behaviour("too-short", "lie", "BadResponse", raw(OK, HTML, "Content-Length: 9999")),
    Behaviour("too-long", "lie", "page", raw(
        OK, HTML, f"Content-Length: {len(MARKUP)}", body=MARKUP + b"<title>poison")),
    Behaviour("two-lengths", "lie", "BadResponse", raw(
        OK, HTML, "Content-Length: 3", f"Content-Length: {len(MARKUP)}")),
    Behaviour("negative-length", "lie", "page|BadResponse", raw(OK, HTML, "Content-Length: -1")),
    Behaviour("wordy-length", "lie", "page|BadResponse", raw(OK, HTML, "Content-Length: ten")),
    Behaviour("huge-length", "lie", "BadResponse|page|TooLarge", raw(
        OK, HTML, f"Content-Length: {10**30}")),
    Behaviour("long-number", "lie", "BadResponse|page", raw(
        OK, HTML, f"Content-Length: {'9' * 5000}")),
    Behaviour("length-and-chunks", "lie", "page", raw(
        OK, HTML, "Content-Length: 3", "Transfer-Encoding: chunked", body=chunks(MARKUP))),
    Behaviour("chunks-unsaid", "lie", "page", raw(OK, HTML, body=chunks(MARKUP))),
    Behaviour("bad-chunk-size", "lie", "BadResponse", raw(
        OK, HTML, "Transfer-Encoding: chunked", body=b"zz\r\nhello\r\n")),
    Behaviour("negative-chunk", "lie", "BadResponse", raw(
        OK, HTML, "Transfer-Encoding: chunked", body=b"-5\r\nhello\r\n0\r\n\r\n")),
    Behaviour("endless-hints", "endless", "BadResponse", flooding(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n" * 99)),
    Behaviour("endless-continue", "endless", "BadResponse", flooding(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 99)),
    Behaviour("minus-one-chunk", "endless", "BadResponse", flooding(CHUNKED + b"-1\r\n", MARKUP * 999)),
    Behaviour("huge-chunk", "lie", "BadResponse|page", raw(
        OK, HTML, "Transfer-Encoding: chunked", body=b"f" * 60 + b"\r\n" + MARKUP)),
    Behaviour("unknown-transfer", "lie", "page|BadResponse", raw(
        OK, HTML, "Transfer-Encoding: quantum")),
    Behaviour("png-as-html", "lie", "NotHtml", answer(b"\x89PNG\r\n" * 99)),
    Behaviour("pdf-as-html", "lie", "NotHtml", answer(b"%PDF-1.7 asthma")),
    Behaviour("noise-as-html", "lie", "Unreadable", answer(bytes(range(256)) * 40)),
    Behaviour("html-as-png", "lie", "NotHtml", answer(MARKUP, "Content-Type: image/png")),
    Behaviour("html-as-text", "lie", "NotHtml", answer(MARKUP, "Content-Type: text/plain")),
    Behaviour("no-type", "lie", "page", answer(MARKUP, "content-type:")),
    Behaviour("comments-no-type", "lie", "NotHtml", answer(
        b"<!---->" * 99 + b"x", "content-type:")),
    Behaviour("comments-as-xml", "lie", "NotHtml|Unreadable", answer(
        b"<!---->" * 99 + b"x", "Content-Type: text/xml")),
    Behaviour("two-types", "lie", "page|NotHtml", answer(
        MARKUP, HTML, "Content-Type: application/pdf")),
    Behaviour("long-type", "lie", "NotHtml", answer(MARKUP, "Content-Type: " + "x" * 9999)),
    Behaviour("charset-unknown", "lie", "page", answer(MARKUP, HTML.replace("UTF-8", "klingon"))),
    Behaviour("charset-codec", "lie", "page", answer(MARKUP, HTML.replace("UTF-8", "zlib_codec"))),
    Behaviour("charset-hex", "lie", "page", answer(MARKUP, HTML.replace("UTF-8", "hex"))),
    Behaviour("charset-idna", "lie", "page", answer(MARKUP * 99, HTML.replace("UTF-8", "idna"))),
    Behaviour("charset-blank", "lie", "page", answer(MARKUP, HTML.replace("UTF-8", " " * 65_000 + ";"))),
    Behaviour("charset-path", "lie", "page", answer(MARKUP, HTML.replace("UTF-8", "../../etc/x"))),
    Behaviour("charset-utf-7", "lie", "page", answer(
        MARKUP + b"+ADw-script+AD4-", HTML.replace("UTF-8", "utf-7"))),
    Behaviour("charset-utf-16", "lie", "page|Unreadable", answer(
        MARKUP, HTML.replace("UTF-8", "utf-16"))),
    Behaviour("charset-in-meta", "lie", "page", answer(
        b"<meta charset=utf-16le>" + MARKUP, "Content-Type: text/html")),
    Behaviour("charset-against-bom", "lie", "page", answer(
        "\ufeff".encode("utf-16-le") + MARKUP.decode().encode("utf-16-le"))),
    Behaviour("bad-utf-8", "lie", "page", answer(MARKUP + b"\xff\xfe\xc0\x80\xed\xa0\x80 asthma")),
    Behaviour("zero-bytes", "lie", "page", answer(MARKUP.replace(b" ", b" \0"))),
    Behaviour("no-content", "lie", "EmptyPage|NotHtml", raw(
        "HTTP/1.1 204 No Content", HTML, "Content-Length: 9")),
    Behaviour("not-modified", "lie", "BadResponse|EmptyPage|NotHtml", raw(
        "HTTP/1.1 304 Not Modified", "ETag: x", body=b"")),
    Behaviour("partial", "lie", "page", answer(MARKUP, status="206 Partial Content")),
    Behaviour("status-99", "lie", "BadResponse", answer(MARKUP, status="99 Red Balloons")),
    Behaviour("status-199", "lie", "BadResponse|TimedOut", answer(MARKUP, status="199 Odd")),
    Behaviour("status-299", "lie", "page", answer(MARKUP, status="299 Odd")),
    Behaviour("status-999", "lie", "HttpError", answer(MARKUP, status="999 Odd")),
    Behaviour("status-word", "lie", "BadResponse", answer(MARKUP, status="OK OK")),
    Behaviour("status-long", "lie", "BadResponse", answer(MARKUP, status="9" * 5000)),
    Behaviour("status-only", "lie", "page", answer(MARKUP, status="200")),
    Behaviour("version-nine", "lie", "BadResponse|page", raw("HTTP/9.9 200 OK", HTML)),
    Behaviour("version-none", "lie", "BadResponse", MARKUP),
    Behaviour("other-protocol", "lie", "BadResponse", b"SSH-2.0-OpenSSH_9.2\r\n"),
    Behaviour("line-feeds", "lie", "page", raw(OK, HTML).replace(b"\r\n", b"\n")),
    Behaviour("lone-returns", "lie", "BadResponse", raw(OK, HTML, *["X: a" + "\r b" * 16_000] * 90)),
    Behaviour("no-colon", "lie", "page|BadResponse", raw(OK, HTML, "no colon here", "X: 1")),
    Behaviour("control-header", "lie", "page|BadResponse", raw(OK, HTML, "X: a\0b\x1b[31m")),
    Behaviour("latin-header", "lie", "page", raw(OK, HTML, "X-\xe9: \xff\xfe", "Server: caf\xe9")),
    Behaviour("folded-header", "lie", "page", raw(
        OK, "Content-Type: text/html;", " charset=utf-8")),
    Behaviour("odd-dates", "lie", "page", answer(
        MARKUP, "Last-Modified: Thu, 99 Foo 99999 99:99:99 GMT", "Date: never", "Age: -9e99")),
    Behaviour("odd-etag", "lie", "page", answer(MARKUP, 'ETag: W/"a"b\\" . } <x> \x1b[31m')),
    Behaviour("odd-language", "lie", "page", answer(MARKUP, 'Content-Language: "} <x> @en--rtl')),
    Behaviour("many-cookies", "lie", "page", answer(
        MARKUP, *(f"Set-Cookie: a{n}=1; Domain=.test" for n in range(80)))),
    Behaviour("attachment", "lie", "page", answer(
        MARKUP, "Content-Disposition: attachment; filename=../../x")),
    Behaviour("refresh-header", "lie", "page", answer(MARKUP, "Refresh: 0; url=http://127.0.0.1/")),
    Behaviour("link-header", "lie", "page", answer(
        MARKUP, "Link: <http://127.0.0.1/>; rel=preload", "Alt-Svc: h2=\"127.0.0.1:80\"")),
]  # fmt: skip

POISON = answer(b"<title>poison</title>")
KEPT = [
    Behaviour("poison-after-body", "keep-alive", "page", GOOD + POISON),
    Behaviour("poison-after-nothing", "keep-alive", "page|EmptyPage|NotHtml", answer(b"") + POISON),
    Behaviour("poison-after-error", "keep-alive", "HttpError", NOT_FOUND + POISON),
    Behaviour("poison-after-robots", "keep-alive", "page", GOOD, robots=NOT_FOUND + POISON),
    Behaviour("poison-in-robots-body", "keep-alive", "page", GOOD, robots=answer(
        POISON, "Content-Type: text/plain")),
    Behaviour("early-hints", "keep-alive", "page", raw(
        "HTTP/1.1 103 Early Hints", "Link: </x>; rel=preload", body=GOOD)),
    Behaviour("many-continues", "keep-alive", "page", b"HTTP/1.1 100 Go\r\n\r\n" * 50 + GOOD),
    Behaviour("says-close", "keep-alive", "page", raw(
        OK, HTML, "Connection: close", f"Content-Length: {len(MARKUP)}")),
    Behaviour("old-keep-alive", "keep-alive", "page", raw(
        "HTTP/1.0 200 OK", HTML, "Connection: keep-alive", f"Content-Length: {len(MARKUP)}")),
    Behaviour("upgrade", "keep-alive", "BadResponse|HttpError|TimedOut|NotHtml", raw(
        "HTTP/1.1 101 Switching Protocols", "Upgrade: h2c", "Connection: upgrade", body=b"")),
]  # fmt: skip

BROKEN = [
    Behaviour("hang-up", "broken", "BadResponse", b""),
    Behaviour("reset-at-once", "broken", "BadResponse", resetting(b"")),
    Behaviour("reset-in-headers", "broken", "BadResponse", resetting(OPEN)),
    Behaviour("reset-in-body", "broken", "BadResponse", resetting(
        OPEN + b"Content-Length: 999\r\n\r\n" + MARKUP)),
    Behaviour("reset-after-body", "broken", "page|BadResponse", resetting(GOOD)),
    Behaviour("reset-robots", "broken", "RobotsUnreachable", GOOD, robots=resetting(OPEN),
              good=False),
    Behaviour("cut-headers", "broken", "BadResponse", OPEN + b"Content-Le"),
    Behaviour("cut-chunk", "broken", "BadResponse", CHUNKED + b"ff\r\n<p>asthma"),
    Behaviour("cut-between-chunks", "broken", "BadResponse", CHUNKED + chunks(MARKUP)[:-5]),
    Behaviour("broken-once", "broken", "page", GOOD, paths={"/": page("<a href=/twice>asthma</a>"),
              "/twice": b""}, also={"/twice": "BadResponse"}),
    Behaviour("no-tls", "tls", "TlsFailed", b"", scheme="https", good=False),
    Behaviour("silent-tls", "tls", "TimedOut", b"", scheme="https", good=False),
    Behaviour("reset-tls", "tls", "TlsFailed|BadResponse|RobotsUnreachable", b"", scheme="https",
              good=False),
    Behaviour("self-signed", "tls", "TlsFailed", GOOD, scheme="https", good=False),
]  # fmt: skip


def at(name: str, expected: str, *lookups: str) -> Behaviour:
    """A host whose name has these addresses; a comma stands between those of one look-up."""
    given = tuple(tuple(lookup.split(",")) if lookup else () for lookup in lookups)
    return Behaviour(name, "address", expected, GOOD, lookups=given, good=expected == "page")


ADDRESSES = [
    at("unknown-name", "DnsFailed", "unknown"),
    at("try-again", "DnsFailed", "again"),
    at("slow-name", "TimedOut", "slow"),
    at("no-address", "AddressRefused", ""),
    at("name-of-loopback", "AddressRefused", "127.0.0.1"),
    at("name-of-private", "AddressRefused", "10.1.2.3"),
    at("name-of-router", "AddressRefused", "192.168.0.1,172.16.0.1"),
    at("name-of-metadata", "AddressRefused", "169.254.169.254"),
    at("name-of-shared", "AddressRefused", "100.64.0.1"),
    at("name-of-zero", "AddressRefused", "0.0.0.0"),
    at("name-of-broadcast", "AddressRefused", "255.255.255.255"),
    at("name-of-loopback-6", "AddressRefused", "::1"),
    at("name-of-mapped", "AddressRefused", "::ffff:127.0.0.1"),
    at("name-of-translated", "AddressRefused", "64:ff9b::7f00:1"),
    at("name-of-6to4", "AddressRefused", "2002:7f00:1::"),
    at("name-of-local-6", "AddressRefused", "fd00::1,fe80::1"),
    at("private-and-public", "page", "10.1.2.3,public"),
    # Known as public when robots.txt is asked for, as this machine when the page is.
    Behaviour("rebinding", "address", "AddressRefused", GOOD, good=False,
              robots=b"HTTP/1.1 404 No\r\nConnection: close\r\n\r\n",
              lookups=(("public",), ("127.0.0.1",))),
    Behaviour("refused", "address", "ConnectFailed", GOOD, good=False),
    Behaviour("unreachable", "address", "ConnectFailed", GOOD, good=False),
    Behaviour("connect-silence", "address", "TimedOut", GOOD, good=False),
]  # fmt: skip

ANSWERS = [*SLOW, *ENDLESS, *BOMBS, *LIES, *KEPT, *BROKEN, *ADDRESSES]
