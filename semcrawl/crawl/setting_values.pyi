# Made from semcrawl/crawl/settings.py by 'python -m scripts.setting_types'.
# fmt: off
# ruff: noqa: E501, PYI021

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypedDict

class SettingValues(TypedDict, total=False):
    """Settings of a crawl by name, as keyword arguments."""
    threshold: float | None
    """Relevance from which a page counts as relevant [default: the judge's]."""
    background: str | Path
    """Idf table, or a recorded web to take it from [default: shipped]."""
    sketches: bool
    """Note with each page what near duplicates are found by."""
    linked_data: Literal["off", "embedded", "follow", "only"]
    """RDF: none; what HTML pages embed; RDF documents as pages, too; these only."""
    data_links: Literal["objects", "subjects", "predicates", "classes"] | Sequence[Literal["objects", "subjects", "predicates", "classes"]]
    """IRIs of RDF documents that are links: objects, subjects, predicates or classes [default: objects]."""
    data_dumps: bool
    """Follow links to files with all of a dataset."""
    link_lists: Literal["off", "seeds", "all"]
    """Sitemaps and feeds that are asked for links: none, those of the seeds' sites, of all."""
    warc: bool
    """Keep what is fetched, in WARC files."""
    warc_all: bool
    """Keep failures, other types of files and robots.txt, too."""
    warc_size: int
    """Bytes from which on another WARC file is begun."""
    mirror: str
    """SPARQL server that follows the graph, by its address for updates."""
    pages: int
    """Stop after so many pages (0: no limit)."""
    relevant: int
    """Stop after so many relevant pages (0: no limit)."""
    seconds: float
    """Stop after so many seconds (0: no limit)."""
    include: str | Sequence[str]
    """Only URLs that match one of these patterns (* and ?)."""
    exclude: str | Sequence[str]
    """No URLs that match one of these patterns (* and ?)."""
    depth: int
    """At most so many links away from a seed (0: no limit)."""
    pages_per_host: int
    """At most so many pages from one host, failures counted too (0: no limit)."""
    frontier_size: int
    """How many URLs wait at most; the best are kept, others come back when nothing else waits."""
    rotation: int
    """So many other picks between two picks of one host (0: as the strategy says)."""
    patience: float | None
    """How long a poor URL waits for a busy host with a good one, in s beside the delay [default: as the strategy says: adaptive 2, others 0]."""
    policy: str | Path | Sequence[str | Path]
    """Policy that revises the frontier: a name, a file .rq, or none."""
    policy_seconds: float
    """Time that one run of a policy may take, in s."""
    policy_share: float
    """Share of the crawl's CPU for policies and distiller (not in a replay)."""
    distill_every: int
    """Find hubs and authorities every so many pages [default: if needed]."""
    distill_share: float
    """Share of the pages that can be authorities."""
    distill_across: Literal["hosts", "pages"]
    """Links that count: those between hosts, or all between pages."""
    revisit_share: float
    """Share of the visits for revisits (1: nothing else is visited)."""
    alarm_window: int
    """Latest pages that alarms look at (0: no alarms)."""
    stagnation: float
    """Raise an alarm when a smaller share of them is relevant."""
    slowdown: float
    """Raise an alarm when pages come at less than this times their best rate."""
    diffusion: float
    """Raise an alarm when mean relevance falls below this times its best."""
    contact: str
    """URL or e-mail address that the user agent tells to servers."""
    robots: bool
    """Obey robots.txt."""
    nofollow: bool
    """Obey nofollow on links and pages."""
    delay: float
    """Least time between two requests to a host."""
    max_delay: float
    """Most time that a host can ask to wait."""
    workers: int
    """Visits at a time [default: 16, in a replay 1]."""
    tries: int
    """How often a URL is tried when it fails."""
    retry_delay: float
    """Wait before the second try; doubled for each one after."""
    connect_timeout: float
    """Time to connect, in s."""
    read_timeout: float
    """Time between bytes, in s."""
    total_timeout: float
    """Time for a whole answer, in s."""
    max_bytes: int
    """How much of a page is read."""
    oversize: Literal["cut", "drop"]
    """What is done with larger pages."""
    max_redirects: int
    """How many redirects in a row are followed."""
    allow_private: bool
    """Allow loopback, private and other reserved addresses."""
    proxy: str
    """HTTP proxy, such as http://127.0.0.1:3128."""
    replay: str | Path | Sequence[str | Path]
    """Recorded web that answers instead of the network."""
