"""HTML of planned pages: a tidy site, a careless homepage, a bare directory."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from semcrawl.demo.own_statements import json_ld, syntax_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from semcrawl.demo.sheet import Anchor, Look, Place, Sheet

__all__ = ["render"]


def render(sheet: Sheet) -> bytes:
    """Return the page as HTML in its own encoding; what that cannot write becomes ``&#n;``."""
    return _LOOKS[sheet.look](sheet).encode(sheet.charset, "xmlcharrefreplace")


def _site(sheet: Sheet) -> str:
    nav = " | ".join(_written(sheet, anchor) for anchor in _at(sheet, "nav"))
    body = "\n".join(_mingled(sheet))
    items = "\n".join(f"<li>{_written(sheet, anchor)}</li>" for anchor in _at(sheet, "list"))
    syntax = syntax_of(sheet)
    # The statements are attributes and what no reader sees: they change no text.
    thing = ' vocab="https://schema.org/" typeof="WebPage" resource=""' if syntax == "rdfa" else ""
    name = ' property="name"' if syntax == "rdfa" else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{sheet.language}">\n<head>\n'
        f'<meta charset="{sheet.charset}">\n<title>{escape(sheet.title)}</title>\n'
        f"{_base(sheet)}{json_ld(sheet) if syntax == 'json-ld' else ''}</head>\n"
        f"<body>\n<header><nav>{nav}</nav></header>\n<main{thing}>\n"
        f"<h1{name}>{escape(sheet.title)}</h1>\n{body}\n"
        f"{f'<ul>{items}</ul>' if items else ''}\n</main>\n"
        f"<footer><p>This is a page of {escape(sheet.host)}.</p></footer>\n</body>\n</html>\n"
    )


def _homepage(sheet: Sheet) -> str:
    """Return markup as it was written by hand: unclosed, unquoted, nested the wrong way."""
    parts = ["<HTML><HEAD><TITLE>", escape(sheet.title), "</TITLE>\n<BODY BGCOLOR=#ffffee>"]
    parts += ["<CENTER><H2>", escape(sheet.title), "</CENTER></H2>\n<TABLE><TR><TD>"]
    for anchor in _at(sheet, "nav"):
        parts.append(f"<LI>{_written(sheet, anchor)}\n")
    parts.append("<TD>\n")
    parts += [f"{paragraph}\n" for paragraph in _mingled(sheet, "<P>", "")]
    parts += [f"<BR>* <B>{_written(sheet, anchor)}\n</FONT>" for anchor in _at(sheet, "list")]
    return "".join([*parts, "<HR><I>Last changed a long time ago</BODY>\n"])


def _directory(sheet: Sheet) -> str:
    nav = " &gt; ".join(_written(sheet, anchor) for anchor in _at(sheet, "nav"))
    text = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in sheet.paragraphs)
    rows = "\n".join(
        f"<dt>{_written(sheet, anchor, around=False)}</dt><dd>{escape(anchor.after.strip())}</dd>"
        for anchor in (*_at(sheet, "list"), *_at(sheet, "text"))
    )
    return (
        f'<html lang="{sheet.language}"><head><title>{escape(sheet.title)}</title></head>'
        '<body itemscope itemtype="https://schema.org/CollectionPage">\n'
        f'<div>{nav}</div>\n<h1 itemprop="name">{escape(sheet.title)}</h1>\n{text}\n'
        f"<dl>\n{rows}\n</dl>\n"
        "</body></html>\n"
    )


_LOOKS: dict[Look, Callable[[Sheet], str]] = {
    "site": _site,
    "homepage": _homepage,
    "directory": _directory,
}


def _at(sheet: Sheet, place: Place) -> list[Anchor]:
    return [anchor for anchor in sheet.anchors if anchor.place == place]


def _mingled(sheet: Sheet, start: str = "<p>", end: str = "</p>") -> Iterable[str]:
    """Return the paragraphs with the links of the text spread evenly over their ends."""
    links = _at(sheet, "text")
    texts = [escape(paragraph, quote=False) for paragraph in sheet.paragraphs] or [""]
    for number, text in enumerate(texts):
        mine = links[number :: len(texts)]
        yield start + " ".join([text, *(_written(sheet, anchor) for anchor in mine)]) + end


def _written(sheet: Sheet, anchor: Anchor, *, around: bool = True) -> str:
    rel = ' rel="nofollow"' if anchor.nofollow else ""
    href = escape(_reference(sheet, anchor.url))
    link = f'<a href="{href}"{rel}>{escape(anchor.text, quote=False)}</a>'
    if not around:
        return link
    return f"{escape(anchor.before, quote=False)}{link}{escape(anchor.after, quote=False)}"


def _reference(sheet: Sheet, url: str) -> str:
    """Return the URL as authors write it: short on the same host, whole otherwise."""
    if sheet.base and url.startswith(sheet.base) and url != sheet.base:
        return url.removeprefix(sheet.base)
    home = f"http://{sheet.host}/"
    return f"/{url.removeprefix(home)}" if url.startswith(home) else url


def _base(sheet: Sheet) -> str:
    return f'<base href="{escape(sheet.base)}">\n' if sheet.base else ""
