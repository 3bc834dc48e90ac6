"""The names that a crawl graph is written with; documented in ontologies/semcrawl.ttl."""

import re
from datetime import UTC, datetime
from decimal import Decimal

from semcrawl.errors import QueryError
from semcrawl.rdf_syntax import RDF
from semcrawl.resources import facts_beside

SC = "https://w3id.org/semcrawl/ns#"
RDF_TYPE = f"{RDF}type"
DCTERMS = "http://purl.org/dc/terms/"
XSD = "http://www.w3.org/2001/XMLSchema#"

PREFIXES: dict[str, str] = facts_beside(__file__, "prefixes.toml")["prefixes"]

_SITE = "urn:semcrawl:site:"
_LOCAL = re.compile(r"\w+(?:[:-]\w+)*")


def site_iri(host: str) -> str:
    """The IRI of the site behind a host: no URL, so that it is not the page at its root.

    >>> site_iri("example.org:8080"), site_iri("[::1]")
    ('urn:semcrawl:site:example.org:8080', 'urn:semcrawl:site:%5B::1%5D')
    """
    return _SITE + host.replace("[", "%5B").replace("]", "%5D")


def host_of_site(site: str) -> str | None:
    """The host behind the IRI of a site, None for an IRI that is none.

    >>> host_of_site("urn:semcrawl:site:example.org:8080")
    'example.org:8080'
    """
    if not site.startswith(_SITE):
        return None
    return site.removeprefix(_SITE).replace("%5B", "[").replace("%5D", "]")


def shorten(iri: str) -> str:
    """An IRI of a known vocabulary as prefix and local name, any other as it is.

    >>> shorten("https://w3id.org/semcrawl/ns#TimedOut")
    'sc:TimedOut'
    """
    for name, namespace in PREFIXES.items():
        if iri.startswith(namespace) and _LOCAL.fullmatch(iri, len(namespace)):
            return f"{name}:{iri[len(namespace) :]}"
    return iri


_NOT_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\ufffd"})


def iri(value: str) -> str:
    """An absolute IRI between angle brackets.

    Raises QueryError: the text holds a character that no IRI has, or no scheme.

    >>> iri("http://example.org/a")
    '<http://example.org/a>'
    """
    if _NOT_IN_IRI.search(value) or not _SCHEME.match(value):
        raise QueryError(f"{value!r} is no IRI: write it in full, percent-encoded")
    return f"<{value}>"


def string(value: str, language: str | None = None) -> str:
    r"""A string literal, escaped; lone surrogates, which no RDF string holds, become U+FFFD.

    >>> print(string('say "hi"'))
    "say \"hi\""
    """
    text = value.translate(_ESCAPES)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return f'"{text}"@{language}' if language else f'"{text}"'


def decimal(value: float) -> str:
    """A number as xsd:decimal with at most six places, as numbers have in memory.

    >>> decimal(0.25), decimal(1), decimal(0.1234567)
    ('0.25', '1.0', '0.123457')
    """
    text = f"{value:.6f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def double(value: float) -> str:
    """A number as xsd:double, which an exponent makes it; as exact as it was computed.

    >>> double(0.25)
    '2.5000000000000000e-01'
    """
    return f"{value:.16e}"


def date_time(unix_time: float) -> str:
    """A moment as xsd:dateTime in UTC, to the millisecond.

    >>> date_time(0)
    '"1970-01-01T00:00:00.000Z"^^xsd:dateTime'
    """
    moment = datetime.fromtimestamp(unix_time, UTC).isoformat(timespec="milliseconds")
    return f'"{moment.replace("+00:00", "Z")}"^^xsd:dateTime'


def to_term(value: object) -> str:
    """A Python value as the RDF term that stands for it (a string becomes a literal).

    >>> to_term(3), to_term(0.5), to_term(True), to_term("x")
    ('3', '0.5', 'true', '"x"')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal | float):
        number = Decimal(repr(value)) if isinstance(value, float) else value
        if not number.is_finite():
            raise QueryError(f"{value} is no number that a query can take")
        text = f"{number:f}"
        return text if "." in text else text + ".0"
    if isinstance(value, str):
        return string(value)
    raise QueryError(f"a value of type {type(value).__name__} cannot be bound in a query")
