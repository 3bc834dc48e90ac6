"""The hostile web: one table of all its hosts."""

from __future__ import annotations

from tests.hostile.answers import ANSWERS
from tests.hostile.pages import PAGES
from tests.hostile.server import Behaviour, page
from tests.hostile.sites import SITES

BEHAVIOURS: dict[str, Behaviour] = {one.name: one for one in (*ANSWERS, *SITES, *PAGES)}


def _start() -> Behaviour:
    """The host that links to all others, the good page of each first."""
    urls = [f"{one.root}good" for one in BEHAVIOURS.values() if one.good]
    urls += [one.root for one in BEHAVIOURS.values()]
    links = " ".join(f'<a href="{url}">asthma</a>' for url in urls)
    return Behaviour("start", "start", "page", page(links), good=False)


START = _start()
