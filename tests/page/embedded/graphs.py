"""Graphs of tests, compared up to the names of blank nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox
from lxml import etree

from semcrawl.page.embedded.rdfa import rdfa

if TYPE_CHECKING:
    from collections.abc import Iterable

PAGE = "http://a.test/dir/page"

PREFIXES = """
@prefix cc: <http://creativecommons.org/ns#> .
@prefix dc: <http://purl.org/dc/terms/> .
@prefix ex: <http://example.test/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix og: <http://ogp.me/ns#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix schema: <http://schema.org/> .
@prefix sioc: <http://rdfs.org/sioc/ns#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xhv: <http://www.w3.org/1999/xhtml/vocab#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


def tree(markup: str) -> etree._Element:
    """The page's tree as the crawler parses it."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    return etree.fromstring(markup.encode("utf-8", "replace"), parser)


def read(markup: str, base: str = PAGE) -> set[str]:
    """The statements of a page in RDFa, but for which vocabularies it uses."""
    said = rdfa(tree(markup), base, [])
    return canonical(one for one in said if "usesVocabulary" not in one.predicate.value)


def turtle(text: str) -> set[str]:
    """The statements of a text in Turtle, relative to the page."""
    quads = ox.parse(PREFIXES + text, format=ox.RdfFormat.TURTLE, base_iri=PAGE)
    return canonical(quad.triple for quad in quads)


def canonical(triples: Iterable[ox.Triple]) -> set[str]:
    """Statements as text, the blank nodes named by what is said of them."""
    dataset = ox.Dataset(ox.Quad(*triple) for triple in triples)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return {str(quad) for quad in dataset}
