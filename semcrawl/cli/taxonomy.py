"""``semcrawl taxonomy``: categories taught by examples, for a crawl to be judged by."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from semcrawl.cli.options import chosen, options_of, parameters
from semcrawl.cli.progress import PlainLines
from semcrawl.cli.screen import count, one_line, print_json
from semcrawl.errors import ConfigError, TopicError
from semcrawl.models.category_classifier import telling_terms
from semcrawl.models.taxonomy import Taxonomy, output_problem
from semcrawl.models.training_options import TaxonomyOptions
from semcrawl.models.training_pages import DocumentReader, open_page_source

_CATEGORY = ("category", "categories")
_EVERY = 3.0
_SHOWN = 10


@contextmanager
def telling_of_interrupts(output: Path) -> Iterator[None]:
    """Let Ctrl-C end the command as always, but say first what became of the file."""
    before = _version(output)
    try:
        yield
    except KeyboardInterrupt:
        if _version(output) != before:
            state = f"{output} was written"
        else:
            state = f"{output} is as it was" if before else "nothing was written"
        # A terminal has just shown ^C on this line.
        click.echo("\n" + one_line(f"semcrawl: interrupted; {state}"), err=True)
        raise


def _version(path: Path) -> tuple[int, int] | None:
    try:
        known = path.stat()
    except OSError:
        return None
    return known.st_ino, known.st_mtime_ns


def _category_row(
    taxonomy: Taxonomy, category: str, own: Mapping[str, int], words: int, examples: bool
) -> dict[str, Any]:
    tree = taxonomy.tree
    inherited = "inherited" if taxonomy.is_good(category) else ""
    telling = telling_terms(taxonomy.classifier, category, words) if words else []
    return {
        "path": tree.path(category),
        "iri": category,
        "depth": len(tree.trail(category)) - 1,
        "own": own.get(category, 0),
        "all": sum(own.get(one, 0) for one in tree.below(category)),
        "good": "marked" if category in taxonomy.good else inherited,
        "words": [one.term for one in telling],
        "examples": [one.source for one in taxonomy.examples.of(category)] if examples else [],
    }


def _print_row(row: dict[str, Any]) -> None:
    signs = {"marked": "*", "inherited": "+", "": " "}
    indent, own, all_ = "  " * row["depth"], row["own"], row["all"]
    number = f"{all_:,}" if own in (0, all_) else f"{all_:,}, {own:,} its own"
    words = f"  [{', '.join(row['words'])}]" if row["words"] else ""
    said = f"{row['path'].rpartition('/')[2]} ({number if all_ else 'no examples'}){words}"
    click.echo(f"{signs[row['good']]} {indent}{one_line(said)}")
    for source in row["examples"]:
        click.echo(f"  {indent}  - {one_line(source)}")


def _show_unread(taxonomy: Taxonomy) -> None:
    unread = taxonomy.unread
    for _, why in unread[:_SHOWN]:
        click.echo(f"left out: {one_line(why)}", err=True)
    if len(unread) > _SHOWN:
        click.echo(f"… and {count(len(unread) - _SHOWN, 'more document')}", err=True)


def _show_good(taxonomy: Taxonomy) -> None:
    tree = taxonomy.tree
    paths = [tree.path(category) for category in taxonomy.good]
    click.echo(one_line(f"good: {', '.join(paths) or 'none'}"))
    for category in taxonomy.good:
        if above := [step for step in tree.trail(category)[:-1] if step in taxonomy.good]:
            path, upper = tree.path(category), tree.path(above[0])
            click.echo(one_line(f"note: {path} is good through {upper} too"), err=True)
    if all(taxonomy.is_good(top) for top in tree.children(None)):
        click.echo("note: everything is good now, so every page is relevant", err=True)


def _show_classified(
    taxonomy: Taxonomy, documents: Mapping[str, Mapping[str, int]], best: int, model: Path, as_json: bool
) -> None:
    suggested = taxonomy.suggest(list(documents.values()))[:5]
    path = taxonomy.tree.path
    pages: list[dict[str, Any]] = [
        {
            "page": place,
            "relevance": taxonomy.classify(terms).relevance if taxonomy.good else None,
            "categories": [
                {"category": path(category), "probability": round(chance, 6)}
                for category, chance in taxonomy.ranking(terms, best)
            ],
        }
        for place, terms in documents.items()
    ]
    if as_json:
        marks = [{"category": path(s.category), "pages": s.documents, "probability": s.probability} for s in suggested]
        print_json({"pages": pages, "suggested": marks})
        return
    for page in pages:
        relevance = page["relevance"]
        shown = "" if relevance is None else f"  relevance {relevance:.4f}"
        click.echo(f"{one_line(str(page['page']))}{shown}")
        for row in page["categories"]:
            click.echo(f"  {row['probability']:8.4f}  {one_line(row['category'])}")
    click.echo("\nto mark, those that most pages fit first:")
    for one in suggested:
        good = "  (good already)" if taxonomy.is_good(one.category) else ""
        where = one_line(path(one.category))
        click.echo(f"  {count(one.documents, 'page'):<9} {one.probability:.2f}  {where}{good}")
    click.echo(f"\nsemcrawl taxonomy mark {model} {one_line(path(suggested[0].category))!r}")


def _is_example(taxonomy: Taxonomy, name: str) -> bool:
    """Whether a name means an example; one that means a category as well is refused."""
    try:
        taxonomy.find_example(name)
    except TopicError as error:
        if "there is no example" not in str(error):
            raise
        return False
    try:
        taxonomy.tree.find(name)
    except TopicError:
        return True
    raise TopicError(f"{name!r} is an example and a category; say --category for the latter")


@click.group()
@parameters("taxonomy")
def taxonomy() -> None:
    """Categories taught by examples, as topics and judges."""


def _reader(options: dict[str, Any]) -> DocumentReader:
    names = ("allow_private", "contact", "delay")
    return DocumentReader(open_page_source(options["replay"], **{name: options[name] for name in names}))


@taxonomy.command()
@parameters("train")
@options_of(TaxonomyOptions)
def train(tree: Path, output: Path, **options: Any) -> None:
    """Learn the categories of TREE from their examples."""
    with telling_of_interrupts(output):
        if problem := output_problem(output):
            raise ConfigError(problem)
        progress = PlainLines[None](_EVERY, after=_EVERY)
        given = {name: options[name] for name in ("language", "first_parent", "skip_empty")}
        with _reader(options) as reader:
            trained = Taxonomy.train(
                tree,
                reader=reader,
                options=chosen(TaxonomyOptions, options),
                each=lambda done, total: progress.say_when_due(f"{done:,} of {count(total, 'example')} read"),
                **given,
            )
        _show_unread(trained)
        if progress.has_spoken:
            progress.say("all examples read; learning them")
        trained.classifier  # noqa: B018 - what cannot be compiled shall not replace a good model
        trained.save(output)
    empty = trained.empty_categories()
    without = f", {count(len(empty), *_CATEGORY)} without any"
    click.echo(
        f"{count(len(trained.tree), *_CATEGORY)}, {count(len(trained.examples), 'example')}"
        f"{without if empty else ''}: written to {output}"
    )


@taxonomy.command()
@parameters("show")
def show(model: Path, category: str | None, words: int, examples: bool, as_json: bool) -> None:
    """The tree of MODEL: examples, marks, words that tell."""
    loaded = Taxonomy.load(model)
    top = None if category is None else loaded.tree.find(category)
    own = loaded.examples.numbers()
    rows = [_category_row(loaded, one, own, words, examples) for one in loaded.tree.below(top)]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        _print_row(row)


@taxonomy.command()
@parameters("mark")
def mark(model: Path, categories: tuple[str, ...], unmark: bool, widen: Any) -> None:
    """Mark categories of MODEL good: what a crawl shall find."""
    if unmark and widen:
        raise ConfigError("--unmark and --widen contradict each other; give one of them")
    loaded = Taxonomy.load(model)
    changed = loaded.unmark(*categories) if unmark else loaded.mark(*categories, widen=widen)
    loaded.save(model)
    for category in changed:
        click.echo(one_line(f"{'unmarked' if unmark else 'marked'} {loaded.tree.path(category)}"))
    if not changed:
        click.echo("nothing changed")
    _show_good(loaded)


@taxonomy.command()
@parameters("classify")
def classify(model: Path, pages: tuple[str, ...], best: int, as_json: bool, **options: Any) -> None:
    """Which categories of MODEL each PAGE, a file or URL, fits best."""
    loaded = Taxonomy.load(model)
    with _reader(options) as reader:
        found = dict(reader.read(pages, loaded.unread, loaded.tree.language))
    _show_unread(loaded)
    if not found:
        raise TopicError("no page could be read")
    _show_classified(loaded, found, best, model, as_json)


@taxonomy.command()
@parameters("add")
def add(model: Path, category: str, pages: tuple[str, ...], **options: Any) -> None:
    """Add PAGEs, files or URLs, to the examples of CATEGORY."""
    loaded = Taxonomy.load(model)
    before = len(loaded.tree)
    with _reader(options) as reader:
        added = loaded.add(category, *pages, reader=reader)
    _show_unread(loaded)
    loaded.save(model)
    path = loaded.tree.path(loaded.tree.find(category))
    if len(loaded.tree) > before:
        click.echo(one_line(f"made the category {path}"))
    click.echo(one_line(f"added {count(len(added), 'example')} to {path}"))


@taxonomy.command()
@parameters("move")
def move(model: Path, what: str, to: str, leaving: str | None, is_category: bool) -> None:
    """Correct the category of an example, or move a category."""
    loaded = Taxonomy.load(model)
    if not is_category and _is_example(loaded, what):
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
    _save(loaded, model, f"moved {said} to {after}")


@taxonomy.command()
@parameters("remove")
def remove(model: Path, what: str, is_category: bool) -> None:
    """Take out an example, or a category with all below it."""
    loaded = Taxonomy.load(model)
    if not is_category and _is_example(loaded, what):
        if len(loaded.examples.sources()) == 1:
            raise TopicError(f"{what} is the only example: without it nothing is left")
        paths = ", ".join(map(loaded.tree.path, loaded.remove_example(what)))
        said = f"{what} from {paths}"
    else:
        path = loaded.tree.path(loaded.tree.find(what))
        number = loaded.remove_category(what)
        said = f"the category {path} with {count(number, 'example')}"
    _save(loaded, model, f"removed {said}")


def _save(taxonomy: Taxonomy, model: Path, said: str) -> None:
    """Write the model, say what was done, and which categories have no examples now."""
    taxonomy.save(model)
    click.echo(one_line(said))
    for category in taxonomy.empty_categories():
        click.echo(one_line(f"note: {taxonomy.tree.path(category)} has no examples"), err=True)
