"""Hostile pages: markup made to break parsers, links to everywhere, titles that mean something."""

from __future__ import annotations

import json

from tests.hostile.answers import MARKUP
from tests.hostile.server import Behaviour, answer, page

NEVER_ASKED = "http://127.0.0.1:2/secret"
"""A private URL that pages name; it may be dropped, never asked."""


def markup(name: str, body: str | bytes, expected: str = "page") -> Behaviour:
    """A host whose page is the topic's words, then this."""
    data = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    return Behaviour(name, "markup", expected, answer(MARKUP + data))


def bare(name: str, body: str, expected: str) -> Behaviour:
    """A host whose page is this and nothing else."""
    return Behaviour(name, "markup", expected, answer(body))


def json_ld(name: str, text: str) -> Behaviour:
    """A host whose page has this JSON-LD."""
    return markup(name, f'<script type="application/ld+json">{text}</script>')


def nested(depth: int) -> str:
    """JSON in JSON in JSON."""
    return '{"@context":"https://schema.org","a":' * depth + "1" + "}" * depth


ENTITIES = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "asthma"}">' for n in range(10))
XHTML = "Content-Type: application/xhtml+xml"
TURTLE, RDF_XML = "Content-Type: text/turtle", "Content-Type: application/rdf+xml"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

MARKUPS = [
    Behaviour("turtle-long-prefix", "markup", "Unreadable", answer(
        f"@prefix a: <http://a.test/{'x' * 90_000}> .\n" + "a:b a:c a:d, a:e .\n" * 9_000, TURTLE)),
    Behaviour("turtle-much-of-little", "markup", "page", answer(
        f"@prefix p: <http://a.test/{'x' * 2_000}/> . <> <#asthma> "
        + ",".join(f"p:{n}" for n in range(20_000)) + " .", TURTLE)),
    markup("links-much-of-little", f"<base href='/{'x' * 2_000}/'>" + "".join(f"<a href={n}>a" for n in range(9_000))),
    Behaviour("turtle-triple-terms", "markup", "Unreadable", answer(
        "<a:> <a:> " + "<<(<a:><a:>" * 20_000 + "<a:>" + ")>>" * 20_000 + " .", TURTLE)),
    Behaviour("turtle-prefixes-of-a-base", "markup", "Unreadable", answer(
        f"<a:> <a:> <a:> . @base <http://a.test/{'x' * 100_000}> . " + "@prefix a: <b> . " * 9_000, TURTLE)),
    Behaviour("rdf-xml-ids-of-a-base", "markup", "Unreadable", answer(
        f'<r:RDF xmlns:r="{RDF}" xml:base="http://a.test/{"x" * 100_000}">'
        + "".join(f'<r:Seq r:ID="i{n}"/>' for n in range(9_000)) + "</r:RDF>", RDF_XML)),
    Behaviour("rdf-xml-literal", "markup", "Unreadable", answer(
        f'<r:RDF xmlns:r="{RDF}" xmlns:a="a:" ' + " ".join(f'xmlns:a{n}="{"x" * 2_000}"' for n in range(50))
        + f'><r:Seq><a:p r:parseType="Literal">{"<b/>" * 45_000}</a:p></r:Seq></r:RDF>', RDF_XML)),
    Behaviour("turtle-growing-base", "markup", "Unreadable", answer(
        '<> <http://www.w3.org/2000/01/rdf-schema#label> "asthma" .\n'
        + "@base <asthma/> .\n<a> <b> <c> .\n" * 9_000, TURTLE)),
    Behaviour("rdf-xml-blanks", "markup", "page", answer(
        f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:s="http://www.w3.org/2000/01/rdf-schema#"><rdf:Description '
        f'rdf:about=""><s:label>asthma</s:label></rdf:Description>{" " * 250_000}</rdf:RDF>', RDF_XML)),
    markup("meta-blanks", "<meta " * 300 + "charset=" + " " * 2_000),
    markup("relation-blanks", "<a href=/good rel=" + " " * 250_000),
    markup("deep", "<div>" * 30_000),
    markup("deep-inline", "<b><i>" * 9000 + "asthma"),
    markup("deep-tables", "<table><tr><td>" * 4000),
    markup("deep-lists", "<ul><li>" * 6000 + "<a href=/good>asthma</a>"),
    markup("deep-forms", "<form><button><a href=/x>" * 3000),
    markup("many-attributes", "<p " + " ".join(f"a{n}=1" for n in range(40_000)) + ">asthma",
           "page|Unreadable"),
    markup("few-attributes", "<p " + " ".join(f"a{n}=1" for n in range(1500)) + ">asthma"),
    markup("long-attribute", f'<p title="{"x" * 250_000}">asthma'),
    markup("long-name", f"<{'x' * 200_000}>asthma"),
    markup("long-word", "a" * 250_000),
    markup("long-anchor", f"<a href=/good>{'asthma ' * 30_000}</a>"),
    markup("many-tags", "<br>" * 60_000),
    markup("many-kinds", "".join(f"<x{n}>" for n in range(20_000))),
    markup("many-entities", "&amp;&lt;&nbsp;&bogus;&#x41;" * 9000),
    markup("odd-entities", "&#xD800;&#0;&#x110000;&#99999999999;&#-1;&#xFFFE; asthma"),
    markup("open-comment", "<!-- <a href=/good>asthma</a>" + "-" * 99_999),
    markup("many-comments", "<!---->" * 30_000 + "<!--<!--<!--"),
    markup("open-tag", '<a href="/good'),
    markup("open-script", "<script>" + "</scrip" * 30_000),
    markup("open-cdata", "<![CDATA[ ]]" * 9000),
    markup("open-less-than", "<" * 90_000),
    markup("open-ampersand", "&" * 90_000),
    markup("open-quotes", "<p a='\"" * 20_000),
    markup("plaintext", "<plaintext><a href=/good>asthma</a>"),
    markup("foreign", "<svg><math><svg><foreignObject><p>asthma" * 2000),
    markup("templates", "<template><select><textarea><noscript>" * 2000 + "asthma"),
    markup("frames", "<frameset><frame src=/good><noframes>x</frameset>"),
    markup("zero-bytes-in-tags", "<a\0 hr\0ef=/good>asthma</\0a>"),
    markup("surrogates", "\ud800\udfff asthma \ufffe\uffff"),
    markup("combining", "a" + "\u0301" * 90_000),
    markup("right-to-left", "\u202e asthma \u2066\u2067\u202d" * 999),
    markup("emoji", "\U0001f9d1\u200d\U0001f680" * 20_000),
    markup("wide-spaces", "\u3000\u2028\u2029\u00a0\u200b\ufeff" * 20_000 + "asthma"),
    markup("refresh", f'<meta http-equiv=refresh content="0;url={NEVER_ASKED}">'),
    markup("refresh-script", '<meta http-equiv=refresh content="0;url=javascript:x">'),
    markup("base-script", '<base href="javascript:x"><a href=y>asthma</a>'),
    markup("base-private", '<base href="http://127.0.0.1:2/"><a href=secret>asthma</a>'),
    markup("base-many", '<base href="/a/">' * 9000 + "<a href=../good>asthma</a>"),
    markup("canonical-lie", f'<link rel=canonical href="{NEVER_ASKED}">'),
    markup("alternates", '<link rel=alternate hreflang="x-\U0001f4a9" href=/good>' * 5000),
    markup("hidden", '<div hidden><div style="display:none">' * 5000 + "asthma"),
    markup("language-lie", '<html lang="en--rtl"><body lang="\x1b[31m">asthma'),
    markup("many-languages", "".join(f'<p lang="q{n}">asthma' for n in range(5000))),
    markup("robots-meta", '<meta name=robots content="noindex,nofollow,none,\0">' * 500),
    Behaviour("early-end", "markup", "page", answer(
        MARKUP + b"</body></html><p><a href=/after>asthma</a>"), also={"/after": "page"}),
    bare("empty", "", "EmptyPage"),
    bare("blank", " \n\t" * 90_000, "EmptyPage"),
    bare("comment-only", "<!-- asthma -->", "EmptyPage"),
    bare("tags-only", "<div><p><b>" * 900, "EmptyPage"),
    bare("hidden-only", "<p hidden>asthma", "EmptyPage"),
    bare("script-only", "<script>asthma</script>", "EmptyPage"),
    bare("text-only", "asthma asthma", "page"),
    Behaviour("many-laughs", "markup", "page|Unreadable", answer(
        f'<?xml version="1.0"?><!DOCTYPE html [{ENTITIES}]><html><body>asthma &a9;', XHTML)),
    Behaviour("outside-entity", "markup", "page", answer(
        '<!DOCTYPE html [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY % b SYSTEM '
        f'"{NEVER_ASKED}"> %b;]><html><title>x</title><p>asthma &a;', XHTML)),
    Behaviour("outside-grammar", "markup", "page", answer(
        f'<!DOCTYPE html SYSTEM "{NEVER_ASKED}"><title>x</title><p>asthma', XHTML)),
    Behaviour("stylesheet", "markup", "page", answer(
        f'<?xml-stylesheet href="{NEVER_ASKED}"?><title>x</title><p>asthma', XHTML)),
    Behaviour("inclusion", "markup", "page", answer(
        '<html xmlns:xi="http://www.w3.org/2001/XInclude"><title>x</title><p>asthma'
        '<xi:include href="file:///etc/passwd" parse="text"/>', XHTML)),
    Behaviour("xml-encoding", "markup", "page", answer(
        '<?xml version="1.0" encoding="utf-32"?><html><title>x</title><p>asthma', XHTML)),
    json_ld("json-deep", nested(20_000)),
    json_ld("json-brackets", "[" * 90_000),
    json_ld("json-context-of-slashes", f'{{"@context":"{"/" * 200_000}x","name":"a"}}'),
    json_ld("json-long-character", f'{{"@context":"https://schema.org","name":&#{"9" * 5_000};}}'),
    json_ld("json-numbers", f'{{"@id":"x","http://a/b":[{"9" * 9999}, 1e99999, -0]}}'),
    json_ld("json-remote-context", json.dumps({"@context": NEVER_ASKED, "name": "asthma"})),
    json_ld("json-odd-context", '{"@context":{"a":{"@id":[]},"b":{"@type":{}}},"a":1,"b":2}'),
    json_ld("json-import", json.dumps({"@context": {"@import": NEVER_ASKED}, "name": "a"})),
    json_ld("json-cycle", '{"@context":{"a":"b:a","b":"a:b"},"a:x":"y","@id":"a:a"}'),
    json_ld("json-odd-names", json.dumps(
        {"@id": "http://a/> . <b> <c> <d", "http://a/ b": "x", "_:x": "y", "": "z"})),
    json_ld("json-odd-tags", json.dumps(
        {"@id": "x:y", "http://a/p": {"@value": "v", "@language": "en\n> ."}})),
    json_ld("json-many", json.dumps([{"@id": f"x:{n}", "http://a/p": n} for n in range(1500)])),
    json_ld("json-keys-twice", '{"@id":"x:a","@id":"x:b","@type":1,"@type":[[[]]]}'),
    json_ld("json-surrogate", '{"@id":"x:a","http://a/p":"\\ud800\\u0000"}'),
    markup("microdata-loop", '<div itemscope id=a itemref=b itemprop=x></div>'
           '<div itemscope id=b itemref=a itemprop=y></div>'),
    markup("microdata-deep", '<div itemscope itemprop="http://a/p" itemtype="http://a/t">' * 5000),
    markup("microdata-odd", '<p itemscope itemtype="http://a/> . <b>" itemid="\n\t<>">'
           '<i itemprop="a b c http://a/{}">v</i>'),
    markup("rdfa-prefixes", '<p prefix="' + " ".join(f"p{n}: http://a/{n}" for n in range(9000))
           + '" property="p1:x">asthma'),
    markup("rdfa-deep", '<p about="#x" rel="http://a/r" typeof="http://a/t">' * 5000),
    markup("rdfa-odd", '<p about="http://a/<>" property="http://a/ b" lang="en--ltr" '
           'datatype="http://www.w3.org/2001/XMLSchema#dateTime" content="no date">x'),
    markup("schemes", "".join(f'<a href="{scheme}:x">asthma</a>' for scheme in (
        "javascript", "data", "file", "ftp", "tel", "mailto", "blob", "about", "view-source",
        "ws", "chrome", "urn", "HTTP", "h\tttp", "://", "http"))),
    markup("links-to-private", "".join(f'<a href="{url}">asthma</a>' for url in (
        NEVER_ASKED, "http://localhost:2/", "http://[::1]:2/", "http://0x7f000001/", "http://127.1/",
        "http://10.0.0.1/", "http://192.168.1.1/", "http://169.254.169.254/", "http://0/"))),
    markup("odd-links", "".join(f'<a href="{url}">asthma</a>' for url in (
        "http://", "http:///", "http://:80/", "http://a:b@c:d/", "http://[fe80::1%25eth0]/",
        "http://user:pass@odd-links.test/p", "http://odd-links.test:0/", "http://a..b/",
        "http://xn--a/", "http://%00/", "http://\u0430\u0440\u0440le.test/", "//", "?", "#", ";",
        "\\\\x\\y", "/%", "/%zz%00", "/a\tb\nc", "/\u202e", "/..//..//", "/" + "x" * 9000,
        "/?" + "&".join(f"a{n}" for n in range(99)), "http://a_b.odd-links.test/", "http://-/"))),
    markup("hostile-links", "".join(f"<a href='{url}'>asthma</a>" for url in (
        "/> . <urn:x> <urn:y> <urn:z", "/&quot;} ; DROP ALL #", "/\\u003e", "/{x}|^`",
        "/$(reboot)", "/%0d%0aHost:%20x", "/;rm -rf", "/<script>"))),
]  # fmt: skip


