"""Languages by their tags: which stems and stop words belong to each.

``data/languages.txt`` has codes, names and Snowball stemmers, ``data/stop_words/CODE.txt`` the
stop words. Another language is one line more and one file more; `analyser` joins both.
"""

from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import Stemmer

from semcrawl.resources import facts_beside
from semcrawl.text.terms import ENGLISH, Analyser, stop_words_of, words_of_file

_ELISIONS: dict[str, str] = facts_beside(__file__, "data/elisions.toml")


class Language(NamedTuple):
    """A language: its code, its name, and its Snowball algorithm ("" without one)."""

    code: str
    name: str
    stemmer: str


@cache
def _by_code() -> dict[str, Language]:
    installed = set(Stemmer.algorithms())
    found: dict[str, Language] = {}
    path = Path(__file__).parent / "data" / "languages.txt"
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        code, others, stemmer, name = line.split(maxsplit=3)
        language = Language(code, name, stemmer if stemmer in installed else "")
        found.update(dict.fromkeys((code, *others.split(",")), language))
    return found


@lru_cache(maxsize=10_000)
def language_code(tag: str) -> str:
    """Return the code of the language of a BCP 47 tag, the same for all tags of a language.

    It is that of ISO 639-1 where there is one; of a language that nobody knows, the first part
    of the tag. Nynorsk and Bokmål are both ``no``.

    >>> language_code("pt-BR"), language_code("fra"), language_code("nb"), language_code("tlh")
    ('pt', 'fr', 'no', 'tlh')
    """
    first = tag.strip().lower().replace("_", "-").partition("-")[0]
    known = _by_code().get(first)
    return known.code if known else first


def find_language(tag: str) -> Language | None:
    """Return the language of a tag, None for one that is not in the table.

    >>> find_language("deu")
    Language(code='de', name='German', stemmer='german')
    """
    return _by_code().get(language_code(tag))


def stemmed_languages() -> list[str]:
    """Return the codes of the languages that have a stemmer."""
    return sorted({one.code for one in _by_code().values() if one.stemmer})


def language_problem(tag: str) -> str:
    """Return what is wrong with a tag that a person gave, "" if nothing is.

    Codes of three letters are thousands (ISO 639-3): each of them is taken, without stems.

    >>> language_problem("french")
    "'french' is no language code; did you mean fr (French)?"
    """
    first = tag.lower().partition("-")[0]
    if first in _by_code() or len(first) in (1, 3):
        return ""
    names = {one.name.lower(): one for one in _by_code().values()}
    near = get_close_matches(first, names, n=1, cutoff=0.8)
    if near:
        meant = names[near[0]]
        return f"{tag!r} is no language code; did you mean {meant.code} ({meant.name})?"
    return (
        f"{tag!r} is no language code that is known (ISO 639), such as en, fr or pt-BR; "
        f"there are stems for {' '.join(stemmed_languages())}"
    )


def analyser(tag: str) -> Analyser:
    """Return what makes terms of texts in a language, one for all tags of it.

    Without a stemmer words stay as they are, without a list no word is a stop word; so it is
    in a language that nobody knows.

    >>> analyser("fr").terms("Les maladies de l'appareil respiratoire")
    ['malad', 'appareil', 'respiratoir']
    """
    return _analyser(language_code(tag))


@lru_cache(maxsize=16)
def _analyser(code: str) -> Analyser:
    if code == ENGLISH.language:
        return ENGLISH
    known = _by_code().get(code)
    stop_words = stop_words_of(code) if known else ()
    return Analyser(code, stop_words, known.stemmer if known else "", _ELISIONS.get(code, ""))


@cache
def web_words() -> frozenset[str]:
    """Return words of web pages as such, in menus and at their end, which tell of no topic."""
    return frozenset(words_of_file(Path(__file__).parent / "data" / "web_words.txt"))
