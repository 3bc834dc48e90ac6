"""The values of an experiment as CSV in long form: one line for each value."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semcrawl.lab.results import Results

__all__ = ["csv_text"]

COLUMNS = ("contender", "topic", "repetition", "measure", "pages", "value")


def csv_text(results: Results) -> str:
    """One row for each crawler, topic, repetition, measure and number of pages.

    The value is empty where the measure does not apply. Repetitions are counted from 0.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for found in results.values:
        value = "" if found.value is None else repr(float(found.value))
        names = (found.contender, found.topic, found.repetition, found.measure, found.at)
        writer.writerow((*names, value))
    return text.getvalue()
