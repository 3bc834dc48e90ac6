"""What is recorded goes through a journal: nothing is lost, and the order of changes counts."""

from __future__ import annotations

import shutil
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec
import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import StoreError
from semcrawl.graph import Changes, CrawlGraph, FoundUrl
from semcrawl.graph.journal import NAME
from semcrawl.graph.snapshots import link_snapshot, open_snapshot, remove_snapshot
from semcrawl.graph.store import OxigraphStore
from semcrawl.graph.vocabulary import SC

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HOSTS = ("a.test", "b.test")
URLS = [f"http://{host}/{number}" for host in HOSTS for number in range(2)]
NUMBERS = (0.25, 0.5)
DECIMAL = "http://www.w3.org/2001/XMLSchema#decimal"
MANY = 100  # lines that are put into tables of their own


Held = dict[tuple[str, str], float]  # what a subject has, by the name of the property


def _found(changes: Changes, held: Held, url: str, number: float) -> None:
    if (url, "priority") not in held:
        held[url, "priority"] = number
        changes.found(FoundUrl(url, url.split("/")[2], number, 1, 0))


def _visited(changes: Changes, held: Held, url: str, number: float) -> None:
    subject = ox.BlankNode()
    said = ox.Triple(subject, ox.NamedNode("http://a.test/says"), ox.Literal('"full." }\n'))
    if (waited := held.pop((url, "priority"), None)) is not None:
        changes.left_frontier(FoundUrl(url, "a.test", waited, 1, 0))
    relevance = held.setdefault((url, "relevance"), number)
    changes.visited(url, statements=[said], relevance=relevance, title='sc:relevance "1" .', links=URLS)


def _rejudged(changes: Changes, held: Held, url: str, number: float) -> None:
    if (before := held.get((url, "relevance"))) is not None:
        held[url, "relevance"] = number
        changes.rejudged(url, before, number)


def _prioritised(changes: Changes, held: Held, url: str, number: float) -> None:
    if (before := held.get((url, "priority"))) is not None:
        held[url, "priority"] = number
        changes.prioritised(url, before, number)


def _dropped(changes: Changes, held: Held, url: str, number: float) -> None:
    if (url, "dropped") not in held:
        held[url, "dropped"] = number
        changes.dropped(url, "DroppedByPolicy", "a note", number)


def _taken_back(changes: Changes, held: Held, url: str, _: float) -> None:
    if (to_beat := held.pop((url, "dropped"), None)) is not None:
        changes.taken_back(url, "DroppedByPolicy", to_beat)


def _tried(changes: Changes, _: Held, url: str, number: float) -> None:
    changes.tried(FoundUrl(url, "a.test", number, 1, 0, tries=2))


def _removed(changes: Changes, held: Held, url: str, number: float) -> None:
    held[url, "relevance"] = number
    changes.remove(f"{url}", "sc:relevance, sc:title")
    changes.state(f"<{url}> sc:relevance {number}")


def _site_states(changes: Changes, _: Held, url: str, number: float) -> None:
    changes.site_states(url.split("/")[2], site_prior=number)


def _site_replaced(changes: Changes, held: Held, url: str, number: float) -> None:
    host = url.split("/")[2]
    changes.site_replaced(host, "site_confidence", held.get((host, "confidence")), number)
    held[host, "confidence"] = number


KINDS: tuple[Callable[[Changes, Held, str, float], None], ...] = (
    _found,
    _visited,
    _rejudged,
    _prioritised,
    _dropped,
    _taken_back,
    _tried,
    _removed,
    _site_states,
    _site_replaced,
)
ONE = st.tuples(st.sampled_from(KINDS), st.sampled_from(URLS), st.sampled_from(NUMBERS))
STEPS = st.lists(st.tuples(st.lists(ONE, min_size=1, max_size=3), st.booleans()), max_size=12)


def statements(store: OxigraphStore) -> set[str]:
    """All statements, blank nodes without their names."""
    return {str(quad).replace(str(quad.subject), "_") if _is_blank(quad) else str(quad) for quad in store.quads()}


def _is_blank(quad: ox.Quad) -> bool:
    return isinstance(quad.subject, ox.BlankNode)


def changes_of(step: list[tuple[Any, ...]], held: Held) -> Changes:
    changes = Changes()
    for kind, *values in step:
        kind(changes, held, *values)
    return changes


def killed(graph: CrawlGraph, to: Path) -> Path:
    """What a process that is killed now would leave: tables and journal as they are."""
    assert graph.folder is not None
    assert graph.store._store is not None
    to.mkdir()
    graph.store._store.backup(str(to / "graph"))
    shutil.copyfile(graph.folder / "graph" / NAME, to / "graph" / NAME)
    return to


