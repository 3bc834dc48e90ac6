"""Labels of concepts, and the forms in which labels and names are compared."""

import re
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import unquote

from semcrawl.text.languages import language_code
from semcrawl.text.terms import stem, tokens

_CODE = re.compile(r"[A-Za-z]{0,12}[_:.-]?[0-9][0-9_.:-]*[A-Za-z]?|[0-9a-f-]{20,}", re.IGNORECASE)
_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_+\s]+")


class Label(NamedTuple):
    """A name of a concept: text, language tag ("" if not known), weight (1 = as good as any)."""

    text: str
    language: str = "en"
    weight: float = 1.0


def labels_in(languages: str | Iterable[str], labels: list[Label]) -> list[Label]:
    """Return the labels in some languages or in none; all of them where there are none such."""
    tags = [languages] if isinstance(languages, str) else languages
    wanted = {"", *map(language_code, tags)}
    return [label for label in labels if language_code(label.language) in wanted] or labels


def is_label_in(languages: Iterable[str], label: Label) -> bool:
    """Return whether a label is in one of some languages, or in none that is known."""
    return language_code(label.language) in {"", *map(language_code, languages)}


def normal_label(text: str) -> str:
    """Return the form in which labels are compared: case folded, with single spaces.

    >>> normal_label(" First_Aid ")
    'first aid'
    """
    return " ".join(text.replace("_", " ").casefold().split())


def stemmed_label(text: str) -> str:
    """Return the stems of a label's words, stop words included, with single spaces.

    >>> stemmed_label("Diseases of the Heart") == stemmed_label("disease of the hearts")
    True
    """
    return " ".join(map(stem, tokens(text)))


def last_part(iri: str) -> str:
    """Return what follows the last ``#``, ``/`` or ``:`` of an IRI.

    >>> last_part("http://purl.obolibrary.org/obo/DOID_2841"), last_part("http://a.org/b#C")
    ('DOID_2841', 'C')
    """
    rest = re.split(r"[#/]", iri.rstrip("#/"))[-1]
    return unquote(rest if "/" in iri or "#" in iri else iri.rpartition(":")[2])


def words_of_name(name: str) -> str:
    """Return the words that a name is put together from, "" for a code such as DOID_2841.

    >>> words_of_name("CabernetSauvignon"), words_of_name("has_part"), words_of_name("DOID_2841")
    ('Cabernet Sauvignon', 'has part', '')
    """
    return "" if _CODE.fullmatch(name) else " ".join(_BOUNDARY.sub(" ", name).split())
