"""``semcrawl serve``."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from semcrawl.serve import ServeSettings

__all__ = ["serve", "serve_settings"]


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
              help="Address to listen at; at any but loopback, all need the token.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True,
              help="Port to listen at; 0: any that is free.")  # fmt: skip
@click.option("--token", envvar="SEMCRAWL_TOKEN",
              help="What requests that change something must know; also $SEMCRAWL_TOKEN.  "
              "[default: a new one]")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(0.1, 3600), default=30.0, show_default=True,
              help="Seconds that a query may take.")  # fmt: skip
@click.option("--max-rows", type=click.IntRange(1, 10_000_000), default=10_000, show_default=True,
              help="Rows or triples that a query gives at most.")  # fmt: skip
@click.option("--open", "opens", is_flag=True, help="Open the page in the browser.")
def serve(
    folder: Path,
    host: str,
    port: int,
    token: str | None,
    timeout: float,
    max_rows: int,
    opens: bool,
) -> None:
    """Show the crawl in FOLDER in a browser, live.

    The page shows the crawl live and answers questions; /sparql is a SPARQL endpoint. Only this
    machine can reach it, unless --host says otherwise. Ctrl-C ends it; the crawl does not notice.

    \b
    semcrawl serve asthma --open
    """
    from semcrawl.graph import CrawlGraph
    from semcrawl.serve.listening import link_to, listen
    from semcrawl.serve.server import CrawlServer

    CrawlGraph.require(folder)
    settings = serve_settings(host, port, token, timeout, max_rows)
    with listen(settings) as listener:
        link = link_to(listener, settings)
        click.echo(f"{folder} is shown at {link}")
        click.echo("Ctrl-C ends this.")
        if opens:
            click.launch(link)
        CrawlServer(folder, settings, listener).run_until_signal()


def serve_settings(
    host: str = "127.0.0.1",
    port: int = 8765,
    token: str | None = None,
    timeout: float = 30.0,
    max_rows: int = 10_000,
) -> ServeSettings:
    """The settings of a server, with a token that nobody can guess where none is given.

    Raises:
        ConfigError: a token that is too easy to guess or cannot be sent.
    """
    from semcrawl.errors import ConfigError
    from semcrawl.serve import ServeSettings

    token = token or secrets.token_urlsafe(16)
    if len(token) < 8 or not all("!" <= sign <= "~" for sign in token):
        raise ConfigError("a token has 8 characters or more, letters, digits and signs: no spaces")
    return ServeSettings(host, port, token, timeout, max_rows)
