from __future__ import annotations

import pytest

from semcrawl.crawl.settings import Scope


@pytest.mark.parametrize(
    ("include", "exclude", "url", "allowed"),
    [
        ((), (), "http://a.test/x", True),
        (("http://a.test/*",), (), "http://a.test/x", True),
        (("http://a.test/*",), (), "http://b.test/x", False),
        (("http://a.test/*", "http://b.test/*"), (), "http://b.test/x", True),
        ((), ("*/private/*",), "http://a.test/private/x", False),
        (("*a.test*",), ("*/private/*",), "http://a.test/private/x", False),
        ((), ("*.pdf",), "http://a.test/x.pdf?y", True),
        ((), ("http://a.test/[x]",), "http://a.test/x", False),
    ],
)
def test_scope(include: tuple[str, ...], exclude: tuple[str, ...], url: str, allowed: bool) -> None:
    assert Scope(include, exclude).allows(url) is allowed
