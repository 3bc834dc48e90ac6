"""Keep-alive, proxies and TLS, as a fetcher and its session make use of them."""

from __future__ import annotations

import contextlib
import shutil
import socket
import ssl
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import FetchError
from semcrawl.web import DropReason, Response, connections
from semcrawl.web.http import HttpFetcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Make = Callable[..., HttpFetcher]

PAGE = b"<!doctype html><title>A page</title><p>Hello"


def failure(fetcher: HttpFetcher, url: str) -> FetchError:
    with pytest.raises(FetchError) as caught:
        fetcher.fetch(url)
    return caught.value


def test_connections_are_kept_alive(loopback: str, make_fetcher: Make) -> None:
    fetcher = make_fetcher()
    first = fetcher.fetch(f"{loopback}/connection").body
    for path in ("/page", "/chunked", "/missing", "/moved", "/text", "/empty"):
        if path == "/missing":
            failure(fetcher, loopback + path)
        else:
            fetcher.fetch(loopback + path)
    assert fetcher.fetch(f"{loopback}/connection").body == first


@pytest.mark.parametrize("path", ["/image", "/not-http", "/until-close", "/endless"])
def test_a_connection_with_unread_bytes_is_not_used_again(loopback: str, make_fetcher: Make, path: str) -> None:
    fetcher = make_fetcher(max_bytes=30)
    first = fetcher.fetch(f"{loopback}/connection").body
    with contextlib.suppress(FetchError):
        fetcher.fetch(loopback + path)
    assert fetcher.fetch(f"{loopback}/connection").body != first


@pytest.mark.parametrize(
    "path", ["/two-framings", "/chunked-with-length", "/length-after-return", "/length-after-no-field"]
)
def test_a_connection_whose_answer_may_end_elsewhere_is_not_used_again(
    loopback: str, make_fetcher: Make, path: str
) -> None:
    # A proxy may pass the rest on as the answer of the next host.
    fetcher = make_fetcher(proxy=loopback)
    first = fetcher.fetch("http://a.test/connection").body
    fetcher.fetch(f"http://a.test{path}")
    assert fetcher.fetch("http://b.test/connection").body != first


def test_a_kept_connection_that_the_server_drops_is_replaced(loopback: str, make_fetcher: Make) -> None:
    fetcher = make_fetcher()
    first = fetcher.fetch(f"{loopback}/hang-up-later").body
    # The server closes only when the next request arrives on that connection.
    assert fetcher.fetch(f"{loopback}/connection").body != first


def test_threads_share_a_fetcher(loopback: str, make_fetcher: Make) -> None:
    fetcher = make_fetcher()
    with ThreadPoolExecutor(8) as threads:
        bodies = list(threads.map(lambda _: fetcher.fetch(f"{loopback}/gzip").body, range(64)))
    assert bodies == [PAGE] * 64


def test_a_connection_serves_whichever_thread_comes_next(loopback: str, make_fetcher: Make) -> None:
    fetcher = make_fetcher()
    first = fetcher.fetch(f"{loopback}/connection").body
    with ThreadPoolExecutor(1) as thread:
        second = thread.submit(fetcher.fetch, f"{loopback}/connection").result().body
    assert second == first


@pytest.mark.parametrize(("keep_alive", "kept"), [(0, False), (1, False), (2, True)])
def test_no_more_hosts_are_kept_than_told(loopback: str, make_fetcher: Make, keep_alive: int, kept: bool) -> None:
    fetcher = make_fetcher(keep_alive=keep_alive)
    first = fetcher.fetch(f"{loopback}/connection").body
    fetcher.fetch(loopback.replace("127.0.0.1", "localhost") + "/page")
    assert (fetcher.fetch(f"{loopback}/connection").body == first) is kept


def test_behind_a_proxy_all_hosts_share_its_connections(loopback: str, make_fetcher: Make) -> None:
    fetcher = make_fetcher(proxy=loopback)
    numbers = {fetcher.fetch(f"http://{host}.test/connection").body for host in "abc"}
    assert len(numbers) == 1


