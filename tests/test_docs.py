"""The docs say nothing that is not there, and leave nothing out that is."""

from __future__ import annotations

import pydoc
import re
import shlex
from pathlib import Path

import click
import pytest

from semcrawl.cli.main import COMMANDS, cli
from semcrawl.errors import QueryError
from semcrawl.graph.queries import find_query
from semcrawl.relevance import JUDGES
from semcrawl.strategies import STRATEGIES

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def commands() -> list[tuple[str, str]]:
    """Every command line of the docs, with the page that it stands on."""
    found = []
    for page in PAGES:
        for block in blocks(page, "console"):
            lines = re.sub(r"\\\n\s*", "", block).splitlines()
            found += [(page.name, line[2:]) for line in lines if line.startswith("$ semcrawl ")]
    return found


def walk(command: click.Command, words: list[str]) -> tuple[click.Command, list[str]]:
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0)
        found = command.get_command(click.Context(command), name)
        assert found is not None, f"there is no command {name!r}"
        command = found
    return command, words


def test_every_command_in_the_docs_exists_with_its_options() -> None:
    found = commands()
    assert len(found) > 100
    for page, line in found:
        words = shlex.split(line.partition(" > ")[0])[1:]
        try:
            command, arguments = walk(cli, words)
            command.make_parser(click.Context(command)).parse_args(args=list(arguments))
        except (AssertionError, click.UsageError) as error:
            pytest.fail(f"{page}: {line}: {error}")


def test_every_named_query_in_the_docs_exists() -> None:
    for page, line in commands():
        words = [word for word in shlex.split(line)[2:] if not word.startswith("--")]
        if " query " not in line or len(words) < 2 or len(words[1].split()) > 1 or words[1].endswith(".rq"):
            continue
        values = dict(word.split("=", 1) for word in words[2:] if "=" in word)
        try:
            find_query(words[1]).bind(values)
        except QueryError as error:
            pytest.fail(f"{page}: {line}: {error}")


def test_every_command_is_documented() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for name in COMMANDS:
        assert f"semcrawl {name}" in text, name
        command, _ = walk(cli, [name])
        for sub in command.commands if isinstance(command, click.Group) else ():
            assert f"semcrawl {name} {sub}" in text, f"{name} {sub}"


def test_every_command_and_option_has_a_help_text() -> None:
    for name in COMMANDS:
        command, _ = walk(cli, [name])
        assert command.help
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help, f"{command.name} {option.name}"


@pytest.mark.parametrize(("page", "names"), [("strategies.md", STRATEGIES.names()), ("judges.md", JUDGES.names())])
def test_every_crawler_and_judge_has_a_section(page: str, names: list[str]) -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "docs" / page).read_text("utf-8"), re.MULTILINE)
    assert set(names) <= set(headings)


def test_every_link_to_a_file_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def headings(page: Path) -> set[str]:
    """The names by which links reach the headings of a page."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    plain = [re.sub(r"[^\w\s-]", "", line).strip().lower() for line in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
    return {re.sub(r"[-\s]+", "-", line) for line in plain}


def test_every_link_to_a_heading_leads_to_one() -> None:
    found = [
        (page, *link)
        for page in PAGES
        for link in re.findall(r"\]\(([\w./-]*\.md)?#([^)]+)\)", page.read_text("utf-8"))
    ]
    assert len(found) > 50
    for page, target, heading in found:
        assert heading in headings(page.parent / target if target else page), f"{page.name}: {target}#{heading}"


def test_every_file_that_contributors_are_sent_to_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    folders = "semcrawl|tests|docs|queries|scripts|benchmarks"
    for target in re.findall(rf"`((?:{folders})/[^` ]*)`", text):
        assert (ROOT / target).exists(), target
    for name, place in re.findall(r"`(\w+)` (?:in|of) `(semcrawl/[^`]+\.py)`", text):
        assert re.search(rf"\b{name}\b", (ROOT / place).read_text(encoding="utf-8")), name


def test_python_in_the_docs_compiles() -> None:
    for page in PAGES:
        for block in blocks(page, "python"):
            compile(block, page.name, "exec")


def test_the_queries_in_the_docs_run() -> None:
    from semcrawl.graph.queries import parse_query
    from semcrawl.graph.store import OxigraphStore

    own_words, languages = blocks(ROOT / "docs" / "querying.md", "sparql")
    assert languages.strip() == (ROOT / "examples" / "languages.rq").read_text().strip()
    OxigraphStore().query(own_words)
    query = parse_query(languages, "languages")
    OxigraphStore().query(query.bind({"min_relevance": "0.2"}))


def test_the_topic_files_in_the_docs_are_read() -> None:
    from semcrawl import Topic

    page = ROOT / "docs" / "topics.md"
    [toml], [turtle] = blocks(page, "toml"), blocks(page, "turtle")
    assert Topic.from_toml(toml).name == Topic.from_turtle(turtle).name == "asthma"


def test_the_docs_say_where_each_crawler_differs_from_its_paper() -> None:
    text = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")
    for name in STRATEGIES.names():
        section = re.search(rf"^## {name}\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)
        assert section is not None, name
        assert "differs from" in section[1] or "it differs" in section[1], name


def test_every_command_has_its_python_and_every_name_there_is_one() -> None:
    table = (ROOT / "docs" / "python.md").read_text(encoding="utf-8").split("| command |")[1]
    rows = re.findall(r"^\| (`.*?) \| (.*) \|$", table, re.MULTILINE)
    assert {name for cell, _ in rows for name in re.findall(r"`([\w-]+)`", cell)} == set(COMMANDS)
    named = [name for _, cell in rows for name in re.findall(r"`((?:semcrawl\.)?[\w.]+)`", cell)]
    named = [name if name.startswith("semcrawl.") else f"semcrawl.{name}" for name in named]
    assert len(named) > 30
    assert [name for name in named if pydoc.locate(name) is None] == []