@given(STEPS)
def test_changes_that_wait_in_the_journal_end_as_they_would_have_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[list[tuple[Any, ...]], bool]]
) -> None:
    folder = tmp_path_factory.mktemp("crawl")
    plain, held = OxigraphStore(), Held()
    with CrawlGraph.create(folder / "one") as graph:
        for step, is_looked_at in steps:
            changes = changes_of(step, held)
            graph.apply(changes)
            plain.update(changes.text(plain) or "INSERT DATA {}")
            if is_looked_at:
                assert statements(graph.store) == statements(plain)
        left = killed(graph, folder / "two")
        assert statements(graph.store) == statements(plain)
    with CrawlGraph.open(left) as graph:
        assert statements(graph.store) == statements(plain)
    shutil.rmtree(folder)


@pytest.mark.parametrize("later", [[0.5], [0.5, 0.75], [0.5, 0.25], [0.5, 0.25, 0.75], [0.5, 0.25, 0.5]])
def test_of_values_that_change_in_turn_the_last_is_there(tmp_path: Path, later: list[float]) -> None:
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        changes = Changes()
        _found(changes, {}, URLS[0], 0.25)
        graph.apply(changes)
        assert graph.store.value(URLS[0], SC + "priority") == 0.25  # it is in the tables now
        for before, after in pairwise([0.25, *later]):
            changes = Changes()
            changes.prioritised(URLS[0], before, after)
            graph.apply(changes)
        there = [str(quad.object) for quad in graph.store.quads_with(SC + "priority")]
        assert there == [str(ox.Literal(str(later[-1]), datatype=ox.NamedNode(DECIMAL)))]


def filled(graph: CrawlGraph, pages: int) -> None:
    for number in range(pages):
        changes = Changes()
        _visited(changes, {(f"http://a.test/{number}", "priority"): 0.5}, f"http://a.test/{number}", 0.5)
        graph.apply(changes)


@pytest.mark.parametrize("pages", [3, MANY])
def test_what_a_killed_process_left_is_read_by_all_and_changed_by_writers_only(tmp_path: Path, pages: int) -> None:
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        filled(graph, pages)
        left = killed(graph, tmp_path / "left")
        whole = statements(graph.store)
    journal = (left / "graph" / NAME).read_bytes()
    assert journal.count(b"\n") == pages
    assert len(whole) == pages * (len(URLS) + 5)
    for _ in range(2):
        with CrawlGraph.read(left) as graph:
            assert statements(graph.store) == whole
            assert not graph.is_snapshot
    place = link_snapshot(left)
    assert statements(open_snapshot(place)) == whole
    remove_snapshot(place)
    assert not list((left / "snapshots").iterdir())
    assert (left / "graph" / NAME).read_bytes() == journal
    with CrawlGraph.open(left) as graph:
        assert statements(graph.store) == whole
    assert not (left / "graph" / NAME).read_bytes()


@pytest.mark.parametrize("pages", [3, MANY])
def test_to_put_the_journal_into_the_tables_twice_changes_nothing(tmp_path: Path, pages: int) -> None:
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        filled(graph, pages)
        journal = (tmp_path / "crawl" / "graph" / NAME).read_bytes()
        whole = sorted(map(str, graph.store.quads()))
    # As if the process had been killed before it emptied the journal.
    (tmp_path / "crawl" / "graph" / NAME).write_bytes(journal)
    with CrawlGraph.open(tmp_path / "crawl") as graph:
        assert sorted(map(str, graph.store.quads())) == whole


@pytest.mark.parametrize("rest", [b'[["<http://a.test/9> a sc:Pa', b"\0" * 100, b"not a line\n", b"[1, 2]\n[[],{}]\n"])
def test_a_line_that_was_not_written_to_its_end_is_left_out(tmp_path: Path, rest: bytes) -> None:
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        filled(graph, 2)
        left = killed(graph, tmp_path / "left")
        whole = statements(graph.store)
    with (left / "graph" / NAME).open("ab") as file:
        file.write(rest)
    with CrawlGraph.open(left) as graph:
        filled(graph, 1)
        assert statements(graph.store) == whole


def nested(depth: int) -> bytes:
    """A line whose statement takes the process down where it is parsed."""
    return b'[[],[],["<a:a> <a:b> %s<a:c>%s"]]\n' % (b"<<( <a:a> <a:b> " * depth, b" )>>" * depth)


