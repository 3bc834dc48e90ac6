"""The demo: three crawls of the demo web over real HTTP, then two questions and an export."""

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

from semcrawl.crawl import Crawl, Event, PageVisited
from semcrawl.demo.web import DemoWeb, demo_web
from semcrawl.errors import ConfigError
from semcrawl.graph import CrawlGraph, export
from semcrawl.plots.curves import svg_plot
from semcrawl.plots.terminal import terminal_plot
from semcrawl.web import ReplayServer

DEFAULT = "adaptive"
# The crawlers that are compared, each with its judge.
CRAWLERS = {DEFAULT: "adaptive", "best-first-page-anchor": "labels", "breadth-first": "labels"}


def run_demo(folder: Path, pages: int, echo: Callable[[str], object]) -> dict[str, list[float]]:
    """Crawl the demo web into ``folder``, once by each crawler; return the harvest curves."""
    _make_room(folder)
    web = demo_web()
    hosts = {url.split("/")[2] for url in web.pages}
    echo(f"A web of {len(web.pages)} URLs on {len(hosts)} hosts, made from WordNet.")
    echo(f"The topic is {web.main_topic.spec}; {len(web.main_topic.pages)} pages are about it.\n")
    curves = {}
    with ReplayServer(web.replay(), answers=web.respond) as server:
        for strategy in CRAWLERS:
            echo(f"Crawling {strategy} over HTTP:")
            curves[strategy] = _crawl(folder / strategy, web, strategy, pages, server.proxy, echo)
    web.write(folder / "web")
    for strategy in CRAWLERS:  # the server is gone: what goes on or explains reads the same web from files
        with Crawl.resume(folder / strategy, proxy="", replay=folder / "web") as crawl:
            crawl.run()
    title, y_label = "Focused against unfocused", "pages on the topic"
    echo("\n" + terminal_plot(curves, width=64, height=14, title=title, y_label=y_label))
    picture = svg_plot(curves, title=title, y_label=y_label)
    (folder / "harvest.svg").write_text(picture, encoding="utf-8")
    _ask_and_export(folder, echo)
    return curves


def write_web(folder: Path, echo: Callable[[str], object]) -> None:
    """Write the demo web as a recorded web into a new folder, and say how to crawl it."""
    web = demo_web()
    web.write(folder)
    seeds = " ".join(f"--seed {seed}" for seed in web.seeds)
    echo(f"A recorded web of {len(web.pages)} URLs is in {folder}. Crawl it:")
    echo(f"semcrawl crawl {web.main_topic.spec} --replay {shlex.quote(str(folder))} {seeds}")


def _make_room(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / DEFAULT).is_dir()):
        raise ConfigError(f"{folder} holds no earlier demo: give another with --folder")
    shutil.rmtree(folder)


def _crawl(
    folder: Path, web: DemoWeb, strategy: str, pages: int, proxy: str, echo: Callable[[str], object]
) -> list[float]:
    # How many pages on the topic were among the first n fetched, for each n.
    on_topic = web.main_topic.pages
    found = [0.0]

    def count(event: Event) -> None:
        if isinstance(event, PageVisited):
            found.append(found[-1] + (event.url in on_topic))
            if event.step % (pages // 5) == 0:
                echo(f"{event.step:>6} pages, {found[-1]:>3.0f} on the topic; now at {event.url}")

    with Crawl(
        web.main_topic.spec,
        web.seeds,
        folder,
        strategy=strategy,
        judge=CRAWLERS[strategy],
        pages=pages,
        proxy=proxy,
        workers=1,  # one after the other, so that every demo shows the same
        delay=0.0,  # the server is our own
        retry_delay=0.1,
    ) as crawl:
        crawl.run(count)
    return found


def _ask_and_export(folder: Path, echo: Callable[[str], object]) -> None:
    place = folder / DEFAULT
    with CrawlGraph.read(place) as graph:
        echo(f"$ semcrawl query {place} best-pages limit=5")
        echo(graph.query("best-pages", limit=5).serialize("table"))
        echo(f"$ semcrawl query {place} sites min_pages=3 limit=5")
        echo(graph.query("sites", min_pages=3, limit=5).serialize("table"))
        echo(f"$ semcrawl export {place} -o {folder / 'collection.ttl'}")
        count = export(graph, folder / "collection.ttl")
    echo(f"{count} pages written to {folder / 'collection.ttl'}")
    echo(f"\nThe plot is in {folder / 'harvest.svg'}.")
    echo(f"Ask more:  semcrawl query --list;  semcrawl status {place}")
