from __future__ import annotations

import pytest

from semcrawl.errors import FetchError
from semcrawl.web.connections import literal_refusal, refusal, resolve
from semcrawl.web.http import HttpFetcher


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("0.0.0.0", "unspecified"),
        ("0.1.2.3", "reserved"),
        ("10.1.2.3", "private"),
        ("100.64.0.1", "reserved"),
        ("127.0.0.1", "loopback"),
        ("127.255.255.254", "loopback"),
        ("169.254.169.254", "link-local"),
        ("172.16.0.1", "private"),
        ("192.0.0.8", "reserved"),
        ("192.0.2.1", "private"),
        ("192.168.1.1", "private"),
        ("198.18.0.1", "reserved"),
        ("224.0.0.1", "multicast"),
        ("240.0.0.1", "reserved"),
        ("255.255.255.255", "reserved"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("::7f00:1", "loopback"),
        ("::ffff:127.0.0.1", "loopback"),
        ("::ffff:c0a8:101", "private"),
        ("64:ff9b::a00:1", "private"),
        ("64:ff9b:1::1", "reserved"),
        ("2002:7f00:1::", "loopback"),
        ("2001:0:5ef5:79fd:0:0:80ff:fffe", "loopback"),
        ("fc00::1", "private"),
        ("fe80::1%eth0", "link-local"),
        ("fec0::1", "reserved"),
        ("::ffff:0:127.0.0.1", "reserved"),
        ("ff02::1", "multicast"),
        ("2001:db8::1", "private"),
    ],
)
def test_addresses_that_no_crawl_may_visit(address: str, kind: str) -> None:
    assert str(refusal(address)).endswith(f"is a {kind} address")


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.216.34", "172.32.0.1", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_public_addresses_are_allowed(address: str) -> None:
    assert refusal(address) is None


def test_what_is_no_address_is_refused() -> None:
    assert refusal("example.org") == "example.org is not an IP address"


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:25/", "https://127.0.0.1:6667/robots.txt", "http://[::1]:10080/", "http://127.0.0.1:0/"]
)
def test_ports_of_other_services_are_not_asked_even_where_private_addresses_are(url: str) -> None:
    with HttpFetcher("semcrawl", allow_private=True) as fetcher, pytest.raises(FetchError) as caught:
        fetcher.fetch(url)
    assert caught.value.reason == "AddressRefused"
    assert "another service than the web" in str(caught.value)


@pytest.mark.parametrize(
    ("hostname", "refused"),
    [
        ("localhost", True),
        ("a.localhost", True),
        ("10.0.0.1", True),
        ("::1", True),
        ("8.8.8.8", False),
        ("example.org", False),
        ("notlocalhost", False),
    ],
)
def test_names_that_need_no_look_up(hostname: str, refused: bool) -> None:
    assert (literal_refusal(hostname) is not None) is refused


def test_a_literal_resolves_to_itself() -> None:
    assert [address[0] for _, address in resolve("127.0.0.1", 80, 1.0)] == ["127.0.0.1"]


def test_a_name_that_cannot_be_resolved_raises() -> None:
    with pytest.raises(FetchError) as caught:
        resolve("a" * 70 + ".invalid", 80, 5.0)
    assert caught.value.reason == "DnsFailed"
