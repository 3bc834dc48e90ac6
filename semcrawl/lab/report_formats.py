"""The report as HTML and Markdown, its values as CSV and RDF; texts of pages are escaped."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import zip_longest
from math import isfinite
from pathlib import Path
from urllib.parse import quote

from msgspec.structs import astuple

from semcrawl.graph.result_formats import csv_text as csv_table
from semcrawl.graph.vocabulary import decimal, string
from semcrawl.lab.report_tables import Block, Bullets, Cell, Fold, Paragraph, Report, Section, Table
from semcrawl.lab.results import Results
from semcrawl.plots.axes import clean_text
from semcrawl.plots.svg import DARK, LIGHT, Figure, shown, svg_element
from semcrawl.version import VERSION

_NUMERIC = ' class="n"'


def html_page(report: Report) -> str:
    """The report as one HTML page that loads nothing and runs nothing."""
    style = _style()
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    links = "".join(
        f'<li><a href="#{shown(section.name)}">{shown(section.title)}</a></li>'
        for section in report.sections
    )
    return _beside("report.html").format(
        policy=policy,
        style=style,
        title=shown(report.title),
        lead=_html_blocks(report.lead),
        links=links,
        sections="".join(map(_section, report.sections)),
    )


def _beside(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _style() -> str:
    light, dark = (
        "".join(f".hue-{n}{{color:{colour}}}" for n, colour in enumerate(hues))
        for hues in (LIGHT, DARK)
    )
    # Paper is light, whatever the screen is.
    return f"{_beside('report.css')}{light}@media screen and (prefers-color-scheme:dark){{{dark}}}"


def _section(section: Section) -> str:
    name, blocks = shown(section.name), _html_blocks(section.blocks)
    head = f'<h2 id="{name}">{shown(section.title)}</h2>'
    return f'<section aria-labelledby="{name}">{head}{blocks}</section>\n'


def _html_blocks(blocks: tuple[Block, ...]) -> str:
    return "".join(map(_block, blocks))


def _block(block: Block) -> str:
    match block:
        case Table():
            return _html_table(block)
        case Figure():
            return _figure(block)
        case Fold():
            inner = _html_blocks(block.blocks)
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
    caption = shown(figure.caption)
    # One wide plot scrolls in its box on a phone; panels flow instead.
    box = f'"scroll plot" tabindex="0" role="group" aria-label="{caption}"'
    if len(figure.panels) > 1:
        box = '"panels"'
    return f"<figure><div class={box}>{panels}</div><figcaption>{caption}</figcaption></figure>"


def _html_table(table: Table) -> str:
    name = f"t-{shown(table.name)}".replace(" ", "-")
    kinds = [cell.kind for cell in table.rows[0]] if table.rows else []
    head = "".join(
        f'<th scope="col"{_NUMERIC if kind == "number" else ""}><span>{shown(title)}</span></th>'
        for title, kind in zip_longest(table.head, kinds, fillvalue="")
    )
    rows = "".join(f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in table.rows)
    upright = ' class="upright"' if table.upright else ""
    return (
        f'<div class="scroll" role="region" aria-labelledby="{name}" tabindex="0">'
        f'<table{upright}><caption id="{name}"><span>{shown(table.caption)}</span></caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _html_cell(cell: Cell) -> str:
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


_SPECIAL = re.compile(r"([\\`*_\[\]{}|#~])")
_TAGS = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;"})
# Without its colon no reader of Markdown takes an address for a link.
_ADDRESS = re.compile(r"(?i)\b(https?|ftp|mailto):")
_FIRST = re.compile(r"^([-+=]|\d+[.)])(?=\s|$)")


def markdown(report: Report) -> str:
    """The report as Markdown; figures are files in ``figures/`` beside it."""
    lines = [f"# {escaped(report.title)}", "", *_markdown_blocks(report.lead, 3)]
    for section in report.sections:
        lines += [f"## {escaped(section.title)}", "", *_markdown_blocks(section.blocks, 3)]
    return "\n".join(lines).rstrip() + "\n"


def escaped(text: str) -> str:
    r"""A text that Markdown shows as it is, on one line.

    >>> escaped("a_b <i> | http://x.test/")
    'a\\_b &lt;i&gt; \\| http&#58;//x.test/'
    """
    plain = _SPECIAL.sub(r"\\\1", clean_text(text).translate(_TAGS))
    return _FIRST.sub(r"\\\1", _ADDRESS.sub(r"\1&#58;", plain))


def _markdown_blocks(blocks: tuple[Block, ...], level: int) -> Iterator[str]:
    for block in blocks:
        match block:
            case Table():
                yield from (*_markdown_table(block), "")
            case Figure():
                yield from (f"![{escaped(block.caption)}](figures/{block.name}.svg)", "")
                yield from (f"*{escaped(block.caption)}*", "")
            case Fold():
                yield from (f"{'#' * level} {escaped(block.summary)}", "")
                yield from _markdown_blocks(block.blocks, level + 1)
            case Bullets():
                yield from (*(f"- {escaped(item)}" for item in block.items), "")
            case Paragraph():
                yield from (escaped(block.text), "")


def _markdown_table(table: Table) -> Iterator[str]:
    yield from (f"{escaped(table.caption)}.", "", _row(map(escaped, table.head)))
    kinds = [cell.kind for cell in table.rows[0]] if table.rows else []
    rules = zip_longest(table.head, kinds, fillvalue="")
    yield _row("---:" if kind == "number" else "---" for _, kind in rules)
    yield from (_row(map(_markdown_cell, row)) for row in table.rows)


def _row(cells: Iterator[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_cell(cell: Cell) -> str:
    text = _code(cell.text) if cell.kind == "url" else escaped(cell.text)
    text = f"{escaped(cell.mark[0])} {text}".strip() if cell.mark[0] else text
    text = f"**{text}**" if cell.strong and text else text
    return f"{text} ({escaped(cell.detail)})" if cell.detail else text


def _code(url: str) -> str:
    """An address as code, which no reader makes a link of."""
    plain = clean_text(url).replace("`", "%60").replace("|", "%7C")
    return f"`{plain}`" if plain else ""


def csv_text(results: Results) -> str:
    """The values as CSV; one is empty where the measure does not apply."""
    head = ("contender", "topic", "repetition", "measure", "pages", "value")
    rows = (astuple(found) for found in results.values)
    values = ((*row, "" if value is None else repr(float(value))) for *row, value in rows)
    return csv_table([head, *values])


# What may follow a prefix in Turtle without escapes.
_LOCAL = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def data_cube(results: Results) -> str:
    """The values and their means in the W3C's Data Cube vocabulary; report.ttl has the frame."""
    root = f"urn:semcrawl:lab:{_quoted(results.name or results.title)}"
    paper = f"\n    dcterms:references {string(results.paper)} ;" if results.paper else ""
    head = _beside("report.ttl").format(
        root=root,
        values=string(f"{results.title}: every run"),
        means=string(f"{results.title}: means over topics"),
        about=string(results.about),
        references=paper,
        creator=string(f"semcrawl {VERSION}"),
    )
    return "".join([head, *_codes(results, root), *_observations(results, root)])


