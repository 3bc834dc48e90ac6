"""Link lists: repeatable, mixed, and together complete."""

from __future__ import annotations

import re

from benchmarks.debian_directories import Listed, directory_host, link_lists, portal_hosts

SITES = {
    topic: [Listed(f"http://{topic}{n}.test/", f"{topic}{n}", f"all <of> {topic}") for n in range(9)]
    for topic in ("music", "games", "sky", "maps")
}
PAGES = link_lists(SITES)


def _linked(host: str) -> set[str]:
    texts = [text for url, text in PAGES.items() if url.startswith(f"http://{host}/")]
    return {link for text in texts for link in re.findall(r'href="(http://\w+\d\.test/)"', text)}


def test_every_site_stands_in_some_list() -> None:
    lists = [*map(directory_host, SITES), *portal_hosts()]
    shown = {link for host in lists for link in _linked(host)}
    assert {site.home for listed in SITES.values() for site in listed} <= shown


def test_directory_lists_most_of_its_topic_and_some_of_others() -> None:
    linked = _linked(directory_host("music"))
    own = {site.home for site in SITES["music"]}
    assert len(own) / 2 < len(linked & own) < len(own)
    assert linked - own


def test_portals_know_all_directories() -> None:
    home = PAGES[f"http://{portal_hosts()[0]}/"]
    assert all(f"http://{directory_host(topic)}/" in home for topic in SITES)


def test_same_sites_give_the_same_lists() -> None:
    assert link_lists(SITES) == PAGES


def test_summaries_are_escaped() -> None:
    assert not any("<of>" in text for text in PAGES.values())
