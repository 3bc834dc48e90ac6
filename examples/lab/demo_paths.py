"""Made-up browsing paths through the demo web: ``python demo_paths.py > demo-paths.tsv``.

Each path leads from the portal to a page by one of the shortest ways, drawn by chance, as
if a person had known where to go. For crawlers that are trained from browsing.
"""

from __future__ import annotations

from collections import deque
from random import Random

from semcrawl.demo import demo_web
from semcrawl.errors import PageError
from semcrawl.page import read_page

PATHS = 150


def links_of_the_demo_web() -> dict[str, list[str]]:
    """The links of every page that can be read, to others of these."""
    pages = {}
    for url, response in demo_web().pages.items():
        try:
            pages[url] = read_page(response)
        except PageError:
            continue
    return {url: sorted({link.url for link in page.links if link.url in pages} - {url}) for url, page in pages.items()}


def ways_from(start: str, links: dict[str, list[str]], draw: Random) -> dict[str, str]:
    """Of every page that can be reached, the page before it on a shortest way, by chance."""
    before = {start: ""}
    waiting = deque([start])
    while waiting:
        url = waiting.popleft()
        for target in draw.sample(links[url], len(links[url])):
            if target not in before:
                before[target] = url
                waiting.append(target)
    return before


def paths() -> list[list[str]]:
    """The paths, the same on every machine."""
    draw = Random(1)
    links = links_of_the_demo_web()
    start = demo_web().seeds[0]
    found = []
    for _ in range(PATHS):
        before = ways_from(start, links, draw)
        url = draw.choice(sorted(set(before) - {start}))
        path = [url]
        while before[path[-1]]:
            path.append(before[path[-1]])
        found.append(path[::-1])
    return found


if __name__ == "__main__":
    print("# Made by demo_paths.py: a path a line, from the portal of the demo web to a page.")
    for way in paths():
        print("\t".join(way))
