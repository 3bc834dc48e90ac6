"""Benchmarks, each giving a ratio between two things measured in one run.

Run them all with ``python -m benchmarks``, one with ``python -m benchmarks road``,
smaller with ``--quick``. What each measures and what came out is told in
docs/benchmarks.md.

- ``road``: CPU per page of a whole crawl, beside Scrapy and beside requests with lxml
- ``real_pages``: CPU of reading, judging and recording real pages, beside lxml alone
- ``startup``: CPU from the command ``crawl`` to its first request
- ``frontier``: push and pop among ten thousand and among a million URLs
- ``recording``: recording pages in the crawl graph, beside a bare store
- ``mirror``: sending changes to a SPARQL server, and what it costs the crawl
- ``kills``: a crawl that is killed thirty times, beside one that is not
- ``agreement``: measures between concepts, beside people's ratings and nltk
- ``lens``: a page looked at through a lens, beside a cosine and pairwise nltk
- ``labels``: F of pages judged by the topic's labels, beside ``ssrm`` and ``cosine``
- ``semantic_crawl``: CPU per page of a semantic crawl, beside best-first
- ``distillation``: hubs and authorities of a large graph, beside rdflib
- ``classifier``: accuracy of the taxonomy's classifier, beside scikit-learn's
- ``robustness``: pages that two soft-focused crawls from different seeds share, and breadth-first
- ``policy_overhead``: CPU of the shipped policies, beside the crawl that they steer
- ``distiller_gain``: on-topic pages of soft focus with and without the distiller
- ``apprentice``: predictions, ranking anew, and a whole crawl, beside best-first
- ``hmm``: CPU per page of the hidden Markov crawlers
- ``websites``: the website crawler beside homepages and a page crawler, on Debian's documents
- ``serve``: a crawl with 200 who follow it live and 20 who ask its endpoint, beside it alone
- ``serve_tables``: pages of the tables of a large crawl, as its server shows them
- ``fuzz``: random and damaged inputs for every reader of foreign bytes, for ``--minutes``
- ``soak``: 100,000 pages in one crawl: memory, CPU per page, open files, processes left
"""

from __future__ import annotations
