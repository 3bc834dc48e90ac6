"""Whole websites: what a site is, and what its pages say of it (Ester, Kriegel, Schubert 2004).

- ``site``: which URLs make a site; ``classifier``: the seam of page classifiers
- ``centroids``, ``naive_bayes``, ``lens_classifier``: what stands behind it
- ``belief``: from the confidences of pages to that of their site
- ``ranks``: weights of links inside and between sites, and when enough links are known
- ``sample``, ``training_set``, ``training``, ``cross_validation``: learning from sites
- ``model``, ``model_file``: keeping what was learnt
"""

from __future__ import annotations

from semcrawl.sites.belief import RunningPrior, SiteBelief
from semcrawl.sites.classifier import (
    CentroidClassifier,
    LensClassifier,
    NaiveBayesClassifier,
    PageClassifier,
)
from semcrawl.sites.model import SiteModel
from semcrawl.sites.model_file import load_site_model, save_site_model
from semcrawl.sites.ranks import LinkRank, MeanOfWeights, edge_weight, internal_weight
from semcrawl.sites.site import SiteName

__all__ = [
    "CentroidClassifier",
    "LensClassifier",
    "LinkRank",
    "MeanOfWeights",
    "NaiveBayesClassifier",
    "PageClassifier",
    "RunningPrior",
    "SiteBelief",
    "SiteModel",
    "SiteName",
    "edge_weight",
    "internal_weight",
    "load_site_model",
    "save_site_model",
]
