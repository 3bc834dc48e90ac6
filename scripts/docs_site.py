"""Hooks of mkdocs: pages that are made from the code, and links out of the docs folder.

``make docs`` builds the site. The pages on commands, settings, Python, queries, the vocabulary, the
HTTP API and the lab's measures are made here, so that they are always those of the code. A link
of the docs to the file that such a page is made from leads to the page.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from scripts import columns, vocabulary

__all__ = [
    "api_page",
    "commands_page",
    "from_docs",
    "lab_measures_page",
    "on_files",
    "on_page_markdown",
    "python_page",
    "queries_page",
    "settings_page",
]

ROOT = Path(__file__).resolve().parents[1]
MADE_FROM = {
    "../semcrawl/cli/commands.toml": "reference/commands.md",
    "../semcrawl/crawl/settings.toml": "reference/settings.md",
    "../semcrawl/__init__.py": "reference/python.md",
    "../queries": "reference/queries.md",
    "../ontologies/semcrawl.ttl": "reference/vocabulary.md",
    "../semcrawl/serve/openapi.toml": "reference/api.md",
    "../semcrawl/lab/metrics.toml": "reference/lab-measures.md",
}
"""Files of the project, as the docs link to them, and the pages that are made from them."""

# A link to a file of the project that is no page of the site.
_OUTSIDE = re.compile(r"\[([^\]]*)\]\((?:\.\./)+(?!docs/)[^)]*\)")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that no file of the docs folder holds."""
    from mkdocs.structure.files import File

    made = {
        "index.md": from_docs("README.md"),
        "changelog.md": from_docs("CHANGELOG.md"),
        "reference/commands.md": commands_page(),
        "reference/settings.md": settings_page(),
        "reference/python.md": python_page(),
        "reference/queries.md": queries_page(),
        "reference/vocabulary.md": f"{vocabulary.page()}\n## Columns\n\n{columns.table()}",
        "reference/api.md": api_page(),
        "reference/lab-measures.md": lab_measures_page(),
    }
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Lead links to the pages made here; of other links out of the docs leave the words."""
    for file, page in MADE_FROM.items():
        markdown = markdown.replace(f"]({file})", f"]({page})")
    return _OUTSIDE.sub(r"\1", markdown)


def from_docs(name: str) -> str:
    """The text of a file beside the docs folder, with links as they are seen from that folder."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("](CHANGELOG.md", "](changelog.md")
    outside = re.sub(r"\]\((?!docs/|changelog|#|\w+:)", "](../", text)
    return outside.replace("](docs/", "](")


def commands_page() -> str:
    """Every command with its help, as the command line gives it."""
    from semcrawl.cli.main import cli

    return "\n".join(["# Commands", "", *_help_of(cli, ())])


def _help_of(command: click.Command, path: tuple[str, ...]) -> Iterator[str]:
    name = " ".join(("semcrawl", *path))
    context = click.Context(command, info_name=name, max_content_width=90, terminal_width=90)
    yield from (f"## {name}", "", "```text", command.get_help(context).rstrip(), "```", "")
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            found = command.get_command(context, part)
            assert found is not None
            yield from _help_of(found, (*path, part))


def settings_page() -> str:
    """Every setting of a crawl with its default, as a file, the command line and Python take it."""
    from semcrawl.crawl.settings import Settings
    from semcrawl.crawl.sites.settings import SiteSettings

    lines = ["# Settings", "", "By these names in a TOML file and in Python; on the command line"]
    lines += ["`--` and a dash for each underscore."]
    for title, kind in (("Every crawl", Settings), ("Crawls for websites", SiteSettings)):
        lines += ["", f"## {title}", "", "| setting | default | means |", "|---|---|---|"]
        default = kind()
        for name, about in kind.texts().items():
            value = str(getattr(default, name)).replace("|", "\\|")
            lines.append(f"| `{name}` | `{value}` | {about} |")
    return "\n".join([*lines, ""])


def python_page() -> str:
    """Every public name of the packages that programs use, with its signature and contract."""
    lines = ["# Python, name by name", "", "The page before says what is used for what."]
    for package in ("semcrawl", *(f"semcrawl.{part}" for part in _PACKAGES)):
        module = import_module(package)
        lines += ["", f"## {package}", "", _contract(module).partition("\n\n")[0]]
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.isclass(thing) or inspect.isroutine(thing):
                lines += ["", f"### {name} {{: #{package}.{name} }}", "", "```text"]
                lines += [*textwrap.wrap(f"{name}{_signature(thing)}", 90, subsequent_indent="    "), ""]
                lines += [_contract(thing), "```"]
                lines += _methods(thing)
    return "\n".join([*lines, ""])


_PACKAGES = ("topics", "page", "web", "relevance", "strategies", "graph", "steering", "crawl", "lab")


def _methods(thing: Any) -> Iterator[str]:
    """The public methods that a class defines itself, with the first sentences of their contracts."""
    for name, value in vars(thing).items() if inspect.isclass(thing) else ():
        method = getattr(value, "__func__", value)
        if not name.startswith("_") and inspect.isfunction(method):
            yield from ("", f"- `{name}{_signature(method)}`: {_contract(method).partition(chr(10))[0]}")


def _signature(thing: Any) -> str:
    try:
        text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(thing)))
        return re.sub(r"^\((?:self|cls)(?:, )?", "(", text)
    except ValueError:  # an exception, or a type of another package
        return ""


