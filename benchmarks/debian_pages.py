"""The pages of one package as a site: its homepage, what can be reached from it, its links."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["PageFile", "SiteFiles", "Upstreams", "address_key", "read_site", "rewritten"]

_SUFFIXES = (".html", ".htm", ".xhtml")
_INDEXES = ("index.html", "index.htm", "Index.html", "index.xhtml")
_MAX_BYTES = 3_000_000
_REFERENCE = re.compile(r"""(?i)(?<![\w-])(href|src)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)""")
_OUTSIDE = re.compile(r"(?i)[a-z][a-z0-9+.-]*:|//")


class PageFile(NamedTuple):
    """A page: its path below the site's root, and its bytes read as Latin-1, which loses none."""

    path: str
    text: str


@dataclass(slots=True)
class SiteFiles:
    """The pages of a site that a visitor of the homepage can reach, nearest first."""

    host: str
    pages: dict[str, PageFile] = field(default_factory=dict)
    home: str = ""

    def url(self, path: str) -> str:
        """The address of a page; the homepage is the root of the host."""
        at_root = path == self.home and "/" not in path
        return f"http://{self.host}/" if at_root else f"http://{self.host}/{quote(path)}"

    def page_like(self, path: str) -> str:
        """The page whose file name an upstream address ends with, else the homepage."""
        name = PurePosixPath(unquote(path)).name
        if name.endswith(_SUFFIXES) and name not in _INDEXES:
            same = [own for own in self.pages if PurePosixPath(own).name == name]
            if len(same) == 1:
                return same[0]
        return self.home


def read_site(host: str, folder: Path, home: str | None, limit: int) -> SiteFiles:
    """Find the homepage among a package's files and walk breadth first to *limit* pages.

    Where a package has no index and several pages, the homepage is a list of their
    files, as web servers make one.
    """
    files = dict(_html_files(folder))
    site = SiteFiles(host)
    if not files:
        return site
    start = home if home in files else _index(files)
    root = PurePosixPath(start).parent if start else _common_folder(list(files))
    texts = {
        str(PurePosixPath(name).relative_to(root)): path
        for name, path in files.items()
        if PurePosixPath(name).is_relative_to(root)
    }
    if start is None and len(texts) > 1:
        site.home = _INDEXES[0]
        site.pages[site.home] = PageFile(site.home, _listing(sorted(texts)))
        waiting = deque(sorted(texts))
    else:
        site.home = PurePosixPath(start).name if start else next(iter(texts))
        waiting = deque([site.home])
    _walk(site, texts, waiting, limit)
    return site


def _walk(site: SiteFiles, files: Mapping[str, Path], waiting: deque[str], limit: int) -> None:
    seen = {*waiting, site.home}
    while waiting and len(site.pages) < limit:
        path = waiting.popleft()
        text = files[path].read_bytes()[:_MAX_BYTES].decode("latin-1")
        site.pages[path] = PageFile(path, text)
        for target in _inner_links(path, text):
            if target in files and target not in seen:
                seen.add(target)
                waiting.append(target)


def _html_files(folder: Path) -> Iterator[tuple[str, Path]]:
    # A symbolic link names a page that is here anyway, or one of this machine.
    for path in sorted(folder.rglob("*")):
        if path.name.lower().endswith(_SUFFIXES) and path.is_file() and not path.is_symlink():
            yield path.relative_to(folder).as_posix(), path


def _index(files: Mapping[str, Path]) -> str | None:
    """The index with most pages below it, the highest of several."""
    indexes = [name for name in files if PurePosixPath(name).name in _INDEXES]
    return max(indexes, key=lambda name: (_below(name, files), -name.count("/")), default=None)


def _below(name: str, files: Mapping[str, Path]) -> int:
    folder = PurePosixPath(name).parent
    return sum(PurePosixPath(other).is_relative_to(folder) for other in files)


