"""Named queries: SPARQL files with a header, found by name, run with bound parameters.

The leading comment names parameters, ``# @param url [iri] the page``, and other tags. Each is the variable of a
``VALUES`` line; the value there is its default and gives its type, and ``UNDEF`` means that it must be given. ``limit``
and ``offset`` are the numbers of the last ``LIMIT`` and ``OFFSET``. The default of ``threshold``, or of a parameter
marked ``[threshold]``, is the crawl's own. docs/querying.md has an example.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path

from semcrawl.errors import QueryError, os_errors, regular, told_as
from semcrawl.graph.sparql_text import prefixed_names
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import PREFIXES, iri, to_term
from semcrawl.resources import ontologies_folder, queries_folder, shipped_file

_HEADER = re.compile(r"(?:[ \t]*#[^\n]*\n)+")
_PARAM = re.compile(r"@param\s+(\w+)\s+(?:\[(\w+)\]\s*)?(.*)")
_TAG = re.compile(r"@(\w+)\s*(.*)")
# A file may come from a stranger: each of these takes time by its length, whatever it holds.
_SLOT = r"(VALUES\s+\?{name}\s*\{{)\s*+([^{{}}\s]*+(?:\s++[^{{}}\s]++)*+)\s*+(\}})"
_COUNTS = {name: re.compile(rf"\A([\s\S]*{name}\s+)(\d+)", re.IGNORECASE) for name in ("limit", "offset")}
_WRITERS: dict[str, Callable[[str], str]] = {
    "iri": iri,
    "string": to_term,
    "integer": lambda text: to_term(int(text)),
    "decimal": lambda text: to_term(float(text)),
    "boolean": lambda text: to_term({"true": True, "false": False}[text.lower()]),
}  # of values, by type


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a named query; ``default`` is None where it must be given."""

    name: str
    type: str
    default: str | None
    help: str
    is_threshold: bool = False


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query with its title, explanation and parameters."""

    name: str
    title: str
    help: str
    text: str
    parameters: tuple[Parameter, ...]
    tags: Mapping[str, str] = field(default_factory=dict)

    @property
    def needs_threshold(self) -> bool:
        """Whether a parameter has the crawl's own threshold as its default."""
        return any(parameter.is_threshold for parameter in self.parameters)

    def at_threshold(self, threshold: float) -> "NamedQuery":
        """The query of a crawl with this threshold: text and defaults name it."""
        term = to_term(float(threshold))
        text, parameters = self.text, []
        for one in self.parameters:
            if one.is_threshold:
                text = _put(text, one.name, term)
            parameters.append(replace(one, default=term) if one.is_threshold else one)
        return replace(self, text=text, parameters=tuple(parameters))

    def bind(self, values: Mapping[str, object] | None = None) -> str:
        """The query text with its parameters bound to ``values``, defaults elsewhere.

        Texts are read by the parameter's type. A list or a tuple binds several values. Raises QueryError: an
        unknown parameter, a missing one, or a value of another type.
        """
        given = dict(values or {})
        text = self.text
        for parameter in self.parameters:
            if parameter.name in given:
                value = given.pop(parameter.name)
                several = value if isinstance(value, list | tuple) else [value]
                term = " ".join(_term(parameter, one, self.name) for one in several)
                text = _put(text, parameter.name, term)
            elif parameter.default is None:
                raise QueryError(
                    f"query {self.name!r} needs the parameter {parameter.name!r} "
                    f"({parameter.help}): give it as {parameter.name}=VALUE"
                )
        if given:
            known = ", ".join(p.name for p in self.parameters) or "none"
            raise QueryError(f"query {self.name!r} has no parameter {next(iter(given))!r}; it takes: {known}")
        return text


def parse_query(text: str, name: str) -> NamedQuery:
    """Read a query with its header; QueryError if that names a parameter without a VALUES line."""
    match = _HEADER.match(text)
    comments = [line.strip().lstrip("#").strip() for line in match[0].splitlines()[:200]] if match else []
    prose = [line for line in comments if not line.startswith("@")]
    parameters = tuple(_parameter(text, found, name) for line in comments if (found := _PARAM.match(line)))
    paragraph = " ".join(prose).strip()
    title = re.split(r"(?<=[.:])\s", paragraph, maxsplit=1)[0].rstrip(".:") or name
    found_tags = [found.groups() for line in comments if (found := _TAG.match(line))]
    tags = {tag: said.strip() for tag, said in found_tags if tag != "param"}
    return NamedQuery(name, title, paragraph, text, parameters, tags)


