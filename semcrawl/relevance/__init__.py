"""How near concepts are to one another, and texts to a topic.

- ``hierarchy``: the sweeps over is-a edges that measures are made of; ``measures``
- ``lens``, ``lens_compiler``: a topic compiled through a measure
- ``similarities``: text similarities; ``judges``: the relevance of a page
- ``explanation``: a score taken apart; ``neighbourhood``: what lies around a concept
"""

from __future__ import annotations

from semcrawl.relevance.explanation import Explanation, Match, Normaliser
from semcrawl.relevance.judges import (
    JUDGES,
    CosineJudge,
    EhrigJudge,
    Judge,
    Judgement,
    MihalceaJudge,
    SsrmJudge,
    SynonymSetsJudge,
    explaining,
)
from semcrawl.relevance.lens import Lens, LensLabel, Reason, TopicPart
from semcrawl.relevance.measures import (
    MEASURES,
    Ehrig,
    FittingMeasure,
    LeacockChodorow,
    Li,
    Lin,
    Measure,
    NearKinds,
    Path,
    Related,
    Resnik,
    Synonyms,
    WuPalmer,
    word_similarity,
)
from semcrawl.relevance.similarities import (
    CosineSimilarity,
    EhrigSimilarity,
    MihalceaSimilarity,
    OrderedTerms,
    SsrmSimilarity,
    SynonymSimilarity,
    TextSimilarity,
)

__all__ = [
    "JUDGES",
    "MEASURES",
    "CosineJudge",
    "CosineSimilarity",
    "Ehrig",
    "EhrigJudge",
    "EhrigSimilarity",
    "Explanation",
    "FittingMeasure",
    "Judge",
    "Judgement",
    "LeacockChodorow",
    "Lens",
    "LensLabel",
    "Li",
    "Lin",
    "Match",
    "Measure",
    "MihalceaJudge",
    "MihalceaSimilarity",
    "NearKinds",
    "Normaliser",
    "OrderedTerms",
    "Path",
    "Reason",
    "Related",
    "Resnik",
    "SsrmJudge",
    "SsrmSimilarity",
    "SynonymSetsJudge",
    "SynonymSimilarity",
    "Synonyms",
    "TextSimilarity",
    "TopicPart",
    "WuPalmer",
    "explaining",
    "word_similarity",
]