def _common_folder(names: list[str]) -> PurePosixPath:
    folder = PurePosixPath(names[0]).parent
    while not all(PurePosixPath(name).is_relative_to(folder) for name in names):
        folder = folder.parent
    return folder


def _listing(names: list[str]) -> str:
    rows = "".join(f'<li><a href="{quote(name)}">{escape(name)}</a></li>\n' for name in names)
    text = f"<html><head><title>Index of /</title></head><body><ul>\n{rows}</ul></body></html>"
    return text.encode("utf-8", "replace").decode("latin-1")


def _inner_links(path: str, text: str) -> Iterator[str]:
    for found in _REFERENCE.finditer(text):
        target = _inner(path, found[3].strip("\"'"))
        if target is not None:
            yield target


def _inner(path: str, reference: str) -> str | None:
    """The path that a reference on a page leads to within the site.

    >>> _inner("a/b.html", "../c.html#d"), _inner("a/b.html", "/x/"), _inner("b.html", "ftp://c/")
    ('c.html', 'x/index.html', None)
    """
    reference = unescape(reference).strip()
    if not reference or reference.startswith("#") or _OUTSIDE.match(reference):
        return None
    try:
        target = unquote(urlsplit(urljoin(f"http://site.test/{quote(path)}", reference)).path)
    except ValueError:
        return None
    target = target.lstrip("/")
    return f"{target}index.html" if not target or target.endswith("/") else target


def address_key(address: str) -> str:
    """An upstream address as it is compared: no scheme, no ``www.``, no file at its end.

    >>> address_key("https://www.example.org/tool/index.html"), address_key("example.org/tool")
    ('example.org/tool', 'example.org/tool')
    """
    host, _, path = address.partition("://")[2].partition("/") if "://" in address else (address.partition("/"))
    steps = [step for step in path.split("#")[0].split("?")[0].split("/") if step]
    if steps and steps[-1].lower().endswith(_SUFFIXES):
        steps.pop()
    return "/".join((host.lower().removeprefix("www."), *steps))


class Upstreams:
    """Which site of the web stands for which addresses of the real one."""

    def __init__(self) -> None:
        self._sites: dict[str, SiteFiles] = {}

    def add(self, address: str, site: SiteFiles) -> None:
        """Let *site* stand for all that begins with *address*; who comes first keeps it."""
        self._sites.setdefault(address_key(address), site)

    def translated(self, url: str) -> str | None:
        """The address within the web that stands for *url*, by its longest known beginning."""
        steps = address_key(url).split("/")
        for length in range(len(steps), 0, -1):
            site = self._sites.get("/".join(steps[:length]))
            if site is not None:
                return site.url(site.page_like(urlsplit(url).path))
        return None


def rewritten(site: SiteFiles, page: PageFile, upstreams: Upstreams) -> bytes:
    """A page's bytes with links to other sites' upstream addresses led to those sites.

    Links within the site that lead to nothing recorded are taken out, because
    where the recording ends is our doing and not the author's.
    """

    def replace(found: re.Match[str]) -> str:
        attribute, equals, quoted = found.groups()
        reference = quoted.strip("\"'")
        if attribute.lower() == "href" and re.match(r"(?i)https?://", reference):
            return _outward(found[0], reference, site, upstreams)
        target = _inner(page.path, reference)
        if target is None or attribute.lower() == "src":
            return found[0]
        if target not in site.pages:
            return f"data-left-out{equals}{quoted}"
        if target == site.home and "#" not in reference:
            return f'{attribute}="{site.url(target)}"'
        return found[0]

    return _REFERENCE.sub(replace, page.text).encode("latin-1")


def _outward(whole: str, reference: str, site: SiteFiles, upstreams: Upstreams) -> str:
    try:
        target = upstreams.translated(unescape(reference))
    except ValueError:
        return whole
    if target is None or urlsplit(target).hostname == site.host:
        return whole
    return f'href="{target}"'
