"""A policy: a SELECT query with a rhythm, checked before it may touch a crawl.

Its rows say what shall change (:class:`RowForm`). The header gives the rhythm, ``# @every 200
pages``, and may say ``# @revisits`` (visited pages are named) and ``# @needs distiller``.
"""

import math
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from semcrawl.errors import QueryError
from semcrawl.graph.queries import NamedQuery, named_queries, read_query_file
from semcrawl.graph.sparql_text import kind_of, refuse_service, variables
from semcrawl.registry import split_spec

CONTEXT = ("across", "since", "step", "threshold")
"""Parameters that the crawl binds; ``since`` and ``step``: pages at the last run and now."""

_EVERY = re.compile(r"(\d{1,12})(?:\s+pages?)?")
_AN = {"update": "an update", "ask": "an ASK", "construct": "a CONSTRUCT", "describe": "a DESCRIBE"}


class RowForm(Enum):
    """What the rows of a policy say, by the variables that they have; more change nothing."""

    PRIORITY = ("url", "priority")  # the URL waits with this priority
    FACTOR = ("url", "factor")  # its priority is multiplied by this factor
    SITE_FACTOR = ("site", "factor")  # so are those of all URLs of the site, now and later
    DROP = ("url",)


class Policy(Struct, frozen=True):
    """A policy that can be run; ``is_own``: it is a user's file, not one of ours."""

    name: str
    query: NamedQuery
    form: RowForm
    every: int = 200
    revisits: bool = False
    needs_distiller: bool = False
    options: Mapping[str, str] = {}
    is_own: bool = False

    def text(self, context: Mapping[str, object]) -> str:
        """The query with its parameters bound by the user, else by the crawl; QueryError for one that does not fit."""
        declared = {parameter.name for parameter in self.query.parameters}
        given = {name: value for name, value in context.items() if name in declared}
        return self.query.bind({**given, **self.options})


def load_policy(spec: str) -> Policy:
    """The policy that a name or a file stands for, ``hub-neighbours:every=500,limit=50``.

    Nothing is run: a syntax error is found by :func:`semcrawl.steering.jobs.check_policies`. Raises
    QueryError: unknown, no SELECT, a SERVICE, or without the needed variables.
    """
    name, options = split_spec(spec)
    query = _read(name)
    rhythm = options.pop("every", query.tags.get("every", "200"))
    found = _EVERY.fullmatch(rhythm.strip())
    if not found or not (every := int(found[1])):
        raise QueryError(f"the policy {name} runs every {rhythm!r}: write a number of pages, '@every 200 pages'")
    text, kind = query.text, kind_of(query.text)
    if not text.strip():
        raise QueryError(f"the policy {name} is an empty file")
    if kind != "select":
        raise QueryError(
            f"the policy {name} is no SELECT query but {_AN.get(kind, 'something else')}: "
            "a policy only reads, and its rows say what shall change"
        )
    refuse_service(text)
    needs = query.tags.get("needs", "")
    if needs not in ("", "distiller"):
        raise QueryError(f"the policy {name} needs {needs!r}; '@needs distiller' is all there is")
    form = _form(name, text, revisits="revisits" in query.tags)
    policy = Policy(
        Path(name).name,
        query,
        form,
        every,
        revisits="revisits" in query.tags,
        needs_distiller=bool(needs),
        options=options,
        is_own=name.endswith(".rq"),
    )
    # Options that do not fit are told of now, not in the middle of a crawl.
    policy.text(dict.fromkeys(CONTEXT, 0) | {"across": "hosts"})
    return policy


def named_policies() -> dict[str, NamedQuery]:
    """The policies that come with semcrawl, by name."""
    return {
        name.removeprefix("policies/"): query for name, query in named_queries().items() if name.startswith("policies/")
    }


def _read(name: str) -> NamedQuery:
    if name.endswith(".rq"):
        return read_query_file(Path(name), "policy", "; '--policy none' goes on without policies")
    known = named_policies()
    if name not in known:
        raise QueryError(
            f"there is no policy {name!r}; there are: {', '.join(known)}; your own is given as path/to/file.rq"
        )
    return known[name]


def _form(name: str, text: str, *, revisits: bool) -> RowForm:
    given = set(variables(text))
    for pair in ({"priority", "factor"}, {"url", "site"}):
        if pair <= given and "url" in given:
            both = " and ".join(f"?{one}" for one in sorted(pair))
            raise QueryError(f"the policy {name} gives {both}: name one of them, the other differently")
    for form in RowForm:
        if set(form.value) <= given:
            slips = [one for one in given if form is RowForm.DROP and get_close_matches(one, ("priority", "factor"))]
            if slips:
                raise QueryError(
                    f"the policy {name} gives ?{slips[0]}: write ?priority or ?factor, else name it otherwise"
                )
            if revisits and form is not RowForm.PRIORITY:
                break
            return form
    wanted = "?url ?priority" if revisits else "?url ?priority, ?url ?factor, ?site ?factor or ?url"
    shown = ", ".join(f"?{variable}" for variable in sorted(given)) or "* or no variables"
    raise QueryError(f"the policy {name} gives {shown}: its SELECT must name {wanted}")


MOST_PRIORITY = 1e5  # above all that strategies give; what has it keeps it
_MOST_FACTOR = 100.0  # none is smaller than one over it: a factor must be possible to undo


class PolicyRow(NamedTuple):
    """A URL or site, and its priority or factor; None where it shall be dropped."""

    subject: str
    value: float | None


def read_rows(rows: Iterable[Mapping[str, object]], form: RowForm, limit: int) -> tuple[list[PolicyRow], int]:
    """The first ``limit`` rows with a finite number of at least 0; how many were left out.

    A priority is at most 100,000, a factor at least 0.01 and at most 100.
    """
    read: list[PolicyRow] = []
    left_out = 0
    subject, *value = form.value
    for row in rows:
        one = _read_row(row.get(subject), row.get(value[0]) if value else None, form)
        if one is None or len(read) >= limit:
            left_out += 1
        else:
            read.append(one)
    return read, left_out


def _read_row(subject: object, value: object, form: RowForm) -> PolicyRow | None:
    if not isinstance(subject, str):
        return None
    if form is RowForm.DROP:
        return PolicyRow(subject, None)
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    if not math.isfinite(number) or number < 0:
        return None
    least, most = (0.0, MOST_PRIORITY) if form is RowForm.PRIORITY else (1 / _MOST_FACTOR, _MOST_FACTOR)
    # Six places, as everywhere: a resumed crawl must see the same order.
    return PolicyRow(subject, round(min(max(number, least), most), 6))
