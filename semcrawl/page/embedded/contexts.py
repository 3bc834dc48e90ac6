"""JSON-LD contexts that are known by their address, so that none is ever fetched.

Pages use that of schema.org, hardly any other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["IRI_VALUED", "is_schema_org", "known_context"]

# Facts of the schema.org release 12.0, file schemaorgcontext.jsonld: the
# prefixes, and which properties have IRIs or dates as values. It names all others
# too; here they follow from @vocab.
_PREFIXES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "schema": "http://schema.org/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dct": "http://purl.org/dc/terms/",
    "dctype": "http://purl.org/dc/dcmitype/",
    "void": "http://rdfs.org/ns/void#",
    "dcat": "http://www.w3.org/ns/dcat#",
}
_IRI_VALUED = """
    acquireLicensePage actionableFeedbackPolicy additionalType afterMedia beforeMedia
    benefitsSummaryUrl codeRepository colleague contentUrl correctionsPolicy discussionUrl
    diseasePreventionInfo diseaseSpreadStatistics diversityPolicy diversityStaffingReport
    documentation downloadUrl duringMedia embedUrl ethicsPolicy gameLocation gettingTestedInfo
    hasMap healthPlanMarketingUrl image inCodeSet inDefinedTermSet installUrl isBasedOn
    isBasedOnUrl isPartOf labelDetails layoutImage license logo mainEntityOfPage map maps masthead
    merchantReturnLink missionCoveragePrioritiesPolicy newsUpdatesAndGuidelines noBylinesPolicy
    paymentUrl prescribingInfo productReturnLink publicTransportClosuresInfo publishingPrinciples
    quarantineGuidelines relatedLink replyToUrl sameAs schoolClosuresInfo screenshot sdLicense
    season serviceUrl shippingSettingsLink significantLink significantLinks speakable targetUrl
    thumbnailUrl tourBookingPage trackingUrl travelBans unnamedSourcesPolicy url usageInfo
    verificationFactCheckingPolicy webFeed
"""
_DATE_VALUED = """
    applicationDeadline applicationStartDate availabilityEnds availabilityStarts birthDate
    commentTime dateCreated dateDeleted dateIssued dateModified datePosted datePublished dateRead
    dateVehicleFirstRegistered deathDate dissolutionDate endDate exceptDate expectedArrivalFrom
    expectedArrivalUntil expires foundingDate guidelineDate lastReviewed legislationDate
    legislationDateVersion modelDate orderDate paymentDueDate previousStartDate priceValidUntil
    productionDate purchaseDate releaseDate scheduledPaymentDate sdDatePublished startDate
    uploadDate validFrom validThrough validUntil vehicleModelDate
"""
IRI_VALUED = frozenset(_IRI_VALUED.split())
"""Properties of schema.org whose values are IRIs, also where they look like text."""

_UNTYPED: dict[str, Any] = {
    "@vocab": "http://schema.org/",
    "type": "@type",
    "id": "@id",
    "HTML": {"@id": "rdf:HTML"},
    **_PREFIXES,
}
_TYPED: dict[str, Any] = {
    **{key: {"@type": "@id"} for key in _IRI_VALUED.split()},
    **{key: {"@type": "Date"} for key in _DATE_VALUED.split()},
}
_SCHEMA_ORG_ADDRESS = re.compile(
    # Some name a type, or a release, where the context should stand.
    r"(?:https?:)?(?://)?(?:www\.)?schema\.org"
    r"(?:/docs/jsonldcontext\.json(?:ld)?|/version/[\w.-]+(?:/[\w.-]+)?|/[a-z][a-z0-9]*)?/?#?",
    re.IGNORECASE | re.ASCII,
)


def known_context(address: str, keys: Collection[str]) -> dict[str, Any] | None:
    """The context that an address stands for; None where it is not known.

    Only as far as a document with these keys needs it: reading a context takes
    the engine longer than reading most documents.

    >>> known_context("http://www.schema.org/", ["name", "datePublished"])["datePublished"]
    {'@type': 'Date'}
    """
    if not is_schema_org(address):
        return None
    return _UNTYPED | {key: _TYPED[key] for key in keys if key in _TYPED}


def is_schema_org(context: Any) -> bool:
    """Whether a context is schema.org's and nothing else.

    >>> is_schema_org(["https://schema.org/docs/jsonldcontext.json"])
    True
    >>> is_schema_org(["https://schema.org", {"@language": "de"}])
    False
    """
    if isinstance(context, list) and len(context) == 1:
        context = context[0]
    return isinstance(context, str) and bool(_SCHEMA_ORG_ADDRESS.fullmatch(context.strip()))
