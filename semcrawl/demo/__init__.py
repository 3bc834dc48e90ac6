"""The demonstration: a small web that the package makes itself, and plots of crawls over it.

- ``web``: the demo web as a whole; ``sites``, ``portals``, ``crosslinks`` and
  ``oddities`` plan its pages (``sheet``), ``markup`` and ``own_statements`` write
  them, ``traps`` are its endless parts
- ``subjects``: what it is about; ``compose`` and ``filler`` write the sentences
- ``terminal_plot``, ``svg_plot``: curves of crawls, in plain text and as a picture;
  ``axes`` is what both share
"""

from __future__ import annotations

from semcrawl.demo.web import DemoTopic, DemoWeb, demo_web

__all__ = ["DemoTopic", "DemoWeb", "demo_web"]
