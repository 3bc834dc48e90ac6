"""Write the tables of docs/results.md from the results that a lab has kept.

Run the shipped experiments into one lab, then this; the sentences around the tables stay:

semcrawl lab run examples/lab/all.toml --lab LAB
python -m scripts.results LAB
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from semcrawl.lab import Lab, Results
from semcrawl.lab.report_formats import escaped, markdown
from semcrawl.lab.report_tables import Lookup, Paragraph, Report, metric_table, verdict_summary

__all__ = ["main"]

DOCS = Path(__file__).resolve().parents[1] / "docs" / "results.md"
DEFAULT = "adaptive"
_BLOCK = re.compile(r"(<!-- from the lab: ([\w-]+) -->\n).*?(<!-- to here -->)", re.DOTALL)
_SHORT = re.compile(r"(<!-- findings of all -->\n).*?(<!-- to here -->)", re.DOTALL)


def main(folder: str) -> None:
    """Replace what stands between the marks of every experiment that the lab has results of."""
    lab = Lab(folder)
    known = {name: lab.results(name) for name in lab.experiments()}
    page = DOCS.read_text(encoding="utf-8")
    order = [found[2] for found in _BLOCK.finditer(page)]

    def block(found: re.Match[str]) -> str:
        if found[2] not in known:
            return found[0]
        return found[1] + "\n" + _told(known[found[2]]) + "\n" + found[3]

    page = _BLOCK.sub(block, page)
    if set(order) <= known.keys():
        rows = [row for name in order for row in _findings(name, known[name])]
        table = "\n".join(["", "| experiment | finding | outcome |", "|---|---|---|", *rows, ""])
        page = _SHORT.sub(lambda found: f"{found[1]}{table}\n{found[2]}", page)
    DOCS.write_text(page, encoding="utf-8")


def _findings(name: str, results: Results) -> Iterator[str]:
    for one in results.verdicts:
        yield f"| [{name}](#{name}) | {escaped(one.says)} | {one.outcome} |"


def _told(results: Results) -> str:
    """Findings with their figures, the table of the headline measure, and who the default beats."""
    look = Lookup(results)
    lines = [f"{verdict_summary(look)} {_against_all(results)}".strip(), ""]
    lines += [
        f"- **{one.outcome}**: {escaped(one.says)} {escaped(one.figures)}."
        for one in results.verdicts
    ]
    lines.append("")
    blocks = [metric_table(look, note) for note in [look.headline] if note]
    tables = tuple(block for block in blocks if block)
    body = markdown(Report("", (*tables, Paragraph(_costs(results))), ()))
    return "\n".join([*lines, *body.splitlines()[2:], ""])


def _against_all(results: Results) -> str:
    """Over how many crawlers the default is significantly better, by the headline measure."""
    measure, at = results.headline
    pairs = [
        one
        for one in results.comparisons
        if one.left == DEFAULT and (one.measure, one.at) == (measure, at)
    ]
    if not pairs:
        return ""
    better = [one for one in pairs if one.corrected is not None and one.corrected < 0.05]
    ahead = sum(one.difference > 0 for one in pairs)
    return (
        f"`{DEFAULT}` is ahead of {ahead} of {len(pairs)} other crawlers after {at} pages, "
        f"significantly (p < 0.05, corrected for all pairs) of {len(better)}."
    )


def _costs(results: Results) -> str:
    facts = dict(results.facts)
    return f"Run by semcrawl {facts['semcrawl']}." if "semcrawl" in facts else ""


if __name__ == "__main__":
    main(sys.argv[1])
