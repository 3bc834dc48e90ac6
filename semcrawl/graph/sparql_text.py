"""What a SPARQL text is and names, read from its tokens, without validating or running it.

SERVICE is found on the safe side. The engine's parser knows no word borders (it reads ``SERVICEex:a {`` as ``SERVICE
ex:a {``), and takes ``<`` for "less than" where a tokeniser sees an IRI; each text that could be read so counts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from semcrawl.errors import QueryError

QueryKind = Literal["select", "ask", "construct", "describe", "update", "unknown"]

_TOKEN = re.compile(
    r"""
      (?P<space>   \s+ | \#[^\n\r]* )
    | (?P<string>  \"\"\"(?:\"{0,2}(?:[^"\\]|\\.))*\"\"\" | '''(?:'{0,2}(?:[^'\\]|\\.))*'''
                 | "(?:[^"\\\n\r]|\\.)*" | '(?:[^'\\\n\r]|\\.)*' )
    | (?P<unclosed> ["'].* )
    | (?P<iri>     <(?:[^<>"{}|^`\\\x00-\x20]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*> )
    | (?P<variable> [?$]\w+ )
    | (?P<language> @[A-Za-z]+(?:-+[A-Za-z0-9]+)* )
    | (?P<name>    (?:\w(?:[\w.-]{0,200}[\w-])?)?:(?:[\w:-]|\.(?=[.\w:%\\-])|%[0-9A-Fa-f]{2}
                   |\\[_~.\-!$&'()*+,;=/?\#@%])* )
    | (?P<word>    \w+ )
    | (?P<mark>    . )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_SCHEME = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*://")
_KINDS: dict[str, QueryKind] = {
    "SELECT": "select",
    "ASK": "ask",
    "CONSTRUCT": "construct",
    "DESCRIBE": "describe",
    **dict.fromkeys(("INSERT", "DELETE", "LOAD", "CLEAR", "CREATE", "DROP", "COPY", "MOVE", "ADD", "WITH"), "update"),
}
_SIGN = re.compile(r"\w+|[^\w\s]")
_IRI = re.compile(r"<[^<>\"{}|^`\x00-\x20]*>")
_LONGEST = 4_000_000
_MOST_TOKENS = 5_000
_DEEPEST = 200
_MOST_STEPS = 200  # of all paths; the engine's time for them is their number cubed
_PROLOGUE = {"PREFIX": 2, "BASE": 1, "VERSION": 1}
_BEFORE_A_GRAPH = ("GRAPH", "FROM", "NAMED", "USING", "INTO", "TO")

_PLAIN_DATA = re.compile(
    r'(?:[\s;,.{}]|<[^<>"{}|^`\\\s]{0,16384}>|"(?:[^"\\\n\r]|\\.)*+"(?:@[\w-]+|\^\^)?'
    r"|\b(?:a|true|false|DATA|DELETE|DROP|GRAPH|INSERT|SILENT|WHERE)\b|[A-Za-z_]*:[\w.-]*|[+-]?\d[\w.+-]*)*+"
)


class _Token(NamedTuple):
    kind: str
    text: str

    def is_word(self, *words: str) -> bool:
        return self.kind == "word" and self.text.upper() in words


def kind_of(text: str) -> QueryKind:
    r"""What kind of query or update a text is, by its first keyword after the prologue.

    >>> kind_of("PREFIX ex: <http://example.org/> # DELETE nothing\nSELECT ?x { ?x a ex:Y }")
    'select'
    """
    for token in _after_prologue(text):
        return _KINDS.get(token.text.upper(), "unknown") if token.kind == "word" else "unknown"
    return "unknown"


def is_plain_data(text: str) -> bool:
    """Whether a text only states, or takes out, statements that it spells out, as all do that a crawl writes.

    It reads no files or addresses, and has no prefixes of its own, lists, nested statements or long IRIs, which make
    much of a short text.

    >>> is_plain_data('INSERT DATA { <urn:a> a sc:Page ; dcterms:title "LOAD"@en . }')
    True
    >>> is_plain_data("LOAD <http://example.org/>")
    False
    """
    return _PLAIN_DATA.fullmatch(text) is not None


def variables(text: str) -> tuple[str, ...]:
    """The names that the rows of a SELECT have, in order; none for ``*`` and other queries.

    >>> variables("SELECT DISTINCT ?url (COUNT(?x) AS ?links) WHERE { ?url ?p ?x } GROUP BY ?url")
    ('url', 'links')
    """
    tokens = _after_prologue(text)
    first = next(tokens, None)
    if first is None or not first.is_word("SELECT"):
        return ()
    names: list[str] = []
    depth, named = 0, False
    for token in tokens:
        if depth == 0 and (token.text == "{" or token.is_word("WHERE", "FROM")):
            break
        if token.kind == "mark":
            depth += (token.text in "({[") - (token.text in ")}]")
        if token.kind == "variable" and (depth == 0 or (depth == 1 and named)):
            names.append(token.text[1:])
        named = token.is_word("AS")
    return tuple(names)


def columns_in_order(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """The names of columns as the engine gives them; those of ``SELECT *`` in the order of the query.

    >>> columns_in_order("SELECT * { ?url ?p ?anchor }", ["anchor", "p", "url"])
    ('url', 'p', 'anchor')
    """
    if "*" not in text or variables(text):
        return tuple(names)
    written = [token.text[1:] for token in _tokens(text) if token.kind == "variable"]
    return tuple(sorted(names, key=(written + list(names)).index))


def undeclared_prefixes(text: str) -> dict[str, tuple[int, int]]:
    r"""The prefixes that a text uses and does not declare, with line and column of the first use.

    >>> undeclared_prefixes("PREFIX ex: <http://example.org/>\nSELECT ?x { ?x a ex:Y ; sc:step 3 }")
    {'sc': (2, 25)}
    """
    used: dict[str, tuple[int, int]] = {}
    declared = {"_"}  # blank nodes look the same
    before = ""
    line, counted = 1, 0
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "name":
            prefix, start = match[0].partition(":")[0], match.start()
            if before == "PREFIX":
                declared.add(prefix)
            elif prefix not in used:
                line += text.count("\n", counted, start)
                counted = start
                used[prefix] = line, start - text.rfind("\n", 0, start)
        if match.lastgroup != "space":
            before = match[0].upper()
    return {prefix: place for prefix, place in used.items() if prefix not in declared}


def prefixed_names(text: str, known: Mapping[str, str]) -> dict[str, str]:
    """The names of things in a text with their IRIs, by its own prefixes or ``known`` ones.

    Functions and datatypes are left out.

    >>> prefixed_names("SELECT * { ?x ex:y xsd:int(3) }", {"ex": "http://example.org/"})
    {'ex:y': 'http://example.org/y'}
    """
    tokens = [*_tokens(text), _Token("mark", "")]
    prefixes = dict(known)
    found: dict[str, str] = {}
    for before, token, after in zip([tokens[-1], *tokens], tokens, tokens[1:], strict=False):
        prefix, _, local = token.text.partition(":")
        if token.kind == "name" and before.is_word("PREFIX") and after.kind == "iri":
            prefixes[prefix] = after.text[1:-1]
        elif token.kind == "name" and local and prefix in prefixes.keys() - {"xsd"}:
            found |= {} if after.text == "(" else {token.text: prefixes[prefix] + local}
    return found


def uses_service(text: str) -> bool:
    """Whether a query may ask another server, by SERVICE; on the safe side.

    >>> uses_service("SELECT * { SERVICE <http://example.org/sparql> { ?s ?p ?o } }")
    True
    >>> uses_service("SELECT ?service { ?service a <urn:SERVICE> ; ?p 'SERVICE' } # SERVICE")
    False
    """
    if "service" not in (plain := _ESCAPED.sub(_character, text)).lower():
        return False
    return any(_calls_service(list(_tokens(reading))) for reading in {text, plain})


def refuse_service(text: str) -> None:
    """Raise QueryError where a query may ask another server."""
    if uses_service(text):
        raise QueryError(
            "the query uses SERVICE, which would reach another server: a crawl graph answers "
            "from itself only; fetch that data with another tool, or leave SERVICE out"
        )


def refuse_outsize(text: str) -> None:
    """Raise QueryError for a query whose size or nesting could overflow the engine's stack.

    The engine's parser and optimiser are recursive, and end the process then. Values of VALUES
    and IN, which are not, may be many.
    """
    if len(text) > _LONGEST:
        raise QueryError(f"the query is too long: {len(text):,} characters of {_LONGEST:,}")
    # No text that is so short can be too large or too deep.
    is_short = len(text) <= _MOST_TOKENS and text.count("/") <= _MOST_STEPS
    if is_short and sum(map(text.count, "{([<")) <= _DEEPEST:
        return
    if sum(token == ("mark", "/") for token in _tokens(text)) > _MOST_STEPS:
        raise QueryError(f"the paths of the query are too long: more than {_MOST_STEPS} steps")
    for reading in {text, _ESCAPED.sub(_character, text)}:
        tokens, depth = _extent(reading)
        if depth > _DEEPEST:
            raise QueryError(f"the query is nested too deep: more than {_DEEPEST} levels")
        if tokens > _MOST_TOKENS:
            raise QueryError(
                f"the query is too large: more than {_MOST_TOKENS:,} words and signs beside the "
                "values of VALUES and IN; ask in several queries"
            )


def _extent(text: str) -> tuple[int, int]:
    """How many tokens count, and how deep brackets are nested, up to what is too much."""
    tokens = _tokens(text)
    if any(_may_be_less_than(found[0]) for found in _IRI.finditer(text)):
        # What looks like strings and comments may be none.
        tokens = (_Token("mark", found[0]) for found in _SIGN.finditer(text))
    counted = depth = deepest = 0
    values = terms = 0  # the depth inside a list of VALUES, or of IN, while in one
    awaited = before = sign = ""
    for token in tokens:
        opened, closed = _brackets(token)
        if token.text == sign and sign in ("<", ">"):
            # Triples in triples: << and >>.
            opened, closed = int(sign == "<"), int(sign == ">")
            sign = ""
        else:
            sign = token.text
        deepest, depth = max(deepest, depth + opened), depth + opened - closed
        values = values if depth >= values else 0
        terms = terms if depth >= terms else 0
        is_term = terms == depth and (token.kind != "mark" or token.text == ",")
        counted += not (values or (terms and is_term))
        if token.text == "{" and awaited:
            values, awaited = values or depth, ""
        elif token.text == "(" and before == "IN":
            terms = terms or depth
        elif token.kind == "word":
            awaited = "VALUES" if token.text.upper() == "VALUES" else ""
        before = token.text.upper() if token.kind == "word" else ""
        if counted > _MOST_TOKENS or deepest > _DEEPEST:
            break
    return counted, deepest


def _brackets(token: _Token) -> tuple[int, int]:
    # What a tokeniser takes for an IRI may be "less than" and brackets.
    if token.kind != "mark" and not (token.kind == "iri" and not _SCHEME.match(token.text)):
        return 0, 0
    return sum(map(token.text.count, "{([")), sum(map(token.text.count, "})]"))


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        if match.lastgroup and match.lastgroup != "space":
            yield _Token(match.lastgroup, match[0])
        if match.lastgroup == "unclosed":  # the engine may read three quotes as two and one
            yield from (_Token("mark", found[0]) for found in _SIGN.finditer(match[0]))


def _after_prologue(text: str) -> Iterator[_Token]:
    tokens = _tokens(text)
    for token in tokens:
        skipped = _PROLOGUE.get(token.text.upper(), 0) if token.kind == "word" else 0
        if not skipped:
            yield token
            break
        for _ in range(skipped):
            next(tokens, None)
    yield from tokens


def _calls_service(tokens: list[_Token]) -> bool:
    return any(
        # No other word of SPARQL has these letters; "1SERVICE" is a number and the keyword.
        (token.kind in ("word", "unclosed") and "service" in token.text.lower())
        or (token.kind == "name" and _is_glued_service(tokens, place))
        or (token.kind == "iri" and _may_be_less_than(token.text))
        for place, token in enumerate(tokens)
    )


def _is_glued_service(tokens: list[_Token], place: int) -> bool:
    """Whether a prefixed name before a brace may be SERVICE and a name."""
    prefix = tokens[place].text.partition(":")[0].lower()
    before_brace = place + 1 < len(tokens) and tokens[place + 1].text == "{"
    of_a_graph = place > 0 and tokens[place - 1].is_word(*_BEFORE_A_GRAPH)
    return "service" in prefix and before_brace and not of_a_graph


def _may_be_less_than(iri: str) -> bool:
    """Whether the engine may read an IRI as ``<`` and the start of a comment or a string."""
    return ("#" in iri or "'" in iri) and not _SCHEME.match(iri)


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1] or escape[2], 16)
    return chr(code) if code < 0x110000 else escape[0]
