"""How near concepts are to one another, and texts to a topic.

- ``measures``: how near two concepts are; ``hierarchy``: the is-a sweeps they are made of
- ``lens``: a topic compiled through a measure
- ``similarities``: text similarities by name; ``explanation``: a score taken apart
- ``judges``: the relevance of a page
- ``concept_tree``: what lies around a concept
"""

from __future__ import annotations

from semcrawl.relevance.explanation import Explanation, Match, Normaliser
from semcrawl.relevance.judges import (
    JUDGES,
    CosineJudge,
    EhrigJudge,
    FullJudge,
    Judge,
    Judgement,
    MihalceaJudge,
    SsrmJudge,
    SynonymSetsJudge,
    as_judge,
    explaining,
)
from semcrawl.relevance.lens import Lens
from semcrawl.relevance.measures import (
    MEASURES,
    Ehrig,
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
    SIMILARITIES,
    CosineSimilarity,
    EhrigSimilarity,
    MihalceaSimilarity,
    SsrmSimilarity,
    SynonymSimilarity,
    TextSimilarity,
    similarity_named,
)
from semcrawl.text.phrases import OrderedTerms

__all__ = [
    "JUDGES",
    "MEASURES",
    "SIMILARITIES",
    "CosineJudge",
    "CosineSimilarity",
    "Ehrig",
    "EhrigJudge",
    "EhrigSimilarity",
    "Explanation",
    "FullJudge",
    "Judge",
    "Judgement",
    "LeacockChodorow",
    "Lens",
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
    "Related",
    "Resnik",
    "SsrmJudge",
    "SsrmSimilarity",
    "SynonymSetsJudge",
    "SynonymSimilarity",
    "Synonyms",
    "TextSimilarity",
    "WuPalmer",
    "as_judge",
    "explaining",
    "similarity_named",
    "word_similarity",
]
