// Sites: their names, and links to the pages of one.

import { el } from "./dom.js";
import { words } from "./format.js";
import { hashFor } from "./router.js";

const SITE = "urn:semcrawl:site:";
/** What a classifier of sites calls the class that is looked for. */
export const TARGET = "target";

/** A class of a classifier of sites, in words. */
export function classWords(name) {
  return { [TARGET]: "relevant", other: "not relevant" }[name] ?? words(name);
}

/** The host behind the IRI of a site, "" for other IRIs; brackets are encoded there. */
export function hostOfSite(iri) {
  if (!iri.startsWith(SITE)) return "";
  return iri.slice(SITE.length).replaceAll("%5B", "[").replaceAll("%5D", "]");
}

/** The address of the table of a site's pages. */
export function siteHash(host) {
  return hashFor("pages", { site: host });
}

/** A link to the pages of a site. */
export function siteLink(host, text = host, attributes = {}) {
  return el("a", { title: `Pages of ${host}`, ...attributes, href: siteHash(host) }, text);
}
