"""``python -m benchmarks.debian_web``: a recorded web of many real sites, from Debian packages.

Each package of ``debian_packages.tsv`` is a site, ``http://PACKAGE.test/``, with
what can be reached from its homepage, at most 200 pages. Where its documents
link to the upstream address of another package, the link leads to that
package's site. Directories and portals are added (``debian_directories.py``).
The folder that comes out holds ``pages.warc.gz``, which any replay reads, and
``sites.tsv``: host, kind, topic, pages, package and version of every site.

Everything is kept in a cache folder: ``--folder``, else ``$SEMCRAWL_CACHE``, else
``semcrawl`` in the user's cache folder. Packages that the archive does not have
are left out, and named.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import click

from benchmarks.debian_archive import download, package_facts, unpacked
from benchmarks.debian_directories import Listed, directory_host, link_lists, portal_hosts
from benchmarks.debian_pages import SiteFiles, Upstreams, read_site, rewritten
from benchmarks.debian_recording import Recording
from semcrawl.errors import SemcrawlError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from benchmarks.debian_archive import PackageFacts

__all__ = ["SiteTruth", "build", "read_truth", "web_folder"]

PAGES_PER_SITE = 200
MAX_DOWNLOAD = 600_000_000
_LIST = Path(__file__).with_name("debian_packages.tsv")


class _Wanted(NamedTuple):
    topic: str
    package: str
    home: str | None
    upstreams: tuple[str, ...]


class SiteTruth(NamedTuple):
    """One site of the web: what it really is about."""

    host: str
    kind: str
    topic: str
    pages: int
    package: str


def web_folder(cache: str | Path | None = None) -> Path:
    """Where the web is, or would be; it is there when ``sites.tsv`` is."""
    if cache is None:
        root = os.environ.get("XDG_CACHE_HOME", "") or "~/.cache"
        cache = os.environ.get("SEMCRAWL_CACHE") or Path(root).expanduser() / "semcrawl"
    return Path(cache) / "debian-web"


def read_truth(folder: Path) -> list[SiteTruth]:
    """Read ``sites.tsv``: sites with their topic, directories and portals."""
    lines = (folder / "sites.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [SiteTruth(row[0], row[1], row[2], int(row[3]), row[4]) for row in rows]


def build(folder: Path) -> list[SiteTruth]:
    """Download, read and record; what is there already is not downloaded again.

    Raises:
        SemcrawlError: this system has no apt, or its archive knows no package.
    """
    wanted = _wanted()
    facts = package_facts([one.package for one in wanted])
    wanted = [one for one in wanted if _is_had(one, facts)]
    size = sum(facts[one.package].size for one in wanted)
    if not wanted or size > MAX_DOWNLOAD:
        raise SemcrawlError(
            f"{len(wanted)} packages of {size / 1e6:.0f} MB: there must be some, and at most "
            f"{MAX_DOWNLOAD / 1e6:.0f} MB; run apt-get update where the archive is not known"
        )
    print(f"{len(wanted)} packages, {size / 1e6:.0f} MB to have", flush=True)
    archives = download([one.package for one in wanted], folder / "packages")
    sites = _read_sites(wanted, archives)
    upstreams = _upstreams(sites, facts)
    return _record(folder, sites, upstreams, facts)


def _wanted() -> list[_Wanted]:
    rows = (line.split("\t") for line in _LIST.read_text(encoding="utf-8").splitlines())
    return [
        _Wanted(row[0], row[1], None if row[2] == "-" else row[2], tuple(" ".join(row[3:]).split()))
        for row in rows
        if not row[0].startswith("#")
    ]


def _is_had(one: _Wanted, facts: Mapping[str, PackageFacts]) -> bool:
    if one.package not in facts:
        print(f"left out: the archive has no {one.package}")
    return one.package in facts


def _read_sites(wanted: list[_Wanted], archives: Mapping[str, Path]) -> list[tuple[_Wanted, SiteFiles]]:
    sites = []
    for one in wanted:
        if one.package not in archives:
            print(f"left out: {one.package} could not be downloaded")
            continue
        with unpacked(archives[one.package]) as folder:
            host = f"{one.package.replace('+', 'p')}.test"
            site = SiteFiles(host)
            if folder is not None:
                site = read_site(host, folder, one.home, PAGES_PER_SITE)
        if site.pages:
            sites.append((one, site))
        else:
            print(f"left out: {one.package} holds no pages")
    return sites


def _upstreams(sites: list[tuple[_Wanted, SiteFiles]], facts: Mapping[str, PackageFacts]) -> Upstreams:
    upstreams = Upstreams()
    for one, site in sites:
        for address in (facts[one.package].homepage, *one.upstreams):
            if address:
                upstreams.add(address, site)
    return upstreams


def _record(
    folder: Path, sites: list[tuple[_Wanted, SiteFiles]], upstreams: Upstreams, facts: Mapping[str, PackageFacts]
) -> list[SiteTruth]:
    truth: list[SiteTruth] = []
    listed: dict[str, list[Listed]] = {}
    fresh = folder / "fresh.warc.gz"
    with Recording(fresh) as recording:
        for one, site in sites:
            for page in site.pages.values():
                recording.page(site.url(page.path), rewritten(site, page, upstreams))
            _homepage(site, recording)
            known = facts[one.package]
            name = one.package.removesuffix("-doc")
            entry = Listed(f"http://{site.host}/", name, known.summary)
            listed.setdefault(one.topic, []).append(entry)
            package = f"{known.name} {known.version}"
            truth.append(SiteTruth(site.host, "site", one.topic, len(site.pages), package))
        pages = link_lists(listed)
        for url, text in pages.items():
            recording.page(url, text.encode("utf-8"), "text/html; charset=utf-8")
    truth += _lists(listed, Counter(urlsplit(url).hostname or "" for url in pages))
    _write_truth(folder, truth)
    shutil.move(fresh, folder / "pages.warc.gz")
    return truth


def _homepage(site: SiteFiles, recording: Recording) -> None:
    """Let the root of the host and the file of its homepage lead to one and the same page."""
    root, file = f"http://{site.host}/", f"http://{site.host}/{site.home}"
    if site.url(site.home) == root:
        recording.redirect(file, root)
    else:
        recording.redirect(root, site.url(site.home))


def _lists(listed: Mapping[str, list[Listed]], pages: Mapping[str, int]) -> list[SiteTruth]:
    directories = [
        SiteTruth(directory_host(topic), "directory", topic, pages[directory_host(topic)], "-") for topic in listed
    ]
    portals = [SiteTruth(host, "portal", "-", pages[host], "-") for host in portal_hosts()]
    return directories + portals


def _write_truth(folder: Path, truth: list[SiteTruth]) -> None:
    lines = ["\t".join(map(str, site)) for site in truth]
    text = "\n".join(["#host\tkind\ttopic\tpages\tpackage", *lines, ""])
    (folder / "sites.tsv").write_text(text, encoding="utf-8")


@click.command()
@click.option("--folder", type=click.Path(file_okay=False), help="Where the cache is.")
def main(folder: str | None) -> None:
    """Build the Debian web and print what it holds."""
    place = web_folder(folder)
    try:
        truth = build(place)
    except SemcrawlError as problem:
        raise click.ClickException(str(problem)) from None
    from benchmarks.debian_census import print_census

    print_census(place, truth)


if __name__ == "__main__":
    main()