def test_a_connection_idle_for_long_is_not_used_again(
    loopback: str, make_fetcher: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetcher = make_fetcher()
    first = fetcher.fetch(f"{loopback}/connection").body
    monkeypatch.setattr(connections, "_IDLE_SECONDS", 0.0)
    assert fetcher.fetch(f"{loopback}/connection").body != first


def test_closing_hangs_up(make_fetcher: Make) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as thread:
        listener.settimeout(60)
        fetcher = make_fetcher()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        fetched = thread.submit(fetcher.fetch, url)
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(60)
            connection.recv(4096)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            assert fetched.result().status == 200
            fetcher.close()
            assert connection.recv(1) == b""


@pytest.fixture
def tls_server(tmp_path: Path) -> Iterator[str]:
    """A TLS server with a certificate of its own making; it answers, then drips."""
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl to make a certificate with")
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    done = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve_tls, args=(listener, context, done))
        thread.start()
        yield f"https://127.0.0.1:{listener.getsockname()[1]}"
        done.set()
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


def serve_tls(listener: socket.socket, context: ssl.SSLContext, done: threading.Event) -> None:
    while True:
        try:
            plain, _ = listener.accept()
        except OSError:
            return
        try:
            with plain, context.wrap_socket(plain, server_side=True) as connection:
                request = connection.recv(4096)
                head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 60\r\n\r\n"
                connection.sendall(head)
                for _ in range(60):
                    if b"/drip" in request and done.wait(0.05):
                        break
                    connection.sendall(b"x")
        except OSError:
            continue


def test_tls_certificates_are_checked_unless_told_otherwise(tls_server: str, make_fetcher: Make) -> None:
    error = failure(make_fetcher(), f"{tls_server}/")
    assert (error.reason, error.temporary) == (DropReason.TLS_FAILED, False)
    response: Response = make_fetcher(verify=False).fetch(f"{tls_server}/")
    assert response.body == b"x" * 60


def test_what_the_user_asked_for_needs_no_warning(
    tls_server: str, make_fetcher: Make, recwarn: pytest.WarningsRecorder
) -> None:
    make_fetcher(verify=False).fetch(f"{tls_server}/")
    assert not recwarn.list


def test_the_deadline_holds_over_tls(tls_server: str, make_fetcher: Make) -> None:
    error = failure(make_fetcher(verify=False, total_timeout=0.5), f"{tls_server}/drip")
    assert error.reason == DropReason.TIMED_OUT


@pytest.mark.parametrize(("connect_timeout", "total_timeout"), [(0.3, 20.0), (20.0, 0.3)])
def test_a_handshake_that_does_not_come_is_not_waited_for(
    make_fetcher: Make, connect_timeout: float, total_timeout: float
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"https://127.0.0.1:{silent.getsockname()[1]}/"
        fetcher = make_fetcher(connect_timeout=connect_timeout, total_timeout=total_timeout)
        error = failure(fetcher, url)
    assert (error.reason, error.temporary) == (DropReason.TIMED_OUT, True)


def test_behind_a_proxy_tls_goes_through_a_tunnel(tls_server: str, make_fetcher: Make) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as thread:
        asked = thread.submit(serve_tunnel, listener)
        proxy = f"http://127.0.0.1:{listener.getsockname()[1]}"
        fetcher = make_fetcher(proxy=proxy, verify=False)
        assert fetcher.fetch(f"{tls_server}/").body == b"x" * 60
        fetcher.close()
        assert asked.result().startswith(b"CONNECT " + tls_server.removeprefix("https://").encode())


def serve_tunnel(listener: socket.socket) -> bytes:
    """Be a proxy for one connection; return what was asked for."""
    listener.settimeout(60)
    client, _ = listener.accept()
    with client:
        client.settimeout(60)
        head = client.recv(4096)
        host, _, port = head.split()[1].decode().rpartition(":")
        with socket.create_connection((host, int(port)), 60) as server:
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=pump, args=(server, client))
            back.start()
            pump(client, server)
            back.join()
    return head


def pump(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while piece := source.recv(4096):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize(("status", "temporary"), [("403 Forbidden", False), ("502 Bad", True)])
def test_a_tunnel_refused_is_a_failed_connection(make_fetcher: Make, status: str, temporary: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as thread:
        proxy = f"http://127.0.0.1:{listener.getsockname()[1]}"
        fetcher = make_fetcher(proxy=proxy)
        fetched = thread.submit(failure, fetcher, "https://example.test/")
        connection, _ = listener.accept()
        with connection:
            connection.recv(4096)
            connection.sendall(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode())
            error = fetched.result()
    assert (error.reason, error.temporary) == (DropReason.CONNECT_FAILED, temporary)
