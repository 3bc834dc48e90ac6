"""What pages of the demo web say of themselves: some in JSON-LD, some in RDFa, some nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from semcrawl.demo.sheet import Sheet

__all__ = ["Syntax", "json_ld", "syntax_of"]

Syntax = Literal["json-ld", "rdfa", "none"]
_SYNTAXES: tuple[Syntax, ...] = ("rdfa", "none", "json-ld")


def syntax_of(sheet: Sheet) -> Syntax:
    """How the pages of a site speak: all of a site do it in the same way."""
    return _SYNTAXES[sum(sheet.host.encode()) % len(_SYNTAXES)]


def json_ld(sheet: Sheet) -> str:
    """The page described in a block of JSON-LD: what it is called, about and part of."""
    said: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "CollectionPage" if sheet.is_hub else "WebPage",
        "@id": sheet.url,
        "name": sheet.title,
        "inLanguage": sheet.language,
        "isPartOf": {"@type": "WebSite", "url": f"http://{sheet.host}/"},
    }
    if sheet.subject is not None:
        said["about"] = {"@type": "Thing", "name": sheet.name}
    # No text may end the block before its time.
    block = json.dumps(said, ensure_ascii=True).replace("</", "<\\/")
    return f'<script type="application/ld+json">{block}</script>\n'
