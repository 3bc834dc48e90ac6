"""Topics and the concepts they are made of.

- ``topic``: what the user wants; ``topic_spec`` reads it from a string or a file,
  ``topic_toml`` and ``topic_turtle`` are the two file formats
- ``concepts``: the concept graph that every source is read into, with ``labels``,
  ``edges`` and ``graph_builder``
- ``sources``: the registry of concept sources, with ``wordnet_source``
- ``wordnet``: WordNet 3.0 as shipped, with ``morphy`` (base forms), ``senses``
  (descriptions for people), ``wordnet_file`` and ``columns`` (the file format)
"""

from __future__ import annotations

from semcrawl.topics.concepts import Concept, ConceptGraph
from semcrawl.topics.graph_builder import ConceptGraphBuilder
from semcrawl.topics.labels import Label
from semcrawl.topics.senses import Sense, senses_of
from semcrawl.topics.sources import SOURCES, ConceptSource, read_concepts
from semcrawl.topics.topic import Keyword, Topic, TopicConcept
from semcrawl.topics.wordnet import WordNet, gloss, wordnet

__all__ = [
    "SOURCES",
    "Concept",
    "ConceptGraph",
    "ConceptGraphBuilder",
    "ConceptSource",
    "Keyword",
    "Label",
    "Sense",
    "Topic",
    "TopicConcept",
    "WordNet",
    "gloss",
    "read_concepts",
    "senses_of",
    "wordnet",
]
