"""Write the tables of docs/results.md from the results that a lab has kept.

Run shipped experiments into one lab, then this. The sentences around the tables stay, and so do
the tables of experiments that the lab does not know:

semcrawl lab run examples/lab/all.toml --folder LAB
python -m scripts.results LAB
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from semcrawl.lab import Lab
from semcrawl.lab.experiment import ORACLES
from semcrawl.lab.report import escaped, markdown
from semcrawl.lab.report_tables import Lookup, Report, metric_table
from semcrawl.lab.results import Results

__all__ = ["main"]

DOCS = Path(__file__).resolve().parents[1] / "docs" / "results.md"
DEFAULT = "adaptive"
OUTCOMES = ("reproduced", "same direction", "not reproduced")
_BLOCK = re.compile(r"(<!-- from the lab: ([\w-]+) -->\n).*?(<!-- to here -->)", re.DOTALL)
_ROW = re.compile(r"^\| \[([\w-]+)\]\(#\1\) \|.*$", re.MULTILINE)
# What the table beside it says already: intervals, and over how many topics.
_SAID = re.compile(r" \[[^\]]*\]|; \d+ topics$")
_COMPARISON = re.compile(r" over .+: [-+]\d")
_INTERVAL = re.compile(r"\((\d[\d.]*) to (\d[\d.]*)\)")


def main(folder: str) -> None:
    """Replace the blocks and the rows of every experiment that the lab has results of."""
    lab = Lab(folder)
    known = {name: lab.results(name) for name in lab.experiments()}

    def block(found: re.Match[str]) -> str:
        if found[2] not in known:
            return found[0]
        return f"{found[1]}\n{_told(known[found[2]])}\n{found[3]}"

    def row(found: re.Match[str]) -> str:
        return _short(found[1], known[found[1]]) if found[1] in known else found[0]

    page = _BLOCK.sub(block, DOCS.read_text(encoding="utf-8"))
    DOCS.write_text(_ROW.sub(row, page), encoding="utf-8")


def _short(name: str, results: Results) -> str:
    """A row of the first table: findings by outcome, the default and the best of the others."""
    outcomes = [one.outcome for one in results.verdicts]
    counts = [str(outcomes.count(one) or "") for one in OUTCOMES]
    look = Lookup(results)
    note, at = look.headline, results.headline[1]
    if note is None:
        return f"| [{name}](#{name}) | {' | '.join(counts)} | | | |"
    means = {
        one.contender: one.interval.mean
        for one in results.over_topics
        if (one.measure, one.at) == results.headline and one.contender not in ORACLES
    }
    others = [other for other in look.ranked() if other in means and DEFAULT not in other]
    best = f"{escaped(others[0])} {means[others[0]]:.3f}" if others else ""
    ours = f"{means[DEFAULT]:.3f}" if DEFAULT in means else ""
    measure = f"{note.title[0].lower()}{note.title[1:]}, {at} pages"
    return f"| [{name}](#{name}) | {' | '.join([*counts, measure, ours, best])} |"


def _told(results: Results) -> str:
    """Findings with their figures, who the default beats, and the table of the main measure."""
    look = Lookup(results)
    lines = [f"- **{one.outcome}**: {escaped(one.says)} {escaped(_figures(one.figures))}." for one in results.verdicts]
    if against := _against_all(results):
        lines += ["", against] if lines else [against]
    table = metric_table(look, look.headline) if look.headline else None
    body = markdown(Report("", (table,), ())) if table else ""
    return "\n".join([*lines, "", *_INTERVAL.sub(r"(\1–\2)", body).splitlines()[2:], ""])


def _figures(figures: str) -> str:
    """Those of a finding; where crawlers are compared the comparisons alone, as the table has the means."""
    parts = _SAID.sub("", figures).split("; ")
    return "; ".join([part for part in parts if _COMPARISON.search(part)] or parts)


def _against_all(results: Results) -> str:
    """Over how many crawlers the default is significantly better, by the headline measure."""
    pairs = [one for one in results.comparisons if one.left == DEFAULT and (one.measure, one.at) == results.headline]
    if not pairs:
        return ""
    better = [one for one in pairs if one.corrected is not None and one.corrected < 0.05]
    ahead = sum(one.difference > 0 for one in pairs)
    return (
        f"`{DEFAULT}` is ahead of {ahead} of {len(pairs)} other crawlers after "
        f"{results.headline[1]} pages, significantly (p < 0.05, corrected for all pairs) of "
        f"{len(better)}."
    )


if __name__ == "__main__":
    main(sys.argv[1])
