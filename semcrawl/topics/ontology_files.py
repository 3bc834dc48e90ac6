"""The files that make up an ontology: one file or all of a folder, and what they import."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from pathlib import Path

from msgspec import Struct

from semcrawl.errors import TopicError
from semcrawl.rdf_syntax import HEAD
from semcrawl.topics.labels import last_part
from semcrawl.topics.rdf_files import LARGEST_FILE, RDF_SUFFIXES, is_rdf, read_triples
from semcrawl.topics.rdf_statements import RdfStatements, add_file
from semcrawl.topics.vocabularies import OWL, RDF

MOST_IMPORTS = 100  # so many imports are read unless a reference says otherwise

_MOST_FILES = 10_000
_SHOWN = 5
_AMBIGUOUS = frozenset({".json", ".xml"})  # names that other files have too


def near_name(path: Path) -> str:
    """Return "; did you mean ...?" with the name of a file beside one that is not there, or ""."""
    try:
        names = [one.name for one in islice(path.parent.iterdir(), _MOST_FILES)]
    except OSError:
        return ""
    near = get_close_matches(path.name, names, 1, 0.7)
    return f"; did you mean {path.with_name(near[0])}?" if near else ""


def folder_files(folder: Path) -> list[Path]:
    """Return the ontology files that lie in a folder; TopicError if there are none."""
    found = [path for path in sorted(folder.iterdir()) if _is_ontology_file(path)]
    if len(found) > _MOST_FILES:
        raise TopicError(f"{folder} holds more than {_MOST_FILES:,} ontology files")
    if not found:
        raise TopicError(f"{folder} holds no file with an ontology or thesaurus")
    return found


def _is_ontology_file(path: Path) -> bool:
    suffix = path.suffix.lower()
    if path.name.startswith(".") or not path.is_file():
        return False
    return (suffix in RDF_SUFFIXES and suffix not in _AMBIGUOUS) or is_rdf(path)


def add_files(place: Path, folders: Sequence[Path], most_imports: int, statements: RdfStatements) -> list[Path]:
    """Add the statements of a file or folder and of its imports; return all files that were read.

    A file that is named has to be right (TopicError); one of a folder or an import that is not
    is told in ``statements.problems`` and left out.
    """
    reading = _FileCollection(statements)
    (reading.add_folder if place.is_dir() else reading.add)(place)
    if most_imports:
        reading.add_imports(place, _finder(_importable(place, folders)), most_imports)
    statements.problems += reading.problems()
    return reading.added


class _FileCollection(Struct):
    statements: RdfStatements
    added: list[Path] = []
    known: set[Path] = set()
    broken: list[str] = []
    missing: list[str] = []
    stopped: str = ""

    def add(self, path: Path) -> None:
        self.known.add(path.resolve())
        add_file(path, self.statements)
        self.added.append(path)

    def add_folder(self, folder: Path) -> None:
        for path in folder_files(folder):
            self._try(path)
        if not self.added:
            raise TopicError(f"no file of {folder} can be read: {self.broken[0]}")

    def _try(self, path: Path) -> None:
        if path.resolve() not in self.known:
            try:
                self.add(path)
            except TopicError as error:
                self.broken.append(str(error))

    def add_imports(self, place: Path, find: Callable[[str], Path | None], most: int) -> None:
        asked = self._declared() if place.is_dir() else set[str]()
        before = len(self.added)
        imports = f"{OWL}imports"
        while wanted := {iri: None for _, iri in self.statements.resources(imports) if iri not in asked}:
            for iri in wanted:
                asked.add(iri)
                if len(self.added) - before >= most:
                    self.stopped = (
                        f"{place} imports more than {most:,} files, and the others are not read; "
                        f"to read more write for example {place}?imports={max(10 * most, 1000)}"
                    )
                    return
                found = find(iri)
                self.missing.append(iri) if found is None else self._try(found)

    def _declared(self) -> set[str]:
        named = {node for node, kind in self.statements.resources(f"{RDF}type") if kind == f"{OWL}Ontology"}
        return named | {iri for _, iri in self.statements.resources(f"{OWL}versionIRI")}

    def problems(self) -> list[str]:
        """Return what went wrong, one line per kind."""
        found = []
        if self.broken:
            number = f"{len(self.broken):,} of {len(self.added) + len(self.broken):,} files"
            were = "were" if len(self.broken) > 1 else "was"
            listed = _listed(self.broken, "; ")
            found.append(f"{number} cannot be read and {were} left out: {listed}")
        if self.missing:
            named = [f"<{iri[:200]}>" for iri in self.missing]
            many = len(named) > 1
            were = f"{len(named):,} imports were" if many else "1 import was"
            found.append(
                f"{were} not found, and {'their' if many else 'its'} concepts are missing: "
                f"{_listed(named, ', ')}; imports are looked for beside the file and in the "
                "import folders, never on the network"
            )
        return [*found, *filter(None, [self.stopped])]


def files_beside(place: Path, folders: Sequence[Path]) -> str:
    """Return names and sizes of the files that imports of a file or folder are found among."""
    return "\n".join(f"{path} {path.stat().st_size}" for path in _importable(place, folders))


def _importable(place: Path, folders: Sequence[Path]) -> list[Path]:
    places = [place if place.is_dir() else place.parent, *folders]
    return [path for folder in places for path in _files(folder)]


def _listed(texts: Sequence[str], joint: str) -> str:
    more = len(texts) - _SHOWN
    return joint.join(texts[:_SHOWN]) + (f"{joint}and {more:,} more" if more > 0 else "")


def _finder(files: Sequence[Path]) -> Callable[[str], Path | None]:
    """Return what finds an import among files, by name or by ontology IRI; None for one that is not there."""
    # Of several with one name the first counts, and whole names go before those without an ending.
    backwards = files[::-1]
    named = {path.stem: path for path in backwards} | {path.name: path for path in backwards}
    head = lru_cache(maxsize=500)(_head)
    ontologies = lru_cache(maxsize=None)(_ontologies)  # a file can name many that it is not

    def find(iri: str) -> Path | None:
        wanted = iri.rstrip("#/").encode()
        candidates = (path for path in files if wanted in head(path))
        return named.get(last_part(iri)) or next((path for path in candidates if iri in ontologies(path)), None)

    return find


def _files(folder: Path) -> Iterator[Path]:
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in RDF_SUFFIXES)
    except OSError:
        return
    yield from (path for path in paths[:_MOST_FILES] if path.is_file())


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD) if path.stat().st_size <= LARGEST_FILE else b""
    except OSError:
        return b""


def _ontologies(path: Path) -> set[str]:
    """Return the IRIs of the ontologies that a file holds, and of their versions, up to what cannot be read."""
    found = set[str]()
    with suppress(TopicError):
        for triple in read_triples(path):
            if triple.predicate.value == f"{OWL}versionIRI":
                found.add(getattr(triple.object, "value", ""))
            elif triple.predicate.value == f"{RDF}type" and getattr(triple.object, "value", "") == f"{OWL}Ontology":
                found.add(getattr(triple.subject, "value", ""))
    return found
