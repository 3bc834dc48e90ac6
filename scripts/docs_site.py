"""Hooks of mkdocs: pages that are made from the code, and links out of the docs folder.

``make docs`` builds the site. The pages on commands, settings and queries are made here, so that
they are always those of the code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

__all__ = ["commands_page", "on_files", "on_page_markdown", "queries_page", "settings_page"]

ROOT = Path(__file__).resolve().parents[1]
# A link to a file of the project that is no page of the site.
_OUTSIDE = re.compile(r"\[([^\]]*)\]\((?:\.\./)+(?!docs/)[^)]*\)")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that no file of the docs folder holds."""
    from mkdocs.structure.files import File

    made = {
        "index.md": _start_page(),
        "changelog.md": (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
        "reference/commands.md": commands_page(),
        "reference/settings.md": settings_page(),
        "reference/queries.md": queries_page(),
    }
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Leave the words of a link that leads out of the docs, and not the link."""
    return _OUTSIDE.sub(r"\1", markdown)


def _start_page() -> str:
    """The README, with links as they are seen from the docs folder."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    text = text.replace("](docs/", "](").replace("](examples/", "](../examples/")
    return re.sub(r"\]\((LICENSE|CONTRIBUTING\.md|SECURITY\.md|ontologies/|queries/)", r"](../\1", text)


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

    lines = ["# Settings", "", "By these names in a TOML file and in Python; on the command line"]
    lines += ["`--` and a dash for each underscore.", "", "| setting | default | means |"]
    lines += ["|---|---|---|"]
    default = Settings()
    for name, about in Settings.texts().items():
        value = str(getattr(default, name)).replace("|", "\\|")
        lines.append(f"| `{name}` | `{value}` | {about} |")
    return "\n".join([*lines, ""])


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
