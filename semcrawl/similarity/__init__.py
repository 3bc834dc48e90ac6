"""How near concepts are to one another, and texts to a topic.

- ``measure``: the Measure protocol and the registry; ``ehrig``, ``li``,
  ``path_length``, ``wu_palmer``, ``information_content`` and ``relevance_sets``
  hold the measures
- ``hierarchy``: the sweeps over a graph's is-a edges that measures are made of, with
  ``depths``, ``information`` and ``leaving``
- ``lens``: a topic compiled through a measure, with ``lens_compiler``,
  ``label_terms`` and ``phrase_counts``; ``explanation``: what a lens saw in a text
- ``text_similarity``: the TextSimilarity protocol; ``cosine``, ``ehrig_similarity``,
  ``ssrm``, ``synonym_similarity`` and ``mihalcea`` hold the text similarities
"""

from __future__ import annotations

from semcrawl.similarity.cosine import CosineSimilarity
from semcrawl.similarity.ehrig import Ehrig
from semcrawl.similarity.ehrig_similarity import EhrigSimilarity
from semcrawl.similarity.explanation import Explanation, Match, Normaliser
from semcrawl.similarity.information_content import Lin, Resnik
from semcrawl.similarity.lens import Lens, LensLabel, Reason, TopicPart
from semcrawl.similarity.li import Li
from semcrawl.similarity.measure import MEASURES, FittingMeasure, Measure, word_similarity
from semcrawl.similarity.mihalcea import MihalceaSimilarity
from semcrawl.similarity.path_length import LeacockChodorow, Path
from semcrawl.similarity.relevance_sets import NearKinds, Related, Synonyms
from semcrawl.similarity.ssrm import SsrmSimilarity
from semcrawl.similarity.synonym_similarity import SynonymSimilarity
from semcrawl.similarity.text_similarity import OrderedTerms, TextSimilarity
from semcrawl.similarity.wu_palmer import WuPalmer

__all__ = [
    "MEASURES",
    "CosineSimilarity",
    "Ehrig",
    "EhrigSimilarity",
    "Explanation",
    "FittingMeasure",
    "LeacockChodorow",
    "Lens",
    "LensLabel",
    "Li",
    "Lin",
    "Match",
    "Measure",
    "MihalceaSimilarity",
    "NearKinds",
    "Normaliser",
    "OrderedTerms",
    "Path",
    "Reason",
    "Related",
    "Resnik",
    "SsrmSimilarity",
    "SynonymSimilarity",
    "Synonyms",
    "TextSimilarity",
    "TopicPart",
    "WuPalmer",
    "word_similarity",
]
