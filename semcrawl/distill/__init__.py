"""The distiller: hubs and authorities among the pages of a crawl, and scores to compare with."""

from __future__ import annotations

from semcrawl.distill.distillation import ACROSS, METHODS, Distillation
from semcrawl.distill.distiller import distil
from semcrawl.distill.recording import record

__all__ = ["ACROSS", "METHODS", "Distillation", "distil", "record"]
