"""The report of an experiment: its sections and figures, as HTML, Markdown, CSV and RDF."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.util import find_spec
from itertools import zip_longest
from math import isfinite
from pathlib import Path
from urllib.parse import quote

from msgspec.structs import astuple, replace

from semcrawl.errors import ConfigError, StoreError, os_errors
from semcrawl.graph.result_formats import csv_text as csv_table
from semcrawl.graph.vocabulary import decimal, string
from semcrawl.lab import report_tables as tables
from semcrawl.lab.page_measures import FARTHEST
from semcrawl.lab.report_tables import Block, Bullets, Cell, Fold, Lookup, Paragraph, Report, Section, Table
from semcrawl.lab.results import Curve, Metric, Results
from semcrawl.plots.axes import clean_text, count, interval_text, number, round_end
from semcrawl.plots.curves import MOST_BANDS, Line, bar_panel, curve_panel, curve_plot, ends_of
from semcrawl.plots.svg import DARK, LIGHT, Figure, Pen, shown, svg_element, svg_file
from semcrawl.version import VERSION

_PNG_ZOOM = 2
_PAGES = "pages fetched"
_MOST_IN_PANEL = 8


def make_report(results: Results) -> Report:
    """The report of the results; sections with nothing to say are left out."""
    look = Lookup(results)
    several = len(results.topics) > 1
    warnings = Bullets(results.warnings) if results.warnings else None
    sections: dict[str, tuple[str, Iterable[Block | None]]] = {
        "findings": ("Findings", [tables.verdict_table(look)]),
        "done": ("What was done", tables.setup_tables(results)),
        "curves": ("Curves", _curves(look)),
        "over-topics": ("Over all topics" if several else "All measures", _over_topics(look)),
        "significance": ("Who beats whom", _significance(look)),
        "topics": ("Topic by topic", _topics(look) if several else ()),
        "differences": ("Where crawlers differ", _differences(look)),
        "distances": ("Distances from the seeds", [bar_figure(look, "distances")]),
        "relevances": ("Distribution of relevance", [bar_figure(look, "relevances")]),
        "gains": ("Words around links", [bar_figure(look, "gains")]),
        "costs": ("Costs", [tables.cost_table(look)]),
        "problems": ("Warnings and failures", [warnings, tables.failure_table(results)]),
        "measures": ("Measures", [tables.definition_table(look)]),
    }
    told = [
        Section(name, title, tuple(block for block in blocks if block)) for name, (title, blocks) in sections.items()
    ]
    return Report(results.title, tuple(_lead(look)), tuple(one for one in told if one.blocks))


def _lead(look: Lookup) -> Iterator[Block]:
    results = look.results
    if results.paper:
        yield Paragraph(f"After: {results.paper}")
    for text in filter(None, (part.strip() for part in results.about.split("\n\n"))):
        yield Paragraph(text)
    if summary := " ".join(filter(None, (tables.verdict_summary(look), _winner(look)))):
        yield Paragraph(summary)
    if results.failures or results.warnings:
        counts = [
            count(len(found), word)
            for word, found in (("failed run", results.failures), ("warning", results.warnings))
            if found
        ]
        yield Paragraph(f"{' and '.join(counts)}: see Warnings and failures.", tone="bad")


def _winner(look: Lookup) -> str:
    note = look.headline
    if note is None or not look.rivals:
        return ""
    at = look.last(note.name)
    first = look.ranked()[0]
    found = look.over(first, note.name, at)
    if found is None:
        return "No crawler has a value of the headline measure."
    if not look.is_whole(found):
        return "No crawler has a value of the headline measure for every topic."
    winners = look.best_over(note, at)
    best = [name for name in look.rivals if name in winners] or [first]
    told = f"Best by {note.title.lower()} after {number(at)} pages: {', '.join(best)} with "
    told += number(found.interval.mean, note.unit)
    if found.topics > 1:
        ends = interval_text(found.interval.low, found.interval.high, note.unit)
        told += f" over {found.topics} topics (95 % interval {ends})"
    share = look.over(first, "oracle-share", at)
    if share is not None:
        told += f", {100 * share.interval.mean:.0f} % of what the oracle finds"
        told += ", which is greedy and no upper bound on every web"
    return f"{told}."


def _curves(look: Lookup) -> Iterator[Block | None]:
    figures = curve_figures(look)
    yield from figures[:1]
    yield crawler_figure(look)
    for figure in figures[1:]:
        yield Fold(figure.caption.partition(". ")[0], (figure,))


def _over_topics(look: Lookup) -> Iterator[Block | None]:
    if look.headline:
        yield tables.metric_table(look, look.headline)
    yield tables.all_metrics_table(look)
    for note in look.notes.values():
        if note is not look.headline and (table := tables.metric_table(look, note)):
            yield Fold(note.title, (table,))


def _significance(look: Lookup) -> Iterator[Block]:
    for place, table in enumerate(tables.matrices(look)):
        yield table if place == 0 else Fold(table.caption.partition(":")[0], (table,))


def _topics(look: Lookup) -> Iterator[Block | None]:
    if look.headline:
        yield topic_figure(look)
        yield tables.metric_by_topic_table(look, look.headline)
    for place, (name, _) in enumerate(look.results.topics):
        if table := tables.topic_table(look, name, place):
            yield Fold(name, (table,))


def _differences(look: Lookup) -> Iterator[Block | None]:
    yield tables.difference_matrix(look)
    for place, left in enumerate(look.ranked()):
        differences = [d for d in look.results.differences if d.left == left]
        if table := tables.missed_table(left, differences, place):
            yield Fold(f"What {left} found and others did not", (table,))


def line_of(curve: Curve, pen: Pen) -> Line:
    """A curve of the results as a line; values that are no numbers are left out."""
    points = tuple((float(x), y) for x, y in zip(curve.pages, curve.values, strict=False) if isfinite(y))
    band = tuple(
        (float(x), low, high)
        for x, low, high in zip(curve.pages, curve.low, curve.high, strict=False)
        if isfinite(low) and isfinite(high)
    )
    return Line(curve.contender, pen, points, band)


def _lines(look: Lookup, metric: str, *, topic: str) -> list[Line]:
    curves = {c.contender: c for c in look.results.curves if (c.measure, c.topic) == (metric, topic)}
    lines = [line_of(curves[name], look.pens[name]) for name in (*look.oracles, *look.rivals) if name in curves]
    return [found for found in lines if found.points]


def curve_figures(look: Lookup) -> tuple[Figure, ...]:
    """One plot for each metric with curves over topics, that of the headline first."""
    drawn = ((note, _lines(look, note.name, topic="")) for note in look.notes.values())
    return tuple(_curve_figure(look, note, lines) for note, lines in drawn if lines)


def _curve_figure(look: Lookup, note: Metric, lines: Sequence[Line]) -> Figure:
    caption = f"{note.title} against pages fetched{_over(look, note.name)}."
    if any(found.band for found in lines):
        caption += tables.CAPTIONS["bands" if len(lines) <= MOST_BANDS else "no_bands"]
    title = tables.metric_title(note)
    plot = curve_plot(caption, lines, x_title=_PAGES, y_title=title, unit=note.unit)
    return Figure(f"curves-{_slug(note.name)}", caption, (plot,))


def crawler_figure(look: Lookup) -> Figure | None:
    """A panel for each crawler with its band, before the range of all and the oracle."""
    note = look.headline
    lines = _lines(look, note.name, topic="") if note else []
    rivals = [found for found in lines if found.name in look.rivals]
    if note is None or len(rivals) < 2:
        return None
    oracles = [replace(found, band=()) for found in lines if found.name in look.oracles[:1]]
    ends = ends_of([*rivals, *oracles])
    panels = tuple(curve_panel(found.name, [*oracles, found], ends, behind=rivals, head=found.pen) for found in rivals)
    interval = ", with its 95 % interval" if any(found.band for found in rivals) else ""
    over, oracle = _over(look, note.name), "; grey is the oracle" if oracles else ""
    caption = tables.CAPTIONS["crawlers"].format(title=note.title, over=over, interval=interval, oracle=oracle)
    return Figure(f"crawlers-{_slug(note.name)}", caption, panels)


def topic_figure(look: Lookup) -> Figure | None:
    """A panel for each topic, with the curves of all crawlers."""
    note = look.headline
    if note is None:
        return None
    curves = {name: _lines(look, note.name, topic=name) for name, _ in look.results.topics}
    topics = {name: lines for name, lines in curves.items() if lines}
    if not topics:
        return None
    ends = ends_of(found for lines in topics.values() for found in lines)
    leading = set(look.ranked()[:_MOST_IN_PANEL]) | set(look.oracles)
    panels = []
    for name, lines in topics.items():
        drawn = [replace(found, band=()) for found in lines if found.name in leading]
        behind = [found for found in lines if found.name in look.rivals] if len(drawn) < len(lines) else ()
        panels.append(curve_panel(name, drawn, ends, behind=behind))
    drawn_best = tables.CAPTIONS["drawn"].format(most=_MOST_IN_PANEL) if len(look.rivals) > _MOST_IN_PANEL else ""
    caption = tables.CAPTIONS["topics"].format(title=note.title, drawn=drawn_best)
    return Figure(f"topics-{_slug(note.name)}", caption, tuple(panels))


def bar_figure(look: Lookup, name: str) -> Figure | None:
    """Some bars of the results, a panel for each crawler."""
    known = look.results.bars.get(name, {})
    bars = {one: known[one] for one in look.results.contenders if any(known.get(one, ()))}
    if not bars:
        return None
    longest = max(n for values in bars.values() for n, value in enumerate(values) if value)
    y_end = round_end(max(max(values) for values in bars.values()), 4)
    first = -FARTHEST if name == "gains" else 0
    panels = tuple(bar_panel(one, values, longest, y_end, look.pens[one], first) for one, values in bars.items())
    return Figure(name, tables.LISTINGS["bars"][name], panels)


def _over(look: Lookup, metric: str) -> str:
    counts = {
        curve.contender: curve.topics for curve in look.results.curves if curve.measure == metric and not curve.topic
    }
    most = max(counts.values(), default=0) or len(look.results.topics)
    if most < 2:
        return ""
    fewer = [f"{name} over {count}" for name, count in counts.items() if 0 < count < most]
    return f", mean over {most} topics" + (f" ({', '.join(fewer)})" if fewer else "")


def _slug(name: str) -> str:
    """A metric's name as part of a file's name.

    >>> _slug("harvest-rate"), _slug("../R(d)")
    ('harvest-rate', 'r-d')
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "measure"


