"""What follows from the axioms of an ontology, by HermiT, the reasoner that owlready2 ships."""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import pyoxigraph as ox
from msgspec import Struct

from semcrawl.errors import TopicError
from semcrawl.progress import tell
from semcrawl.topics.class_expressions import Expression, turtle
from semcrawl.topics.graph_cache import cache_key, load_cached, store_cached
from semcrawl.topics.rdf_files import read_triples
from semcrawl.topics.rdf_statements import grouped, reachable
from semcrawl.topics.vocabularies import OWL

_RESULT = re.compile(r"^\s*([A-Za-z]+)\( ((?:<[^>]+>\s*)+) ?\)$", re.MULTILINE)
_QUERY = "https://w3id.org/semcrawl/class-expression"


class Inferred(Struct, frozen=True):
    """What a reasoner says of the named classes and individuals."""

    broader: tuple[tuple[str, str], ...]  # pairs (concept, broader concept), the next steps up only
    same: tuple[tuple[str, str], ...]  # pairs of concepts that are equal
    impossible: tuple[str, ...]  # classes that nothing can belong to


def infer(files: Sequence[Path], extra: Sequence[ox.Triple] = (), *, seconds: float = 120.0) -> Inferred:
    """Return what follows from several files and some more statements together."""
    java = shutil.which("java")
    if java is None:
        raise TopicError(
            "reasoning needs Java, which is not installed; install a Java runtime, or leave the option reason away"
        )
    with tempfile.TemporaryDirectory(prefix="semcrawl-") as folder:
        copy = Path(folder) / "ontology.nt"
        # Without imports, so that the reasoner uses no network.
        triples = chain(*map(read_triples, files), extra)
        kept = (triple for triple in triples if triple.predicate.value != f"{OWL}imports")
        ox.serialize(kept, str(copy), ox.RdfFormat.N_TRIPLES)
        return _parse(_run(java, copy, files[0], seconds))


def _run(java: str, copy: Path, path: Path, seconds: float) -> str:
    command = [
        *(java, "-Xmx1500M", "-cp", _class_path(), "org.semanticweb.HermiT.cli.CommandLine"),
        *("-c", "-O", "-D", "-I", "--ignoreUnsupportedDatatypes", copy.as_uri()),
    ]
    with subprocess.Popen(  # noqa: S603 - a fixed program on a file of our own
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as done:
        output, errors = _outcome(done, path, seconds)
    if "nconsistent" in errors + output[:500]:
        raise TopicError(f"the axioms of {path} contradict each other; nothing can be inferred")
    if done.returncode != 0 or "Exception" in errors:
        first_line = next(iter((errors or output).strip().splitlines()), "no message")
        raise TopicError(f"the reasoner failed on {path}: {first_line.rstrip()[:200]}")
    return output


def _outcome(process: subprocess.Popen[str], path: Path, seconds: float) -> tuple[str, str]:
    """Return what a process printed, telling the time that has passed; it is ended when late."""
    started = time.monotonic()
    try:
        while True:
            passed = time.monotonic() - started
            tell(f"{path.name}: reasoning for {passed:.0f} s, at most {seconds:g}")
            if passed >= seconds:
                raise TopicError(
                    f"reasoning over {path} took longer than {seconds:g} seconds and was ended; "
                    "leave the option reason away"
                )
            with suppress(subprocess.TimeoutExpired):
                return process.communicate(timeout=min(1.0, seconds - passed))
    except BaseException:
        process.kill()
        raise


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
    """Return the named classes and individuals that fit a class expression; answers are cached."""
    key = cache_key(files, "kinds", expression)
    known = load_cached(key, list[str])
    if known is None:
        try:
            known = _inferred_kinds(expression, files, seconds)
        finally:
            tell("")
        store_cached(key, known)
    return known


def _inferred_kinds(expression: Expression, files: Sequence[Path], seconds: float) -> list[str]:
    query = f"<{_QUERY}> a <{OWL}Class> ; <{OWL}equivalentClass> {turtle(expression)} ."
    triples = [found.triple for found in ox.parse(query, format=ox.RdfFormat.TURTLE)]
    inferred = infer(files, triples, seconds=seconds)
    if _QUERY in inferred.impossible:
        raise TopicError("nothing can fit the class expression: it contradicts the ontology")
    narrower = [(broader, concept) for concept, broader in (*inferred.broader, *inferred.same)]
    return [kind for kind in reachable(_QUERY, grouped((*narrower, *inferred.same))) if kind != _QUERY]
