"""``semcrawl taxonomy``: categories taught by examples, for a crawl to be judged by."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from semcrawl.cli import taxonomy_views as views
from semcrawl.cli.screen import count, one_line
from semcrawl.cli.taxonomy_training import ReadingProgress, telling_of_interrupts
from semcrawl.errors import ConfigError, TopicError

if TYPE_CHECKING:
    from collections.abc import Callable

    from semcrawl.taxonomy import DocumentReader, Taxonomy

__all__ = ["taxonomy"]


@click.group()
def taxonomy() -> None:
    """Categories taught by examples, as topics and judges.

    \b
    semcrawl taxonomy train tree.tsv -o birds.tax
    semcrawl taxonomy classify birds.tax page.html      which categories fit
    semcrawl taxonomy mark birds.tax Science/Birds      what to crawl for
    semcrawl crawl taxonomy:birds.tax --judge taxonomy --seed URL
    """


_model = click.argument("model", type=click.Path(path_type=Path, dir_okay=False))


def _reading(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say where documents come from."""
    for option in (
        click.option("--contact", default="", help="A URL or mail address that servers are told."),
        click.option(
            "--allow-private", is_flag=True, help="Fetch from private and local addresses too."
        ),
        click.option(
            "--delay",
            type=click.FloatRange(0, 60),
            default=1.0,
            show_default=True,
            help="Seconds between two requests to one host.",
        ),
        click.option(
            "--replay",
            multiple=True,
            type=click.Path(),
            help="Look URLs up in this recorded web, a WARC file or folder; may be repeated.",
        ),
    ):
        command = option(command)
    return command


def _reader(options: dict[str, Any]) -> DocumentReader:
    from semcrawl.taxonomy import DocumentReader
    from semcrawl.web import open_replay

    return DocumentReader(
        open_replay(list(options["replay"])) if options["replay"] else None,
        allow_private=options["allow_private"],
        contact=options["contact"],
        delay=options["delay"],
    )


@taxonomy.command()
@click.argument("tree", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The model to write; one that is there is replaced when all went well.",
)
@click.option(
    "--smoothing", type=float, default=0.1, show_default=True, help="Added to each count of a term."
)
@click.option(
    "--features",
    type=click.IntRange(min=0),
    default=5_000,
    show_default=True,
    help="Terms chosen for each decision; 0: all.",
)
@click.option(
    "--length",
    type=click.FloatRange(min=0),
    default=0.0,
    show_default=True,
    help="Let longer documents count as if they had so many terms; 0: no limit.",
)
@click.option(
    "--pooled", is_flag=True, help="Pool the examples below a category, instead of mixing them."
)
@click.option("--skip-empty", is_flag=True, help="Go on where categories have no examples.")
@click.option(
    "--first-parent", is_flag=True, help="Keep the first of several broader concepts (SKOS)."
)
@click.option("--language", default="en", show_default=True, help="Of the categories' names.")
@_reading
def train(tree: Path, output: Path, **options: Any) -> None:
    """Learn the categories of TREE from their examples.

    TREE is a table of examples and category paths (.tsv), an indented text, a
    folder of folders, or SKOS in any syntax of RDF.
    """
    with telling_of_interrupts(output):
        trained = _trained(tree, output, options)
    empty = trained.empty_categories()
    without = f", {views.categories(len(empty))} without any"
    click.echo(
        f"{views.categories(len(trained.tree))}, {count(len(trained.examples), 'example')}"
        f"{without if empty else ''}: written to {output}"
    )


def _trained(tree: Path, output: Path, options: dict[str, Any]) -> Taxonomy:
    """Train a model and write it."""
    from semcrawl.taxonomy import Taxonomy, TrainingOptions
    from semcrawl.taxonomy.model_file import check_writable

    check_writable(output)
    progress = ReadingProgress()
    chosen = TrainingOptions(
        options["smoothing"], options["features"], options["length"], not options["pooled"]
    )
    with _reader(options) as reader:
        trained = Taxonomy.train(
            tree,
            reader=reader,
            options=chosen,
            language=options["language"],
            first_parent=options["first_parent"],
            skip_empty=options["skip_empty"],
            each=progress,
        )
    views.show_unread(trained)
    progress.learning()
    trained.classifier  # noqa: B018 - what cannot be compiled shall not replace a good model
    trained.save(output)
    return trained


