"""What follows from the axioms of an ontology, by HermiT, the reasoner that owlready2 ships.

The reasoner is a Java program. It runs as a process of its own on a copy of the
statements without ``owl:imports``, so that it reads one local file and no
network, and is ended when it takes too long.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from semcrawl.errors import TopicError
from semcrawl.topics.class_expressions import expression_triples
from semcrawl.topics.rdf_files import OWL, RDF, read_triples

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from semcrawl.topics.class_expressions import Expression

_MEMORY = "1500M"
_RESULT = re.compile(r"^\s*([A-Za-z]+)\( ((?:<[^>]+>\s*)+) ?\)$", re.MULTILINE)
_LONGEST_MESSAGE = 200
_QUERY = "https://w3id.org/semcrawl/class-expression"


@dataclass(frozen=True, slots=True)
class Inferred:
    """What a reasoner says of the named classes and individuals."""

    broader: tuple[tuple[str, str], ...]  # pairs (concept, broader concept), the next steps up only
    same: tuple[tuple[str, str], ...]  # pairs of concepts that are equal
    impossible: tuple[str, ...]  # classes that nothing can belong to


def infer(
    files: Sequence[Path], extra: Sequence[ox.Triple] = (), *, seconds: float = 120.0
) -> Inferred:
    """Return what follows from several files and some more statements together."""
    java = shutil.which("java")
    if java is None:
        raise TopicError(
            "reasoning needs Java, which is not installed; install a Java runtime, "
            "or leave the option reason away"
        )
    with tempfile.TemporaryDirectory(prefix="semcrawl-") as folder:
        copy = Path(folder) / "ontology.nt"
        ox.serialize(_statements(files, extra), str(copy), ox.RdfFormat.N_TRIPLES)
        return _parse(_run(java, copy, files[0], seconds))


def _statements(files: Sequence[Path], extra: Sequence[ox.Triple]) -> Iterator[ox.Triple]:
    for path in files:
        for triple in read_triples(path):
            if triple.predicate.value != f"{OWL}imports":
                yield triple
    yield from extra


def _run(java: str, copy: Path, path: Path, seconds: float) -> str:
    command = [
        *(java, f"-Xmx{_MEMORY}", "-cp", _class_path(), "org.semanticweb.HermiT.cli.CommandLine"),
        *("-c", "-O", "-D", "-I", "--ignoreUnsupportedDatatypes", copy.as_uri()),
    ]
    try:
        done = subprocess.run(  # noqa: S603 - a fixed program on a file of our own
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
            check=False,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired as error:
        raise TopicError(
            f"reasoning over {path} took longer than {seconds:g} seconds and was ended; "
            "leave the option reason away"
        ) from error
    output, errors = done.stdout, done.stderr
    if "nconsistent" in errors + output[:500]:
        raise TopicError(f"the axioms of {path} contradict each other; nothing can be inferred")
    if done.returncode != 0 or "Exception" in errors:
        raise TopicError(f"the reasoner failed on {path}: {_first_line(errors or output)}")
    return output


def _first_line(message: str) -> str:
    line = next((line.strip() for line in message.splitlines() if line.strip()), "no message")
    return line[:_LONGEST_MESSAGE]


@lru_cache(maxsize=1)
def _class_path() -> str:
    spec = find_spec("owlready2")
    if spec is None or spec.origin is None:
        raise TopicError("reasoning needs the package owlready2: pip install owlready2")
    folder = Path(spec.origin).parent / "hermit"
    return os.pathsep.join((str(folder), str(folder / "HermiT.jar")))


def _parse(output: str) -> Inferred:
    broader: list[tuple[str, str]] = []
    same: list[tuple[str, str]] = []
    impossible: list[str] = []
    for kind, listed in _RESULT.findall(output):
        names = re.findall(r"<([^>]+)>", listed)
        if kind in ("SubClassOf", "Type") and len(names) == 2:
            broader.append((names[0], names[1]))
        elif kind in ("EquivalentClasses", "SameIndividual") and f"{OWL}Nothing" in names:
            impossible += [name for name in names if name != f"{OWL}Nothing"]
        elif kind in ("EquivalentClasses", "SameIndividual"):
            same += [(names[0], other) for other in names[1:]]
    return Inferred(tuple(broader), tuple(same), tuple(impossible))


def kinds_of(expression: Expression, files: Sequence[Path], *, seconds: float = 120.0) -> list[str]:
    """Return the named classes and individuals that are kinds of a class expression."""
    triples: list[ox.Triple] = []
    node = expression_triples(expression, triples)
    query = ox.NamedNode(_QUERY)
    triples.append(ox.Triple(query, ox.NamedNode(f"{RDF}type"), ox.NamedNode(f"{OWL}Class")))
    triples.append(ox.Triple(query, ox.NamedNode(f"{OWL}equivalentClass"), node))
    inferred = infer(files, triples, seconds=seconds)
    if _QUERY in inferred.impossible:
        raise TopicError("nothing can fit the class expression: it contradicts the ontology")
    narrower: dict[str, list[str]] = {}
    for concept, broader in inferred.broader:
        narrower.setdefault(broader, []).append(concept)
    for one, other in inferred.same:
        narrower.setdefault(one, []).append(other)
        narrower.setdefault(other, []).append(one)
    found: dict[str, None] = {}
    pending = [_QUERY]
    while pending:
        new = [kind for kind in narrower.get(pending.pop(), ()) if kind not in found]
        found.update(dict.fromkeys(new))
        pending += new
    found.pop(_QUERY, None)
    return list(found)
