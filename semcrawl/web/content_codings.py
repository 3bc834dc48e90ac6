"""Undoing content codings (gzip, deflate) piece by piece, never inflating past a limit."""

import zlib

from semcrawl.errors import FetchError
from semcrawl.web.response import DropReason

ACCEPTED = "gzip, deflate"  # codings whose output can be bounded while it is made

_IDENTITY = frozenset({"", "identity", "none", "utf-8"})
_GZIP = frozenset({"gzip", "x-gzip"})


class Inflater:
    """Collects at most `limit` bytes of a body from coded pieces, or raises BadEncoding."""

    def __init__(self, coding: str, limit: int, url: str = "") -> None:
        self._coding = coding.strip().lower()
        self._url = url
        self._limit = limit
        self._out = bytearray()
        self.wire_bytes = 0
        self._unused = 0
        self.overflow = False
        self._stream = self._start()

    def _start(self) -> "zlib._Decompress | None":
        if self._coding in _IDENTITY:
            return None
        if self._coding in _GZIP:
            return zlib.decompressobj(16 + zlib.MAX_WBITS)
        if self._coding == "deflate":
            return zlib.decompressobj()
        raise self._error(f"unknown content coding {self._coding!r:.60}")

    def _error(self, text: str) -> FetchError:
        return FetchError(f"{text} from {self._url}", reason=DropReason.BAD_ENCODING)

    def feed(self, piece: bytes) -> None:
        """Take the next piece as it came over the wire."""
        first = self.wire_bytes == 0
        self.wire_bytes += len(piece)
        if self._stream is None:
            self._take(piece)
            return
        if first and self._coding == "deflate" and not _has_zlib_header(piece):
            # Half of the servers that say deflate leave the zlib wrapping out.
            self._stream = zlib.decompressobj(-zlib.MAX_WBITS)
        self._inflate(piece)

    def _inflate(self, piece: bytes) -> None:
        stream = self._stream
        while stream is not None and piece and not self.overflow:
            try:
                # One byte more than there is room for tells "just full" from "too much".
                self._take(stream.decompress(piece, self._limit - len(self._out) + 1))
            except zlib.error as problem:
                raise self._error(f"damaged {self._coding} data ({problem})") from None
            piece = stream.unconsumed_tail
            self._unused = len(piece)
            if stream.eof:
                piece = stream.unused_data
                if self._coding not in _GZIP or not piece.startswith(b"\x1f\x8b"):
                    return
                # A gzip body may be several members in a row.
                self._stream = stream = self._start()

    def _take(self, data: bytes) -> None:
        room = self._limit - len(self._out)
        self.overflow |= len(data) > room
        self._out += data[:room]

    @property
    def complete(self) -> bool:
        """Whether the coded stream came to its own end within the limit."""
        if self.overflow:
            return False
        return self._stream is None or self._stream.eof or not self.wire_bytes

    @property
    def ratio(self) -> float:
        """How many bytes each byte on the wire became."""
        return len(self._out) / max(1, self.wire_bytes - self._unused)

    @property
    def body(self) -> bytes:
        """What came out so far."""
        return bytes(self._out)


def _has_zlib_header(data: bytes) -> bool:
    if len(data) < 2:
        return True
    return data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0


def decode(body: bytes, coding: str, limit: int, url: str = "") -> tuple[bytes, bool]:
    """Return at most `limit` bytes of a coded body, and whether that is all of it.

    >>> import gzip
    >>> decode(gzip.compress(b"x" * 10_000), "gzip", 4)
    (b'xxxx', False)
    """
    inflater = Inflater(coding, limit, url)
    inflater.feed(body)
    return inflater.body, inflater.complete
