"""``semcrawl seeds``: finding better places to begin a crawl."""

from dataclasses import asdict
from pathlib import Path

import click

from semcrawl.cli.options import parameters
from semcrawl.cli.progress import PageProgress
from semcrawl.cli.screen import count, harmless, print_json
from semcrawl.errors import ConfigError, os_errors


@click.command()
@parameters("seeds")
def seeds(
    seed: tuple[str, ...],
    source: str,
    least: int,
    best: int,
    mirrors: float,
    unlike: tuple[Path, ...],
    pages: tuple[str, ...],
    trust: bool,
    as_json: bool,
) -> None:
    """Find better seeds: pages that link to several of the SEEDs."""
    from semcrawl.steering import augment, open_back_links
    from semcrawl.web import open_replay

    texts = [_text(path) for path in unlike]
    with PageProgress() as progress:
        texts_of = open_replay(list(pages)) if pages else None
        known = open_back_links(source, texts_of, progress, trust=trust)
        hubs = augment(seed, known, least=least, best=best, mirrors=mirrors, unlike=texts)
    if as_json:
        print_json([asdict(hub) for hub in hubs])
    else:
        for hub in hubs:
            click.echo(f"{harmless(hub.url)}\t{hub.seeds}")
    if not hubs:
        click.echo(f"(no page links to {count(least, 'seed')} or more)", err=True)
    elif all(known.terms(hub.url) is None for hub in hubs):
        click.echo(
            "note: mirrors were not told apart, as the texts of the pages are not known; "
            "give a recording with --pages",
            err=True,
        )


def _text(path: Path) -> str:
    from semcrawl.page import read_html

    with os_errors(ConfigError, f"cannot read {path}"):
        written = path.read_text(encoding="utf-8", errors="replace")
    if not written.strip():
        raise ConfigError(f"{path} is empty: give a file with the text not to find again")
    return read_html(written, "http://unlike.invalid/").text
