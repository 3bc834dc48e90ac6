"""A recorded web of a few pages, and experiments on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semcrawl.lab.experiment import Contender, Experiment, LabTopic, TruthSource, WebSource

if TYPE_CHECKING:
    from pathlib import Path

HOST = "http://small.test"

PAGES = {
    "/": "Start <a href=/lungs>lungs</a> <a href=/cars>cars</a> <a href=/index/>index</a>",
    "/lungs": "The lungs and asthma <a href=/asthma>asthma</a> <a href=/old>old page</a>",
    "/asthma": "Asthma, a disease of the lungs <a href=/cars>a car</a> <a href=/gone>gone</a>",
    "/cars": "Cars and wheels <a href=/wheels>wheels</a> <a href=/asthma>asthma of drivers</a>",
    "/wheels": "Wheels, round things <a href=/bronchitis>bronchitis</a>",
    "/bronchitis": "Bronchitis, another disease of the lungs",
    "/index/": "All pages <a href=/asthma>asthma</a> <a href=/bronchitis>bronchitis</a>",
}
ON_TOPIC = ("/lungs", "/asthma", "/bronchitis")


def at(path: str) -> str:
    """The URL of a page of the small web."""
    return HOST + path


def write_small_web(folder: Path) -> Path:
    """Write the small web: its pages, a redirect from /old to /bronchitis, and a PDF."""
    folder.mkdir()
    lines = [f"{at('/old')}\t{at('/bronchitis')}\t301", f"{at('/paper')}\tpaper.pdf\t200"]
    (folder / "paper.pdf").write_bytes(b"%PDF-1.7")
    for number, (path, text) in enumerate(PAGES.items()):
        name = f"{number}.html"
        (folder / name).write_text(f"<title>{path}</title><p>{text}", encoding="utf-8")
        lines.append(f"{at(path)}\t{name}\t200\ttext/html; charset=utf-8")
    (folder / "urls.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def small_experiment(folder: Path, *strategies: str | Contender, **values: Any) -> Experiment:
    """An experiment on the small web, which is written into ``folder``, with these crawlers."""
    web = folder / "web"
    if not web.exists():
        write_small_web(web)
    targets = folder / "targets.tsv"
    rows = "".join(f"lungs\t{at(path)}\n" for path in ON_TOPIC)
    targets.write_text(f"topic\turl\n{rows}", encoding="utf-8")
    contenders = tuple(Contender(name=one, strategy=one) if isinstance(one, str) else one for one in strategies)
    return Experiment(
        **{
            "title": "Small",
            "pages": 6,
            "web": WebSource(replay=(str(web),), exclude=("*/index/*",)),
            "truth": TruthSource(targets=str(targets)),
            "topic": (LabTopic(name="lungs", topic="keywords:lungs disease", seeds=(at("/"),)),),
            "strategy": contenders,
            **values,
        }
    )
