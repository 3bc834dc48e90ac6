"""The docs name every path of the API, every option of ``serve`` and every view."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scripts.docs_site import api_page
from semcrawl.cli.serve import serve
from semcrawl.serve.app import ROUTES, STATIC
from semcrawl.serve.openapi import api_description

if TYPE_CHECKING:
    import click

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "serving.md").read_text("utf-8")
VIEWS = re.findall(r'href="(#/\w+)"', (STATIC / "index.html").read_text("utf-8"))


@pytest.mark.parametrize("path", api_description(ROUTES)["paths"])
def test_every_path_of_the_api_is_told(path: str) -> None:
    assert f"| `{path}` | " in api_page()


def shown_default(option: click.Option) -> str:
    if option.is_flag:
        return "no"
    if isinstance(option.default, int | float):
        return f"{option.default:g}"
    return option.default if isinstance(option.default, str) else "a new one"


@pytest.mark.parametrize("option", serve.params[1:], ids=lambda option: option.name)
def test_every_option_is_told_with_its_default(option: click.Option) -> None:
    row = re.search(rf"^\| `{option.opts[0]}` \| ([^|]*) \|", PAGE, re.MULTILINE)
    assert row
    assert row[1].strip() == shown_default(option)


@pytest.mark.parametrize("view", sorted(set(VIEWS)))
def test_every_view_is_told(view: str) -> None:
    assert f"`{view}`" in PAGE
