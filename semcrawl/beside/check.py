"""Checking policies before a crawl, where they can do no harm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.beside.functions import View
from semcrawl.beside.jobs import PolicyJob
from semcrawl.beside.process import SideProcess
from semcrawl.errors import QueryError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.snapshot import remove_snapshot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.policies import Policy

__all__ = ["check_policies"]

_SECONDS = 10.0
_CONTEXT: dict[str, object] = {"across": "hosts", "since": 0, "step": 0, "threshold": 0.5}


def check_policies(policies: Sequence[Policy]) -> None:
    """Run the users' own policies once on an empty graph, in another process.

    Raises:
        QueryError: a syntax error, an unknown function, or one that takes long
            even where there is nothing to look at.
    """
    own = [policy for policy in policies if policy.is_own]
    if not own:
        return
    empty = CrawlGraph.create()
    place = empty.snapshot()
    side = SideProcess(_SECONDS)
    try:
        for policy in own:
            text = policy.text(_CONTEXT)
            side.start(PolicyJob(str(place), text, policy.form.name, 1, View("", "")))
            reply = side.wait()
            if reply.error:
                raise QueryError(f"the policy {policy.name}: {reply.error}")
    finally:
        side.close()
        remove_snapshot(place)
        empty.close()
