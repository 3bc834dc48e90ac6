"""Which of several media types a client wants most, by its Accept header (RFC 9110, 12.5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["choose"]

_MOST_RANGES = 100


class _Range(NamedTuple):
    kind: str
    subkind: str
    quality: float

    def fit(self, media_type: str) -> int:
        """How exactly a media type is meant: 0 not at all, 1 by ``*/*``, 2 by ``text/*``, 3."""
        kind, _, subkind = media_type.partition("/")
        if self.kind == "*":
            return 1
        if self.kind != kind:
            return 0
        return 2 if self.subkind == "*" else 3 * (self.subkind == subkind)


def choose(accept: str, offers: Sequence[str]) -> str | None:
    """The offer that the client likes best, None where it likes none.

    Among those it likes equally, one that it named goes before one that it
    covered by ``*``, and then the first of the offers. Who says nothing gets
    the first.

    >>> choose("text/csv;q=0.5, text/*;q=0.2, */*;q=0.1", ["application/json", "text/csv"])
    'text/csv'
    >>> choose("image/png", ["text/csv"]) is None
    True
    """
    ranges = list(_ranges(accept)) if accept.strip() else [_Range("*", "*", 1.0)]
    ranked = [(_liking(ranges, offer), -place, offer) for place, offer in enumerate(offers)]
    (quality, _), _, best = max(ranked, default=((0.0, 0), 0, ""))
    return best if quality > 0 else None


def _liking(ranges: list[_Range], media_type: str) -> tuple[float, int]:
    """Quality and exactness of the range that means a media type most exactly."""
    fits = [(one.fit(media_type), one.quality) for one in ranges]
    exactness, quality = max(fits, default=(0, 0.0))
    return (quality, exactness) if exactness else (0.0, 0)


def _ranges(accept: str) -> Iterator[_Range]:
    """The first ranges of a header; what cannot be understood is passed over."""
    for part in accept.lower().split(",", _MOST_RANGES)[:_MOST_RANGES]:
        name, *parameters = (piece.strip() for piece in part.split(";"))
        kind, slash, subkind = name.partition("/")
        quality = _quality(parameters)
        if slash and kind and subkind and quality is not None:
            yield _Range(kind, subkind, quality)


def _quality(parameters: list[str]) -> float | None:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                quality = float(value)
            except ValueError:
                return None
            return quality if 0 <= quality <= 1 else None
    return 1.0
