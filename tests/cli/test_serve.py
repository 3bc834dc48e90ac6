"""``semcrawl serve`` and ``--serve``: what they say, when they end; real processes on loopback."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from semcrawl.cli.serve import parse_address
from semcrawl.errors import ConfigError
from semcrawl.web import Replay, ReplayServer, Response
from tests.serve.conftest import PATIENCE, until
from tests.started import COMMAND, Started

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]

LINK = re.compile(r"(http://127\.0\.0\.1:\d+/)#token=(\S+)")


def start(*words: object) -> Started:
    return Started(COMMAND, *words, stderr=subprocess.PIPE)


def link_in(stream: Any) -> tuple[str, str]:
    """Address and token, as soon as the command has printed them."""
    for line in stream:
        if found := LINK.search(line):
            return found[1], found[2]
    raise AssertionError("no link was printed")


def rest_of(process: Started) -> tuple[str, str]:
    """What it has still to say, once it has ended.

    Not ``communicate``: that passes over lines which came along with the link
    and wait in the stream's buffer.
    """
    process.wait(timeout=PATIENCE)
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdout.read(), process.stderr.read()


def get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        return json.load(answer)


def post(url: str, token: str, data: dict[str, object]) -> Any:
    headers = {"Authorization": f"Bearer {token}"}
    request = urllib.request.Request(url, json.dumps(data).encode(), headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


# semcrawl serve


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_crawl_is_served_until_it_is_told_to_end(crawled: Path, number: signal.Signals) -> None:
    with start("serve", crawled, "--port", 0) as server:
        url, token = link_in(server.stdout)
        assert len(token) >= 20
        assert get(f"{url}api/crawl")["progress"]["pages"] == 6
        server.send_signal(number)
        out, err = rest_of(server)
    assert (server.returncode, err) == (0, "")
    assert out == "Ctrl-C ends this.\n"
    assert not list((crawled / "snapshots").iterdir())


def test_a_folder_without_a_crawl_is_no_crawl_to_serve(run: Run, tmp_path: Path) -> None:
    run("serve", tmp_path, "--port", 0).fails(2, "holds no crawl")
    run("serve", "nowhere").fails(2, "there is no folder nowhere")


def test_a_taken_port_is_told_in_one_line(run: Run, crawled: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        run("serve", crawled, "--port", port).fails(2, f"port {port} of 127.0.0.1 is taken")


@pytest.mark.parametrize("token", ["short", "has a space in it", "übertragbar"])
def test_a_token_that_is_no_good_is_told(run: Run, crawled: Path, token: str) -> None:
    run("serve", crawled, "--port", 0, "--token", token).fails(2, "8 characters or more")


# --serve


@pytest.fixture
def endless() -> Iterator[str]:
    """The proxy of a web that never ends, too slow to keep a processor busy."""

    def answer(url: str) -> Response | None:
        if url.endswith("/robots.txt"):
            return None
        number = int(url.rpartition("/")[2] or 0)
        body = f'<title>Page {number}</title><p>asthma <a href="/{number + 1}">asthma</a>'
        return Response(url, 200, {"content-type": "text/html"}, body.encode(), 0.0, 0.0)

    with ReplayServer(Replay({}), answers=answer, latency=0.1) as server:
        yield server.proxy


def words(proxy: str, folder: Path) -> list[object]:
    seed = ["wordnet:asthma", "--seed", "http://a.test/0", "--folder", folder]
    return ["crawl", *seed, "--proxy", proxy, "--delay", 0, "--pages", 0, "--quiet"]


def test_a_crawl_stopped_from_its_page_stays_to_be_looked_at(endless: str, tmp_path: Path) -> None:
    folder = tmp_path / "asthma"
    with start(*words(endless, folder), "--serve", "127.0.0.1:0") as crawl:
        url, token = link_in(crawl.stderr)
        assert get(f"{url}api/crawl")["can"]["control"] is True
        assert post(f"{url}api/control", token, {"action": "pause"})["state"] == "paused"
        assert post(f"{url}api/control", token, {"action": "stop"})["state"] == "running"
        until(lambda: bool(get(f"{url}api/crawl")["state"] == "stopped"))
        assert crawl.poll() is None
        assert get(f"{url}api/crawl")["reason"] == "it was told to stop"
        crawl.send_signal(signal.SIGINT)
        _, err = rest_of(crawl)
    assert crawl.returncode == 0
    assert err.splitlines() == [
        "semcrawl: paused, as the page says",
        "semcrawl: stopping after the visits under way, as the page says",
        f"semcrawl: the page stays at {url}#token={token} until Ctrl-C",
    ]
    assert not list((folder / "snapshots").iterdir())


def test_a_crawl_for_websites_has_its_page_too(endless: str, tmp_path: Path) -> None:
    more = ["--pages-per-site", 1000, "--l-threshold", 1_000_000, "--serve", "127.0.0.1:0"]
    with start("sites", *words(endless, tmp_path / "asthma")[1:], *more) as crawl:
        url, token = link_in(crawl.stderr)
        assert get(f"{url}api/crawl")["kind"] == "sites"
        assert post(f"{url}api/control", token, {"action": "pause"})["state"] == "paused"
        crawl.send_signal(signal.SIGINT)
        rest_of(crawl)
    assert crawl.returncode == 0


def test_ctrl_c_ends_crawl_and_page(endless: str, tmp_path: Path) -> None:
    with start(*words(endless, tmp_path / "asthma"), "--serve", "0") as crawl:
        url, _ = link_in(crawl.stderr)
        until(lambda: bool(get(f"{url}api/crawl")["progress"]["pages"] > 2))
        crawl.send_signal(signal.SIGINT)
        rest_of(crawl)
    assert crawl.returncode == 0
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(url, timeout=PATIENCE)


def test_a_killed_crawl_takes_its_page_along(endless: str, tmp_path: Path) -> None:
    with start(*words(endless, tmp_path / "asthma"), "--serve", "0") as crawl:
        url, _ = link_in(crawl.stderr)
        get(f"{url}api/crawl")
        crawl.kill()
        crawl.wait(60)

    def is_gone() -> bool:
        try:
            urllib.request.urlopen(f"{url}api/crawl", timeout=60).close()
        except OSError:
            return True
        return False

    until(is_gone)


def test_a_taken_port_is_told_before_a_folder_is_made(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = run("crawl", "wordnet:asthma", "--seed", "http://a.test/", "--serve", port)
    ran.fails(2, f"port {port} of 127.0.0.1 is taken")
    assert not (tmp_path / "asthma").exists()


@pytest.mark.parametrize("text", ["wordnet:asthma", "localhost", "a:b", "1.2.3.4:99999", ":80"])
def test_what_is_no_address_is_told(text: str) -> None:
    with pytest.raises(ConfigError, match="no address; write --serve=HOST:PORT"):
        parse_address(text)
