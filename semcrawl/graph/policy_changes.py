"""Runs of policies in the crawl graph: what ran, when, and what it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.graph.literals import iri, string

if TYPE_CHECKING:
    from semcrawl.graph.changes import Changes

__all__ = ["policy_ran"]


def policy_ran(
    changes: Changes,
    crawl: str,
    *,
    number: int,
    name: str,
    step: int,
    changed: int,
    error: str = "",
) -> None:
    """A policy ran after the page of this step and changed so many URLs or sites.

    ``number`` counts the runs of all policies of a crawl.
    """
    run = iri(f"{crawl}#policy-run-{number}")
    changes.state(
        f"{iri(crawl)} sc:policyRun {run} . {run} a sc:PolicyRun ; sc:policyName {string(name)} ; "
        f"sc:atStep {step} ; sc:urlsChanged {changed}"
        + (f" ; sc:note {string(error)}" if error else "")
    )
