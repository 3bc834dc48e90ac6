from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError, FetchError
from semcrawl.web import DropReason
from semcrawl.web.http import HttpFetcher

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[..., HttpFetcher]

PAGE = b"<!doctype html><title>A page</title><p>Hello"


def failure(fetcher: HttpFetcher, url: str) -> FetchError:
    with pytest.raises(FetchError) as caught:
        fetcher.fetch(url)
    return caught.value


def test_a_page_comes_with_all_that_is_known_of_it(loopback: str, make_fetcher: Make) -> None:
    response = make_fetcher().fetch(f"{loopback}/page")
    assert (response.url, response.status, response.body) == (f"{loopback}/page", 200, PAGE)
    assert (response.content_type, response.charset) == ("text/html", "utf-8")
    assert response.is_html
    assert not response.truncated
    assert response.redirect is None
    assert response.fetched_at > 1e9
    assert response.elapsed > 0


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/gzip", PAGE),
        ("/two-members", PAGE + b"more"),
        ("/deflate", PAGE),
        ("/raw-deflate", PAGE),
        ("/chunked", b"<p>Hi there"),
        ("/until-close", PAGE),
        ("/untyped", PAGE),
        ("/empty", b""),
    ],
)
def test_every_framing_and_coding_gives_the_plain_body(
    loopback: str, make_fetcher: Make, path: str, body: bytes
) -> None:
    assert make_fetcher().fetch(loopback + path).body == body


def test_header_names_are_lower_case_folded_lines_joined_repeats_combined(loopback: str, make_fetcher: Make) -> None:
    headers = make_fetcher().fetch(f"{loopback}/folded").headers
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert headers["x"] == "1, 2"


def test_answers_that_come_before_the_final_one_are_passed_over(loopback: str, make_fetcher: Make) -> None:
    assert make_fetcher().fetch(f"{loopback}/early-hints").body == PAGE


def test_a_coded_body_that_breaks_off_is_kept_and_marked(loopback: str, make_fetcher: Make) -> None:
    response = make_fetcher().fetch(f"{loopback}/cut-gzip")
    assert response.truncated
    assert PAGE.startswith(response.body)


def test_the_request_names_the_crawler_and_carries_no_more_than_asked(loopback: str, make_fetcher: Make) -> None:
    sent = make_fetcher().fetch(f"{loopback}/echo", headers={"If-None-Match": '"a"'}).body.decode()
    names = {line.partition(":")[0] for line in sent.splitlines()[1:] if line}
    assert names == {"Host", "User-Agent", "Accept", "Accept-Encoding", "If-None-Match"}
    assert "User-Agent: semcrawl/0.1\r\n" in sent
    assert "Accept-Encoding: gzip, deflate\r\n" in sent


@pytest.mark.parametrize("path", ["/echo?a|b", "/echo%zz%c3", "/echo?x=%7e&y=[1]'\"<>"])
def test_a_url_is_asked_for_as_it_is(loopback: str, make_fetcher: Make, path: str) -> None:
    sent = make_fetcher().fetch(loopback + path).body.decode()
    assert sent.startswith(f"GET {path} HTTP/1.1\r\n")


def test_headers_given_replace_the_usual_ones(loopback: str, make_fetcher: Make) -> None:
    fetcher = make_fetcher()
    sent = fetcher.fetch(f"{loopback}/echo", headers={"accept": "text/turtle"}).body
    assert sent.lower().count(b"\r\naccept:") == 1
    assert b"text/turtle" in sent
    assert b"text/turtle" not in fetcher.fetch(f"{loopback}/echo").body


def test_cookies_are_not_sent_back(loopback: str, make_fetcher: Make) -> None:
    fetcher = make_fetcher()
    assert fetcher.fetch(f"{loopback}/cookies").headers["set-cookie"] == "a=1; Path=/, b=2"
    assert b"ookie" not in fetcher.fetch(f"{loopback}/echo").body


@pytest.mark.parametrize("field", [{"X\r\nEvil": "1"}, {"X": "1\r\nEvil: 2"}, {"": "1"}])
def test_headers_that_would_break_the_request_are_refused(
    loopback: str, make_fetcher: Make, field: dict[str, str]
) -> None:
    with pytest.raises(ConfigError, match="not a valid request header"):
        make_fetcher().fetch(f"{loopback}/echo", headers=field)


