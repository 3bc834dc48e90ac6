"""Topics, and the concepts they are made of with their sources.

``topic`` and ``sources`` stand on top; ``concepts`` is the graph that all readers make. Files of
ontologies, in the order of reading: ``ontology``, ``ontology_files``, ``rdf_files`` (``owl_xml``,
``obo``), ``rdf_statements``, ``rdf_concepts``, with ``vocabularies``; ``graph_cache``.
"""

from semcrawl.topics.category_files import read_taxonomy
from semcrawl.topics.concepts import ConceptGraph, ConceptGraphBuilder, join_graphs
from semcrawl.topics.file_graph import FileGraph
from semcrawl.topics.labels import Label
from semcrawl.topics.ontology import read_ontology
from semcrawl.topics.sources import SOURCES, ConceptSource, ReadOptions, read_concepts
from semcrawl.topics.topic import ConceptNote, Keyword, Topic, TopicConcept
from semcrawl.topics.vocabularies import PROFILES, PropertyRoles
from semcrawl.topics.wordnet import Sense, WordNet, senses_of, wordnet

__all__ = [
    "PROFILES",
    "SOURCES",
    "ConceptGraph",
    "ConceptGraphBuilder",
    "ConceptNote",
    "ConceptSource",
    "FileGraph",
    "Keyword",
    "Label",
    "PropertyRoles",
    "ReadOptions",
    "Sense",
    "Topic",
    "TopicConcept",
    "WordNet",
    "join_graphs",
    "read_concepts",
    "read_ontology",
    "read_taxonomy",
    "senses_of",
    "wordnet",
]
