"""Topics and the concepts they are made of.

- ``topic``: what the user wants; ``topic_spec`` reads it from a string or a file,
  ``topic_toml`` and ``topic_turtle`` are the two file formats
- ``concepts``: the concept graph that every source is read into, with ``labels``,
  ``edges`` and ``graph_builder``
- ``sources``: the registry of concept sources, with ``wordnet_source``,
  ``ontology_source`` and ``taxonomy_source``; ``read_options`` and ``concept_names``
- ``ontology``: reading a file of OWL, RDFS or SKOS, with ``rdf_file`` and ``statements``
  (any syntax into statements), ``xml_guard`` and ``owl_xml``, ``rdf_names``, ``imports``,
  ``concept_labels``, ``owl``, ``class_axioms``, ``owl_expressions``, ``skos``, ``file_graph``
- ``manchester``: class expressions, answered by ``expression_matches`` or ``reasoning``
- ``taxonomy``: trees of categories with examples, ``trained_taxonomy``: those of a model
  file; ``joining``: two graphs as one; ``outline``: a topic and what is narrower, as rows
- ``wordnet``: WordNet 3.0 as shipped, with ``morphy`` (base forms), ``senses``
  (descriptions for people), ``wordnet_file`` and ``columns`` (the file format)
"""

from __future__ import annotations

from semcrawl.topics.category_files import read_taxonomy
from semcrawl.topics.concepts import Concept, ConceptGraph, ConceptGraphBuilder
from semcrawl.topics.joining import join_graphs
from semcrawl.topics.labels import Label
from semcrawl.topics.ontology import FileGraph, ReadOptions, read_ontology
from semcrawl.topics.sources import SOURCES, ConceptSource, read_concepts
from semcrawl.topics.topic import ConceptNote, Keyword, Topic, TopicConcept
from semcrawl.topics.wordnet import Sense, WordNet, gloss, senses_of, wordnet

__all__ = [
    "SOURCES",
    "Concept",
    "ConceptGraph",
    "ConceptGraphBuilder",
    "ConceptNote",
    "ConceptSource",
    "FileGraph",
    "Keyword",
    "Label",
    "ReadOptions",
    "Sense",
    "Topic",
    "TopicConcept",
    "WordNet",
    "gloss",
    "join_graphs",
    "read_concepts",
    "read_ontology",
    "read_taxonomy",
    "senses_of",
    "wordnet",
]