def _contract(thing: Any) -> str:
    return inspect.getdoc(thing) or ""


def api_page() -> str:
    """Every path of the HTTP API, with its parameters."""
    from semcrawl.serve import app, start_page
    from semcrawl.serve.openapi import api_description

    lines = ["# HTTP API", "", "`/api/openapi.json` of a server says the same for programs."]
    for title, routes in (("Of a crawl", app.ROUTES), ("Of the start page", start_page.ROUTES)):
        lines += ["", f"## {title}", "", "| path | method | gives | takes |", "|---|---|---|---|"]
        described = api_description(routes)
        for path, methods in described["paths"].items():
            for method, about in methods.items():
                takes = [f"`{one['name']}`" for one in about.get("parameters", ())]
                takes += [f"`{name}`" for name in _fields(about, described)]
                takes += ["the token"] * ("security" in about)
                row = [f"`{path}`", method.upper(), about["summary"], ", ".join(takes)]
                lines.append(f"| {' | '.join(row)} |")
    return "\n".join([*lines, ""])


def _fields(about: dict[str, Any], described: dict[str, Any]) -> list[str]:
    """The fields of the JSON object that a path takes as its body."""
    body = about.get("requestBody", {"content": {}})["content"].get("application/json", {})
    name = body.get("schema", {}).get("$ref", "").rpartition("/")[2]
    return list(described["components"]["schemas"].get(name, {}).get("properties", ()))


def queries_page() -> str:
    """Every named query with its help and parameters."""
    from semcrawl.graph import named_queries

    lines = ["# Named queries", ""]
    for name, query in sorted(named_queries().items()):
        lines += [f"## {name}", "", query.help, ""]
        for one in query.parameters:
            default = "" if one.default is None else f", by default `{one.default}`"
            lines.append(f"- `{one.name}` ({one.type}{default}): {one.help}")
        lines += ["", "```sparql", query.text.rstrip(), "```", ""]
    return "\n".join(lines)


def lab_measures_page() -> str:
    """Every measure of the lab with its definition and source."""
    from semcrawl.lab.results import METRICS

    lines = ["# Measures of the lab", "", "| measure | what it is | source |", "|---|---|---|"]
    for name, note in METRICS.items():
        definition = note.definition.replace("|", "\\|")
        less = "" if note.higher_is_better else " Less is better."
        lines.append(f"| `{name}` | {definition}{less} | {note.source} |")
    return "\n".join([*lines, ""])
