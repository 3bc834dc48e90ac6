"""The demonstration: a small web that the package makes itself, and two crawls of it.

- ``web``: the demo web as a whole; ``sites`` and ``oddities`` plan its pages
- ``pages``: pages while they are planned, and their HTML
- ``prose``: what the pages are about, and their sentences
- ``run``: the crawls of ``semcrawl demo``
"""

from __future__ import annotations

from semcrawl.demo.web import DemoTopic, DemoWeb, demo_web

__all__ = ["DemoTopic", "DemoWeb", "demo_web"]
