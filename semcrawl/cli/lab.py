"""``semcrawl lab``: crawlers side by side on a recorded web."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from semcrawl.cli.screen import count, harmless, one_line
from semcrawl.errors import LabError, StoreError

if TYPE_CHECKING:
    from semcrawl.lab import Experiment, Lab
    from semcrawl.lab.results import Results

__all__ = ["lab"]

FORMATS = {"html": "report.html", "md": "report.md", "csv": "results.csv", "ttl": "results.ttl"}
SOME_FAILED = 1

_folder = click.option(
    "--folder", type=click.Path(path_type=Path), default=Path("lab"), show_default=True,
    help="Where runs, models and results are kept.",
)  # fmt: skip
_pages = click.option(
    "--pages", type=click.IntRange(min=1), default=None,
    help="Pages of each crawl, in place of the experiment's.",
)  # fmt: skip
_only = click.option(
    "--only", multiple=True, metavar="STRATEGY",
    help="Only this strategy of the experiment, by its name; may be repeated.",
)  # fmt: skip
_with = click.option(
    "--with", "extra", multiple=True, metavar="STRATEGY",
    help="This strategy too, such as mine.py:Class; may be repeated.",
)  # fmt: skip


@click.group()
def lab() -> None:
    """Race crawlers on a recorded web, and tell who won.

    \b
    semcrawl lab run examples/lab/demo-classic.toml
    semcrawl lab run examples/lab/demo-classic.toml --with mine.py:Strategy
    semcrawl lab report demo-classic --format md
    """


@lab.command()
@click.argument("experiment", type=click.Path(path_type=Path))
@_folder
@click.option("--jobs", type=click.IntRange(min=0),
              help="Processes side by side; 0: none but this.  "
              "[default: as many as cores]")  # fmt: skip
@_pages
@_only
@_with
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), default=None,
              help="How long each run may take; one that takes longer has "
              "failed.")  # fmt: skip
@click.option("--fresh", is_flag=True, help="Make all runs again, known or not.")
@click.option("--no-report", is_flag=True, help="Write the results, but no report.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def run(
    experiment: Path,
    folder: Path,
    jobs: int | None,
    pages: int | None,
    only: tuple[str, ...],
    extra: tuple[str, ...],
    seconds: float | None,
    fresh: bool,
    no_report: bool,
    quiet: bool,
) -> None:
    """Run the EXPERIMENT of a TOML file, and tell what came out.

    Runs that are known already are not made again. With --pages, --only or --with the results
    are kept beside those of the whole experiment, as NAME-part.
    """
    from semcrawl.cli.lab_progress import choose_view
    from semcrawl.cli.lab_views import summary_lines
    from semcrawl.lab import Lab

    if seconds and jobs == 0:
        raise click.UsageError("--seconds needs processes that can be ended: give --jobs 1 or more")
    loaded, varied = _loaded(experiment, pages, only, extra)
    name = f"{experiment.stem}-part" if varied else experiment.stem
    place = Lab(folder)
    try:
        with choose_view(quiet=quiet) as view:
            results = place.run(
                loaded,
                name=name,
                file=experiment,
                varied=varied,
                jobs=jobs,
                fresh=fresh,
                seconds=seconds or 0.0,
                listener=view,
            )
    except KeyboardInterrupt:
        click.echo(
            "\nsemcrawl: stopped; runs that are finished are kept, and the same command goes on",
            err=True,
        )
        raise
    for line in summary_lines(results):
        click.echo(harmless(line))
    if not no_report:
        click.echo(f"\nThe report: {_report(place, name, results)}")
    if results.failures:
        sys.exit(SOME_FAILED)


def _loaded(
    file: Path, pages: int | None, only: tuple[str, ...], extra: tuple[str, ...]
) -> tuple[Experiment, str]:
    """The experiment of a file with the changes of options, and these in words."""
    from semcrawl.lab import load_experiment
    from semcrawl.lab.variation import vary

    loaded = load_experiment(file)
    told = [f"--pages {pages}"] if pages else []
    told += [f"--only {name!r}" for name in only] + [f"--with {spec!r}" for spec in extra]
    if told:
        loaded = vary(loaded, pages=pages or 0, only=only, extra=extra)
    return loaded, " ".join(told)


def _report(place: Lab, name: str, results: Results) -> Path:
    from semcrawl.lab.report import write_report

    return write_report(results, place.place(name))[0]


@lab.command()
@click.argument("experiment", type=click.Path(path_type=Path))
@_folder
@_pages
@_only
@_with
def check(
    experiment: Path,
    folder: Path,
    pages: int | None,
    only: tuple[str, ...],
    extra: tuple[str, ...],
) -> None:
    """Tell what the EXPERIMENT would do, without running it.

    The recorded web is opened, which takes a while the first time.
    """
    from semcrawl.cli.lab_views import columns
    from semcrawl.lab import Lab

    loaded, _ = _loaded(experiment, pages, only, extra)
    preview = Lab(folder).preview(loaded)
    rows = [("topic", "pages on it", "for training", "seeds")]
    rows += [
        (topic.name, f"{topic.pages:,}", f"{topic.training:,}", f"{topic.seeds:,}")
        for topic in preview.topics
    ]
    click.echo(f"{one_line(loaded.title)}: {count(len(loaded.strategy), 'crawler')}")
    for line in columns(rows):
        click.echo(line)
    click.echo(
        f"{count(preview.runs, 'run')} of at most {count(loaded.pages, 'page')}; "
        f"{preview.known:,} known already"
    )
    for text in preview.warnings:
        click.echo(f"warning: {one_line(text)}", err=True)


@lab.command(name="list")
@_folder
def list_(folder: Path) -> None:
    """List the experiments that were run."""
    from semcrawl.cli.lab_views import columns
    from semcrawl.lab import Lab

    place = Lab(folder)
    rows = []
    for name in place.experiments():
        try:
            results = place.results(name)
        except LabError as error:
            click.echo(f"warning: {one_line(str(error))}", err=True)
            continue
        outcomes = [verdict.outcome for verdict in results.verdicts]
        rows.append((
            one_line(name),
            one_line(results.title),
            str(len(results.contenders)),
            str(len(results.topics)),
            f"{outcomes.count('reproduced')} of {len(outcomes)}" if outcomes else "-",
            str(len(results.failures)),
        ))  # fmt: skip
    if not rows and not place.experiments():
        click.echo(f"(no experiment was run in {folder})", err=True)
        return
    if not rows:
        return
    head = ("name", "title", "crawlers", "topics", "reproduced", "failed runs")
    for line in columns([head, *rows], left=2):
        click.echo(line)


@lab.command()
@click.argument("name")
@_folder
@click.option("--format", "form", type=click.Choice((*FORMATS, "all")), default="all",
              show_default=True, help="Which part of the report.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path),
              help="File to write, or folder for all.  [default: all beside the results, "
              "one to the screen]")  # fmt: skip
def report(name: str, folder: Path, form: str, output: Path | None) -> None:
    """Write the report of the experiment NAME, or of a file of results (results.json)."""
    from semcrawl.lab import Lab
    from semcrawl.lab.report import write_report
    from semcrawl.lab.report.writing import report_text

    place = Lab(folder)
    results = place.results(name)
    if form == "all":
        beside = Path(name).parent if name.endswith(".json") else place.place(name)
        for path in write_report(results, output or beside):
            click.echo(path)
        return
    text = report_text(results, FORMATS[form])
    if output is None:
        click.echo(harmless(text) if sys.stdout.isatty() else text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"cannot write {output}: {error.strerror}") from error
    click.echo(output)


@lab.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@_folder
@click.option("--measure", default="", help="What to compare.  [default: the headline of A]")
@click.option("--at", type=click.IntRange(min=1), default=None,
              help="After how many pages.  [default: the headline's of A]")  # fmt: skip
def compare(first: str, second: str, folder: Path, measure: str, at: int | None) -> None:
    """Compare the results A and B, crawler by crawler, over the topics that both have.

    A and B are names of experiments or files of results (results.json), or one crawler
    of them, after a colon.

    \b
    semcrawl lab compare before after
    semcrawl lab compare classic:best-first-page "semantic:ssrm" --at 250
    """
    from semcrawl.cli.lab_views import comparison_lines
    from semcrawl.lab import Lab
    from semcrawl.lab.side_by_side import find_side, put_side_by_side

    place = Lab(folder)
    left, right = (find_side(text, place.results) for text in (first, second))
    for line in comparison_lines(put_side_by_side(left, right, measure, at or 0)):
        click.echo(harmless(line))
