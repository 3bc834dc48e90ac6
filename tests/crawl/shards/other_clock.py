"""A host on a machine whose clocks are ahead of ours, or behind."""

from __future__ import annotations

import time


def serve(seconds: str) -> None:
    """Be such a host: the clocks are set before anything asks them."""

    def ahead(name: str, by: float) -> None:
        real = getattr(time, name)
        setattr(time, name, lambda: real() + by)

    ahead("time", float(seconds))
    ahead("monotonic", float(seconds))
    ahead("time_ns", int(seconds) * 10**9)
    from semcrawl.crawl.shards.host import serve_driver

    serve_driver()
