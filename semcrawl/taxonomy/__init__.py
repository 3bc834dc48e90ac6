"""Categories learnt from examples: the taxonomy and the classifier of Chakrabarti 1999.

- ``tree``: the categories; ``reading``: a tree from a table, a text, folders or SKOS
- ``documents``: the words of files, recorded pages and URLs; ``examples``: their counts
- ``features``: choosing the terms of a decision; ``training``: from counts to weights
- ``classifier``: hierarchical naive Bayes over arrays; ``telling``: what its words say
- ``taxonomy``: all of it as one thing to train, mark, classify with and correct
- ``model_file``: keeping it in a file
"""

from __future__ import annotations

from semcrawl.taxonomy.classifier import Classification, Classifier
from semcrawl.taxonomy.documents import DocumentReader
from semcrawl.taxonomy.reading import read_tree
from semcrawl.taxonomy.taxonomy import Suggestion, Taxonomy
from semcrawl.taxonomy.telling import Comparison, TellingTerm, compare, telling_terms
from semcrawl.taxonomy.training import TrainingOptions
from semcrawl.taxonomy.tree import CategoryTree

__all__ = [
    "CategoryTree",
    "Classification",
    "Classifier",
    "Comparison",
    "DocumentReader",
    "Suggestion",
    "Taxonomy",
    "TellingTerm",
    "TrainingOptions",
    "compare",
    "read_tree",
    "telling_terms",
]
