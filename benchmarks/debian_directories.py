"""Link lists of the Debian web: a directory of each topic, and a few general portals.

As link lists do, a directory lists most sites of its topic and some of others,
with a line about each, and knows a few other directories. A portal lists sites
of all topics, and all directories. Drawn by a seed: the same packages give the
same lists. Every site stands in at least one list.
"""

from __future__ import annotations

from html import escape
from random import Random
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Listed", "directory_host", "link_lists", "portal_hosts"]

SEED = 2004
PORTALS = 3
_SHARE = 0.7
"""What part of its own topic's sites a directory lists."""
_STRANGERS = 6
_FRIENDS = 3
_PER_PAGE = 8
_PORTAL_SHARE = 0.25


class Listed(NamedTuple):
    """A site as a list shows it."""

    home: str
    name: str
    summary: str


def directory_host(topic: str) -> str:
    """The host of a topic's directory."""
    return f"{topic}-links.test"


def portal_hosts() -> tuple[str, ...]:
    """The hosts of the general portals."""
    return tuple(f"portal{number}.test" for number in range(1, PORTALS + 1))


def link_lists(sites: Mapping[str, Sequence[Listed]]) -> dict[str, str]:
    """The pages of all directories and portals by URL, for the sites of each topic."""
    draw = Random(SEED)
    everything = [site for listed in sites.values() for site in listed]
    pages: dict[str, str] = {}
    shown: set[Listed] = set()
    for topic, own in sites.items():
        chosen = draw.sample(list(own), round(_SHARE * len(own)))
        strangers = draw.sample([site for site in everything if site not in own], _STRANGERS)
        friends = draw.sample([other for other in sites if other != topic], _FRIENDS)
        pages |= _directory(topic, chosen, strangers, friends)
        shown |= {*chosen, *strangers}
    hidden = [site for site in everything if site not in shown]
    for number, host in enumerate(portal_hosts()):
        some = draw.sample(everything, round(_PORTAL_SHARE * len(everything)))
        picked = dict.fromkeys([*some, *hidden[number::PORTALS]])
        pages |= _portal(host, list(picked), list(sites))
    return pages


def _directory(topic: str, own: list[Listed], strangers: list[Listed], friends: list[str]) -> dict[str, str]:
    home = f"http://{directory_host(topic)}/"
    parts = [own[start : start + _PER_PAGE] for start in range(0, len(own), _PER_PAGE)]
    names = [f"list{number}.html" for number in range(1, len(parts) + 1)]
    title = f"Links about {topic}"
    contents = "".join(f'<li><a href="{name}">{title}, {name[4:-5]}</a></li>' for name in names)
    others = "".join(f'<li><a href="http://{directory_host(one)}/">Links about {one}</a></li>' for one in friends)
    pages = {
        home: _page(
            title,
            f"<p>A list of sites about {topic}, kept by hand.</p><ul>{contents}"
            '<li><a href="more.html">What else we like</a></li></ul>'
            f"<h2>Other lists</h2><ul>{others}</ul>",
        )
    }
    for name, part in zip(names, parts, strict=True):
        pages[home + name] = _page(title, f"<ul>{_items(part)}</ul>" + _back())
    pages[f"{home}more.html"] = _page("What else we like", f"<ul>{_items(strangers)}</ul>{_back()}")
    return pages


def _portal(host: str, listed: list[Listed], topics: list[str]) -> dict[str, str]:
    home = f"http://{host}/"
    parts = [listed[start : start + 2 * _PER_PAGE] for start in range(0, len(listed), 2 * _PER_PAGE)]
    names = [f"sites{number}.html" for number in range(1, len(parts) + 1)]
    lists = "".join(f'<li><a href="http://{directory_host(topic)}/">{topic}</a></li>' for topic in topics)
    contents = "".join(f'<li><a href="{name}">Sites, {name[5:-5]}</a></li>' for name in names)
    pages = {home: _page("All kinds of sites", f"<ul>{lists}</ul><h2>Sites</h2><ul>{contents}</ul>")}
    for name, part in zip(names, parts, strict=True):
        pages[home + name] = _page("All kinds of sites", f"<ul>{_items(part)}</ul>" + _back())
    return pages


def _items(listed: list[Listed]) -> str:
    return "".join(_item(site) for site in listed)


def _item(site: Listed) -> str:
    return f'<li><a href="{site.home}">{escape(site.name)}</a>: {escape(site.summary)}</li>\n'


def _back() -> str:
    return '<p><a href="/">Back to the start</a></p>'


def _page(title: str, body: str) -> str:
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"</head><body><h1>{escape(title)}</h1>\n{body}</body></html>"
    )