def test_what_the_crawls_of_all_kinds_write_is_taken_as_written(tmp_path: Path) -> None:
    said = ['say "x"', "# no comment", "\\", "tab\there", "line\nend", "PREFIX a: <", "<<( )>>", "\x00", "\u2028"]
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        for number, text in enumerate(said):
            url, literal = f"http://a.test/{number}", ox.Literal(text, language="ar", direction=ox.BaseDirection.RTL)
            triples = [ox.Triple(ox.NamedNode(url), ox.NamedNode("http://a.test/says"), literal)]
            changes = Changes()
            changes.visited(url, statements=triples, title=text, relevance=1e-06, links=URLS, fetched_at=0.0)
            graph.apply(changes)
        left = killed(graph, tmp_path / "left")
        whole = statements(graph.store)
    with CrawlGraph.read(left) as graph:
        assert statements(graph.store) == whole


def test_a_journal_that_is_another_file_too_is_left_alone(tmp_path: Path) -> None:
    CrawlGraph.create(tmp_path / "crawl").close()
    (tmp_path / "precious").write_bytes(b"mine")
    (tmp_path / "crawl" / "graph" / NAME).unlink()
    (tmp_path / "crawl" / "graph" / NAME).hardlink_to(tmp_path / "precious")
    with pytest.raises(StoreError, match="another file, too"):
        CrawlGraph.open(tmp_path / "crawl")
    assert (tmp_path / "precious").read_bytes() == b"mine"


@pytest.mark.parametrize(
    "line", [nested(150_000), b'[[],[],["<a:a> <a:b> %s"]]\n' % (b"(" * 1000 + b")" * 1000),
             b'[[],[],["<a:a> <a:b> 1 . @prefix p: <http://%s/> ", "p:a p:b p:c"]]\n' % (b"x" * 10_000),
             b'[[],[],["<a:a> <a:b> <http://%s/>"]]\n' % (b"x" * 20_000),
             b'[[],[],["} ; DROP ALL ; INSERT DATA {"]]\n',
             b'[["<http://a.test/> } ; DROP ALL ; {"],[],[]]\n'],
    ids=["nested", "list", "prefix", "long", "update", "gone"],
)  # fmt: skip
def test_a_forged_journal_is_told_and_does_nothing(tmp_path: Path, line: bytes) -> None:
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        filled(graph, 2)
        whole = statements(graph.store)
    (tmp_path / "crawl" / "graph" / NAME).write_bytes(line)
    for opening in (CrawlGraph.open, CrawlGraph.read):
        with pytest.raises(StoreError, match="not written by a crawl"), opening(tmp_path / "crawl") as graph:
            statements(graph.store)
    (tmp_path / "crawl" / "graph" / NAME).unlink()
    with CrawlGraph.read(tmp_path / "crawl") as graph:
        assert statements(graph.store) == whole


def test_changes_too_large_for_the_journal_are_written_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("semcrawl.graph.journal._MOST", 2_000)
    with CrawlGraph.create(tmp_path / "crawl") as graph:
        filled(graph, 10)
        assert (tmp_path / "crawl" / "graph" / NAME).stat().st_size <= 2_000
        assert len(statements(graph.store)) == 10 * (len(URLS) + 5)


def test_nothing_is_added_to_lines_that_the_tables_have_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = OxigraphStore(tmp_path / "graph")
    old, new = ([f"<http://a.test/> sc:relevance {value}"] for value in (0.25, 0.5))
    assert store.keep(["<http://a.test/> sc:step 1"], old, [], str)
    with monkeypatch.context() as disk:
        disk.setattr(ox, "serialize", full_disk)  # of what goes, when the rest is there
        with pytest.raises(StoreError, match="the disk is full"):
            store.flush()
    assert not store.keep(old, new, [], str)
    store.flush()
    assert store.keep(old, new, [], str)
    assert [value for _, _, value, _ in store.quads()] == [ox.Literal("0.5", datatype=ox.NamedNode(DECIMAL))]
    store.close()


def full_disk(*_: object, **__: object) -> bytes:
    raise OSError("No space left on device")


@pytest.mark.parametrize("part", range(3))
def test_a_forged_line_that_is_long_when_it_is_written_out_is_refused(tmp_path: Path, part: int) -> None:
    """Two megabytes took all memory: each value stands with the subject of all."""
    statements: list[list[str]] = [[], [], []]
    statements[part] = [f"<http://a.test/{'a' * 16_000}> sc:p {','.join(map(str, range(300_000)))}"]
    OxigraphStore(tmp_path).close()
    (tmp_path / NAME).write_bytes(msgspec.json.encode(statements) + b"\n")
    with pytest.raises(StoreError, match="was not written by a crawl"):
        OxigraphStore(tmp_path)
