from __future__ import annotations

import pyoxigraph
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from semcrawl.errors import UrlError
from semcrawl.web.urls import MAX_LENGTH, canonical, domain_of, host_of, hostname_of, join, origin_of

# Pieces that real URLs go wrong with, and plain text between them.
# fmt: off
PIECES = st.sampled_from([
    "a", "B", "..", ".", "/", "//", "?", "&", "=", "#", ";", "%", "%41", "%2f", "%2E", "%zz", "%C3",
    "jsessionid=1", "utm_source=x", "sid=0123456789abcdef", "é", " ", "[", "]", "|", "{", "\\",
    "'", '"', "<", "^", "`", "~", "@", ":", "\t", "\x00", "\u202e", "語",
])
# fmt: on
TAILS = st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=30)
HOSTS = st.sampled_from(["e.org", "E.ORG.", "e.org:80", "e.org:8080", "münchen.de", "[::1]", "1.2"])
URLS = st.builds("{}://{}{}{}".format, st.sampled_from(["http", "HTTPS"]), HOSTS, st.just("/"), TAILS)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://Example.ORG", "http://example.org/"),
        ("http://example.org:80/", "http://example.org/"),
        ("https://example.org:443/a", "https://example.org/a"),
        ("https://example.org:8443/a", "https://example.org:8443/a"),
        ("http://example.org./a", "http://example.org/a"),
        ("http://user:secret@example.org/a", "http://example.org/a"),
        ("http://münchen.de/", "http://xn--mnchen-3ya.de/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://[0:0:0:0:0:0:0:1]:8080/", "http://[::1]:8080/"),
        ("  http://example.org/a\n/b  ", "http://example.org/a/b"),
        ("http:\\\\example.org\\a", "http://example.org/a"),
        ("http://example.org/a/./b/../c", "http://example.org/a/c"),
        ("http://example.org/a/%2e%2E/c", "http://example.org/c"),
        ("http://example.org/a#frag?x", "http://example.org/a"),
        ("http://example.org/a?", "http://example.org/a"),
        ("http://example.org/%7euser/%2fa", "http://example.org/~user/%2Fa"),
        ("http://example.org/100%", "http://example.org/100%25"),
        ("http://example.org/%%34%31", "http://example.org/%2541"),
        ("http://example.org/a b|c[1]{2}", "http://example.org/a%20b%7Cc%5B1%5D%7B2%7D"),
        ("http://example.org/?q=a b|c[]^`{}", "http://example.org/?q=a%20b%7Cc%5B%5D%5E%60%7B%7D"),
        ("http://example.org/é?q=é", "http://example.org/%C3%A9?q=%C3%A9"),
        ("http://example.org/?b=2&a=1", "http://example.org/?b=2&a=1"),
        ("http://example.org/?utm_source=x&a=1&UTM_medium=y", "http://example.org/?a=1"),
        ("http://example.org/?gclid=1&fbclid=2", "http://example.org/"),
        ("http://example.org/?PHPSESSID=abc&p=2", "http://example.org/?p=2"),
        ("http://example.org/?sid=0123456789abcdef&p=2", "http://example.org/?p=2"),
        ("http://example.org/?sid=42", "http://example.org/?sid=42"),
        ("http://example.org/a;jsessionid=F0?b=1", "http://example.org/a?b=1"),
        ("http://example.org/..;jsessionid=F0/a", "http://example.org/..;jsessionid=F0/a"),
    ],
)
def test_canonical_form(url: str, expected: str) -> None:
    assert canonical(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "http://schools-wikipedia.test/wp/%25/%25C3%2581ed%25C3%25A1n.htm",
        "http://example.org/a%2Fb%3Fc",
        "http://example.org/a//b/",
        "http://example.org/a;b=1,2/c:d@e!$&'()*+",
        "http://example.org/?a=1;b=2&c&&d=%26",
        "http://under_score.example.org/",
    ],
)
def test_what_means_something_else_otherwise_stays_as_it_is(url: str) -> None:
    assert canonical(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "/a",
        "http://",
        "http:///",
        "http://./",
        "http://a..b/",
        "http://a{b}.org/",
        "http://exa mple.org/",
        "http://[::1/",
        "http://example.org:99999/",
        "http://" + "a" * 64 + ".org/",
        "http://" + "a." * 130 + "org/",
        "ftp://example.org/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://example.org/" + "a" * MAX_LENGTH,
        "http://example.org/" + "é" * (MAX_LENGTH // 2),
        "http://example.org/\ud800",
    ],
)
def test_what_cannot_be_fetched_is_no_url(url: str) -> None:
    with pytest.raises(UrlError, match="not a URL that can be fetched"):
        canonical(url)
    assert join("http://base.example.org/", url) is None or not url.startswith("http")


