"""A server has several workers: each imports what its jobs need, and starts fast."""

from __future__ import annotations

import json
import subprocess
import sys

import semcrawl.serve.app  # noqa: F401 - imports all jobs
from semcrawl.serve.worker import Job

CRAWLING = {"semcrawl.crawl.engine", "semcrawl.models", "semcrawl.relevance", "lxml", "requests"}
WEB_FRAMEWORK = {"starlette", "uvicorn"}

SCRIPT = """
import importlib, json, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print(json.dumps(sorted(sys.modules)))
"""


def imported_with(*modules: str) -> set[str]:
    """The modules that are there after an import of these in a new process."""
    command = [sys.executable, "-c", SCRIPT, *modules]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    return set(json.loads(ran.stdout))


def test_a_worker_imports_neither_the_web_framework_nor_what_crawls() -> None:
    ours = {kind.__module__ for kind in Job.__subclasses__()}
    modules = sorted(name for name in ours if name.startswith("semcrawl."))
    assert {"semcrawl.serve.monitor", "semcrawl.serve.sparql_protocol"} <= set(modules)
    assert not imported_with("semcrawl.serve.worker", *modules) & (CRAWLING | WEB_FRAMEWORK)


def test_the_server_does_not_import_what_crawls() -> None:
    found = imported_with("semcrawl.serve.server")
    assert found >= WEB_FRAMEWORK
    assert not found & CRAWLING