def read_query_file(path: Path, what: str = "query file", hint: str = "") -> NamedQuery:
    """The query of a user's file or a shipped one; QueryError if it cannot be read. ``what`` and ``hint`` are told."""
    unread = os_errors(QueryError, f"cannot read the {what} {path}", hint)
    with unread, told_as(QueryError, f"the {what} {path} is no UTF-8 text", UnicodeDecodeError):
        found = path if path.exists() else shipped_file(str(path)) or path
        return parse_query(regular(found).read_text(encoding="utf-8-sig"), path.name)


def named_queries() -> dict[str, NamedQuery]:
    """All queries that come with semcrawl, by name: folder/file without ``.rq``."""
    return {name: _parsed(path, name) for name, path in _shipped().items()}


@cache
def _shipped() -> dict[str, Path]:
    folder = queries_folder()
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.rq"))}


@lru_cache(maxsize=1000)
def _parsed(path: Path, name: str) -> NamedQuery:
    return parse_query(path.read_text(encoding="utf-8"), name)


def find_query(name: str) -> NamedQuery:
    """The query of a name, or of its unique last part; QueryError if there is none or several."""
    paths = _shipped()
    short = [name] if name in paths else [full for full in paths if _short(full) == name]
    if len(short) == 1:
        return _parsed(paths[short[0]], short[0])
    if short:
        raise QueryError(f"{name!r} is the name of several queries: say {' or '.join(short)}")
    near = get_close_matches(name, [*paths, *map(_short, paths)], n=3)
    hint = f"did you mean {', '.join(near)}? " if near else ""
    raise QueryError(f"there is no query {name!r}; {hint}'semcrawl query --list' lists them all")


def why_empty(store: "OxigraphStore", text: str) -> Iterator[str]:
    """Why a query has an empty answer, as far as its names tell: nothing has them, or pages alone."""
    ours, absent = re.findall(r"^(sc:\w+)", _vocabulary(), re.MULTILINE), list[str]()
    others = ("dcterms:title", "dcterms:language", "dcterms:description", "skos:prefLabel", "skos:broader")
    known = {one.partition(":")[2].lower(): one for one in (*ours, *others)}
    for name, named in prefixed_names(text, PREFIXES).items():
        if not store.has(named):
            like = [] if name in ours else get_close_matches(name.partition(":")[2].lower(), known, 1, 0.7)
            absent.append(name + (f" (did you mean {known[like[0]]}?)" if like else ""))
        elif not re.search(r"\b(GRAPH|FROM)\b", text, re.IGNORECASE) and not store.has(named, own=True):
            yield f"only pages themselves say {name}: write GRAPH ?page {{ … }} around that part"
    if absent:
        yield f"nothing in this crawl has {' or '.join(absent)}"


@cache
def _vocabulary() -> str:
    return (ontologies_folder() / "semcrawl.ttl").read_text(encoding="utf-8")


def _short(name: str) -> str:
    return name.rsplit("/", 1)[-1]


def _parameter(text: str, found: re.Match[str], query: str) -> Parameter:
    name, declared, help_text = found.groups()
    if name in _COUNTS:
        number = _COUNTS[name].search(text)
        if not number:
            raise QueryError(f"query {query!r} has a parameter {name!r} but no {name.upper()}")
        return Parameter(name, "integer", number[2], help_text)
    slot = re.search(_SLOT.format(name=name), text, re.IGNORECASE)
    if not slot:
        raise QueryError(f"query {query!r} names {name!r} but has no line VALUES ?{name} {{ … }}")
    default = None if slot[2].upper() == "UNDEF" else slot[2]
    is_threshold = "threshold" in (name, declared)
    kind = "decimal" if is_threshold else declared or _type_of(slot[2])
    if kind not in _WRITERS:
        raise QueryError(f"query {query!r}: {name!r} has the type {kind!r}; use one of {tuple(_WRITERS)}")
    return Parameter(name, kind, default, help_text, is_threshold)


def _type_of(term: str) -> str:
    if term.startswith("<") or re.fullmatch(r"\w*:\S+", term):
        return "iri"
    if re.fullmatch(r"[+-]?\d+", term):
        return "integer"
    if re.fullmatch(r"[+-]?\d*\.\d+", term):
        return "decimal"
    return "boolean" if term in ("true", "false") else "string"


def _term(parameter: Parameter, value: object, query: str) -> str:
    try:
        return _WRITERS[parameter.type](str(value))
    except (ValueError, KeyError):
        raise QueryError(f"query {query!r}: {parameter.name}={value} is no {parameter.type}") from None


def _put(text: str, name: str, term: str) -> str:
    if name in _COUNTS:
        if not term.isdigit():
            raise QueryError(f"{name} must not be negative")
        return _COUNTS[name].sub(lambda m: m[1] + term, text, count=1)
    slot = _SLOT.format(name=name)
    return re.sub(slot, lambda m: f"{m[1]} {term} {m[3]}", text, flags=re.IGNORECASE)
