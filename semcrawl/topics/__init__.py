"""Topics and the concepts they are made of.

The way of a topic: a text (``topic_files``) names a source (``sources``), whose
concepts are in a concept graph (``concepts``), and become a ``topic``.

- ``topic``: what the user wants; ``topic_files``: from a string, or a file in TOML or Turtle
- ``sources``: the table of concept sources, and how concepts are named in each
- ``concepts``: the concept graph that every source is read into, with its ``labels``;
  ``file_graph``: one that was read from a file, and its concepts by name
- ``wordnet``: WordNet 3.0 as shipped; ``wordnet_file``: the format of its file
- ``category_files``: trees of categories with examples, plain or trained
- ``ontology``: a file of OWL, RDFS or SKOS with its imports, from ``rdf_files`` (the table of
  syntaxes), ``rdf_statements``, ``owl`` and ``skos``
- ``class_expressions``: class expressions in Manchester syntax, answered by what an ontology
  tells, or by ``reasoning``
"""

from __future__ import annotations

from semcrawl.topics.category_files import read_taxonomy
from semcrawl.topics.concepts import ConceptGraph, ConceptGraphBuilder, join_graphs
from semcrawl.topics.file_graph import FileGraph
from semcrawl.topics.labels import Label
from semcrawl.topics.ontology import read_ontology
from semcrawl.topics.sources import SOURCES, ConceptSource, ReadOptions, read_concepts
from semcrawl.topics.topic import ConceptNote, Keyword, Topic, TopicConcept
from semcrawl.topics.wordnet import Sense, WordNet, gloss, senses_of, wordnet

__all__ = [
    "SOURCES",
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
