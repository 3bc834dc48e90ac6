"""Which properties of a file mean is-a, label and related, where the file itself does not say.

Data such as that of Wikidata or DBpedia declares no classes: that ``wdt:P279`` means is-a
has to be known. A reference tells it: ``FILE?profile=wikidata#Q35869``, or property by
property, ``FILE?isa=wdt:P31&isa=wdt:P279&label=foaf:name&related=rdfs:seeAlso#NAME``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from urllib.parse import quote, unquote

from semcrawl.errors import TopicError
from semcrawl.topics.labels import last_part

_PREFIXES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "schema": "http://schema.org/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "dbo": "http://dbpedia.org/ontology/",
    "dbp": "http://dbpedia.org/property/",
}
_KEYS = ("isa", "label", "related")


@dataclass(frozen=True, slots=True)
class PropertyRoles:
    """Properties, by IRI or by the last part of one, beside those that are always known."""

    is_a: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()  # their texts are labels as good as any
    related: tuple[str, ...] = ()  # read as the relation ``related``, both ways

    def __bool__(self) -> bool:
        return any(astuple(self))

    def as_options(self) -> list[str]:
        """Return what a reference writes for these roles."""
        named = [name for name, roles in PROFILES.items() if roles == self]
        if named:
            return [f"profile={named[0]}"]
        pairs = zip(_KEYS, (self.is_a, self.labels, self.related), strict=True)
        return [f"{key}={quote(name, safe=':/')}" for key, names in pairs for name in names]


def _of(prefix: str, names: str) -> tuple[str, ...]:
    return tuple(_PREFIXES[prefix] + name for name in names.split())


PROFILES: dict[str, PropertyRoles] = {
    "wikidata": PropertyRoles(
        is_a=_of("wdt", "P31 P279 P171"),  # instance of, subclass of, parent taxon
        # part of, has part, facet of, studies, studied by
        related=_of("wdt", "P361 P527 P1269 P2578 P2579"),
    ),
    "dbpedia": PropertyRoles(
        is_a=(*_of("rdf", "type"), *_of("dct", "subject")),
        labels=(*_of("foaf", "name"), *_of("dbo", "alias synonym")),
        related=_of("rdfs", "seeAlso"),
    ),
}


def parse_roles(options: Iterable[tuple[str, str]]) -> PropertyRoles:
    """Return the roles that options such as ("isa", "wdt:P31") give; TopicError for a wrong one."""
    found: dict[str, list[str]] = {key: [] for key in _KEYS}
    for key, value in options:
        if key == "profile":
            if value not in PROFILES:
                raise TopicError(
                    f"there is no profile {value[:40]!r}; the profiles are {', '.join(PROFILES)}"
                )
            roles = PROFILES[value]
            for name, known in zip(_KEYS, (roles.is_a, roles.labels, roles.related), strict=True):
                found[name] += known
        else:
            found[key].append(_property(unquote(value.strip())))
    return PropertyRoles(*(tuple(dict.fromkeys(found[key])) for key in _KEYS))


def _property(name: str) -> str:
    if not name:
        raise TopicError("a property is missing after =; write for example isa=wdt:P279")
    prefix, colon, local = name.partition(":")
    if not colon or local.startswith("//"):
        return name
    if prefix not in _PREFIXES:
        raise TopicError(
            f"the prefix of {name[:80]!r} is not known; write the whole IRI (%23 for #), or one "
            f"of these prefixes: {', '.join(_PREFIXES)}"
        )
    return _PREFIXES[prefix] + local


def matching(wanted: Sequence[str], properties: Iterable[str]) -> list[str]:
    """Return those properties of a file that are wanted, by IRI or by the last part of one."""
    return [name for name in properties if name in wanted or last_part(name) in wanted]
