"""Which network addresses a crawl may connect to: checked once a name is resolved."""

import ipaddress
import socket
import threading
from functools import lru_cache
from typing import Any

from semcrawl.errors import FetchError
from semcrawl.web.response import DropReason
from semcrawl.web.urls import is_ip_address

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
SockAddr = tuple[socket.AddressFamily, tuple[Any, ...]]  # an address family and its address

# Beyond what ``is_global`` knows in every supported Python.
_RESERVED = [*map(ipaddress.ip_network, (
    "0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15",
    "240.0.0.0/4", "64:ff9b:1::/48", "100::/64", "fec0::/10",
))]  # fmt: skip
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_COMPATIBLE = ipaddress.IPv6Network("::/96")


@lru_cache(maxsize=4096)
def refusal(address: str) -> str | None:
    """Return why an IP address, or an IPv4 address inside it, may not be visited, None if it may.

    >>> refusal("93.184.216.34"), refusal("::ffff:10.0.0.1")
    (None, '10.0.0.1 is a private address')
    """
    try:
        outer = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return f"{address} is not an IP address"
    for one in [*_embedded(outer), outer]:
        kind = _kind(one)
        if kind:
            return f"{one} is a {kind} address"
    return None


def _embedded(address: _Address) -> list[ipaddress.IPv4Address]:
    if isinstance(address, ipaddress.IPv4Address):
        return []
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 1):
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return [one for one in found if one is not None]


def _kind(address: _Address) -> str | None:
    for kind in ("unspecified", "loopback", "link_local", "multicast"):
        if getattr(address, f"is_{kind}"):
            return kind.replace("_", "-")
    if any(address in block for block in _RESERVED if block.version == address.version):
        return "reserved"
    mapped = isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None
    if address.is_private and not mapped:
        return "private"
    return None if address.is_global or mapped else "reserved"


def literal_refusal(hostname: str) -> str | None:
    """Return why a host name is refused before it is resolved, None if it is not.

    >>> literal_refusal("localhost"), literal_refusal("example.org")
    ('localhost is this machine', None)
    """
    if hostname == "localhost" or hostname.endswith(".localhost"):
        return f"{hostname} is this machine"
    return refusal(hostname) if is_ip_address(hostname) else None


def resolve(hostname: str, port: int, seconds: float) -> list[SockAddr]:
    """Return the socket addresses of a host, or raise ``FetchError``."""
    if is_ip_address(hostname):
        return _look_up(hostname, port)
    outcome: list[list[SockAddr] | FetchError] = []

    def look_up() -> None:
        try:
            outcome.append(_look_up(hostname, port))
        except FetchError as problem:
            outcome.append(problem)

    # The system's resolver knows no time limit: a thread that is late is left alone.
    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    thread.join(seconds)
    if not outcome:
        raise FetchError(
            f"the name {hostname} was not resolved within {seconds:.1f} seconds",
            reason=DropReason.TIMED_OUT,
            temporary=True,
        )
    if isinstance(outcome[0], FetchError):
        raise outcome[0]
    return outcome[0]


def _look_up(hostname: str, port: int) -> list[SockAddr]:
    try:
        found = socket.getaddrinfo(hostname, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as problem:
        raise FetchError(
            f"the name {hostname} could not be resolved: {problem}",
            reason=DropReason.DNS_FAILED,
            temporary=getattr(problem, "errno", None) == socket.EAI_AGAIN,
        ) from None
    return [(family, address) for family, _, _, _, address in found]
