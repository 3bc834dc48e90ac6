"""What steers a crawl from its graph: policies, hubs and authorities, alarms, better seeds."""

from typing import TYPE_CHECKING

from semcrawl.steering.distiller import ACROSS, METHODS, Distillation, distill, record
from semcrawl.steering.policies import Policy, PolicyRow, RowForm, load_policy, named_policies, read_rows

if TYPE_CHECKING:
    from semcrawl.steering.seeds import (
        BackLinks,
        CrawlBackLinks,
        FileBackLinks,
        Hub,
        ReplayBackLinks,
        find_seeds,
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
    "distill",
    "find_seeds",
    "load_policy",
    "named_policies",
    "open_back_links",
    "read_rows",
    "record",
]


def __getattr__(name: str) -> object:
    # Loaded when first used: the process beside a crawl reads no pages.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from semcrawl.steering import seeds

    return getattr(seeds, name)


def __dir__() -> list[str]:
    return __all__
