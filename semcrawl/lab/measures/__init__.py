"""The measures of the lab: one small file per family, and what each of them is called and means."""

from semcrawl.lab.measures.notes import MEASURES

__all__ = ["MEASURES"]
