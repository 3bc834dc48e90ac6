from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from semcrawl.page.embedded.json_ld import (
    MAX_CONTEXTS,
    MAX_SCOPED_OBJECTS,
    MAX_TERMS,
    UnreadableBlockError,
    inline_contexts,
    is_schema_org,
    known_context,
)

SCHEMA = known_context("https://schema.org", [])


@pytest.mark.parametrize(
    "address",
    [
        "http://schema.org",
        "https://schema.org/",
        "http://www.schema.org",
        "HTTPS://Schema.org/",
        " https://schema.org ",
        "//schema.org/",
        "schema.org",
        "https://schema.org/docs/jsonldcontext.json",
        "http://schema.org/docs/jsonldcontext.jsonld",
        "https://schema.org/#",
        "http://schema.org/Product",
        "http://schema.org/version/latest/",
        "https://schema.org/version/latest/schemaorg-current-https.jsonld",
    ],
)
def test_schema_org_is_known_in_its_spellings(address: str) -> None:
    assert is_schema_org(address)


@pytest.mark.parametrize(
    "address",
    ["", "https://schema.org.x.test/", "https://x.test/schema.org", "https://schema.or", "https://schema.org/a/b"],
)
def test_other_addresses_are_not_taken_for_it(address: str) -> None:
    assert known_context(address, []) is None


@pytest.mark.parametrize(
    ("document", "inlined"),
    [
        ({"@context": "http://schema.org"}, {"@context": SCHEMA}),
        ({"@context": ["http://schema.org", {"a": "b:c"}]}, {"@context": [SCHEMA, {"a": "b:c"}]}),
        ({"x": {"@context": "http://schema.org"}}, {"x": {"@context": SCHEMA}}),
        (
            {"@context": {"t": {"@id": "a:t", "@context": "http://schema.org"}}},
            {"@context": {"t": {"@id": "a:t", "@context": SCHEMA}}},
        ),
        (
            {"@context": {"@import": "http://schema.org", "url": "a:url"}},
            {"@context": (SCHEMA or {}) | {"url": "a:url"}},
        ),
        ({"@context": None}, {"@context": None}),
    ],
)
def test_a_known_context_is_written_out_wherever_it_stands(document: Any, inlined: Any) -> None:
    assert inline_contexts(document) == inlined


def test_a_context_that_is_in_force_is_not_repeated() -> None:
    again = {"@context": "https://schema.org/", "name": "x"}
    assert inline_contexts({"@context": "http://schema.org", "a": [again]}) == {
        "@context": SCHEMA,
        "a": [{"name": "x"}],
    }


def test_a_context_after_another_is_repeated() -> None:
    again = {"@context": "http://schema.org"}
    document = {"@context": ["http://schema.org", {"b": "a:b"}], "a": again}
    assert inline_contexts(document)["a"] == {"@context": SCHEMA}


@pytest.mark.parametrize(
    "document",
    [
        {"@context": "http://x.test/"},
        {"@context": [{}, ["http://x.test/"]]},
        {"a": [{"@context": "http://x.test/"}]},
        {"@context": {"@import": "http://x.test/"}},
        {"@context": {"t": {"@context": {"u": {"@context": "http://x.test/"}}}}},
    ],
)
def test_an_unknown_context_is_refused_by_its_name(document: Any) -> None:
    with pytest.raises(UnreadableBlockError, match=r"http://x\.test/"):
        inline_contexts(document)


@pytest.mark.parametrize(
    "document",
    [
        {"@context": [{}] * (MAX_CONTEXTS + 1)},
        {"@context": {f"t{n}": f"t{n + 1}:a" for n in range(MAX_TERMS + 1)}},
        {"@context": {"t": {"@context": {}}}, "t": [{}] * MAX_SCOPED_OBJECTS},
        {"@context": {"@vocab": "http://x.test/" + "x" * 10_000}, "a": [1] * 10_000},
    ],
)
def test_contexts_that_would_keep_the_engine_busy_are_refused(document: Any) -> None:
    with pytest.raises(UnreadableBlockError):
        inline_contexts(document)


def test_a_context_has_what_the_document_needs() -> None:
    context = inline_contexts({"@context": "http://schema.org", "x": [{"url": "/", "name": "n"}]})
    assert context["@context"] == {**(SCHEMA or {}), "url": {"@type": "@id"}}


PYLD = "documentloader/frozen/bundled"
PUBLISHED = [
    ("https://www.w3.org/ns/activitystreams", "pyld", f"{PYLD}/activitystreams.jsonld"),
    ("https://w3id.org/security/v1", "pyld", f"{PYLD}/security-v1.jsonld"),
    ("https://w3id.org/ro/crate/1.2/context", "rocrate", "data/ro-crate.jsonld"),
]


@pytest.mark.parametrize(("address", "package", "name"), PUBLISHED)
def test_a_shipped_context_is_as_it_was_published(address: str, package: str, name: str) -> None:
    found = find_spec(package)
    assert found is not None
    assert found.origin is not None
    copy = Path(found.origin).parent / name
    if not copy.exists():
        pytest.skip(f"this version of {package} has no copy of {address}")
    published = json.loads(copy.read_text())["@context"]
    terms = {term for term in published if not term.startswith("@")}
    ours = known_context(address, terms)
    assert ours is not None
    vocabulary = ours.pop("@vocab", "")
    prefixes = {name: text for name, text in ours.items() if isinstance(text, str)}
    prefixes |= {name: text for name, text in published.items() if isinstance(text, str)}

    def meaning(said: Any) -> dict[str, Any]:
        known: dict[str, Any] = dict(said) if isinstance(said, dict) else {"@id": said}
        prefix, colon, rest = known["@id"].partition(":")
        if colon and not rest.startswith("//"):
            known["@id"] = prefixes[prefix] + rest
        return known

    assert {term: meaning(said) for term, said in ours.items()}.items() <= {
        term: meaning(published[term]) for term in terms
    }.items()
    left_out = {term: published[term] for term in terms - ours.keys()}
    # Prefixes that no term here uses are left out, and what @vocab says as well.
    assert all(said == vocabulary + term or said.endswith(("#", "/")) for term, said in left_out.items())


@pytest.mark.parametrize(
    "address",
    [
        "http://www.w3.org/ns/anno.jsonld",
        "https://www.w3.org/ns/anno.jsonld#",
        "https://www.w3.org/ns/activitystreams.jsonld",
        "https://w3id.org/ro/crate/1.1/context",
    ],
)
def test_other_contexts_are_known_in_their_spellings(address: str) -> None:
    assert known_context(address, []) is not None


@pytest.mark.parametrize(
    "address",
    [
        "https://www.w3.org/ns/activitystreams/other",
        "https://evil.test/www.w3.org/ns/anno",
        "ftp://www.w3.org/ns/anno.jsonld",
        "https://w3id.org/ro/crate/9/context",
        "https://" * 2 + "www.w3.org/ns/anno",
    ],
)
def test_what_only_looks_like_a_shipped_context_is_not_known(address: str) -> None:
    assert known_context(address, []) is None
