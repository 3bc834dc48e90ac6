"""How a crawl is served: settings, socket and link; without the web framework."""

import errno
import secrets
import socket

from msgspec import Struct, field

from semcrawl.errors import ConfigError, os_errors


class ServeSettings(Struct, frozen=True):
    """Address (port 0: any), token to change things, limits; ``trust``: obey a foreign folder."""

    host: str = "127.0.0.1"
    port: int = 8765
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    timeout: float = 30.0
    max_rows: int = 10_000
    trust: bool = False
    endpoint: str = ""  # the SPARQL server that has the graph, if it is not that of a folder


def listen(settings: ServeSettings) -> socket.socket:
    """Return a socket at the address; ConfigError where it cannot be used, or is taken."""
    host, port = settings.host, settings.port
    with os_errors(ConfigError, f"{host!r} is no address to listen at"):
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, *_, address = found[0]
    both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    try:
        return socket.create_server(address, family=family, backlog=1024, dualstack_ipv6=both)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ConfigError(
                f"port {port} of {host} is taken: choose another one, or 0 for any that is free"
            ) from error
        raise ConfigError(f"cannot listen at {host}:{port}: {error.strerror}") from error


def link_to(listener: socket.socket, settings: ServeSettings) -> str:
    """The address of the page, with the token in the fragment, which browsers do not send."""
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        host = socket.gethostname()
    where = f"[{host}]" if ":" in host else host
    return f"http://{where}:{port}/#token={settings.token}"
