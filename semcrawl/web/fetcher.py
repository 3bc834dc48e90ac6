"""The seam between a crawl and whatever answers its URLs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.web.response import Response

__all__ = ["Fetcher"]


@runtime_checkable
class Fetcher(Protocol):
    """Answers canonical URLs: the network (``HttpFetcher``) or a recording (``Replay``).

    Implementations may be called from several threads at once.
    """

    def fetch(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        want_any: bool = False,
    ) -> Response:
        """Return the answer to one GET request, or raise ``FetchError``.

        A redirect is returned with ``redirect`` set and is not followed: its
        target is a URL like any other, with its own robots.txt, politeness
        and address checks. A status of 400 or more raises.

        Args:
            url: a canonical URL.
            headers: more request headers, such as ``If-None-Match``.
            want_any: read the body whatever its media type, and cut it at the
                size limit rather than refuse it; without it the body of
                what is declared to be no HTML comes back empty.
        """
        ...

    def close(self) -> None:
        """Let go of connections and files; the fetcher is not used again."""
        ...
