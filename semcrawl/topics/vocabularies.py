"""The vocabularies of ontologies: their namespaces, and which properties mean what.

Data such as that of Wikidata or DBpedia declares no classes: that ``wdt:P279`` means is-a
has to be known. A reference tells it: ``FILE?profile=wikidata#Q35869``, or property by
property, ``FILE?isa=wdt:P31&isa=wdt:P279&label=foaf:name&related=rdfs:seeAlso#NAME``.
"""

from collections.abc import Iterable, Sequence
from urllib.parse import quote, unquote

from msgspec import Struct
from msgspec.structs import astuple

from semcrawl.errors import TopicError
from semcrawl.resources import facts_beside
from semcrawl.topics.labels import last_part

_FACTS = facts_beside(__file__, "data/vocabularies.toml")
_PREFIXES: dict[str, str] = _FACTS["prefixes"]
_KEYS = ("isa", "label", "related")

RDF, RDFS, OWL, SKOS = (_PREFIXES[prefix] for prefix in ("rdf", "rdfs", "owl", "skos"))
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOSXL = "http://www.w3.org/2008/05/skos-xl#"
OBO = "http://www.geneontology.org/formats/oboInOwl#"
SCHEMA = ("https://schema.org/", _PREFIXES["schema"])

# What is in these namespaces is part of the language, not a concept.
BUILT_IN = (RDF, RDFS, OWL, SKOS, SKOSXL, XSD)
# These say how a file is made, not how concepts are related.
NOT_RELATIONS = (*BUILT_IN, OBO, _PREFIXES["dct"], _PREFIXES["dc"], "http://www.w3.org/ns/prov#")

PREFERRED_LABELS: tuple[str, ...] = tuple(_FACTS["labels"]["preferred"])
OTHER_LABELS: dict[str, float] = _FACTS["labels"]["other"]  # with what such a label is worth
OTHER_TEXTS: tuple[str, ...] = tuple(_FACTS["texts"])  # properties whose texts say something else of use


class PropertyRoles(Struct, frozen=True):
    """Properties, by IRI or by the last part of one, beside those that are always known."""

    is_a: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()  # their texts are labels as good as any
    related: tuple[str, ...] = ()  # read as the relation ``related``, both ways

    def __bool__(self) -> bool:
        return any(astuple(self))

    def as_options(self) -> list[str]:
        """Return what a reference writes for these roles."""
        if named := [name for name, roles in PROFILES.items() if roles == self]:
            return [f"profile={named[0]}"]
        pairs = zip(_KEYS, astuple(self), strict=True)
        return [f"{key}={quote(name, safe=':/')}" for key, names in pairs for name in names]


def parse_roles(options: Iterable[tuple[str, str]]) -> PropertyRoles:
    """Return the roles that options such as ("isa", "wdt:P31") give; TopicError for a wrong one."""
    found: dict[str, list[str]] = {key: [] for key in _KEYS}
    for key, value in options:
        if key != "profile":
            found[key].append(_property(unquote(value.strip())))
        elif value in PROFILES:
            for name, known in zip(_KEYS, astuple(PROFILES[value]), strict=True):
                found[name] += known
        else:
            raise TopicError(f"there is no profile {value[:40]!r}; the profiles are {', '.join(PROFILES)}")
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


PROFILES: dict[str, PropertyRoles] = {
    name: PropertyRoles(*(tuple(map(_property, roles.get(key, ()))) for key in _KEYS))
    for name, roles in _FACTS["profiles"].items()
}


def matching(wanted: Sequence[str], properties: Iterable[str]) -> list[str]:
    """Return those properties of a file that are wanted, by IRI or by the last part of one."""
    return [name for name in properties if name in wanted or last_part(name) in wanted]
