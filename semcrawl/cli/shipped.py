"""``semcrawl demo``, ``examples`` and ``strategies``: what comes with semcrawl."""

import re
import shutil
from pathlib import Path

import click
from msgspec.structs import asdict

from semcrawl.cli.options import parameters
from semcrawl.cli.screen import count, cut, print_json
from semcrawl.errors import ConfigError, os_errors
from semcrawl.resources import examples_folder, ontologies_folder

# What a file says it is: its title, or its first heading, comment or docstring.
_ABOUT = re.compile(
    r'''^(?:title|description) = "([^"]+)"|^(?:# |""")([^"\n]+)|dcterms:title "([^"]+)"'''
    r"""|^ *"# ([^"\\]+)""",
    re.MULTILINE,
)


@click.command()
@parameters("demo")
def demo(folder: Path, pages: int, web: Path | None) -> None:
    """Crawl a small web on this machine, without internet."""
    from semcrawl.demo.run import run_demo, write_web

    if web is not None:
        write_web(web, click.echo)
    else:
        run_demo(folder, pages, click.echo)


@click.command()
@parameters("examples")
def examples(names: tuple[str, ...], target: Path | None) -> None:
    """List the examples and ontologies that come with semcrawl."""
    chosen = _chosen(names)
    if target is not None:
        copied = _copy(chosen, target)
        to = ", ".join(sorted({str(target / name.partition("/")[0]) for name in chosen}))
        there = f", {len(chosen) - copied:,} there already" if copied < len(chosen) else ""
        click.echo(f"{count(copied, 'file')} copied to {to}{there}")
        return
    width, screen = max(map(len, chosen)), shutil.get_terminal_size().columns
    for name, path in chosen.items():
        click.echo(cut(f"{name:<{width}}  {_about(path)}", screen))


def _chosen(names: tuple[str, ...]) -> dict[str, Path]:
    """The files by what they are called in the docs: folder and name."""
    shipped = {
        path.relative_to(folder.parent).as_posix(): path
        for folder in (examples_folder(), ontologies_folder())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    if not names:
        return shipped
    found: dict[str, Path] = {}
    for name in names:
        wanted = f"/{name.strip('/')}/"
        fitting = {key: path for key, path in shipped.items() if wanted in f"/{key}/"}
        if not fitting:
            raise ConfigError(f"no example is called {name!r}; 'semcrawl examples' lists them")
        found |= fitting
    return found


def _copy(files: dict[str, Path], target: Path) -> int:
    """Copy files, or none of them where one is there already with other content."""
    contents = {target / name: path.read_bytes() for name, path in files.items()}
    with os_errors(ConfigError, f"cannot copy to {target}", "; choose another"):
        new = {place: data for place, data in contents.items() if not place.exists()}
        for place in contents.keys() - new.keys():
            if not place.is_file() or place.read_bytes() != contents[place]:
                raise ConfigError(f"{place} is there already; copy to another folder")
        for place, data in new.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    return len(new)


def _about(path: Path) -> str:
    found = _ABOUT.search(path.read_text(encoding="utf-8"))
    return next(text for text in found.groups() if text).strip() if found else ""


@click.command()
@parameters("strategies")
def strategies(as_json: bool) -> None:
    """List the crawlers and judges, yours included."""
    from semcrawl.relevance import JUDGES
    from semcrawl.strategies import STRATEGIES

    parts = {"strategies": STRATEGIES.parts(), "judges": JUDGES.parts()}
    if as_json:
        print_json({kind: [asdict(part) for part in found] for kind, found in parts.items()})
        return
    for kind, found in parts.items():
        click.echo(f"{kind}:")
        for part in found:
            click.echo(f"  {part.name:<24} {part.summary}")
            for name, default in part.options.items():
                click.echo(f"  {'':<24}   {name}={default}")