_TEXTS: dict[str, Callable[[Report, Results], str]] = {
    "report.html": lambda report, _: html_page(report),
    "report.md": lambda report, _: markdown(report),
    "results.csv": lambda _, results: csv_text(results),
    "results.ttl": lambda _, results: data_cube(results),
}


def report_text(results: Results, name: str) -> str:
    """One of the texts of a report: report.html, report.md, results.csv or results.ttl."""
    return _TEXTS[name](make_report(results), results)


def write_report(results: Results, folder: Path, *, png: bool | None = None) -> list[Path]:
    """Write report.html, report.md, results.csv, results.ttl and figures; return their paths.

    Figures are SVG, and PNG too: with ``png`` None where resvg is installed, else ConfigError.
    """
    if png is None:
        png = find_spec("resvg_py") is not None
    report = make_report(results)
    files = {name: make(report, results).encode("utf-8", "replace") for name, make in _TEXTS.items()}
    for figure in report.figures():
        svg = svg_file(figure)
        files[f"figures/{figure.name}.svg"] = svg.encode("utf-8", "replace")
        if png:
            files[f"figures/{figure.name}.png"] = png_bytes(svg)
    with os_errors(StoreError, f"the report cannot be written to {folder}"):
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    return [folder / name for name in files]


def png_bytes(svg: str) -> bytes:
    """An SVG file as a PNG of twice its size in pixels; ConfigError where resvg is missing."""
    if find_spec("resvg_py") is None:
        raise ConfigError("PNG figures need resvg: install it with pip install 'semcrawl[figures]'")
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=svg, zoom=_PNG_ZOOM))


