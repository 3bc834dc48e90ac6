"""Benchmarks, each giving a ratio between two things measured in one run.

Run them all with ``python -m benchmarks``, one with ``python -m benchmarks road``,
smaller with ``--quick``. What each measures and what came out is told in
docs/benchmarks.md.

- ``road``: CPU per page of a whole crawl, beside Scrapy and beside requests with lxml
- ``frontier``: push and pop among ten thousand and among a million URLs
- ``recording``: recording pages in the crawl graph, beside a bare store
- ``kills``: a crawl that is killed thirty times, beside one that is not
- ``agreement``: measures between concepts, beside people's ratings and nltk
- ``lens``: a page looked at through a lens, beside a cosine and pairwise nltk
- ``semantic_crawl``: CPU per page of a semantic crawl, beside best-first
"""

from __future__ import annotations
