"""A job for tests of the workers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from semcrawl.serve.worker import Job, plain

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph


class RowsJob(Job, frozen=True):
    """The rows of a SELECT, a named query or a text: ``{"variables": […], "rows": [{…}, …]}``."""

    query: str
    parameters: dict[str, str | int | float | bool] = msgspec.field(default_factory=dict)

    def do(self, graph: CrawlGraph) -> dict[str, Any]:
        answer = graph.query(self.query, **self.parameters)
        rows = [{name: plain(value) for name, value in row.items()} for row in answer]
        return {"variables": list(answer.variables), "rows": rows}
