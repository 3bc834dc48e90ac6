"""Lists of homepages, by class: files of URLs, or the examples of a tree of categories."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError, UrlError
from semcrawl.taxonomy.reading import is_url
from semcrawl.web.urls import canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.taxonomy.reading import TreeFile

__all__ = ["OTHER", "TARGET", "class_and_file", "homepages_of_tree", "read_homepages"]

TARGET = "target"
"""The name of the target class where none is given."""

OTHER = "other"
"""The name of the class of all other sites where none is given."""

# What may stand without http:// before it; mailto:someone@a.test would be a host, too.
_BARE = re.compile(r"[^\s:/@]+(?::[0-9]+)?(?:[/?#].*)?", re.DOTALL)
_NAMED = re.compile(r"([\w.-]{1,60})=(.+)", re.DOTALL)


def class_and_file(given: str, name: str) -> tuple[str, Path]:
    """Read ``NAME=FILE`` or ``FILE``; ``name`` is that of the class where none is given.

    >>> class_and_file("cars=lists/cars.txt", "other")[0], class_and_file("cars.txt", "other")[0]
    ('cars', 'other')
    """
    named = _NAMED.fullmatch(given)
    if named is None or Path(given).exists():
        return name, Path(given)
    return named[1], Path(named[2])


def read_homepages(path: str | Path) -> list[str]:
    """The homepages of a file, a URL a line, in its order.

    ``http://`` may be left out. Empty lines and lines that begin with ``#`` are
    passed over; of a table with tabs the first column counts.

    Raises:
        ConfigError: the file cannot be read, lists nothing, or something that is no URL.
    """
    place = Path(path)
    try:
        lines = place.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ConfigError(f"cannot read the sites of {place}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ConfigError(f"{place} is no list of sites: it is not UTF-8 text") from None
    found: dict[str, None] = {}
    for number, line in enumerate(lines, start=1):
        address = line.partition("\t")[0].strip()
        if address and not address.startswith("#"):
            found[_homepage(address, f"{place}, line {number}")] = None
    if not found:
        raise ConfigError(f"{place} lists no site: write the URL of a homepage a line")
    return list(found)


def _homepage(address: str, where: str) -> str:
    try:
        return canonical(f"http://{address}" if _BARE.fullmatch(address) else address)
    except UrlError as error:
        raise ConfigError(f"{where}: {error}") from None


def homepages_of_tree(file: TreeFile, categories: Sequence[str]) -> dict[str, list[str]]:
    """The homepages that a tree names as examples: of some categories and what is under them.

    All others are of the class ``other``, unless they are among the first as well.

    Raises:
        ConfigError: an example is a file and no homepage.
        TopicError: there is no such category.
    """
    tree = file.tree
    wanted = {below for name in categories for below in tree.below(tree.find(name))}
    found: dict[str, dict[str, None]] = {TARGET: {}, OTHER: {}}
    for category, places in file.examples.items():
        for place in places:
            if not is_url(place):
                raise ConfigError(
                    f"{tree.place}: the example {place} of {tree.path(category)} is no homepage; "
                    "train a taxonomy with files first ('semcrawl taxonomy train'), and give that"
                )
            side = TARGET if category in wanted else OTHER
            found[side][_homepage(place, f"{tree.place}, {tree.path(category)}")] = None
    target = list(found[TARGET])
    return {TARGET: target, OTHER: [url for url in found[OTHER] if url not in found[TARGET]]}
