"""The page and its files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from semcrawl.errors import RequestError

if TYPE_CHECKING:
    from starlette.requests import Request

    from semcrawl.serve.context import Context

__all__ = ["STATIC", "routes"]

STATIC = Path(__file__).resolve().parents[1] / "static"

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


def routes(_context: Context) -> list[Route]:
    """The page at ``/``, its files below ``/static/``."""

    async def page(request: Request) -> Response:
        return _file(request, "index.html")

    async def file(request: Request) -> Response:
        return _file(request, request.path_params["path"])

    async def icon(request: Request) -> Response:
        return _file(request, "favicon.svg")

    return [
        Route("/", page),
        Route("/favicon.ico", icon),
        Route("/static/{path:path}", file),
    ]


def _files() -> dict[str, Path]:
    """The files there are, by name: what is asked for is looked up, never made into a path."""
    return {
        path.relative_to(STATIC).as_posix(): path
        for path in STATIC.rglob("*")
        if path.suffix in _TYPES
    }


def _file(request: Request, name: str) -> Response:
    path = _files().get(name)
    if path is None:
        raise RequestError(f"there is no file {name[:80]!r}", 404)
    stat = path.stat()
    tag = f'"{stat.st_mtime_ns:x}-{stat.st_size:x}"'
    # The browser asks each time and is told that nothing has changed: no stale half of a page.
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(path.read_bytes(), headers=headers, media_type=_TYPES[path.suffix])