def test_what_is_no_html_is_not_downloaded_unless_wanted(loopback: str, make_fetcher: Make) -> None:
    fetcher = make_fetcher()
    picture = fetcher.fetch(f"{loopback}/image")
    assert (picture.status, picture.content_type, picture.body) == (200, "image/png", b"")
    assert fetcher.fetch(f"{loopback}/text", want_any=True).body == b"User-agent: *"


@pytest.mark.parametrize(("path", "target"), [("/moved", "/page"), ("/moved-raw", "/caf%C3%A9"), ("/loop", "/loop")])
def test_a_redirect_is_reported_not_followed(loopback: str, make_fetcher: Make, path: str, target: str) -> None:
    response = make_fetcher().fetch(loopback + path)
    assert response.status in {301, 302}
    assert response.redirect == loopback + target
    assert response.body == b""


@pytest.mark.parametrize("path", ["/moved-mail", "/moved-nowhere"])
def test_a_redirect_to_no_page_is_a_bad_response(loopback: str, make_fetcher: Make, path: str) -> None:
    assert failure(make_fetcher(), loopback + path).reason == DropReason.BAD_RESPONSE


def test_not_modified_is_an_answer(loopback: str, make_fetcher: Make) -> None:
    response = make_fetcher().fetch(f"{loopback}/not-modified")
    assert (response.status, response.body, response.redirect) == (304, b"", None)


@pytest.mark.parametrize(
    ("path", "known"),
    [("/missing", (404, False, None)), ("/slow-down", (429, True, 7.0)), ("/broken", (503, True, None))],
)
def test_error_statuses_raise_with_what_the_crawl_must_know(
    loopback: str, make_fetcher: Make, path: str, known: tuple[int, bool, float | None]
) -> None:
    error = failure(make_fetcher(), loopback + path)
    assert error.reason == DropReason.HTTP_ERROR
    assert (error.status, error.temporary, error.retry_after) == known


@pytest.mark.parametrize(
    ("path", "reason", "temporary"),
    [
        ("/not-http", DropReason.BAD_RESPONSE, False),
        ("/bad-status", DropReason.BAD_RESPONSE, False),
        ("/nothing", DropReason.BAD_RESPONSE, True),
        ("/huge-header", DropReason.BAD_RESPONSE, False),
        ("/many-headers", DropReason.BAD_RESPONSE, False),
        ("/cut-headers", DropReason.BAD_RESPONSE, True),
        ("/two-lengths", DropReason.BAD_RESPONSE, False),
        ("/too-short", DropReason.BAD_RESPONSE, True),
        ("/bad-chunk", DropReason.BAD_RESPONSE, True),
        ("/signed-chunk", DropReason.BAD_RESPONSE, True),
        ("/prefixed-chunk", DropReason.BAD_RESPONSE, True),
        ("/grouped-chunk", DropReason.BAD_RESPONSE, True),
        ("/cut-chunk", DropReason.BAD_RESPONSE, True),
        ("/reset", DropReason.BAD_RESPONSE, True),
        ("/bad-gzip", DropReason.BAD_ENCODING, False),
        ("/brotli", DropReason.BAD_ENCODING, False),
        ("/bomb", DropReason.TOO_LARGE, False),
    ],
)
def test_bad_servers_fail_with_a_reason(
    loopback: str, make_fetcher: Make, path: str, reason: DropReason, temporary: bool
) -> None:
    error = failure(make_fetcher(), loopback + path)
    assert (error.reason, error.temporary) == (reason, temporary)
    assert loopback + path in str(error)


@pytest.mark.parametrize("path", ["/silence", "/drip-status", "/drip-headers", "/drip-body"])
def test_no_server_holds_a_worker_longer_than_allowed(loopback: str, make_fetcher: Make, path: str) -> None:
    # Those that drip would give a whole answer after two seconds.
    read_timeout = 0.4 if path == "/silence" else 10.0
    error = failure(make_fetcher(read_timeout=read_timeout, total_timeout=0.5), loopback + path)
    assert (error.reason, error.temporary) == (DropReason.TIMED_OUT, True)


def test_a_server_that_drips_is_served_if_the_time_allows(loopback: str, make_fetcher: Make) -> None:
    fetcher = make_fetcher()
    assert fetcher.fetch(f"{loopback}/drip-body").body == b"x" * 40


