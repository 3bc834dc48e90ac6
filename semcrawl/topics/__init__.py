"""Topics, and the concepts they are made of with their sources.

``topic`` and ``sources`` stand on top; ``concepts`` is the graph that all readers make. Files of
ontologies, in the order of reading: ``ontology``, ``ontology_files``, ``rdf_files`` (``owl_xml``,
``obo``), ``rdf_statements``, ``rdf_concepts``, with ``vocabularies``; ``graph_cache``.
"""

from semcrawl.topics.concepts import ConceptGraph, ConceptGraphBuilder, join_graphs
from semcrawl.topics.ontology import read_ontology
from semcrawl.topics.topic import Topic
from semcrawl.topics.vocabularies import PROFILES
from semcrawl.topics.wordnet import wordnet

__all__ = ["PROFILES", "ConceptGraph", "ConceptGraphBuilder", "Topic", "join_graphs", "read_ontology", "wordnet"]
