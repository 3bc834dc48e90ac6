"""The IRIs of the vocabularies that ontologies and thesauri are written in."""

from __future__ import annotations

from typing import Final

__all__ = ["BUILT_IN", "NOT_RELATIONS", "OBO", "OWL", "RDF", "RDFS", "SCHEMA", "SKOS", "SKOSXL"]

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
SKOS: Final = "http://www.w3.org/2004/02/skos/core#"
SKOSXL: Final = "http://www.w3.org/2008/05/skos-xl#"
OBO: Final = "http://www.geneontology.org/formats/oboInOwl#"
SCHEMA: Final = ("https://schema.org/", "http://schema.org/")

BUILT_IN: Final = (RDF, RDFS, OWL, SKOS, SKOSXL, "http://www.w3.org/2001/XMLSchema#")
"""What is in these namespaces is part of the language, not a concept."""

NOT_RELATIONS: Final = (
    *BUILT_IN,
    OBO,
    "http://purl.org/dc/terms/",
    "http://purl.org/dc/elements/1.1/",
    "http://www.w3.org/ns/prov#",
)
"""Properties in these namespaces say how a file is made, not how concepts are related."""
