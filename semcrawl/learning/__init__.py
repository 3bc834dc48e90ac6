"""Learning from crawls and from browsing: what strategies that learn are made of.

- `browsing`, `browser_history`, `training_pages`, `page_sets`: what is learnt from
- `features`, `cocitation`, `class_paths`, `apprentice_*`, `link_memory`, `offline_apprentice`:
  the apprentice
- `page_vectors`, `clustering`, `neighbours`, `hmm*`: the hidden Markov model
- `context_graph*`: layers of pages by their distance from a target
- `origin`: which topic and judge a model was made for
- `frames`: a file that only grows, and survives being cut off

Most are imported by their own names, because they bring libraries for numbers along.
"""

from __future__ import annotations

from semcrawl.learning.browsing import read_paths
from semcrawl.learning.page_sets import read_page_set

__all__ = ["read_page_set", "read_paths"]