@taxonomy.command()
@_model
@click.option("--category", help="Show this category only, with what is below it.")
@click.option(
    "--words", type=click.IntRange(min=0), default=0, help="Show so many telling words of each."
)
@click.option("--examples", is_flag=True, help="List the examples too.")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def show(model: Path, category: str | None, words: int, examples: bool, as_json: bool) -> None:
    """The tree of MODEL: examples, marks, and what tells the categories apart.

    A good category is marked with *, one that is good by what is above it with +.
    """
    from semcrawl.taxonomy import Taxonomy

    loaded = Taxonomy.load(model)
    top = None if category is None else loaded.tree.find(category)
    rows = views.rows(loaded, top, words=words, examples=examples)
    views.print_rows(rows, as_json=as_json)


@taxonomy.command()
@_model
@click.argument("categories", nargs=-1, metavar="[CATEGORY]...")
@click.option("--unmark", is_flag=True, help="Take the marks away; without CATEGORY, all.")
@click.option(
    "--widen",
    type=click.Choice(["parents", "siblings"]),
    help="Mark these too; without CATEGORY, those of the marked ones.",
)
def mark(model: Path, categories: tuple[str, ...], unmark: bool, widen: Any) -> None:
    """Mark categories of MODEL good: what a crawl shall find.

    All below a good category is good as well. Widen to let a crawl tunnel
    through what lies around the topic.
    """
    from semcrawl.taxonomy import Taxonomy

    if unmark and widen:
        raise ConfigError("--unmark and --widen contradict each other; give one of them")
    loaded = Taxonomy.load(model)
    changed = loaded.unmark(*categories) if unmark else loaded.mark(*categories, widen=widen)
    loaded.save(model)
    for category in changed:
        click.echo(one_line(f"{'unmarked' if unmark else 'marked'} {loaded.tree.path(category)}"))
    if not changed:
        click.echo("nothing changed")
    views.show_good(loaded)


@taxonomy.command()
@_model
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option(
    "--best", type=click.IntRange(min=1), default=3, show_default=True, help="Categories per page."
)
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@_reading
def classify(model: Path, pages: tuple[str, ...], best: int, as_json: bool, **options: Any) -> None:
    """Which categories of MODEL each PAGE, a file or URL, fits best.

    At the end, the categories that most of the pages fit are suggested for marking.
    """
    from semcrawl.taxonomy import Taxonomy

    loaded = Taxonomy.load(model)
    unread: list[tuple[str, str]] = []
    with _reader(options) as reader:
        found = dict(reader.read(pages, lambda *why: unread.append(why)))
    loaded.unread = unread
    views.show_unread(loaded)
    if not found:
        raise TopicError("no page could be read")
    views.show_classified(loaded, found, best=best, model=model, as_json=as_json)


@taxonomy.command()
@_model
@click.argument("category")
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@_reading
def add(model: Path, category: str, pages: tuple[str, ...], **options: Any) -> None:
    """Add each PAGE, a file or URL, to the examples of CATEGORY, and learn anew.

    A CATEGORY that is not there is made; write its path, as in Science/Birds.
    """
    from semcrawl.taxonomy import Taxonomy

    loaded = Taxonomy.load(model)
    before = len(loaded.tree)
    with _reader(options) as reader:
        added = loaded.add(category, *pages, reader=reader)
    views.show_unread(loaded)
    loaded.save(model)
    path = loaded.tree.path(loaded.tree.find(category))
    if len(loaded.tree) > before:
        click.echo(one_line(f"made the category {path}"))
    click.echo(one_line(f"added {count(len(added), 'example')} to {path}"))


@taxonomy.command()
@_model
@click.argument("what", metavar="PAGE|CATEGORY")
@click.argument("to", metavar="CATEGORY")
@click.option("--from", "leaving", help="Which category a page leaves that is in several.")
@click.option("--category", "is_category", is_flag=True, help="The first is a category.")
def move(model: Path, what: str, to: str, leaving: str | None, is_category: bool) -> None:
    """Correct the category of an example, or move a category, and learn anew.

    What names an example is taken as one; write / as the last CATEGORY to move
    a category to the top.
    """
    from semcrawl.taxonomy import Taxonomy

    loaded = Taxonomy.load(model)
    if not is_category and views.is_example(loaded, what):
        before = loaded.tree.path(loaded.move_example(what, to, leaving=leaving))
        after = loaded.tree.path(loaded.tree.find(to))
        said, still = f"{what} from {before}", f"{what} is in {after} already"
    else:
        moved = loaded.tree.find(what)
        before = loaded.tree.path(moved)
        loaded.move_category(what, None if to == "/" else to)
        after = loaded.tree.path(moved)
        said, still = f"the category {before}", f"{after} is there already"
    if before == after:
        click.echo(one_line(f"nothing changed: {still}"))
        return
    loaded.save(model)
    click.echo(one_line(f"moved {said} to {after}"))
    for category in loaded.empty_categories():
        click.echo(one_line(f"note: {loaded.tree.path(category)} has no examples"), err=True)
