"""The report as one HTML page that loads nothing and runs nothing.

A content security policy allows its one style sheet, by its digest, and nothing
else. All texts are escaped: titles and addresses come from recorded pages.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.lab.report.document import Bullets, Fold, Paragraph, Table
from semcrawl.lab.report.drawing import Figure, shown, svg_element
from semcrawl.lab.report.pens import DARK, LIGHT

if TYPE_CHECKING:
    from semcrawl.lab.report.document import Block, Cell, Report, Section

__all__ = ["html_page"]

_NUMERIC = ' class="n"'
_SHEET = Path(__file__).with_name("report.css")


def html_page(report: Report) -> str:
    """The whole page."""
    style = _style()
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    links = "".join(
        f'<li><a href="#{shown(section.name)}">{shown(section.title)}</a></li>'
        for section in report.sections
    )
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{shown(report.title)}</title><style>{style}</style></head>\n"
        f"<body><header><h1>{shown(report.title)}</h1>{_blocks(report.lead)}</header>\n"
        f'<nav aria-label="Contents"><ul>{links}</ul></nav>\n'
        f"<main>{''.join(map(_section, report.sections))}</main>\n"
        "<footer><p>Made by the lab of semcrawl. The same values are in results.csv and "
        "results.ttl, the figures in figures/.</p></footer></body></html>\n"
    )


def _style() -> str:
    light = "".join(f".hue-{n}{{color:{colour}}}" for n, colour in enumerate(LIGHT))
    dark = "".join(f".hue-{n}{{color:{colour}}}" for n, colour in enumerate(DARK))
    # Paper is light, whatever the screen is.
    recoloured = f"@media screen and (prefers-color-scheme:dark){{{dark}}}"
    return _SHEET.read_text(encoding="utf-8") + light + recoloured


def _section(section: Section) -> str:
    name = shown(section.name)
    head = f'<h2 id="{name}">{shown(section.title)}</h2>'
    return f'<section aria-labelledby="{name}">{head}{_blocks(section.blocks)}</section>\n'


def _blocks(blocks: tuple[Block, ...]) -> str:
    return "".join(map(_block, blocks))


def _block(block: Block) -> str:
    match block:
        case Table():
            return _table(block)
        case Figure():
            return _figure(block)
        case Fold():
            inner = _blocks(block.blocks)
            return f"<details><summary>{shown(block.summary)}</summary>{inner}</details>"
        case Bullets():
            return f"<ul>{''.join(f'<li>{shown(item)}</li>' for item in block.items)}</ul>"
        case Paragraph():
            tone = f' class="notice {block.tone}"' if block.tone else ""
            return f"<p{tone}>{shown(block.text)}</p>"


def _figure(figure: Figure) -> str:
    panels = "".join(
        svg_element(panel, f"{figure.name}-{number}") for number, panel in enumerate(figure.panels)
    )
    several = len(figure.panels) > 1
    # One wide plot scrolls in its box on a phone; panels flow instead.
    box = (
        f'<div class="panels">{panels}</div>'
        if several
        else f'<div class="scroll plot" tabindex="0" role="group" '
        f'aria-label="{shown(figure.caption)}">{panels}</div>'
    )
    return f"<figure>{box}<figcaption>{shown(figure.caption)}</figcaption></figure>"


def _table(table: Table) -> str:
    name = f"t-{shown(table.name)}".replace(" ", "-")
    kinds = [cell.kind for cell in table.rows[0]] if table.rows else []
    head = "".join(
        f'<th scope="col"{_NUMERIC if kind == "number" else ""}><span>{shown(title)}</span></th>'
        for title, kind in zip_longest(table.head, kinds, fillvalue="")
    )
    rows = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows)
    upright = ' class="upright"' if table.upright else ""
    return (
        f'<div class="scroll" role="region" aria-labelledby="{name}" tabindex="0">'
        f'<table{upright}><caption id="{name}"><span>{shown(table.caption)}</span></caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cell(cell: Cell) -> str:
    text = shown(cell.text)
    if cell.kind == "name":
        return f'<th scope="row">{text}</th>'
    if cell.kind == "list":
        text = "<br>".join(shown(part) for part in cell.text.split("; "))
    if cell.kind == "url":
        text = f"<code>{text}</code>"
    sign, spoken = cell.mark
    if sign:
        aloud = f'<span class="aloud">{shown(spoken)} </span>' if spoken else ""
        text = f'<span aria-hidden="true">{shown(sign)}</span> {aloud}{text}'
    if cell.tone and cell.kind == "text":
        text = f'<span class="badge">{text}</span>'
    if cell.strong:
        text = f"<strong>{text}</strong>"
    if cell.detail:
        text += f" <small>{shown(cell.detail)}</small>"
    kind = {"number": "n", "url": "u", "text": "t", "list": "l"}[cell.kind]
    return f'<td class="{kind}{f" {cell.tone}" if cell.tone else ""}">{text}</td>'
