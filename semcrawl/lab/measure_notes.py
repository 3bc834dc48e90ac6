"""What every measure is: its name, where it comes from, and how the open cases are decided.

Three choices hold for all measures.

- *Left-out pages* (training pages and drawn seeds) are neither hits nor fetches. "The first N
  pages" are the first N pages of a crawl that are not left out. Where crawls have fewer than N
  of them at their page limit, all crawlers of a topic are measured over as many as the one with
  the fewest has: none is punished or rewarded for meeting training pages.
- *A crawl that ends early* because nothing was left to fetch has found what it has found: the
  pages that it might still have fetched count as misses. So a crawler is not rewarded for
  stopping.
- *A topic without a page to find* tells nothing: measures that need one have no value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.lab.results import Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

_BATSAKIS = "Batsakis 2007, section 4.2"
_CHAKRABARTI_1999 = "Chakrabarti, van den Berg, Dom 1999, section 5.2"
_CHAKRABARTI_2002 = "Chakrabarti, Punera, Subramanyam 2002, section 1"
_ESTER = "Ester, Kriegel, Schubert 2004, section 3"
_ESTER_EXTERNAL = "Ester, Kriegel, Schubert 2004, section 4.2"
_ESTER_SITES = "Ester, Kriegel, Schubert 2004, table 1"
_OURS = "semcrawl"


def _more(name: str, title: str, unit: str, source: str, definition: str) -> Metric:
    return Metric(name, title, unit, True, source, definition)


def _less(name: str, title: str, unit: str, source: str, definition: str) -> Metric:
    return Metric(name, title, unit, False, source, definition)


_NOTES = (
    _more(
        "harvest-rate",
        "Harvest rate",
        "",
        _CHAKRABARTI_2002,
        "On-topic pages among the first N, divided by N. Pages that a crawl with nothing left "
        "to fetch did not fetch count as misses.",
    ),
    _less(
        "loss",
        "Loss rate",
        "",
        _CHAKRABARTI_2002,
        "One minus the harvest rate.",
    ),
    _more(
        "on-topic",
        "On-topic pages",
        "pages",
        _OURS,
        "How many of the first N pages are on topic.",
    ),
    _more(
        "harvest-ratio",
        "Harvest ratio",
        "",
        _BATSAKIS,
        "Share of the first N pages whose best cosine (tf-idf) with one of the topic's example "
        "pages is above a threshold, 0.75 in the paper. Pages not fetched count as misses.",
    ),
    _more(
        "average-similarity",
        "Average similarity",
        "",
        _BATSAKIS,
        "Mean of the best cosine with one of the topic's example pages over the first N pages. "
        "Pages not fetched count as 0.",
    ),
    _more(
        "precision",
        "Precision",
        "",
        "Pant, Menczer 2003, eq. 1 to 3",
        "Mean cosine of topic description and page over the first N pages, with weights "
        "(0.5 + 0.5 tf / max tf) ln(|C| / df), where C are the pages of all crawlers compared "
        "on the topic, oracles left out. Pages not fetched count as 0.",
    ),
    _more(
        "target-recall",
        "Target recall",
        "",
        "Pant, Menczer 2003, eq. 4",
        "On-topic pages among the first N, divided by all on-topic pages of the recorded web "
        "that are not left out. No value for a topic without any.",
    ),
    _more(
        "relevance",
        "Mean relevance",
        "",
        _CHAKRABARTI_1999,
        "Mean over the first N pages of what the judge of the crawl said. Crawls with different "
        "judges are not comparable. Pages not fetched count as 0.",
    ),
    _more(
        "moving-relevance",
        "Relevance, moving average",
        "",
        _CHAKRABARTI_1999,
        "Mean relevance of the 100 pages up to the N-th, of all where there are fewer. Pages "
        "not fetched count as 0.",
    ),
    _less(
        "first-relevant",
        "First on-topic page",
        "pages",
        _OURS,
        "The number of the first on-topic page; N + 1 where none of the first N is on topic.",
    ),
    _more(
        "oracle-share",
        "Share of the oracle",
        "",
        _OURS,
        "On-topic pages among the first N, divided by those of the oracle that sees the labels "
        "of link targets. It is greedy, so that a share above 1 is possible. No value where "
        "the oracle found none.",
    ),
    _more(
        "harvest-area",
        "Area under the harvest curve",
        "",
        _OURS,
        "The on-topic pages found after 1, 2, ... N pages, summed up, divided by the same sum "
        "for the oracle. Early finds count more. No value where the oracle found none.",
    ),
    _more(
        "concept-coverage",
        "Coverage of concepts",
        "",
        _OURS,
        "Share of the concepts or categories of the crawl's topic that one of the on-topic "
        "pages among the first N fits best. No value for a judge that names no concepts.",
    ),
    _less(
        "cpu-per-relevant",
        "CPU per on-topic page",
        "s",
        _OURS,
        "CPU of the crawl per fetched page, times the pages among the first N, divided by the "
        "on-topic ones. Training is left out. No value where none was found.",
    ),
    _less(
        "bytes-per-relevant",
        "Bytes per on-topic page",
        "bytes",
        _OURS,
        "Bytes of the first N pages, divided by the on-topic ones. No value where none was found.",
    ),
    _less(
        "pprs",
        "Pages per relevant site",
        "pages",
        _ESTER,
        "The first N pages, or as many as were fetched, divided by the sites that the crawler "
        "took for relevant by then and that are. Only of crawlers for sites; no value where "
        "none was found.",
    ),
    _more(
        "site-harvest-rate",
        "Site harvest rate",
        "",
        _ESTER_EXTERNAL,
        "Relevant sites among all sites that were judged by the N-th page. Sites that training "
        "saw are left out.",
    ),
    _more(
        "site-precision",
        "Site precision",
        "",
        _ESTER_SITES,
        "Relevant sites among those that the crawler took for relevant by the N-th page.",
    ),
    _more(
        "site-recall",
        "Site recall",
        "",
        _ESTER_SITES,
        "Of the relevant sites judged by the N-th page, the share that the crawler took for "
        "relevant.",
    ),
    _more(
        "site-f",
        "Site F-measure",
        "",
        _ESTER_SITES,
        "Harmonic mean of site precision and site recall; 0 where both are.",
    ),
    _more(
        "url-overlap",
        "Overlap of URLs",
        "",
        "Chakrabarti, van den Berg, Dom 1999, section 5.3",
        "Share of a crawl's first N pages that another crawl for the topic, from disjoint seeds, "
        "has among its first N too; all fetched pages count. Only with repetitions.",
    ),
    _more(
        "host-overlap",
        "Overlap of hosts",
        "",
        "Chakrabarti, van den Berg, Dom 1999, section 5.3",
        "The same for the hosts of these pages, the mean of both directions.",
    ),
)

MEASURES: Mapping[str, Metric] = {note.name: note for note in _NOTES}
"""All measures by name, in the order of reports."""
