"""The rows of a table that are of one site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from semcrawl.errors import QueryError, RequestError
from semcrawl.graph.literals import iri
from semcrawl.graph.vocabulary import SC, site_iri
from semcrawl.serve.views.rows import rows_of
from semcrawl.serve.views.site_table import site_of_url

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from semcrawl.graph import CrawlGraph
    from semcrawl.serve.views.table_index import TableIndex

__all__ = ["rows_of_site"]


def rows_of_site(
    graph: CrawlGraph, index: TableIndex, order: NDArray[np.int64], host: str
) -> NDArray[np.int64]:
    """Those of the rows whose URL is of the site of this name, in their order.

    The graph says what a site is, since a crawl for websites may take whole domains,
    or folders, for one. URLs that were dropped when they were found have no site
    there: for them their host counts. A host may be written in any case, unlike a
    folder behind it.

    Raises:
        RequestError: no site can be called so.
    """
    name, slash, folder = host.partition("/")
    site = site_iri(name.lower() + slash + folder)
    try:
        iri(site)
    except QueryError:
        raise RequestError(f"site={host[:100]} is no host: give one such as www.example.org") from (
            None
        )
    known = {row["url"] for row in rows_of(graph, "serve/urls-of-site", site=site)}

    def is_there(url: str) -> bool:
        if url in known:
            return True
        return site_of_url(url) == site and graph.store.value(url, SC + "site") is None

    rows = [row for row in order.tolist() if is_there(index.urls[row])]
    return np.array(rows, np.int64)