@given(URLS)
def test_a_canonical_url_is_its_own_canonical_form_and_an_iri(url: str) -> None:
    try:
        once = canonical(url)
    except UrlError:
        return
    assert canonical(once) == once
    assert once.isascii()
    assert pyoxigraph.NamedNode(once).value == once


@given(URLS, TAILS)
def test_joined_links_are_canonical(base: str, href: str) -> None:
    target = join(base, href)
    assert target is None or canonical(target) == target


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("c.html", "http://example.org/a/c.html"),
        ("../c.html", "http://example.org/c.html"),
        ("../../../c.html", "http://example.org/c.html"),
        ("/c?x=1", "http://example.org/c?x=1"),
        ("?x=1", "http://example.org/a/b.html?x=1"),
        ("", "http://example.org/a/b.html"),
        ("#top", "http://example.org/a/b.html"),
        ("//other.org/x", "http://other.org/x"),
        ("HTTPS://other.org", "https://other.org/"),
        ("http:c.html", "http://example.org/a/c.html"),
        (" c.html\n", "http://example.org/a/c.html"),
        ("mailto:a@example.org", None),
        ("javascript:void(0)", None),
        ("data:text/html,<p>", None),
        ("tel:+1", None),
        ("ftp://example.org/", None),
        ("http://[bad", None),
        ("x" * (MAX_LENGTH + 1), None),
    ],
)
def test_links_lead_where_a_browser_would_go(href: str, expected: str | None) -> None:
    assert join("http://example.org/a/b.html", href) == expected


def test_a_base_that_is_no_url_gives_no_link() -> None:
    assert join("not a base", "a.html") is None


@pytest.mark.parametrize(
    ("url", "host", "name", "domain"),
    [
        ("http://www.example.co.uk/a", "www.example.co.uk", "www.example.co.uk", "example.co.uk"),
        ("http://www.example.org:8080/", "www.example.org:8080", "www.example.org", "example.org"),
        ("http://me.github.io/", "me.github.io", "me.github.io", "me.github.io"),
        ("http://co.uk/", "co.uk", "co.uk", "co.uk"),
        ("http://a.b.test/", "a.b.test", "a.b.test", "a.b.test"),
        ("http://localhost:81/", "localhost:81", "localhost", "localhost"),
        ("http://127.0.0.1:81/", "127.0.0.1:81", "127.0.0.1", "127.0.0.1"),
        ("http://[::1]:81/", "[::1]:81", "::1", "::1"),
    ],
)
def test_hosts_and_domains(url: str, host: str, name: str, domain: str) -> None:
    assert (host_of(url), hostname_of(url), domain_of(url)) == (host, name, domain)


def test_a_relative_url_has_no_host() -> None:
    with pytest.raises(UrlError, match="not an absolute URL"):
        host_of("page.html")


def test_the_origin_tells_schemes_and_ports_apart() -> None:
    origins = {origin_of(url) for url in ("http://e.org/a", "https://e.org/a", "http://e.org:81/a")}
    assert origins == {"http://e.org", "https://e.org", "http://e.org:81"}


@given(
    st.lists(
        st.sampled_from([";jsessionid=", ";phpsessid=", ";JSESSIONID=1", ";", "/", ".", "..", "a", "1", "%2e"]),
        max_size=12,
    )
)
@example([";jsessionid=", "1", ".", ";jsessionid=", "2"])
def test_sessions_in_paths_leave_a_url_that_stays_as_it_is(parts: list[str]) -> None:
    url = canonical("http://a.test/x" + "".join(parts))
    assert canonical(url) == url
