"""What a policy file must be, and what is said of one that is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import QueryError
from semcrawl.steering import RowForm, load_policy
from semcrawl.steering.policies import named_policies

if TYPE_CHECKING:
    from pathlib import Path

PRIORITY = "SELECT ?url ?priority WHERE { ?url sc:priority ?priority }"


def written(folder: Path, text: str) -> str:
    path = folder / "mine.rq"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("select", "form"),
    [
        ("?url ?priority", RowForm.PRIORITY),
        ("?url ?factor", RowForm.FACTOR),
        ("?site ?factor", RowForm.SITE_FACTOR),
        ("?url", RowForm.DROP),
        ("?why ?url (1 AS ?priority)", RowForm.PRIORITY),
    ],
)
def test_the_variables_say_what_the_rows_mean(tmp_path: Path, select: str, form: RowForm) -> None:
    text = f"SELECT {select} WHERE {{ ?url sc:site ?site . BIND(1 AS ?factor) }}"
    if select == "?url ?priority":
        text = PRIORITY
    assert load_policy(written(tmp_path, text)).form is form


def test_the_header_gives_the_rhythm_and_a_spec_another(tmp_path: Path) -> None:
    path = written(tmp_path, f"# Mine.\n# @every 30 pages\n{PRIORITY}")
    assert load_policy(path).every == 30
    assert load_policy(f"{path}:every=7").every == 7


def test_parameters_are_bound_by_the_user_before_the_crawl(tmp_path: Path) -> None:
    text = (
        "# Mine.\n# @param threshold  from here on\n# @param limit  how many\n"
        "SELECT ?url ?priority WHERE { VALUES ?threshold { 0.5 } ?url sc:priority ?priority "
        "FILTER(?priority > ?threshold) } LIMIT 5"
    )
    path = written(tmp_path, text)
    context = {"threshold": 0.25, "since": 3}
    assert "VALUES ?threshold { 0.25 }" in load_policy(path).text(context)
    assert "VALUES ?threshold { 0.75 }" in load_policy(f"{path}:threshold=0.75").text(context)
    assert load_policy(f"{path}:limit=9").text({}).endswith("LIMIT 9")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT ?u ?priority WHERE { ?u sc:priority ?priority }", r"must name \?url \?priority"),
        ("SELECT * WHERE { ?url sc:priority ?priority }", "must name"),
        ("SELECT ?url ?priorty { ?url sc:priority ?priorty }", r"gives \?priorty: write \?priority or \?factor"),
        ("DELETE WHERE { ?url sc:priority ?p }", "an update"),
        ("ASK { ?url sc:priority ?p }", "an ASK"),
        ("CONSTRUCT WHERE { ?url sc:priority ?p }", "a CONSTRUCT"),
        ("SELECT ?url WHERE { SERVICE <http://elsewhere.test/> { ?url ?p ?o } }", "SERVICE"),
        ("SELECT ?url ?priority ?factor WHERE { ?url ?p ?o }", r"gives \?factor and \?priority"),
        ("SELECT ?url ?site ?factor WHERE { ?url ?p ?o }", r"gives \?site and \?url"),
        ("# @every often\nSELECT ?url WHERE { ?url ?p ?o }", "number of pages"),
        ("# @every 0 pages\nSELECT ?url WHERE { ?url ?p ?o }", "number of pages"),
        (f"# @every {'9' * 5_000} pages\nSELECT ?url WHERE {{ ?url ?p ?o }}", "number of pages"),
        ("# @needs luck\nSELECT ?url WHERE { ?url ?p ?o }", "@needs distiller"),
        ("# @revisits\nSELECT ?url WHERE { ?url ?p ?o }", r"must name \?url \?priority"),
        ("# @param depth  no such line\nSELECT ?url WHERE { ?url ?p ?o }", "VALUES"),
        ("", "empty file"),
    ],
)
def test_what_is_no_policy_is_refused_before_a_crawl(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        load_policy(written(tmp_path, text))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("hub-neighbors", "there are: cool-down"),
        ("nowhere.rq", "cannot read the policy"),
        ("tunnel:depth=3", "has no parameter 'depth'"),
        ("tunnel:limit=many", "is no integer"),
    ],
)
def test_a_wrong_name_or_option_says_what_there_is(spec: str, message: str) -> None:
    with pytest.raises(QueryError, match=message):
        load_policy(spec)


def test_a_policy_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.rq").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(QueryError, match="no UTF-8"):
        load_policy(str(tmp_path / "mine.rq"))


@pytest.mark.parametrize("name", named_policies())
def test_every_shipped_policy_is_one_and_says_its_rhythm(name: str) -> None:
    policy = load_policy(name)
    assert "every" in policy.query.tags
    assert policy.query.help
    assert all(parameter.help for parameter in policy.query.parameters)
