"""Models that are learnt from examples, from browsing and from crawls.

- `archive`: what model files share; `training_pages`: the pages that models are trained with
- `taxonomy`, `category_classifier`, `category_examples`, `category_tree`, `taxonomy_file`,
  `taxonomy_judge`: categories learnt from examples (Chakrabarti 1999)
- `apprentice`, `link_features`, `link_memory`: the apprentice (Chakrabarti 2002)
- `hmm`, `browsing`, `clustering`: the hidden Markov model (Batsakis 2007)
- `context_graph`: layers of pages by their distance from a target
- `site_classifiers`, `site_training`, `site_file`: pages of websites (Ester 2004)

Modules are imported by their own names, because they bring libraries for numbers along.
"""
