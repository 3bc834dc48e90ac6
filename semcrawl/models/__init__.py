"""Models that are learnt from examples, from browsing and from crawls.

- `training_options`: the options of all trainings; `training_pages`: the pages to train with;
  `origin`: the topic and judge that a model was made for; `naive_bayes`: what classifiers share
- `taxonomy`, `category_tree`, `category_classifier`, `taxonomy_judge`:
  categories learnt from examples (Chakrabarti 1999)
- `apprentice`, `link_features`, `link_memory`: the apprentice (Chakrabarti 2002)
- `hmm`, `browsing`, `clustering`: the hidden Markov model (Batsakis 2007)
- `context_graph`: layers of pages by their distance from a target (Diligenti 2000)
- `site_classifiers`, `site_training`: pages of websites (Ester 2004)

All are saved in the format of `semcrawl.model_files`.
"""