def title(name: str, text: str) -> Behaviour:
    """A host whose title means something to some reader."""
    return Behaviour(f"title-{name}", "title", "page", page(title=text))


TITLES = [
    title("sparql", '"} ; DROP ALL ; INSERT DATA { <urn:evil> <urn:evil> "'),
    title("sparql-comment", "asthma' } # \" . <urn:evil> a <urn:evil> ."),
    title("turtle", '""" . <urn:evil> a <urn:evil> ; <urn:evil> """'),
    title("turtle-end", "asthma\\"),
    title("escapes", "\\u0022\\U00000022\\n\\t\\x22 asthma"),
    title("html", "&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"),
    title("xml", "]]&gt;&lt;/literal&gt;&lt;!--&lt;![CDATA["),
    title("json", '"},{"@id":"urn:evil"},{"'),
    title("csv", "a,b;c\td&quot;,&quot;\r\n\"e\""),
    title("formula", "=cmd|' /C calc'!A0"),
    title("plus", "+1+cmd|' /C calc'!A0"),
    title("at", "@SUM(1+1)*cmd|' /C calc'!A0"),
    title("terminal", "\x1b[2J\x1b]0;evil\x07\x1b[31masthma"),
    title("terminal-8-bit", "\u009b31masthma\u009d0;evil\u009c"),
    title("terminal-link", "\x1b]8;;http://127.0.0.1/\x1b\\asthma\x1b]8;;\x1b\\"),
    title("returns", "asthma\rsemcrawl: error: all is lost\b\b\b\x7f"),
    title("markup", "[bold red]asthma[/] [link=http://127.0.0.1/]x[/link] [/]"),
    title("format", "%s%n%d {0} {x.__class__} ${x} $(reboot) `reboot`"),
    title("template", "{{7*7}} {% raw %} <%= 7 %>"),
    title("path", "../../../etc/passwd\\..\\..\\x:y|z"),
    title("right-to-left", "\u202eamhtsa\u2066\u2069\u200f"),
    title("invisible", "\u200b\u2060\ufeff\u00ad\U000e0041"),
    title("line-ends", "asthma\u2028\u2029\u0085\x0b\x0c"),
    title("not-characters", "asthma\ufffe\uffff\U0001ffff\ufdd0"),
    title("private-use", "\ue000\U000f0000\U0010ffff asthma"),
    title("zero", "asthma\0 and more"),
    title("long", "asthma " * 9000),
    title("long-word", "x" * 60_000),
    title("blank", " \u00a0\u3000"),
    title("many", "asthma</title><title>two</title>" * 500),
    title("graphml", "&#1;&#8;&#x1b; asthma &#xFFFF;"),
]  # fmt: skip

PAGES = [*MARKUPS, *TITLES]
