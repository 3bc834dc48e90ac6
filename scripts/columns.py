"""Write what follows from the declaration of the graph's columns (semcrawl/graph/columns.toml).

That is the properties of the SHACL shapes, of a crawl graph and of a collection, and entries of
the vocabulary for columns that it does not have yet. Run it after a change of the columns, or of
what an export says of pages:

    python -m scripts.columns
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.graph.columns import ALL, CHECK, CONTENT, PAGE, URL

if TYPE_CHECKING:
    from semcrawl.graph.columns import Column, Columns

ROOT = Path(__file__).resolve().parent.parent
SHAPES = ROOT / "ontologies" / "semcrawl-shapes.ttl"
COLLECTION_SHAPES = ROOT / "ontologies" / "semcrawl-collection-shapes.ttl"
COLLECTION = ROOT / "queries" / "export" / "collection.rq"
VOCABULARY = ROOT / "ontologies" / "semcrawl.ttl"

_BEGIN = "made by scripts/columns.py from semcrawl/graph/columns.toml; do not edit"
_COUNTS = {"1": "sh:minCount 1 ; sh:maxCount 1", "?": "sh:maxCount 1", "*": ""}
_NAMES = {
    "FoundUrl": "URL",
    "WaitingUrl": "waiting URL",
    "DroppedUrl": "dropped URL",
    "Redirect": "URL that redirects",
    "Page": "page",
    "Site": "site",
    "SiteLink": "link between sites",
    "Crawl": "crawl",
    "PolicyRun": "run of a policy",
    "Alarm": "alarm",
}
_URLS = ("FoundUrl", "WaitingUrl", "DroppedUrl", "Redirect")
_REVISITS = {CONTENT: "when its content changes", CHECK: "every time", "": ""}


def shapes() -> str:
    """The shapes as they should be."""
    text = SHAPES.read_text(encoding="utf-8")
    made = "\n\n".join(_shape(columns) for columns in ALL)
    return text.partition(f"# {_BEGIN}")[0] + f"# {_BEGIN}\n\n{made}\n"


def collection_shapes() -> str:
    """The shapes of a collection, with the columns that its query gives a page."""
    text = COLLECTION_SHAPES.read_text(encoding="utf-8")
    query = COLLECTION.read_text(encoding="utf-8")
    told = re.findall(r"^  \?(?:page|source) (.+?) \.\n", query, re.MULTILINE | re.DOTALL)
    said = set(re.findall(r"([a-z]+:\w+) \?", " ".join(told)))
    columns = [column for column in (*URL, *PAGE) if column.predicate in said]
    made = ",\n    ".join(map(_property, columns))
    made = f"shape:Page sh:property\n    {made} ."
    return text.partition(f"# {_BEGIN}")[0] + f"# {_BEGIN}\n\n{made}\n"


def table() -> str:
    """The columns as a table of the docs."""
    rows = [
        f"| {_NAMES[columns.shape]} | `{column.predicate}` | {_datatype(column)} | "
        f"{column.meaning} | {_REVISITS[column.revisit]} |"
        for columns in ALL
        for column in columns
    ]
    head = ["| of a | column | value | what it says | replaced by a revisit |", "|" + "---|" * 5]
    return "\n".join([*head, *rows, ""])


def vocabulary() -> str:
    """The vocabulary with an entry for each column of ours."""
    text = VOCABULARY.read_text(encoding="utf-8")
    for columns in ALL:
        for column in columns:
            if column.predicate.startswith("sc:") and f"\n{column.predicate} a " not in text:
                text = text.rstrip("\n") + f"\n\n{_entry(column, columns.shape)}\n"
    return text


def _shape(columns: Columns) -> str:
    properties = ",\n    ".join(_property(column) for column in columns)
    return f"shape:{columns.shape} sh:property\n    {properties} ."


def _property(column: Column) -> str:
    parts = [f"sh:path {column.predicate}", column.constraints, _COUNTS[column.count]]
    return f"[ {' ; '.join(part for part in parts if part)} ]"


def _datatype(column: Column) -> str:
    kind = "a name `sc:…`" if column.type == "name" else column.datatype.replace("iri", "IRI")
    return kind + (", several" if column.count == "*" else "")


def _entry(column: Column, shape: str) -> str:
    is_thing = column.datatype == "iri"
    kinds = ["owl:ObjectProperty" if is_thing else "owl:DatatypeProperty"]
    if column.count != "*":
        kinds.append("owl:FunctionalProperty")
    label = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column.predicate.removeprefix("sc:")).lower()
    lines = [f"{column.predicate} a {', '.join(kinds)} ;"]
    lines.append(f"    rdfs:domain sc:{'FoundUrl' if shape in _URLS else shape} ;")
    things = "sc:FoundUrl" if column.type == "url" else "owl:Thing"
    lines.append(f"    rdfs:range {things if is_thing else f'xsd:{column.datatype}'} ;")
    meaning = column.meaning[:1].upper() + column.meaning[1:]
    lines += [f'    rdfs:label "{label}"@en ;', f'    rdfs:comment "{meaning}."@en .']
    return "\n".join(lines)


def main() -> None:
    """Write all of them."""
    made = {SHAPES: shapes(), COLLECTION_SHAPES: collection_shapes(), VOCABULARY: vocabulary()}
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
