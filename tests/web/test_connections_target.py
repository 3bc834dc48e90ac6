from __future__ import annotations

import pytest

from semcrawl.errors import ConfigError, FetchError
from semcrawl.web.connections import proxy_target, take_apart


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("http://example.org/", ("http", "example.org", 80, "/")),
        ("https://example.org/a?b=c", ("https", "example.org", 443, "/a?b=c")),
        ("https://a_b.example:8443/", ("https", "a_b.example", 8443, "/")),
        ("http://[2001:db8::1]:81/x", ("http", "[2001:db8::1]", 81, "/x")),
        ("http://e.org./a|b%zz", ("http", "e.org.", 80, "/a|b%zz")),
    ],
)
def test_a_canonical_url_is_taken_apart(url: str, parts: tuple[str, str, int, str]) -> None:
    target = take_apart(url)
    assert (target.scheme, target.host, target.port, target.path) == parts
    assert target.url == url


def test_an_address_is_resolved_without_its_brackets() -> None:
    assert take_apart("http://[2001:db8::1]/").hostname == "2001:db8::1"


@pytest.mark.parametrize(
    "url",
    ["", "e.org/", "HTTP://e.org/", "http://E.org/", "http://e.org", "http://e.org:99999/",
     "http://me@e.org/", "http://e.org/\n", "http://e.org/caf\xe9"],
)  # fmt: skip
def test_any_other_text_is_refused(url: str) -> None:
    with pytest.raises(FetchError, match=r"canonical\(\) first") as caught:
        take_apart(url)
    assert caught.value.reason == "BadUrl"


@pytest.mark.parametrize("proxy", ["http://localhost:3128", "HTTP://LOCALHOST:3128/"])
def test_a_proxy_is_an_address_alone(proxy: str) -> None:
    target = proxy_target(proxy)
    assert (target.host, target.port) == ("localhost", 3128)


@pytest.mark.parametrize("proxy", ["", "3128", "https://a.org/", "http://a.org/x", "http://me:pw@a.org/"])
def test_what_is_no_http_proxy_is_refused(proxy: str) -> None:
    with pytest.raises(ConfigError, match="cannot use the proxy"):
        proxy_target(proxy)
