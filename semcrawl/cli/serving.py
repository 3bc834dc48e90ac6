"""``--serve``: a page that shows the crawl while this command runs it, and can pause and stop it.

The page stays after the crawl has ended, until Ctrl-C.
"""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING, Any, Self

import click

from semcrawl.crawl import StopReason
from semcrawl.crawl.interrupt import interruptible
from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.serve.beside import Controllable, ServerBeside

__all__ = ["Serving", "parse_address", "serve_option"]

_DEFAULT = "127.0.0.1:8765"
_TICK = 0.1
_ADDRESS = re.compile(r"(?:(?P<host>\[[0-9a-fA-F:.]+\]|[\w.-]+):)?(?P<port>\d{1,5})")
_HEARD = {"pause": "paused", "resume": "going on", "stop": "stopping after the visits under way"}


def serve_option(command: Any) -> Any:
    """Add ``--serve`` to a command."""
    return click.option(
        "--serve",
        is_flag=False,
        flag_value=_DEFAULT,
        metavar="[HOST:PORT]",
        help=f"Show the crawl in a browser, at {_DEFAULT} or elsewhere, until Ctrl-C.",
    )(command)


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT`` or ``PORT``.

    >>> parse_address("0.0.0.0:80"), parse_address("9000"), parse_address("[::1]:0")
    (('0.0.0.0', 80), ('127.0.0.1', 9000), ('::1', 0))

    Raises:
        ConfigError: the text is none of these.
    """
    found = _ADDRESS.fullmatch(text)
    if not found or int(found["port"]) > 65535:
        raise ConfigError(
            f"--serve {text}: this is no address; write --serve=HOST:PORT, or --serve at the end"
        )
    return (found["host"] or "127.0.0.1").strip("[]"), int(found["port"])


class Serving:
    """The page of a crawl, where one is wanted; without an address it does nothing.

    The port is taken first of all, so that one that is not free is told before
    a folder is made.
    """

    def __init__(self, address: str | None) -> None:
        self._server: ServerBeside | None = None
        self._listener = None
        if address is None:
            return
        from semcrawl.cli.serve import serve_settings
        from semcrawl.serve.listening import link_to, listen

        host, port = parse_address(address)
        token = os.environ.get("SEMCRAWL_TOKEN")
        self._settings = serve_settings(host=host, port=port, token=token)
        self._listener = listen(self._settings)
        self._link = link_to(self._listener, self._settings)

    def show(self, crawl: Controllable, folder: Path) -> None:
        """Start the server for a crawl that is about to run."""
        if self._listener is None:
            return
        from semcrawl.serve.beside import ServerBeside

        _say(f"the crawl is shown at {self._link}")
        self._server = ServerBeside(
            folder,
            self._settings,
            self._listener,
            crawl,
            lambda action: _say(f"{_HEARD[action]}, as the page says"),
            lambda: _say("the page is gone: its server has ended by itself"),
        )

    def stay(self, reason: StopReason) -> None:
        """Go on showing a crawl that has ended, until Ctrl-C; not where that ended it."""
        server = self._server
        if server is None or (reason is StopReason.INTERRUPTED and not server.was_told_to_stop):
            return
        if not server.is_alive:
            return
        server.crawl_ended()
        _say(f"the page stays at {self._link} until Ctrl-C")
        left: list[bool] = []
        with interruptible(lambda: left.append(True)):
            while not left and server.is_alive:
                time.sleep(_TICK)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
        if self._listener is not None:
            self._listener.close()


def _say(message: str) -> None:
    # Written past Python's buffers: another thread may be in the middle of a write.
    os.write(2, f"semcrawl: {message}\n".encode())
