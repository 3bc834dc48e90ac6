"""Reading a large ontology the first time and the second, each in a process of its own.

The ontology is made up: 300,000 classes in RDF/XML (100 MB), each with a label, a synonym,
a definition and a broader class. Both times the command is ``semcrawl topic FILE#ID``; the
second finds the graph in the cache. CPU is compared, because the clock of a busy machine tells
of the other work on it.

    python -m benchmarks ontology_cache
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.checks import Check

__all__ = ["run"]

SECOND = 2.0  # seconds of CPU that the second command may take
SHARE = 0.2  # of the first command's CPU
HEAD = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#"
    xmlns:oio="http://www.geneontology.org/formats/oboInOwl#"
    xmlns:obo="http://purl.obolibrary.org/obo/">
<owl:Ontology rdf:about="http://example.org/large"/>
"""
CLASS = """<owl:Class rdf:about="http://example.org/large/L_{number:07}">
 <rdfs:label xml:lang="en">{label}</rdfs:label>
 <oio:hasExactSynonym>{synonym}</oio:hasExactSynonym>
 <rdfs:subClassOf rdf:resource="http://example.org/large/L_{broader:07}"/>
 <obo:IAO_0000115>A {label} is all that is called {synonym} here.</obo:IAO_0000115>
</owl:Class>
"""


class _Cost(NamedTuple):
    cpu: float
    clock: float


def run(*, quick: bool) -> list[Check]:
    """Write the ontology, then run the command twice."""
    classes = 30_000 if quick else 300_000
    with tempfile.TemporaryDirectory(prefix="semcrawl-") as folder:
        path = Path(folder) / "large.owl"
        write_ontology(path, classes)
        print(f"{classes:,} classes, {path.stat().st_size / 1e6:.0f} MB")
        first, second = (_cost(path, Path(folder) / "cache") for _ in range(2))
    for name, cost in (("first", first), ("second", second)):
        print(f"{name:>6} command: {cost.cpu:.2f} s of CPU, {cost.clock:.2f} s by the clock")
    share = second.cpu / first.cpu
    return [
        Check("the second command on a large ontology", second.cpu, "at most", SECOND, " s"),
        Check("the same, as a share of the first", share, "at most", SHARE),
    ]


def write_ontology(path: Path, classes: int) -> None:
    """Write a made-up ontology: a tree, eight kinds to a class on average."""
    chance = random.Random(7)
    syllables = [a + b for a in "bcdfghklmnprst" for b in "aeiou"]
    words = ["".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(20_000)]
    with path.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for number in range(classes):
            label, synonym = (" ".join(chance.choices(words, k=3)) for _ in range(2))
            broader = chance.randrange(number // 8 + 1)
            file.write(CLASS.format(number=number, label=label, synonym=synonym, broader=broader))
        file.write("</rdf:RDF>\n")


def _cost(path: Path, cache: Path) -> _Cost:
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(
        [sys.executable, "-m", "semcrawl", "topic", f"{path}#L_0000007", "--as", "toml"],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "XDG_CACHE_HOME": str(cache), "SEMCRAWL_CACHE": "on"},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return _Cost(cpu, time.monotonic() - started)
