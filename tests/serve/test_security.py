"""Who may ask the server, and what every answer says."""

from __future__ import annotations

import http.client
from typing import TYPE_CHECKING

import pytest
from starlette.datastructures import Headers

from semcrawl.errors import RequestError
from semcrawl.serve.security import MOST_BYTES, SAFE_HEADERS, RequestCheck, is_loopback

if TYPE_CHECKING:
    from tests.serve.conftest import Served

TOKEN = "right-token"
BEARER = {"authorization": f"Bearer {TOKEN}"}


def status(check: RequestCheck, method: str = "GET", path: str = "/api/crawl", **headers: str) -> int:
    """The status that a request is refused with, 200 where it may pass."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        check.check(method, path, Headers({"host": "127.0.0.1:8765"} | named))
    except RequestError as error:
        return error.status
    return 200


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1:8765", 200),
        ("localhost:8765", 200),
        ("LOCALHOST", 200),
        ("[::1]:8765", 200),
        ("localhost:9999", 200),  # the other end of a tunnel
        ("evil.test:8765", 421),  # a name that was made to point here
        ("127.0.0.1.evil.test", 421),
        ("localhost.evil.test", 421),
        ("10.0.0.1", 421),
        ("user@localhost", 400),
        ("localhost/..", 400),
        ("", 400),
        ("[::1", 400),
    ],
)
def test_at_loopback_the_host_is_a_name_of_loopback(host: str, expected: int) -> None:
    assert status(RequestCheck("127.0.0.1", TOKEN), host=host) == expected


def test_two_hosts_are_none() -> None:
    check = RequestCheck("127.0.0.1", TOKEN)
    raw = [(b"host", b"localhost"), (b"host", b"evil.test")]
    with pytest.raises(RequestError, match="names no host, or several"):
        check.check("GET", "/", Headers(raw=raw))


def test_everywhere_the_host_is_an_address_but_no_foreign_name() -> None:
    check = RequestCheck("0.0.0.0", TOKEN)
    assert status(check, host="192.0.2.7:8765", **BEARER) == 200
    assert status(check, host="evil.test", **BEARER) == 421


@pytest.mark.parametrize(
    ("method", "headers", "expected"),
    [
        ("GET", {}, 200),  # curl, a SPARQL client
        ("POST", {}, 200),
        ("GET", {"origin": "http://127.0.0.1:8765", "sec_fetch_site": "same-origin"}, 200),
        ("POST", {"origin": "http://127.0.0.1:8765"}, 200),
        ("GET", {"sec_fetch_site": "none", "sec_fetch_mode": "navigate"}, 200),  # typed in
        ("GET", {"origin": "http://evil.test"}, 403),
        ("POST", {"origin": "http://evil.test"}, 403),
        ("POST", {"origin": "null"}, 403),  # a sandboxed frame
        ("GET", {"origin": "http://127.0.0.1:9999"}, 403),  # another server of this machine
        ("GET", {"sec_fetch_site": "cross-site", "sec_fetch_mode": "no-cors"}, 403),  # <img>
        ("GET", {"sec_fetch_site": "same-site", "sec_fetch_mode": "cors"}, 403),
    ],
)
def test_pages_of_other_sites_do_not_ask(method: str, headers: dict[str, str], expected: int) -> None:
    assert status(RequestCheck("127.0.0.1", TOKEN), method, **headers) == expected


def test_a_link_from_another_site_may_be_followed_but_not_framed() -> None:
    check = RequestCheck("127.0.0.1", TOKEN)
    link = {"sec_fetch_site": "cross-site", "sec_fetch_mode": "navigate"}
    assert status(check, "GET", "/", sec_fetch_dest="document", **link) == 200
    assert status(check, "GET", "/", sec_fetch_dest="iframe", **link) == 403
    assert status(check, "POST", "/", sec_fetch_dest="document", **link) == 403


def test_elsewhere_than_at_loopback_all_but_the_page_itself_needs_the_token() -> None:
    check = RequestCheck("192.0.2.7", TOKEN)
    own = {"host": "192.0.2.7:8765"}
    assert [status(check, path=path, **own) for path in ("/", "/static/js/main.js")] == [200, 200]
    for path in ("/api/crawl", "/sparql", "/metrics", "/api/events", "/static"):
        assert status(check, path=path, **own) == 401
        assert status(check, path=path, **own, **BEARER) == 200
        assert status(check, path=path, **own, x_semcrawl_token=TOKEN) == 200
        assert status(check, path=path, **own, authorization="Bearer wrong-token") == 401
        assert status(check, path=path, **own, authorization=f"Basic {TOKEN}") == 401


@pytest.mark.parametrize("length", [str(MOST_BYTES + 1), "-1", "many", "9" * 30])
def test_a_large_request_is_refused_by_its_own_word(length: str) -> None:
    assert status(RequestCheck("127.0.0.1", TOKEN), "POST", content_length=length) == 413


def test_only_loopback_addresses_are_loopback() -> None:
    yes = ["127.0.0.1", "127.8.8.8", "::1", "localhost"]
    no = ["0.0.0.0", "::", "192.0.2.1", "example.org", ""]
    assert [host for host in yes + no if is_loopback(host)] == yes


# Through the real server


def test_every_answer_has_the_headers_that_keep_it_safe(served: Served) -> None:
    for path in ("/api/crawl", "/nothing", "/metrics"):
        headers = served.client.get(path).headers
        assert headers["content-security-policy"] == SAFE_HEADERS["Content-Security-Policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


def test_a_refusal_is_a_sentence_and_safe_too(served: Served) -> None:
    refused = served.client.get("/api/crawl", headers={"Host": "evil.test"})
    assert refused.status_code == 421
    assert refused.json() == {"error": "this server is not called 'evil.test': use the address that it printed"}
    assert refused.headers["content-security-policy"] == SAFE_HEADERS["Content-Security-Policy"]


def test_a_body_that_hides_its_length_is_counted(served: Served) -> None:
    def endless() -> bytes:
        return b"x" * 65536

    connection = http.client.HTTPConnection(served.url.removeprefix("http://"), timeout=120)
    try:
        pieces = (endless() for _ in range(MOST_BYTES // 65536 + 2))
        connection.request("POST", "/api/control", pieces, served.authorised, encode_chunked=True)
        answer = connection.getresponse()
        assert answer.status == 413
        assert b"a request may have 1,048,576 bytes" in answer.read()
    finally:
        connection.close()


def test_files_and_replies_are_compressed_with_all_their_headers(served: Served) -> None:
    for path in ("/static/js/main.js", "/api/pages"):
        packed = served.client.get(path, headers={"Accept-Encoding": "gzip"})
        plain = served.client.get(path, headers={"Accept-Encoding": "identity"})
        assert packed.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert packed.content == plain.content
        assert packed.headers.keys() >= {name.lower() for name in SAFE_HEADERS}
