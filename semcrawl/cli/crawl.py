"""``semcrawl crawl``, ``semcrawl resume`` and ``semcrawl revisit``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from semcrawl.cli.run_crawl import run_crawl
from semcrawl.cli.serving import Serving, serve_option
from semcrawl.cli.setting_options import given_settings, setting_options
from semcrawl.errors import ConfigError

__all__ = ["crawl", "read_seeds", "resume", "revisit"]


def _output_options(command: Any) -> Any:
    command = click.option("--quiet", is_flag=True, help="Show errors only.")(command)
    return click.option(
        "--json", "as_json", is_flag=True, help="Print each event as a line of JSON."
    )(command)


@click.command()
@click.argument("topic", required=False)
@click.option("--seed", "seeds", multiple=True, metavar="URL", help="Start here; may be repeated.")
@click.option(
    "--seeds-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Start from the URLs in this file, one a line.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="New folder for the crawl.  [default: named after the topic]",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="TOML file with settings, and topic and seeds if you like.",
)
@serve_option
@_output_options
@setting_options
def crawl(
    topic: str | None,
    seeds: tuple[str, ...],
    seeds_file: Path | None,
    folder: Path | None,
    config: Path | None,
    serve: str | None,
    quiet: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Crawl the web for TOPIC, into a new folder.

    TOPIC is keywords:WORDS, wordnet:WORD, wordnet:SENSE, FILE#CONCEPT of an ontology or
    thesaurus, taxonomy:PATH#CATEGORY, or a topic file (.ttl, .toml).

    \b
    semcrawl crawl wordnet:asthma --seed http://example.org/ --pages 500

    Ctrl-C stops it cleanly (exit code 0), a second one at once (130); both can be resumed.
    """
    from semcrawl.crawl import Crawl, load_settings
    from semcrawl.topics import Topic

    settings, job = load_settings(config) if config else ({}, {})
    settings |= given_settings(options)
    spec = topic or job.get("topic")
    if not spec:
        raise ConfigError("no topic: give one, such as wordnet:asthma or keywords:java programming")
    parsed = Topic.parse(spec)
    starts = [*seeds, *read_seeds(seeds_file), *job.get("seeds", [])]
    target = folder or Path(re.sub(r"\W+", "-", parsed.name.lower()).strip("-")[:60] or "crawl")
    with Serving(serve) as page:
        with Crawl(parsed, starts, target, **settings) as running:
            page.show(running, target)
            reason = run_crawl(running, target, is_new=True, quiet=quiet, as_json=as_json)
        page.stay(reason)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@serve_option
@_output_options
@setting_options
def resume(folder: Path, serve: str | None, quiet: bool, as_json: bool, **options: Any) -> None:
    """Go on with a crawl after a stop, a crash or a limit.

    Settings are those of the crawl; each can be changed:

    \b
    semcrawl resume asthma --pages 2000
    """
    from semcrawl.crawl import Crawl

    with Serving(serve) as page:
        with Crawl.resume(folder, **given_settings(options)) as running:
            page.show(running, folder)
            reason = run_crawl(running, folder, is_new=False, quiet=quiet, as_json=as_json)
        page.stay(reason)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--hours", type=click.IntRange(min=0), default=24, show_default=True,
              help="How old the last visit of a page must be.")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True,
              help="How many pages at most.")  # fmt: skip
@_output_options
@setting_options
def revisit(
    folder: Path, hours: int, limit: int, quiet: bool, as_json: bool, **options: Any
) -> None:
    """Visit pages of a crawl again: what has changed, what is gone.

    Relevant pages and those that changed before come first. Servers are asked for a page only
    if it has changed. New links wait for the next 'semcrawl resume'. Options hold for this run.

    \b
    semcrawl revisit asthma --hours 168
    semcrawl query asthma changing-pages
    """
    from semcrawl.crawl import Crawl

    values = given_settings(options)
    with Crawl.revisit(folder, hours=hours, limit=limit, **values) as running:
        run_crawl(running, folder, is_new=False, quiet=quiet, as_json=as_json)


def read_seeds(path: Path | None) -> list[str]:
    """The URLs of a file, one a line; blank lines and those that begin with # are none."""
    if path is None:
        return []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ConfigError(f"the seeds file {path} is no UTF-8 text: {error}") from error
    # What follows a tab explains, as in the lists that 'semcrawl seeds augment' prints.
    seeds = (line.partition("\t")[0].strip() for line in lines)
    return [seed for seed in seeds if seed and not seed.startswith("#")]
