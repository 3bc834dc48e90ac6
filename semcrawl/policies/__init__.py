"""Policies: SPARQL query files whose rows revise the frontier while a crawl runs."""

from __future__ import annotations

from semcrawl.policies.policy import Policy, RowForm, load_policy, named_policies
from semcrawl.policies.rows import PolicyRow, read_rows

__all__ = ["Policy", "PolicyRow", "RowForm", "load_policy", "named_policies", "read_rows"]
