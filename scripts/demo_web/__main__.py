"""Write the demo web into the package: ``python -m scripts.demo_web``."""

import argparse
import gzip
from pathlib import Path

import msgspec
from msgspec.structs import asdict

from scripts.demo_web.sites import make_web
from semcrawl.demo.web import FILE, DemoWeb

_OF_AN_ANSWER = ("url", "status", "headers", "body", "fetched_at", "elapsed", "redirect", "truncated")


def packed(web: DemoWeb) -> bytes:
    """Return a web as `demo_web` reads it; sets are sorted, so that the same web is the same."""
    topics = {
        name: {key: sorted(value) if isinstance(value, frozenset) else value for key, value in asdict(topic).items()}
        for name, topic in web.topics.items()
    }
    stored = {
        "pages": {url: {name: getattr(answer, name) for name in _OF_AN_ANSWER} for url, answer in web.pages.items()},
        "seeds": web.seeds,
        "topics": topics,
        "dead_links": sorted(web.dead_links),
    }
    return msgspec.msgpack.encode(stored)


def main() -> None:
    """Make the web and say how large it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=FILE, help="the file to write")
    place = parser.parse_args().out
    web = make_web()
    place.write_bytes(gzip.compress(packed(web), mtime=0))
    print(f"{place.name}: {len(web.pages)} URLs, {place.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
