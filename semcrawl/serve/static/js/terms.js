// RDF terms as people read them: SPARQL JSON terms {type, value, datatype, "xml:lang"}.

import { el, isWebAddress, link } from "./dom.js";
import { padded, shortUrl } from "./format.js";
import { hashFor } from "./router.js";
import { hostOfSite, siteLink } from "./sites.js";

const XSD = "http://www.w3.org/2001/XMLSchema#";
const CONCEPTS = "https://w3id.org/semcrawl/";
const NUMBERS = new Set([
  "integer",
  "decimal",
  "double",
  "float",
  "long",
  "int",
  "nonNegativeInteger",
]);

/** Whether a term is a number. */
export function isNumber(term) {
  return term?.type === "literal" && NUMBERS.has((term.datatype ?? "").replace(XSD, ""));
}

/** Whether a term is a whole number. */
export function isWhole(term) {
  return isNumber(term) && /^[+-]?\d+$/.test(term.value);
}

/** A term for sorting: a number or a text in lower case. */
export function sortKey(term) {
  if (!term) return null;
  return isNumber(term) ? Number(term.value) : term.value.toLowerCase();
}

/** Writes terms; `prefixes` are IRIs by name, as /api/prefixes has them. */
export class TermWriter {
  constructor(prefixes = {}) {
    this.prefixes = Object.entries(prefixes);
  }

  /** A term as text; a number with so many decimal places, if it is not whole. */
  text(term, places = 0) {
    if (!term) return "";
    if (term.type === "uri") return hostOfSite(term.value) || this._prefixed(term.value) || term.value;
    if (term.type === "bnode") return `_:${term.value}`;
    if (term.type === "triple") {
      const { subject, predicate, object } = term.value;
      return `<<( ${[subject, predicate, object].map((part) => this.text(part)).join(" ")} )>>`;
    }
    return isNumber(term) ? numberText(term, places) : term.value;
  }

  /** A term as nodes: pages link to their view, sites to their pages, concepts to the topic. */
  node(term, places = 0) {
    if (!term) return el("span", { class: "soft", title: "unbound" }, "–");
    if (term.type !== "uri") return this._literal(term, places);
    const { value } = term;
    const host = hostOfSite(value);
    if (host) return siteLink(host, host, { title: value });
    const name = this._prefixed(value);
    if (!name && value.startsWith(CONCEPTS)) {
      return el(
        "a",
        { href: hashFor("topic", { concept: value }), title: value },
        value.slice(CONCEPTS.length),
      );
    }
    if (name || !isWebAddress(value))
      return el("span", { class: "term-name", title: value }, name || value);
    return [
      el("a", { href: hashFor("page", { url: value }), title: value }, shortUrl(value)),
      " ",
      link(value, "↗", {
        class: "outside term-out",
        "aria-label": `Open ${value} in a new tab`,
        title: "Open in a new tab",
      }),
    ];
  }

  _literal(term, places) {
    const language = term["xml:lang"];
    const type = term.datatype && (this._prefixed(term.datatype) || term.datatype);
    // What is rounded can be read in full.
    const title = type && type !== "xsd:string" ? `${isNumber(term) ? `${term.value} ` : ""}${type}` : null;
    return el(
      "span",
      { title },
      this.text(term, places),
      language && el("small", { class: "soft" }, ` ${language}`),
    );
  }

  /** An IRI with a prefix where one fits, "" where none does. */
  _prefixed(iri) {
    for (const [name, start] of this.prefixes) {
      const rest = iri.slice(start.length);
      if (iri.startsWith(start) && /^[\w-]+$/.test(rest)) return `${name}:${rest}`;
    }
    return "";
  }
}

function numberText(term, places) {
  if (isWhole(term) && !places) return Number(term.value).toLocaleString("en");
  const number = Number(term.value);
  return Number.isFinite(number) ? padded(number, places) : term.value;
}
