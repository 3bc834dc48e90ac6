"""What is wrong with a SPARQL text, in one line.

The engine's parser tells the place of an error and then everything that it
could have read there, over many lines. A person needs the place, the text at
it, and the engine's reason where it has one in words.
"""

from __future__ import annotations

import re

from semcrawl.graph.sparql_text import kind_of, undeclared_prefixes
from semcrawl.graph.vocabulary import PREFIXES

__all__ = ["syntax_message"]

_PLACE = re.compile(r"error at (\d+):(\d+)")
_REASON = re.compile(r"[A-Z][a-z]+(?: [^\s,\[\]]+)+")


def syntax_message(text: str, problem: str) -> str:
    """What to tell about a query that the engine refused with ``problem``.

    >>> print(syntax_message("SELECT ?u WHERE { ?u a }", 'error at 1:24: expected one of "$", …'))
    the query has a syntax error: error at 1:24, near '}'
    """
    if not text.strip():
        return "the query is empty: write SELECT, ASK, CONSTRUCT or DESCRIBE"
    if kind_of(text) == "update":
        return "a crawl graph can be asked, not changed: write SELECT, ASK, CONSTRUCT or DESCRIBE"
    place = _PLACE.search(problem)
    if not place:
        return f"the query has a syntax error: {' '.join(problem.split())[:200]}"
    line, column = int(place[1]), int(place[2])
    for prefix, there in undeclared_prefixes(text).items():
        # The engine stumbles at a later place, and does not say why.
        if prefix not in PREFIXES and there <= (line, column):
            return (
                f"the query has a syntax error: error at {there[0]}:{there[1]}, "
                f"{_text_at(text, *there)}: the prefix {prefix + ':'!r} is not declared"
            )
    near = _text_at(text, line, column)
    reason = _REASON.search(problem, place.end())
    why = f": {reason[0]}" if reason else ""
    return f"the query has a syntax error: {place[0]}, {near}{why}"


def _text_at(text: str, line: int, column: int) -> str:
    lines = text.splitlines()
    here = lines[line - 1] if line <= len(lines) else ""
    rest = here[column - 1 :].strip()
    return f"near {rest[:30]!r}" if rest else f"after {(here.strip() or text.strip())[-30:]!r}"
