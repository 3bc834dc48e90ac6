"""Work beside a crawl: policies and distillation, in a process of their own, on snapshots."""

from __future__ import annotations

from semcrawl.beside.check import check_policies
from semcrawl.beside.functions import View, query_functions
from semcrawl.beside.jobs import DistilJob, PolicyJob, Reply
from semcrawl.beside.process import SideProcess

__all__ = [
    "DistilJob",
    "PolicyJob",
    "Reply",
    "SideProcess",
    "View",
    "check_policies",
    "query_functions",
]
