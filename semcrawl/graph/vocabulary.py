"""The names that a crawl graph is written with; documented in ontologies/semcrawl.ttl."""

from __future__ import annotations

__all__ = [
    "DCTERMS",
    "PREFIXES",
    "PREFIX_LINES",
    "PROV",
    "SC",
    "XSD",
    "host_of_site",
    "shorten",
    "site_iri",
]

SC = "https://w3id.org/semcrawl/ns#"
DCTERMS = "http://purl.org/dc/terms/"
PROV = "http://www.w3.org/ns/prov#"
XSD = "http://www.w3.org/2001/XMLSchema#"

PREFIXES: dict[str, str] = {
    "sc": SC,
    "dcterms": DCTERMS,
    "prov": PROV,
    "xsd": XSD,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dcat": "http://www.w3.org/ns/dcat#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "schema": "https://schema.org/",
    "void": "http://rdfs.org/ns/void#",
}

PREFIX_LINES = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())

_SITE = "urn:semcrawl:site:"


def site_iri(host: str) -> str:
    """The IRI of the site behind a host.

    It is no URL, so that a site and the page at its root stay two things. Only
    the host of a URL may have brackets, so those of an IPv6 address are encoded.

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
        if iri.startswith(namespace) and iri[len(namespace) :].isidentifier():
            return f"{name}:{iri[len(namespace) :]}"
    return iri
