"""An explanation as RDF, with provenance: what a judgement was derived from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.graph.vocabulary import DCTERMS, PROV, SC, decimal, iri, string
from semcrawl.topics.sources import concept_iri

if TYPE_CHECKING:
    from semcrawl.crawl.pages.explain import PageExplanation
    from semcrawl.relevance.explanation import Match


def explanation_turtle(found: PageExplanation, crawl: str) -> str:
    """The explanation of a page's relevance in Turtle; ``crawl`` is the crawl's IRI."""
    page = iri(found.url)
    lines = [
        f"@prefix sc: <{SC}> .",
        f"@prefix prov: <{PROV}> .",
        f"@prefix dcterms: <{DCTERMS}> .",
        "",
        f"<{found.url}#judgement> a sc:Judgement ;",
        f"    prov:wasDerivedFrom {page} ;",
        f"    prov:wasGeneratedBy {iri(crawl)} ;",
        f"    sc:judge {string(found.judge)} ;",
        f"    sc:relevance {decimal(found.relevance)} ;",
        f"    sc:score {decimal(found.explanation.score)}",
    ]
    for normaliser in found.explanation.normalisers:
        lines[-1] += " ;"
        lines.append(
            f"    sc:dividedBy [ dcterms:title {string(normaliser.name)} ; "
            f"sc:value {decimal(normaliser.value)} ]"
        )
    if found.explanation.squashed:
        lines[-1] += " ;"
        lines.append("    sc:squashed true")
    for match in found.explanation.matches:
        lines[-1] += " ;"
        lines.append("    sc:match [ " + " ; ".join(_match(match)) + " ]")
    return "\n".join(lines) + " .\n"


def _match(match: Match) -> list[str]:
    parts = [f"sc:word {string(word)}" for word in match.words]
    parts.append(f"sc:count {match.count}")
    if match.concept is not None:
        parts.append(f"sc:concept {iri(concept_iri(match.concept))}")
        parts.append(f"sc:topicConcept {iri(concept_iri(match.topic))}")
    return [
        *parts,
        f"sc:similarity {decimal(match.similarity)}",
        f"sc:contribution {decimal(match.contribution)}",
    ]
