"""RDF terms from what strangers write; nothing here raises for bad input."""

import re
from collections.abc import Mapping
from contextlib import suppress
from urllib.parse import quote

import ada_url
import pyoxigraph as ox
from msgspec import Struct

from semcrawl.rdf_syntax import RDF

Resource = ox.NamedNode | ox.BlankNode

MAX_IRI = 2_048  # statements about or with longer IRIs are left out: images as ``data:``, mostly
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = ox.NamedNode(f"{RDF}type")
# Datatypes that only a language tag makes.
TAGGED = frozenset(ox.NamedNode(RDF + name) for name in ("langString", "dirLangString"))
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LONGEST_LANGUAGE = 35  # RFC 5646, 4.4.1
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
_STRAY = re.compile(r"%(?![0-9A-Fa-f]{2})")
_UNSAFE: Mapping[int, str] = str.maketrans(
    {char: quote(char) for char in ' <>"{}|\\^`' + "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0)]))}
)
_ORIGIN = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/?#]*)?")
_BRACKETS = str.maketrans({"[": "%5B", "]": "%5D"})
_ASCII = "".join(map(chr, range(0x80)))


class TextBudget(Struct):
    """Characters that a page's texts may still be read from; nested properties share text."""

    left: int
    unread: int = 0

    def spend(self, characters: int, nodes: int) -> None:
        """Take off what a text of some nodes costs."""
        self.left -= characters + 8 * nodes

    @property
    def spent(self) -> bool:
        """Whether there are no more texts to read."""
        return self.left < 0


def tell_unread(problems: list[str], syntax: str, number: int) -> None:
    """Add a sentence on how many values of a syntax could not be read, if any."""
    if number:
        values = "value" if number == 1 else "values"
        problems.append(f"{number:,} {values} of its {syntax} could not be read.")


def has_scheme(text: str) -> bool:
    """Return whether a text begins as an absolute IRI does."""
    return _SCHEME.match(text) is not None


def reference(text: str, base: str) -> ox.NamedNode | None:
    """Return the IRI that a reference of at most `MAX_IRI` means on a page, or None.

    An absolute IRI stays as written, but for what no IRI can hold.

    >>> reference("50%.png", "http://a.test/x"), reference("http://[", "http://a.test/x")
    (<NamedNode value=http://a.test/50%25.png>, None)
    """
    if len(text) > MAX_IRI:
        return None
    text = text.strip()
    if not has_scheme(text):
        try:
            text = ada_url.join_url(base, text)
        except ValueError:
            return None
    return _node(_escaped(text))


def mended(text: str) -> str | None:
    """Return a reference, not joined, with what no IRI can hold percent-encoded, or None.

    >>> mended(" my photo [1].jpg"), mended("http://[")
    ('my%20photo%20%5B1%5D.jpg', None)
    """
    text = _escaped(text.strip())
    if has_scheme(text):
        before = ""
    elif text.startswith("//"):
        before = "http:"
    else:
        before = "http://a.test/"
        if ":" in text.partition("/")[0]:
            text = f"./{text}"
    node = _node(before + text)
    return None if node is None else node.value[len(before) :]


def _escaped(text: str) -> str:
    text = text.translate(_UNSAFE)
    if "%" in text:
        text = _STRAY.sub("%25", text)
    if "[" in text or "]" in text:
        origin = _ORIGIN.match(text)
        end = origin.end() if origin else 0
        text = text[:end] + text[end:].translate(_BRACKETS)
    if text.count("#") > 1:
        before, _, fragment = text.partition("#")
        text = f"{before}#{fragment.replace('#', '%23')}"
    return text


def _node(text: str) -> ox.NamedNode | None:
    try:
        return ox.NamedNode(text)
    except ValueError:
        # Private-use and other invisible characters.
        return None if text.isascii() else _node(quote(text, safe=_ASCII, errors="replace"))


def language_tag(text: str) -> str | None:
    """Return a language tag in lower case, as RDF writes it; None where a text is none.

    >>> language_tag("de_DE"), language_tag("German, I think")
    ('de-de', None)
    """
    text = text.strip().replace("_", "-").lower()
    if len(text) <= _LONGEST_LANGUAGE and _LANGUAGE.fullmatch(text):
        with suppress(ValueError):  # "a" and "en-a" look like tags and are none
            ox.Literal("", language=text)
            return text
    return None


def literal(text: str, *, language: str | None = None, datatype: ox.NamedNode | None = None) -> ox.Literal:
    """Return a literal, without an invalid language tag; lone surrogates are replaced.

    >>> literal("Lunge", language="de")
    <Literal value=Lunge language=de>
    """
    text = text.encode("utf-8", "replace").decode()
    if datatype is not None:
        return ox.Literal(text, datatype=datatype)
    tag = language_tag(language) if language else None
    return ox.Literal(text) if tag is None else ox.Literal(text, language=tag)


_YEAR = r"-?\d{4,9}"
_MONTH = r"(?:0[1-9]|1[0-2])"
_DATE = rf"{_YEAR}-{_MONTH}-(?:0[1-9]|[12]\d|3[01])"
_CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,12})?"
_ZONE = r"(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d|[+-]14:00)?"
_COUNT = r"\d{1,12}"
_TIMES = {
    "date": _DATE + _ZONE,
    "dateTime": f"{_DATE}T{_CLOCK}{_ZONE}",
    "time": _CLOCK + _ZONE,
    "gYear": _YEAR + _ZONE,
    "gYearMonth": f"{_YEAR}-{_MONTH}{_ZONE}",
    "duration": rf"-?P(?=.)(?:{_COUNT}Y)?(?:{_COUNT}M)?(?:{_COUNT}D)?"
    rf"(?:T(?=.)(?:{_COUNT}H)?(?:{_COUNT}M)?(?:{_COUNT}(?:\.\d{{1,12}})?S)?)?",
}
_NUMBERS = {"integer": r"-?\d{1,300}", "double": r"-?(?:\d{1,300}(?:\.\d{1,300})?|\.\d{1,300})(?:[eE][-+]?\d{1,4})?"}


def time_datatype(text: str) -> ox.NamedNode | None:
    """Return the datatype of a date, a time or a duration, of the six that HTML has.

    >>> time_datatype("2012-03-18").value
    'http://www.w3.org/2001/XMLSchema#date'
    """
    return _matching(_TIMES, text)


def number_datatype(text: str) -> ox.NamedNode | None:
    """Return the datatype of a number.

    >>> number_datatype("9.50").value
    'http://www.w3.org/2001/XMLSchema#double'
    """
    return _matching(_NUMBERS, text)


def _matching(forms: dict[str, str], text: str) -> ox.NamedNode | None:
    return next((ox.NamedNode(XSD + name) for name, form in forms.items() if re.fullmatch(form, text, re.ASCII)), None)
