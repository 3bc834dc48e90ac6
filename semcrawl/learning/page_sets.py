"""Sets of pages that a crawl is confined to: from a list of URLs, or from an earlier crawl."""

from __future__ import annotations

from pathlib import Path

from semcrawl.errors import ConfigError, UrlError
from semcrawl.web.urls import canonical

__all__ = ["read_page_set"]

_PAGES = """SELECT DISTINCT ?url WHERE {
  { ?url sc:relevance ?relevance } UNION { ?url sc:redirectsTo ?target }
}"""


def read_page_set(source: str | Path) -> frozenset[str]:
    """The URLs of a file, or of the pages that an earlier crawl has visited.

    A file has a URL a line, as the first of its columns if it is a table with
    tabs; lines that begin with ``#`` are comments. What redirected in the
    earlier crawl belongs to its pages.

    Raises:
        ConfigError: there is no such file or crawl, a line is no URL, or there is none at all.
    """
    path = Path(source).expanduser()
    urls = _of_crawl(path) if path.is_dir() else _of_file(path)
    if not urls:
        raise ConfigError(f"{path} names no page: a crawl confined to it would fetch nothing")
    return urls


def _of_crawl(folder: Path) -> frozenset[str]:
    from semcrawl.graph import CrawlGraph

    with CrawlGraph.read(folder) as graph:
        return frozenset(row["url"] for row in graph.query(_PAGES))


def _of_file(path: Path) -> frozenset[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ConfigError(
            f"cannot read the pages of {path}: {error.strerror}; give a file of URLs, or the "
            "folder of a crawl"
        ) from error
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is no list of URLs: it is not UTF-8 text") from None
    urls = set()
    for number, line in enumerate(lines, start=1):
        address = line.partition("\t")[0].strip()
        if address and not address.startswith("#"):
            try:
                urls.add(canonical(address))
            except UrlError as error:
                raise ConfigError(f"line {number} of {path}: {error}") from None
    return frozenset(urls)
