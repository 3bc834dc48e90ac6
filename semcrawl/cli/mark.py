"""``semcrawl mark`` and ``semcrawl review``: pages that a person calls right or wrong."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from shutil import get_terminal_size

import click

from semcrawl.cli.options import parameters
from semcrawl.cli.progress import working
from semcrawl.cli.screen import count, cut, harmless, one_line
from semcrawl.crawl.marks import MarkResult, Question, Review
from semcrawl.errors import ConfigError

_MARKS = {"yes": True, "no": False}
_KEYS = {"y": True, "n": False, "s": None}
_ANSWERS = (*_KEYS, "q")
_LEAD = 300
_SHOWN = 5  # pages that marks have changed


@click.command()
@parameters("mark")
def mark(folder: Path, words: tuple[str, ...], remove: bool, is_list: bool, trust: bool) -> None:
    """Mark pages of the crawl in FOLDER as right or wrong."""
    if is_list:
        if words or remove:
            raise ConfigError("--list stands alone: leave out URLs and --remove")
        _list(folder)
        return
    urls, meant = (words, None) if remove else (words[:-1], _MARKS.get(words[-1] if words else ""))
    if not urls or (meant is None) != remove:
        raise ConfigError(
            "give URLs of visited pages, then yes or no, as in "
            "'semcrawl mark FOLDER http://www.example.org/ yes'; or --remove and URLs, or --list"
        )
    from semcrawl.crawl.marks import mark_pages
    from semcrawl.crawl.shards.reading import folder_with

    places: dict[Path, list[str]] = {}
    for url in urls:
        places.setdefault(folder_with(folder, url), []).append(url)
    done = "unmarked" if remove else f"marked {words[-1]}"
    for place, here in places.items():
        with working("judging anew"):
            found = mark_pages(place, dict.fromkeys(here, meant), trust=trust)
        _tell(f"{count(len(set(here)), 'page')} {done}", found)


def _tell(done: str, found: MarkResult) -> None:
    click.echo(f"{done}; {found}")
    for number, url in enumerate(found.changed[:_SHOWN]):
        click.echo(f"  {'relevant now' if number < found.gained else 'no longer'}: {harmless(url)}")
    if len(found.changed) > _SHOWN:
        click.echo(f"  … and {len(found.changed) - _SHOWN:,} more")


def _list(folder: Path) -> None:
    from semcrawl.crawl.shards.reading import read_crawl

    with read_crawl(folder) as graph:
        rows = list(graph.query("analyse/marks"))
    for row in rows:
        title = f"  {one_line(row['title'])}" if row["title"] else ""
        click.echo(f"{'yes' if row['marked'] else 'no ':<3}  {harmless(row['url'])}{title}")
    if not rows:
        click.echo("no page is marked", err=True)


@click.command()
@parameters("review")
def review(folder: Path, questions: int, trust: bool) -> None:
    """Answer the questions that teach the crawl in FOLDER most."""
    from semcrawl.crawl.marks import Review, mark_pages
    from semcrawl.crawl.shards.layout import parts_of
    from semcrawl.graph import CrawlGraph

    places = parts_of(folder)
    with ExitStack() as opened:
        graphs = [opened.enter_context(CrawlGraph.read(place, trust=trust)) for place in places]
        keys = opened.enter_context(_typed_keys())
        asking = [Review(graph) for graph in graphs]
        with suppress(KeyboardInterrupt):  # as the key q: what was answered counts
            _ask(asking, questions, keys)
    answered = [(place, one.answers) for place, one in zip(places, asking, strict=True) if one.answers]
    if not answered:
        click.echo("no page was marked")
    for place, answers in answered:
        with working("judging anew"):
            told = mark_pages(place, answers, trust=trust)
        _tell(f"{count(len(answers), 'page')} marked", told)


def _ask(asking: Sequence[Review], questions: int, keys: Iterator[str]) -> None:
    """Ask about the best page of a crawl, of one in shards in turns."""
    for number in range(questions):
        turn = number % len(asking)
        in_turn = (*asking[turn:], *asking[:turn])
        review, found = next(((one, best) for one in in_turn for best in one.questions(1)), (None, None))
        if review is None or found is None:
            click.echo("there is no other page to ask about")
            return
        _show(found, f"{number + 1} of {questions}")
        click.echo("right? y / n, s skip, q quit ", nl=False)
        key = next((key for key in keys if key in _ANSWERS), "q")
        click.echo(key)
        if key == "q":
            return
        review.answer(found.url, _KEYS[key])


@contextmanager
def _typed_keys() -> Iterator[Iterator[str]]:
    """Give the keys of the terminal one by one, also those typed before they are asked for."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError("review asks at a terminal, and this is none: use 'semcrawl mark FOLDER URL yes' or no")
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)  # the usual way would throw away what was typed
    try:
        # Nothing, or Ctrl-D, is the end.
        keys = iter(lambda: os.read(terminal, 1).strip(b"\x04"), b"")
        yield (key.decode("ascii", "replace").lower() for key in keys)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _show(question: Question, place: str) -> None:
    title = one_line(question.title) or "no title"
    click.echo(f"\n{place}  {title}  (relevance {question.relevance:.2f})")
    click.echo(harmless(question.url))
    if question.lead:
        click.echo(click.wrap_text(one_line(cut(question.lead, _LEAD)), get_terminal_size().columns))