def _codes(results: Results, root: str) -> Iterator[str]:
    """The concepts that observations are coded with."""
    yield from (_concept(root, "strategy", name, name) for name in results.contenders)
    for name, count in results.topics:
        yield _concept(root, "topic", name, name, f"sc:pagesToFind {count}")
    for note in results.measures:
        yield _concept(
            root,
            "measure",
            note.name,
            note.title,
            f"skos:definition {string(note.definition, 'en')}",
            f"dcterms:source {string(note.source)}",
            f"sc:higherIsBetter {str(note.higher_is_better).lower()}",
        )


def _concept(root: str, scheme: str, name: str, label: str, *more: str) -> str:
    return _subject(
        _code_iri(root, scheme, name),
        "a skos:Concept",
        f"skos:prefLabel {string(label)}",
        f"skos:notation {string(name)}",
        f"skos:inScheme lab:{scheme}",
        f"skos:topConceptOf lab:{scheme}",
        *more,
    )


def _observations(results: Results, root: str) -> Iterator[str]:
    def seen(data_set: str, codes: Mapping[str, str], **numbers: str | int) -> str:
        coded = (f"lab:{of}-dimension {_code_iri(root, of, one)}" for of, one in codes.items())
        told = (f"sc:{name} {number}" for name, number in numbers.items())
        return _subject("[]", "a qb:Observation", f"qb:dataSet lab:{data_set}", *coded, *told)

    for one in results.values:
        if one.value is not None and isfinite(one.value):
            codes = {"strategy": one.contender, "topic": one.topic, "measure": one.measure}
            value, at = decimal(one.value), one.at
            yield seen("values", codes, repetition=one.repetition, pagesFetched=at, value=value)
    for mean in results.over_topics:
        ends = mean.interval
        if all(map(isfinite, (ends.mean, ends.low, ends.high))):
            codes = {"strategy": mean.contender, "measure": mean.measure}
            value, low, high = map(decimal, (ends.mean, ends.low, ends.high))
            yield seen("means", codes, pagesFetched=mean.at, value=value, lowEnd=low, highEnd=high)


def _code_iri(root: str, scheme: str, name: str) -> str:
    plain = _LOCAL.fullmatch(name)
    return f"{scheme}:{name}" if plain else f"<{root}:{scheme}:{_quoted(name)}>"


def _quoted(name: str) -> str:
    return quote(name, safe="", errors="replace")


def _subject(term: str, *parts: str) -> str:
    said = " ;\n    ".join(parts)
    return f"{term} {said} .\n"
