"""Hostile sites: redirects, traps, robots.txt and sitemaps of every bad kind."""

from __future__ import annotations

import gzip
import random
import re
from datetime import date, timedelta

from tests.hostile.answers import OPEN, raw
from tests.hostile.server import GOOD, NOT_FOUND, Answer, Behaviour, answer, page


def to(location: str, status: int = 302) -> bytes:
    """A redirect."""
    return answer(b"", f"Location: {location}", status=f"{status} Moved")


def leaping(name: str, location: str, target: str = "") -> Behaviour:
    """A host that redirects to an address that no crawl may ask."""
    return Behaviour(name, "redirect", "redirect", to(location), also={target or location: "AddressRefused"})


def stuck(name: str, *fields: str, status: int = 302) -> Behaviour:
    """A host whose redirect leads to nothing that can be fetched."""
    return Behaviour(name, "redirect", "BadResponse", answer(b"", *fields, status=f"{status} Go"))


def _next(path: str) -> int:
    return int(re.sub("[^0-9]", "", path) or 0) + 1


REDIRECTS = [
    Behaviour("loop-of-one", "redirect", "redirect", to("/")),
    Behaviour("loop-of-two", "redirect", "redirect", to("/b"), paths={"/b": to("/")},
              also={"/b": "redirect"}),
    Behaviour("loop-by-fragment", "redirect", "redirect", to("/#a")),
    Behaviour("long-chain", "redirect", "redirect", lambda path: to(f"/{_next(path)}"),
              also={"/4": "redirect", "/5": "TooManyRedirects"}),
    Behaviour("growing-query", "redirect", "redirect", lambda path: to(f"/?sid={_next(path)}"),
              also={"/?sid=5": "TooManyRedirects|redirect"}),
    Behaviour("chain-of-hosts", "redirect", "redirect", to("http://a.chain-of-hosts.test/1"),
              paths={f"/{n}": to(f"http://{'b' * n}.chain-of-hosts.test/{n + 1}")
                     for n in range(1, 9)},
              also={"http://bbbb.chain-of-hosts.test/5": "TooManyRedirects"}),
    Behaviour("other-host", "redirect", "redirect", to("//loop-of-one.test/good")),
    Behaviour("permanent", "redirect", "redirect", to("good", 308)),
    Behaviour("spaces", "redirect", "redirect", to("  /good  ")),
    Behaviour("backslashes", "redirect", "redirect", to("\\\\loop-of-one.test\\good")),
    Behaviour("two-locations", "redirect", "redirect|BadResponse", answer(
        b"", "Location: /good", "Location: http://127.0.0.1/", status="302 Go")),
    Behaviour("choices", "redirect", "page|NotHtml|EmptyPage", answer(
        "<title>Choices</title><p>asthma", status="300 Choices")),
    Behaviour("to-self-signed", "redirect", "redirect", to("https://self-signed.test/moved"),
              also={"https://self-signed.test/moved": "TlsFailed"}),
    leaping("leap-to-loopback", "http://127.0.0.1/"),
    leaping("leap-to-private", "http://10.0.0.1/"),
    leaping("leap-to-metadata", "http://169.254.169.254/latest/meta-data/"),
    leaping("leap-to-localhost", "http://localhost/"),
    leaping("leap-to-localhost-dot", "http://localhost./admin", "http://localhost/admin"),
    leaping("leap-to-sub-localhost", "http://a.localhost/"),
    leaping("leap-to-ipv6", "http://[::1]/"),
    leaping("leap-to-mapped", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/"),
    leaping("leap-to-nat64", "http://[64:ff9b::7f00:1]/"),
    leaping("leap-to-number", "http://2130706433/a", "http://127.0.0.1/a"),
    leaping("leap-to-octal", "http://0177.0.0.1/b", "http://127.0.0.1/b"),
    leaping("leap-to-hex", "http://0x7f.1/c", "http://127.0.0.1/c"),
    leaping("leap-to-zero", "http://0/", "http://0.0.0.0/"),
    leaping("leap-to-wide-digits", "http://１２７.0.0.1/d", "http://127.0.0.1/d"),
    leaping("leap-to-port", "http://127.0.0.1:6379/"),
    leaping("leap-with-password", "http://loop-of-one.test:80@127.0.0.1/e", "http://127.0.0.1/e"),
    stuck("to-ftp", "Location: ftp://loop-of-one.test/"),
    stuck("to-file", "Location: file:///etc/passwd"),
    stuck("to-script", "Location: javascript:alert(1)"),
    stuck("to-data", "Location: data:text/html,<p>asthma"),
    stuck("to-gopher", "Location: gopher://127.0.0.1:6379/_x"),
    stuck("to-mail", "Location: mailto:a@b.test"),
    stuck("to-bad-port", "Location: http://loop-of-one.test:99999/"),
    stuck("to-bad-host", "Location: http://a b/"),
    stuck("to-open-bracket", "Location: http://[::1/"),
    stuck("to-nowhere"),
    stuck("to-empty", "Location:"),
    Behaviour("to-long", "redirect", "BadResponse|redirect", to("/" + "x" * 60_000)),
    Behaviour("to-too-long", "redirect", "BadResponse", to("/" + "x" * 70_000)),
    Behaviour("to-trap", "redirect", "redirect", to("/x" * 30), also={"/x" * 30: "TrapSuspected"}),
]  # fmt: skip


def linking(*paths: str) -> bytes:
    """A page on the topic with links."""
    return page(" ".join(f'<a href="{path}">asthma {path[-9:]}</a>' for path in paths))


def calendar(path: str) -> bytes:
    """Every day links to the day before and after, for ever."""
    found = re.search("[0-9]{4}-[0-9]{2}-[0-9]{2}", path)
    day = date.fromisoformat(found[0]) if found else date(2026, 1, 1)
    return linking(*(f"/day/{day + timedelta(days=step)}" for step in (1, -1, 400_000)))


def random_paths(path: str) -> bytes:
    """Every page links to pages of random names."""
    names = random.Random(path)
    return linking(*("/" + "".join(names.choices("abcdefgh", k=12)) for _ in range(5)))


def subdomains(path: str) -> bytes:
    """Every page links to another host below its own."""
    return linking(f"http://h{_next(path)}.trap-of-hosts.test/{_next(path)}")


def facets(path: str) -> bytes:
    """A search form whose combinations are all links."""
    n = _next(path) % 9973
    return linking(*(f"/s?a={n}&b={n * k % 97}&c={k}&d={n % 5}" for k in range(8)))


def trap(name: str, answered: Answer) -> Behaviour:
    """A host that makes up pages without end."""
    return Behaviour(name, "trap", "page", answered)


TRAPS = [
    trap("trap-of-days", calendar),
    trap("trap-of-months", lambda path: linking(
        f"/cal?year={2026 + _next(path) % 7000}&month=3", f"/cal?year={_next(path)}&month=1")),
    trap("trap-of-folders", lambda path: linking(f"{path.rstrip('/')}/a/b")),
    trap("trap-of-segments", lambda path: linking(f"{path.rstrip('/')}/{_next(path) % 89}")),
    trap("trap-of-facets", facets),
    trap("trap-of-sessions", lambda path: linking(
        f"/?PHPSESSID={_next(path)}", f"/a;jsessionid={_next(path)}", f"/b?sid={_next(path)}")),
    trap("trap-of-numbers", lambda path: linking(f"/p/{_next(path)}.html")),
    trap("trap-of-words", random_paths),
    trap("trap-of-hosts", subdomains),
    trap("trap-of-slashes", lambda path: linking(path + "/", path + "/./x/../")),
    trap("trap-of-letters", lambda path: linking(path.swapcase() + "aB", path + "%41")),
    trap("trap-of-parameters", lambda path: linking(
        path + ("&" if "?" in path else "?") + f"p{len(path)}=1")),
    trap("trap-of-fragments", lambda path: linking(*(f"#{n}" for n in range(500)))),
    trap("trap-of-redirects", lambda path: (
        to(f"/p{_next(path)}") if "go" in path else linking(f"/go{_next(path)}"))),
    Behaviour("trap-of-errors", "trap", "page", NOT_FOUND, also={"/e/7": "HttpError|HostLimit"},
              paths={"/": linking(*(f"/e/{n}" for n in range(60)))}),
    trap("trap-of-links", page("<a href=/good>x</a>" * 30_000)),
    trap("trap-of-far-links", linking(*(f"/l/{n}" for n in range(600)))),
    trap("trap-of-copies", lambda path: linking(*(f"/c{n}" for n in range(40)))),
]  # fmt: skip


def robots(name: str, text: bytes | str, expected: str = "page", *fields: str) -> Behaviour:
    """A host with a robots.txt of this text."""
    said = answer(text, *(fields or ("Content-Type: text/plain",)))
    return Behaviour(name, "robots", expected, GOOD, robots=said, good=expected == "page")


def refusing(name: str, said: Answer, expected: str) -> Behaviour:
    """A host whose robots.txt is this answer."""
    return Behaviour(name, "robots", expected, GOOD, robots=said, good=expected == "page")


ALL = "User-agent: *\nDisallow: /\n"
NONE = "User-agent: *\nDisallow:\n"
ROBOTS = [
    robots("robots-all", ALL, "RobotsDisallow"),
    robots("robots-us", "User-agent: SemCrawl\nDisallow: /\n", "RobotsDisallow"),
    robots("robots-us-and-version", "User-agent: semcrawl/0.1\nDisallow: /\n", "RobotsDisallow"),
    robots("robots-prefix", "User-agent: sem\nDisallow: /\n"),
    robots("robots-others", "User-agent: otherbot\nDisallow: /\n"),
    robots("robots-empty", ""),
    robots("robots-blank", "\n" * 5000),
    robots("robots-html", "<!doctype html><title>Not found</title>" * 99, "page", "X: 1"),
    robots("robots-binary", bytes(range(256)) * 99),
    robots("robots-bom", "\ufeff" + ALL, "RobotsDisallow"),
    robots("robots-utf-16", ALL.encode("utf-16"), "RobotsDisallow"),
    robots("robots-returns", ALL.replace("\n", "\r"), "RobotsDisallow"),
    robots("robots-image", ALL, "RobotsDisallow", "Content-Type: image/png"),
    robots("robots-gzip", gzip.compress(ALL.encode()), "RobotsDisallow", "Content-Encoding: gzip",
           "Content-Type: text/plain"),
    robots("robots-zeros", NONE.replace("D", "\0D") + "\0" * 9999),
    robots("robots-huge", "# asthma\n" * 90_000 + ALL),
    robots("robots-long-line", NONE + "Disallow: /" + "x" * 400_000),
    robots("robots-many-groups", "".join(
        f"User-agent: bot{n}\nDisallow: /{n}\n\n" for n in range(9000))),
    robots("robots-many-rules", "User-agent: *\n" + "Disallow: /x*y*z$\n" * 9000),
    robots("robots-wildcards", "User-agent: *\nDisallow: /" + "*a" * 2000 + "$\n"),
    robots("robots-stars", "User-agent: *\nDisallow: /" + "*" * 90_000 + "b\n"),
    robots("robots-brackets", "User-agent: *\nDisallow: /[(a+)+]{9999}\\\nAllow: (((\n"),
    robots("robots-percent", "User-agent: *\nDisallow: /%zz%\nDisallow: /%%%2\nAllow: /%ff\n"),
    robots("robots-no-agent", "Disallow: /\n"),
    robots("robots-odd-delays", NONE + "Crawl-delay: nan\nCrawl-delay: -5\nCrawl-delay: 1e999\n"),
    robots("robots-long-delay", NONE + "Crawl-delay: 86400\n"),
    robots("robots-odd-rates", NONE + "Request-rate: 1/0\nRequest-rate: 0/1\nRequest-rate: x/ys\n"),
    robots("robots-long-rate", NONE + f"Request-rate: 1/{'9' * 400}\n"),
    robots("robots-visit-time", NONE + "Visit-time: 9999-0000\nVisit-time: x\n"),
    robots("robots-sitemaps", NONE + "".join(
        f"Sitemap: http://robots-sitemaps.test/map{n}.xml\n" for n in range(9000))),
    robots("robots-private-map", NONE + "Sitemap: http://127.0.0.1/map.xml\nHost: 127.0.0.1\n"),
    refusing("robots-401", answer(b"", status="401 No"), "page"),
    refusing("robots-403", answer(b"", status="403 No"), "page"),
    refusing("robots-410", answer(b"", status="410 Gone"), "page"),
    refusing("robots-429", answer(b"", status="429 Slow"), "RobotsUnreachable"),
    refusing("robots-500", answer(b"", status="500 No"), "RobotsUnreachable"),
    refusing("robots-503", answer(b"", "Retry-After: 1", status="503 No"), "RobotsUnreachable"),
    refusing("robots-short", raw("HTTP/1.1 200 OK", "Content-Length: 999", body=b"User-agent: *"),
             "RobotsUnreachable"),
    refusing("robots-not-http", b"What?\r\n\r\n", "RobotsUnreachable"),
    refusing("robots-hang-up", OPEN[:20], "RobotsUnreachable"),
    refusing("robots-loop", to("/robots.txt"), "page"),
    refusing("robots-moved", to("http://robots-all.test/robots.txt", 301), "RobotsDisallow"),
    refusing("robots-to-private", to("http://127.0.0.1/robots.txt"), "AddressRefused"),
    refusing("robots-to-file", to("file:///etc/passwd"), "RobotsUnreachable|page"),
]  # fmt: skip

URLSET = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
XML = "Content-Type: application/xml"


def _map(path: str) -> bytes:
    entries = "".join(f"<url><loc>http://x.test/{path}{n}</loc></url>" for n in range(2000))
    return answer(URLSET + entries, XML)


SITEMAPS = [
    Behaviour("sitemap-endless", "sitemap", "LinkList", _map,
              robots=answer(f"{NONE}Sitemap: http://sitemap-endless.test/a.xml\n")),
    Behaviour("sitemap-of-itself", "sitemap", "LinkList", answer(
        "<sitemapindex><sitemap><loc>http://sitemap-of-itself.test/</loc>", XML)),
    Behaviour("sitemap-bomb", "sitemap", "NotHtml", answer(
        gzip.compress(bytes(9_000_000)), XML, "Content-Encoding: gzip")),
    Behaviour("sitemap-entities", "sitemap", "Unreadable", answer(
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset>&a;</urlset>', XML)),
    Behaviour("sitemap-half-character", "sitemap", "LinkList", answer(
        URLSET + "<url><loc>/good</loc></url><url><loc>&#xD800;</loc></url></urlset>", XML)),
    Behaviour("feed-in-feed", "sitemap", "Unreadable", answer(
        gzip.compress(b"<feed>" + b"<entry>" * 200 + b"<link/>" * 400_000 + b"</entry>" * 200 + b"</feed>"), XML)),
    Behaviour("sitemap-as-html", "sitemap", "LinkList", answer(
        URLSET + "<url><loc>http://127.0.0.1/</loc></url>" * 500)),
]  # fmt: skip

SITES = [*REDIRECTS, *TRAPS, *ROBOTS, *SITEMAPS]
