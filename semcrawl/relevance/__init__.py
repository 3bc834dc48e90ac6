"""How near concepts are to one another (measures), and texts to a topic (lens, judges).

From a topic to a judgement: ``topic_labels`` or ``measures`` choose labels, ``label_forms`` says
how they are matched, ``lens`` holds them, ``lens_check`` tells whether they will do,
``label_similarity`` and ``similarities`` compare texts with it, ``judges`` judge pages,
``explanation`` takes a score apart.
"""

from semcrawl.relevance.judges import JUDGES, BaseJudge, CosineJudge, Judge, Judgement
from semcrawl.relevance.lens import Lens
from semcrawl.relevance.measures import MEASURES, Measure
from semcrawl.relevance.similarities import EhrigSimilarity

__all__ = ["JUDGES", "MEASURES", "BaseJudge", "CosineJudge", "EhrigSimilarity", "Judge", "Judgement", "Lens", "Measure"]
