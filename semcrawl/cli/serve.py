"""``semcrawl serve``, and the page that ``--serve`` shows beside a crawl."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from semcrawl.cli.options import parameters
from semcrawl.closing import Closing
from semcrawl.crawl import StopReason
from semcrawl.crawl.progress import interruptible
from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from semcrawl.crawl.any_crawl import AnyCrawl
    from semcrawl.serve import ServeSettings
    from semcrawl.serve.control import ServerCompanion

_ADDRESS = re.compile(r"(?:(?P<host>\[[0-9a-fA-F:.]+\]|[\w.-]+):)?(?P<port>\d{1,5})")
_HEARD = {"pause": "paused", "resume": "going on", "stop": "stopping after the visits under way"}


@click.command()
@parameters("serve")
def serve(folder: Path | str | None, opens: bool, **options: Any) -> None:
    """Show a crawl in a browser; without FOLDER, start one."""
    from semcrawl.cli.query import one_folder
    from semcrawl.crawl.shards.reading import read_crawl
    from semcrawl.graph import CrawlGraph
    from semcrawl.serve.server import CrawlServer
    from semcrawl.serve.settings import link_to, listen
    from semcrawl.serve.start_page import StartServer

    if folder is None and Path("graph", "CURRENT").is_file():
        folder = Path()
    settings = _serve_settings(**options)
    if isinstance(folder, str):
        with read_crawl(folder) as graph:
            graph.describe()
        settings, folder = replace(settings, endpoint=folder), Path(folder)
    elif folder is not None:
        folder = one_folder(folder)
        CrawlGraph.require(folder)
    with listen(settings) as listener:
        link = link_to(listener, settings)
        shown = f"{settings.endpoint or folder} is" if folder else "The crawls in this folder are"
        click.echo(f"{shown} shown at {link}\nCtrl-C ends this.")
        if opens:
            click.launch(link)
        kind = CrawlServer if folder else StartServer
        kind(folder or Path(), settings, listener).run_until_signal()


def _serve_settings(token: str | None, **options: Any) -> ServeSettings:
    from semcrawl.serve import ServeSettings

    settings = ServeSettings(**options | ({"token": token} if token else {}))
    if len(settings.token) < 8 or not all("!" <= sign <= "~" for sign in settings.token):
        raise ConfigError("a token has 8 characters or more, letters, digits and signs: no spaces")
    return settings


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT`` or ``PORT``; ConfigError for another text.

    >>> parse_address("0.0.0.0:80"), parse_address("9000"), parse_address("[::1]:0")
    (('0.0.0.0', 80), ('127.0.0.1', 9000), ('::1', 0))
    """
    found = _ADDRESS.fullmatch(text)
    if not found or int(found["port"]) > 65535:
        raise ConfigError(f"--serve {text}: this is no address; write --serve=HOST:PORT, or --serve at the end")
    return (found["host"] or "127.0.0.1").strip("[]"), int(found["port"])


class Serving(Closing):
    """The page of a crawl that this process runs, its port taken at once; no address, no page."""

    def __init__(self, address: str | None) -> None:
        self._server: ServerCompanion | None = None
        self._listener = None
        if address is None:
            return
        from semcrawl.serve.settings import link_to, listen

        host, port = parse_address(address)
        self._settings = _serve_settings(os.environ.get("SEMCRAWL_TOKEN"), host=host, port=port)
        self._listener = listen(self._settings)
        self._link = link_to(self._listener, self._settings)

    def show(self, crawl: AnyCrawl[Any, Any], folder: Path) -> None:
        """Start the server for a crawl that is about to run."""
        if self._listener is None:
            return
        from semcrawl.serve.control import ServerCompanion

        say(f"the crawl is shown at {self._link}")
        self._server = ServerCompanion(
            folder,
            # What the crawl obeys, its page obeys too.
            replace(self._settings, trust=crawl.graph.is_trusted),
            self._listener,
            crawl,
            lambda action: say(f"{_HEARD[action]}, as the page says"),
            lambda: say("the page is gone: its server has ended by itself"),
        )

    def stay(self, reason: StopReason) -> None:
        """Go on showing a crawl that has ended, until Ctrl-C; not where that ended it."""
        server = self._server
        if server is None or not server.is_alive:
            return
        if reason is StopReason.INTERRUPTED and not server.was_told_to_stop:
            return
        server.crawl_ended()
        left: list[bool] = []
        with interruptible(lambda: left.append(True)):
            say(f"the page stays at {self._link} until Ctrl-C")
            while not left and server.is_alive:
                time.sleep(0.1)

    def close(self) -> None:
        """End the server and free the port."""
        if self._server is not None:
            self._server.close()
        if self._listener is not None:
            self._listener.close()


def say(message: str, before: str = "") -> None:
    """Tell something past Python's buffers: a thread, or what a signal stopped, may be in the middle of a write."""
    os.write(2, f"{before}semcrawl: {message}\n".encode())