@pytest.mark.parametrize("path", ["/endless", "/page"])
def test_a_body_beyond_the_limit_is_cut(loopback: str, make_fetcher: Make, path: str) -> None:
    response = make_fetcher(max_bytes=20).fetch(loopback + path)
    assert len(response.body) == 20
    assert response.truncated


def test_a_body_of_just_the_limit_is_whole(loopback: str, make_fetcher: Make) -> None:
    response = make_fetcher(max_bytes=len(PAGE), oversize="drop").fetch(f"{loopback}/page")
    assert (response.body, response.truncated) == (PAGE, False)


@pytest.mark.parametrize("path", ["/endless", "/page", "/gzip", "/chunked"])
def test_a_body_beyond_the_limit_is_refused_where_asked(loopback: str, make_fetcher: Make, path: str) -> None:
    error = failure(make_fetcher(max_bytes=10, oversize="drop"), loopback + path)
    assert error.reason == DropReason.TOO_LARGE


def test_coded_data_that_comes_to_nothing_has_an_end(loopback: str, make_fetcher: Make) -> None:
    fetcher = make_fetcher(max_bytes=100_000)
    response = fetcher.fetch(f"{loopback}/empty-blocks")
    assert (response.body, response.truncated) == (b"", True)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost", "[::ffff:127.0.0.1]"])
def test_local_addresses_are_refused_by_default(host: str) -> None:
    fetcher = HttpFetcher("semcrawl/0.1")
    assert failure(fetcher, f"http://{host}:1/").reason == DropReason.ADDRESS_REFUSED


def test_a_redirect_to_a_local_address_is_refused_like_any_url(loopback: str, make_fetcher: Make) -> None:
    target = make_fetcher().fetch(f"{loopback}/moved").redirect
    assert target is not None
    assert failure(make_fetcher(allow_private=False), target).reason == DropReason.ADDRESS_REFUSED


def test_a_closed_port_is_a_failed_connection(make_fetcher: Make) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    error = failure(make_fetcher(), f"http://127.0.0.1:{port}/")
    assert (error.reason, error.temporary) == (DropReason.CONNECT_FAILED, True)


def test_a_name_that_cannot_exist_is_a_failed_look_up(make_fetcher: Make) -> None:
    error = failure(make_fetcher(), f"http://{'a' * 70}.invalid/")
    assert error.reason == DropReason.DNS_FAILED


@pytest.mark.parametrize(
    "url",
    [
        "",
        "page",
        "ftp://example.org/",
        "http://example.org",
        "http://example.org:99999/",
        "http://e.org/a b",
        "http://e.org/\r\nX: 1",
    ],
)
def test_only_canonical_urls_are_fetched(make_fetcher: Make, url: str) -> None:
    assert failure(make_fetcher(), url).reason == DropReason.BAD_URL


@pytest.mark.parametrize(
    "options",
    [
        {"oversize": "ignore"},
        {"max_bytes": 0},
        {"total_timeout": -1.0},
        {"proxy": "socks5://127.0.0.1:1080"},
        {"proxy": "127.0.0.1:8080"},
        {"proxy": "http://user:secret@127.0.0.1:8080"},
    ],
)
def test_settings_that_cannot_work_are_refused(make_fetcher: Make, options: dict[str, object]) -> None:
    with pytest.raises(ConfigError) as caught:
        make_fetcher(**options)
    assert "secret" not in str(caught.value)


def test_the_environment_sets_no_proxy(loopback: str, make_fetcher: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert make_fetcher().fetch(f"{loopback}/page").status == 200


def test_behind_a_proxy_the_url_is_sent_whole(loopback: str, make_fetcher: Make) -> None:
    fetcher = make_fetcher(proxy=loopback, allow_private=False)
    sent = fetcher.fetch("http://example.test/echo").body
    assert sent.startswith(b"GET http://example.test/echo HTTP/1.1\r\nHost: example.test\r\n")


@pytest.mark.parametrize("host", ["10.0.0.1", "localhost", "[fe80::1]"])
def test_behind_a_proxy_literal_addresses_are_still_refused(loopback: str, make_fetcher: Make, host: str) -> None:
    error = failure(make_fetcher(proxy=loopback, allow_private=False), f"http://{host}/")
    assert error.reason == DropReason.ADDRESS_REFUSED
