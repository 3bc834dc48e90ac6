from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.web.urls import SiteName, canonical


@pytest.mark.parametrize(
    ("how", "url", "site", "homepage"),
    [
        ("host", "https://www.cs.sfu.ca/a/b.html", "www.cs.sfu.ca", "https://www.cs.sfu.ca/"),
        ("host", "http://a.test:8080/x", "a.test:8080", "http://a.test:8080/"),
        ("domain", "https://shop.cats.co.uk/x", "cats.co.uk", "https://cats.co.uk/"),
        ("domain", "http://a.cats.org:81/", "cats.org:81", "http://cats.org:81/"),
        ("domain", "http://127.0.0.1:81/", "127.0.0.1:81", "http://127.0.0.1:81/"),
        ("domain", "http://[::1]:81/a", "[::1]:81", "http://[::1]:81/"),
        ("domain", "http://x0.a.test/", "x0.a.test", "http://x0.a.test/"),
        ("path:1", "http://p.test/~ann/x/y.html", "p.test/~ann", "http://p.test/~ann/"),
        ("path", "http://p.test/~ann/", "p.test/~ann", "http://p.test/~ann/"),
        ("path:1", "http://p.test/index.html", "p.test", "http://p.test/"),
        ("path:1", "http://p.test/", "p.test", "http://p.test/"),
        ("path:2", "http://p.test/a//b/c/?q=/z/", "p.test/a/b", "http://p.test/a/b/"),
        ("path:2", "http://p.test/a/x?q=/z/", "p.test/a", "http://p.test/a/"),
    ],
)
def test_a_url_belongs_to_a_site_that_has_a_homepage(how: str, url: str, site: str, homepage: str) -> None:
    name = SiteName.parse(how)
    assert name.of(url) == site
    assert name.homepage_for(url) == homepage


@pytest.mark.parametrize(
    "text", ["", "hosts", "host:2", "domain:1", "path:0", "path:-1", "path:x", "path:²", "path:9999"]
)
def test_what_is_no_kind_of_site_is_an_error(text: str) -> None:
    with pytest.raises(ConfigError, match="use host, domain, or path:N"):
        SiteName.parse(text)


def test_the_message_shows_what_was_typed() -> None:
    with pytest.raises(ConfigError, match="by 'path:00': use"):
        SiteName.parse("path:00")


@given(
    st.sampled_from(["host", "domain", "path:1", "path:3"]),
    st.lists(st.sampled_from(["a", "b.html", "~c", "%20"]), max_size=5),
    st.booleans(),
)
def test_the_homepage_of_a_site_belongs_to_it(how: str, path: list[str], slash: bool) -> None:
    name = SiteName.parse(how)
    url = canonical("http://www.cats.org/" + "/".join(path) + ("/" if slash and path else ""))
    assert name.of(name.homepage_for(url)) == name.of(url)
    assert SiteName.parse(str(name)) == name