_NUMERIC = ' class="n"'


def html_page(report: Report) -> str:
    """The report as one HTML page that loads nothing and runs nothing."""
    light, dark = ("".join(f".hue-{n}{{color:{colour}}}" for n, colour in enumerate(hues)) for hues in (LIGHT, DARK))
    # Paper is light, whatever the screen is.
    style = f"{_beside('report.css')}{light}@media screen and (prefers-color-scheme:dark){{{dark}}}"
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    links = "".join(
        f'<li><a href="#{shown(section.name)}">{shown(section.title)}</a></li>' for section in report.sections
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
    panels = "".join(svg_element(panel, f"{figure.name}-{number}") for number, panel in enumerate(figure.panels))
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
    text = escaped(cell.text)
    if cell.kind == "url":  # as code, which no reader makes a link of
        plain = clean_text(cell.text).replace("`", "%60").replace("|", "%7C")
        text = f"`{plain}`" if plain else ""
    text = f"{escaped(cell.mark[0])} {text}".strip() if cell.mark[0] else text
    text = f"**{text}**" if cell.strong and text else text
    return f"{text} ({escaped(cell.detail)})" if cell.detail else text


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
    for name, pages in results.topics:
        yield _concept(root, "topic", name, name, f"sc:pagesToFind {pages}")
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
