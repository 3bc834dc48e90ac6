"""How near concepts are to one another (measures), and texts to a topic (lens, judges).

From a topic to a judgement: ``topic_labels`` or ``measures`` choose labels, ``label_forms`` says
how they are matched, ``lens`` holds them, ``lens_check`` tells whether they will do,
``label_similarity`` and ``similarities`` compare texts with it, ``judges`` judge pages,
``explanation`` takes a score apart.
"""

from semcrawl.relevance.explanation import Explanation, Match, Normaliser
from semcrawl.relevance.judges import (
    JUDGES,
    BaseJudge,
    CosineJudge,
    EhrigJudge,
    Judge,
    Judgement,
    LabelsJudge,
    MihalceaJudge,
    SsrmJudge,
    SynonymSetsJudge,
    as_judge,
    explaining,
)
from semcrawl.relevance.label_similarity import LabelSimilarity
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
from semcrawl.relevance.topic_labels import TopicLabels
from semcrawl.text.phrases import OrderedWords

__all__ = [
    "JUDGES",
    "MEASURES",
    "SIMILARITIES",
    "BaseJudge",
    "CosineJudge",
    "CosineSimilarity",
    "Ehrig",
    "EhrigJudge",
    "EhrigSimilarity",
    "Explanation",
    "Judge",
    "Judgement",
    "LabelSimilarity",
    "LabelsJudge",
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
    "OrderedWords",
    "Path",
    "Related",
    "Resnik",
    "SsrmJudge",
    "SsrmSimilarity",
    "SynonymSetsJudge",
    "SynonymSimilarity",
    "Synonyms",
    "TextSimilarity",
    "TopicLabels",
    "WuPalmer",
    "as_judge",
    "explaining",
    "similarity_named",
    "word_similarity",
]
