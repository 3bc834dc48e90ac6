"""The files of the page: nothing from outside, nothing read as HTML, colours that can be read."""

from __future__ import annotations

import gzip
import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from semcrawl.serve.app import STATIC

if TYPE_CHECKING:
    from pathlib import Path

SCRIPTS = sorted(STATIC.rglob("*.js"))
SHEETS = sorted(STATIC.rglob("*.css"))
INDEX = (STATIC / "index.html").read_text("utf-8").replace("{page}", "main")
MAIN = (STATIC / "js" / "main.js").read_text("utf-8")


# Of formats that the page writes; they name, and nothing is asked for there.
NAMESPACES = {
    "http://www.w3.org/2000/svg",
    "http://gexf.net/1.3",
    "http://gexf.net/1.3/viz",
    "http://graphml.graphdrawing.org/xmlns",
}


def test_the_page_names_only_files_that_are_there() -> None:
    named = re.findall(r'(?:href|src)="/static/([^"]+)"', INDEX)
    assert named
    assert [name for name in named if not (STATIC / name).is_file()] == []


def test_the_page_has_no_script_or_style_within() -> None:
    assert re.findall(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", INDEX) == []


def found_in(paths: list[Path], pattern: str) -> list[tuple[Path, str]]:
    """What a pattern finds in files, each with its file."""
    assert paths
    return [(path, found) for path in paths for found in re.findall(pattern, path.read_text("utf-8"))]


def test_a_module_imports_only_modules_that_are_there() -> None:
    named = found_in(SCRIPTS, r'from "(\.[^"]+)"')
    assert [(path, name) for path, name in named if not (path.parent / name).resolve().is_file()] == []


def test_no_sheet_fetches_anything() -> None:
    assert found_in(SHEETS, r"url\([^)]*|@import|https?:") == []


def test_scripts_name_outside_addresses_only_as_names_of_vocabularies() -> None:
    found = found_in(SCRIPTS, r"https?://\w[^\"'`\s]*")
    assert [one for one in found if not one[1].endswith(("#", "/")) and one[1] not in NAMESPACES] == []


def test_no_script_reads_a_text_as_html_or_code() -> None:
    risky = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser"
    assert found_in(SCRIPTS, risky) == []


def test_every_view_in_the_menu_is_known_and_there() -> None:
    views = dict(re.findall(r'^  (\w+): \["(\w+)", "', MAIN, re.MULTILINE))
    assert set(re.findall(r'href="#/(\w+)"', INDEX)) <= set(views)
    missing = {file for file in views.values() if not (STATIC / f"js/views/{file}.js").is_file()}
    assert missing == set()


VIEWS = dict(re.findall(r'^  (\w+): \["(\w+)", "', MAIN, re.MULTILINE))


def files_of(script: Path, known: set[Path]) -> set[Path]:
    """A module with all that it imports at once."""
    if script not in known:
        known.add(script)
        for name in re.findall(r'(?:from|^import) "(\.[^"]+)"', script.read_text("utf-8"), re.MULTILINE):
            files_of((script.parent / name).resolve(), known)
    return known


@pytest.mark.parametrize("view", sorted(VIEWS))
def test_the_page_is_light(view: str) -> None:
    files = {STATIC / name for name in re.findall(r'(?:href|src)="/static/([^"]+)"', INDEX)} | {STATIC / "index.html"}
    for script in ("main.js", f"views/{VIEWS[view]}.js"):
        files |= files_of(STATIC / "js" / script, set())
    # As the server packs them.
    packed = sum(len(gzip.compress(path.read_bytes(), 4)) for path in files)
    assert 20_000 < packed < 75_000


# Colours: the contrast of WCAG 2.1, https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio


def themes() -> dict[str, dict[str, str]]:
    """The colours of both themes by name; the dark one changes those of the light one."""
    text = (STATIC / "css" / "colours.css").read_text("utf-8")
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", part)) for part in text.split(':root[data-theme="dark"]')
    )
    return {"light": light, "dark": light | dark}


def luminance(colour: str) -> float:
    """Relative luminance of a colour."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return round(sum(w * part for w, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True)), 6)


def test_white_is_lightest_and_black_darkest() -> None:
    assert (luminance("#ffffff"), luminance("#000000")) == (1.0, 0.0)


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


TEXTS = [
    *((ink, ground) for ink in ("ink", "ink-soft", "accent") for ground in ("ground", "surface")),
    ("ink", "raised"),
    ("ink-soft", "raised"),
    ("accent", "accent-soft"),
    ("accent-ink", "accent"),
    ("good", "good-soft"),
    ("warn", "warn-soft"),
    ("warn", "surface"),
    ("bad", "bad-soft"),
    ("bad", "surface"),
    ("mark-ink", "mark"),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXTS)
def test_text_can_be_read_on_its_ground(theme: str, ink: str, ground: str) -> None:
    colours = themes()[theme]
    assert contrast(colours[ink], colours[ground]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sign", ["dot-relevant", "average", "threshold", "line-strong", "focus"])
def test_signs_stand_out_from_their_ground(theme: str, sign: str) -> None:
    colours = themes()[theme]
    assert contrast(colours[sign], colours["surface"]) >= 3


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_ramp_of_relevance_changes_its_lightness_in_one_direction(theme: str) -> None:
    ramp = [luminance(themes()[theme][f"ramp-{number}"]) for number in range(6)]
    steps = [later - earlier for earlier, later in pairwise(ramp)]
    assert all(step < 0 for step in steps) or all(step > 0 for step in steps)
