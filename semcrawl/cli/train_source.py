"""Where training gets its pages from: a recorded web, or the network with manners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.learning.training_pages import PageSource
    from semcrawl.web import Fetcher

__all__ = ["training_fetcher", "training_source"]


def training_fetcher(options: Mapping[str, Any]) -> Fetcher:
    """What answers URLs, by the options ``replay``, ``contact``, ``allow_private``, ``proxy``."""
    from semcrawl.web import HttpFetcher, open_replay, user_agent

    if options["replay"]:
        return open_replay(list(options["replay"]))
    return HttpFetcher(
        user_agent(options["contact"] or None),
        allow_private=options["allow_private"],
        proxy=options["proxy"] or None,
    )


def training_source(fetcher: Fetcher, options: Mapping[str, Any]) -> PageSource:
    """The same with robots.txt and ``delay``, which a recorded web needs not."""
    from semcrawl.learning.training_pages import PageSource
    from semcrawl.web import Politeness, Robots, user_agent

    if options["replay"]:
        return PageSource(fetcher)
    robots = Robots(fetcher, user_agent(options["contact"] or None))
    return PageSource(fetcher, robots, Politeness(delay=options["delay"]))
