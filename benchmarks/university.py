"""The default crawler where pages do not look like their topic: the university of the tests, with more on each page.

``python -m benchmarks.university`` prints how many students and teachers are found, beside best-first.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.shards import write_web
from semcrawl.crawl import Crawl
from tests.strategies.university import FOOTER, MENU, SEED, university

__all__ = ["main"]

ROWS: dict[str, dict[str, Any]] = {
    "nothing more": {},
    "300 words of no meaning": {"general": 300},
    "1,000 such words": {"general": 1_000},
    "a footer that names students and faculty, and 300 words": {"footer": FOOTER, "general": 300},
    "that footer alone, on pages of ten to thirty words": {"footer": FOOTER},
    "a menu with both, and 300 words": {"menu": MENU, "general": 300},
    "that menu alone": {"menu": MENU},
    "menu, footer and 300 words": {"menu": MENU, "footer": FOOTER, "general": 300},
    "menu, a host for each student, 400 words": {"menu": MENU, "general": 400, "hosts": True},
}
TOPICS = [("keywords:student", "student", 90), ("keywords:faculty, professor", "teacher", 70)]
CRAWLERS = [("adaptive", "adaptive"), ("best-first-page-anchor", "labels")]
DRAWS = 2
_HOME = re.compile(r"http://department(\d)\.test(?:/~s(\d+)(?=/))?")


def main() -> None:
    """Print a row of the table in docs/benchmarks.md for each kind of page."""
    print("| each page has | adaptive | best-first |\n|---|---|---|")
    for title, more in ROWS.items():
        cells = [", ".join(f"{_found(*topic, *crawler, **more):g}" for topic in TOPICS) for crawler in CRAWLERS]
        print(f"| {title} | {' | '.join(cells)} |", flush=True)


def _found(topic: str, kind: str, pages: int, strategy: str, judge: str, *, hosts: bool = False, **more: Any) -> float:
    """Return how many pages of a kind a crawl finds, the mean over some draws of the web."""
    found = 0
    for draw in range(DRAWS):
        web, kinds = university(draw=draw, **more)
        wanted, seed = kinds[kind], SEED
        if hosts:
            web = {_moved(url): _moved(_absolute(url, page)) for url, page in web.items()}
            wanted, seed = set(map(_moved, wanted)), _moved(SEED)
        with tempfile.TemporaryDirectory() as place:
            replay = [write_web(web, Path(place) / "web")]
            with Crawl(topic, [seed], strategy=strategy, judge=judge, replay=replay, pages=pages, workers=1) as crawl:
                crawl.run()
                found += len(wanted & {row["url"] for row in crawl.query("harvest")})
    return found / DRAWS


def _absolute(url: str, page: str) -> str:
    home = "/".join(url.split("/")[:3])
    return re.sub(r'href="?(/[^">\s]*)"?', lambda link: f'href="{home}{link[1]}"', page)


def _moved(text: str) -> str:
    """Return a text in which departments are registered domains and students have hosts there."""
    return _HOME.sub(lambda at: f"http://{f's{at[2]}.' if at[2] else ''}department{at[1]}.org", text)


if __name__ == "__main__":
    main()
