"""``semcrawl replay``: looking into recorded webs, serving them, counting their words."""

import threading
from collections import Counter
from pathlib import Path

import click

from semcrawl.cli.options import parameters
from semcrawl.cli.progress import working
from semcrawl.cli.screen import count, print_json
from semcrawl.crawl.progress import interruptible
from semcrawl.errors import ConfigError, os_errors
from semcrawl.web import ReplayServer, open_replay
from semcrawl.web.urls import host_of


@click.group()
@parameters("replay")
def replay() -> None:
    """Recorded webs, which answer instead of the network."""


@replay.command()
@parameters("inspect")
def inspect(web: tuple[str, ...], as_json: bool, urls: bool) -> None:
    """What the recorded WEB holds: hosts, pages, problems."""
    with working("reading the recorded web"):
        found = open_replay(list(web))
    if urls:
        for url in found.urls():
            click.echo(url)
        return
    hosts = Counter(host_of(url) for url in found.urls())
    if as_json:
        print_json({"urls": len(found), "hosts": dict(hosts), "problems": found.problems})
        return
    click.echo(f"{count(len(found), 'URL')} on {count(len(hosts), 'host')}")
    for host, pages in hosts.most_common(20):
        click.echo(f"  {pages:>8,}  {host}")
    for problem in found.problems:
        click.echo(f"problem: {problem}", err=True)


@replay.command()
@parameters("serve")
def serve(web: tuple[str, ...], port: int, latency: float) -> None:
    """Serve the recorded WEB on this machine over HTTP."""
    found = open_replay(list(web))
    end = threading.Event()
    with os_errors(ConfigError, f"cannot serve at port {port}", "; leave --port out for a free one"):
        server = ReplayServer(found, port=port, latency=latency)
    with interruptible(end.set), server:
        click.echo(f"{len(found):,} URLs at {server.proxy}; Ctrl-C ends")
        while not end.wait(1.0):
            pass


@replay.command()
@parameters("idf")
def idf(web: tuple[str, ...], output: Path, language: str) -> None:
    """Count the terms of the recorded WEB, for --background."""
    from semcrawl.page.background import background_of_replay
    from semcrawl.topics.topic import checked_languages

    languages = checked_languages(language)
    with working("counting the words of the pages"):
        background = background_of_replay(open_replay(list(web)), languages)
    background.save(output)
    click.echo(f"{background.documents:,} pages, {len(background):,} terms written to {output}")
