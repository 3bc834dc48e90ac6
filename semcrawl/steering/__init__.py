"""What steers a crawl from its graph: policies, hubs and authorities, alarms, better seeds."""

from __future__ import annotations

from semcrawl.steering.distiller import ACROSS, METHODS, Distillation, distil, record
from semcrawl.steering.policies import (
    Policy,
    PolicyRow,
    RowForm,
    load_policy,
    named_policies,
    read_rows,
)
from semcrawl.steering.seeds import (
    BackLinks,
    CrawlBackLinks,
    FileBackLinks,
    Hub,
    ReplayBackLinks,
    augment,
    open_back_links,
)

__all__ = [
    "ACROSS",
    "METHODS",
    "BackLinks",
    "CrawlBackLinks",
    "Distillation",
    "FileBackLinks",
    "Hub",
    "Policy",
    "PolicyRow",
    "ReplayBackLinks",
    "RowForm",
    "augment",
    "distil",
    "load_policy",
    "named_policies",
    "open_back_links",
    "read_rows",
    "record",
]
