"""Models that are learnt from examples, from browsing and from crawls.

`taxonomy`, `category_*`: categories (Chakrabarti 1999); `apprentice`, `link_*`: the apprentice
(Chakrabarti 2002); `hmm`, `browsing`, `clustering`: Batsakis 2007; `context_graph`: Diligenti
2000; `site_*`: pages of websites (Ester 2004). `training_*` is for all.
"""
