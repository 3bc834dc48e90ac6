"""A crawl folder that somebody else made: its settings name code, files and addresses.

They count where this user made the folder, names them again, or says ``--trust``.
"""

from __future__ import annotations

import os
import shutil
import socket
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest

from semcrawl import Crawl
from semcrawl.crawl import Settings
from semcrawl.crawl.explain import explain_page
from semcrawl.errors import UntrustedError
from semcrawl.graph import SC, Changes, CrawlGraph
from semcrawl.graph.vocabulary import XSD
from tests.cli.conftest import SEED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]

JUDGE = """
from pathlib import Path
from semcrawl.relevance.similarities import SIMILARITIES
from semcrawl.relevance import JUDGES
Path(__file__).with_name("code-ran").touch()
def Mine(topic, background):
    return JUDGES.create("cosine", topic=topic, background=background)
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a judge, which leaves a mark when it is run."""
    path = tmp_path_factory.mktemp("code") / "evil.py"
    path.write_text(JUDGE)
    return path


def has_run(code: Path) -> bool:
    """Whether the code was run since the last look."""
    mark = code.with_name("code-ran")
    there = mark.exists()
    mark.unlink(missing_ok=True)
    return there


def make(folder: Path, web: Path, code: Path) -> Path:
    with Crawl("keywords:asthma", [SEED], folder, judge=f"{code}:Mine", replay=[str(web)], pages=2) as crawl:
        crawl.run()
    assert has_run(code)
    return folder


@pytest.fixture
def own(web: Path, code: Path, tmp_path: Path) -> Path:
    """A crawl of this user, with a judge of their own, over a recorded web."""
    return make(tmp_path / "own", web, code)


@pytest.fixture(scope="module")
def made(web: Path, code: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Such a crawl, to be copied."""
    return make(tmp_path_factory.mktemp("made") / "own", web, code)


@pytest.fixture
def strange(made: Path, code: Path, tmp_path: Path) -> Path:
    """A copy of it, as one that went through an archive."""
    has_run(code)
    shutil.copytree(made, tmp_path / "strange")
    return tmp_path / "strange"


def test_a_user_s_own_crawl_goes_on_and_is_explained_without_a_flag(
    run: Run, own: Path, code: Path, tmp_path: Path
) -> None:
    assert run("explain", str(own), SEED).code == 0
    assert has_run(code)
    assert run("resume", str(own), "--pages", "3", "--quiet").code == 0
    own.rename(tmp_path / "renamed")
    assert run("resume", str(tmp_path / "renamed"), "--pages", "4", "--quiet").code == 0


COMMANDS = [
    ("resume", "{}"),
    ("revisit", "{}"),
    ("explain", "{}", SEED),
    ("mark", "{}", SEED, "yes"),
    ("query", "{}", "SELECT (sc:similarity('asthma') AS ?s) {{}}"),
    ("policy", "try", "hub-neighbours", "{}"),
    ("train", "apprentice", "{}", "-o", "{}.model"),
    ("train", "context-graph", "{}", "-o", "{}.model"),
    ("seeds", SEED, "--from", "{}"),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_stranger_s_folder_names_is_not_obeyed(
    run: Run, strange: Path, code: Path, command: tuple[str, ...]
) -> None:
    done = run(*(word.format(strange) for word in command))
    assert not has_run(code)
    done.fails(2, "--trust")


@pytest.mark.parametrize("command", [one for one in COMMANDS if one[0] != "train"])
def test_with_trust_it_is_obeyed(run: Run, strange: Path, command: tuple[str, ...]) -> None:
    done = run(*(word.format(strange) for word in command), "--trust")
    assert "--trust" not in done.err


def test_status_query_and_export_need_no_trust(run: Run, strange: Path, code: Path) -> None:
    assert run("status", str(strange)).code == 0
    assert run("query", str(strange), "best-pages").code == 0
    assert run("export", str(strange), "-o", str(strange.parent / "a.ttl")).code == 0
    assert not has_run(code)


def test_naming_all_of_it_again_is_enough(run: Run, web: Path, strange: Path, code: Path) -> None:
    named = ("--judge", f"{code}:Mine", "--replay", str(web))
    run("resume", str(strange), *named[:2]).fails(2, "replay", "--trust")
    assert not has_run(code)
    assert run("resume", str(strange), *named, "--pages", "3", "--quiet").code == 0
    # It holds for this run.
    run("resume", str(strange), "--pages", "4").fails(2, "--trust")


def test_a_folder_that_others_can_write_into_is_nobody_s_own(run: Run, own: Path) -> None:
    own.chmod(0o777)
    run("resume", str(own), "--pages", "3").fails(2, "--trust")


def test_an_archive_unpacked_over_the_own_folder_is_a_stranger_s(run: Run, own: Path, strange: Path) -> None:
    shutil.rmtree(own)
    (own.parent / "in-between").mkdir()  # a file system may give numbers again
    shutil.copytree(strange, own)
    run("resume", str(own), "--pages", "3").fails(2, "--trust")


def test_a_folder_that_was_copied_over_the_own_one_is_a_stranger_s(
    run: Run, own: Path, code: Path, tmp_path: Path
) -> None:
    # Of somebody who was sent the folder, changed it and sent it back.
    shutil.copytree(own, tmp_path / "theirs")
    evil = tmp_path / "evil.py"
    evil.write_text(JUDGE)
    store(tmp_path / "theirs", {"judge": f"{evil}:Mine"})
    inode = (own / "lock").stat().st_ino
    for path in (own / "graph").iterdir():
        path.unlink()
    shutil.copytree(tmp_path / "theirs", own, dirs_exist_ok=True)
    assert (own / "lock").stat().st_ino == inode
    for words in (("explain", str(own), SEED), ("resume", str(own), "--pages", "3")):
        run(*words).fails(2, "--trust")
        assert not has_run(evil)


def test_what_the_user_changes_by_a_resume_stays_the_user_s(run: Run, own: Path, code: Path, web: Path) -> None:
    for pages in ("3", "4", "5"):
        assert run("resume", str(own), "--pages", pages, "--quiet").code == 0
    with CrawlGraph.read(own) as graph:
        assert graph.is_trusted
        assert Settings.from_json(graph.describe().settings).pages == 5


@pytest.mark.parametrize("is_stored", [False, True])
def test_the_own_folder_stays_so_if_the_end_comes_while_settings_are_stored(
    own: Path, monkeypatch: pytest.MonkeyPatch, is_stored: bool
) -> None:
    rewrite = CrawlGraph._rewrite

    def killed(graph: CrawlGraph, changes: Changes, **values: Any) -> None:
        if is_stored:
            rewrite(graph, changes, **values)
        raise KeyboardInterrupt

    with CrawlGraph.open(own) as graph, monkeypatch.context() as patched:
        patched.setattr(CrawlGraph, "_rewrite", killed)
        with pytest.raises(KeyboardInterrupt):
            graph.note_start(Settings(pages=7).to_json(), 0.1)
    with CrawlGraph.read(own) as graph:
        assert (Settings.from_json(graph.describe().settings).pages == 7) == is_stored
        assert graph.is_trusted


def test_statements_of_pages_about_settings_do_not_count(own: Path) -> None:
    with CrawlGraph.open(own) as graph:
        graph.store.update("INSERT DATA { GRAPH <http://a.test/> { <http://a.test/> sc:settings '{}' } }")
        assert graph.is_trusted


STORED = [
    ({"judge": "ssrm:measure=evil.py:M"}, "judge"),
    ({"judge": "taxonomy:model=/etc/passwd"}, "judge"),
    ({"strategy": "evil.py:Mine"}, "strategy"),
    ({"strategy": "apprentice:within=pages.txt"}, "strategy"),
    ({"policy": ["/tmp/evil.rq"]}, "policy"),
    ({"policy": ["evil.rq:every=2"]}, "policy"),
    ({"background": "/dev/zero"}, "background"),
    ({"replay": ["/dev/zero"]}, "replay"),
    ({"proxy": "http://evil.test:3128"}, "proxy"),
    ({"allow_private": True}, "allow_private"),
    ({"robots": False}, "robots"),
    ({"nofollow": False}, "nofollow"),
    ({"delay": 0.0}, "delay"),
    ({"contact": "mailto:somebody@else.test"}, "contact"),
    ({"max_bytes": 10**12}, "max_bytes"),
    ({"max_delay": 0.0}, "max_delay"),
    ({"tries": 10**6}, "tries"),
    ({"retry_delay": 0.0}, "retry_delay"),
    ({"workers": 400}, "workers"),
    ({"pages_per_host": 10**9}, "pages_per_host"),
    ({"pages_per_host": 0}, "pages_per_host"),
    ({"max_redirects": 10**6}, "max_redirects"),
    ({"connect_timeout": 1e9}, "connect_timeout"),
    ({"read_timeout": 1e9}, "read_timeout"),
    ({"total_timeout": 1e9}, "total_timeout"),
    ({"frontier_size": 10**12}, "frontier_size"),
]


def store(folder: Path, values: dict[str, object], topic: str = 'keywords = ["asthma"]') -> Path:
    """Write settings into a graph, as somebody can who does not run them."""
    with CrawlGraph.open(folder) as graph:
        graph.note_start(Settings.build(values).to_json(), 0.1)
        graph._rewrite(Changes(), topic_file=topic)
    return folder


@pytest.mark.parametrize(("values", "name"), STORED)
def test_each_stored_setting_that_reaches_out_must_be_named_again(
    strange: Path, values: dict[str, object], name: str
) -> None:
    store(strange, values)
    with pytest.raises(UntrustedError, match=f"{name}.*--trust"):
        Crawl.resume(strange)


def test_a_topic_in_files_must_be_trusted(strange: Path) -> None:
    store(strange, {}, 'name = "x"\n[concepts]\n"/dev/zero#a" = 1.0')
    with pytest.raises(UntrustedError, match="topic"):
        Crawl.resume(strange)


MORE_CAREFUL: dict[str, object] = {
    "delay": 5.0, "max_delay": 600.0, "tries": 1, "retry_delay": 60.0, "workers": 2,
    "pages_per_host": 10, "max_redirects": 0, "total_timeout": 5.0, "max_bytes": 1000,
}  # fmt: skip


def test_settings_that_are_more_careful_than_the_defaults_are_obeyed(strange: Path) -> None:
    with Crawl.resume(store(strange, MORE_CAREFUL)) as crawl:
        assert crawl.settings.workers == 2


@pytest.mark.parametrize("topic", ['concepts = ["wordnet:asthma"]', 'keywords = ["asthma"]'])
def test_a_harmless_crawl_of_another_goes_on(strange: Path, topic: str) -> None:
    Crawl.resume(store(strange, {"pages": 7}, topic)).close()


def test_settings_that_are_no_settings_are_told(strange: Path, run: Run) -> None:
    with CrawlGraph.open(strange) as graph:
        graph.note_start('{"a":' * 5000, 0.1)
    run("resume", str(strange)).fails(2, "do not fit this version")


def test_python_says_trust_with_the_same_word(strange: Path, code: Path) -> None:
    with CrawlGraph.read(strange) as graph, pytest.raises(UntrustedError):
        explain_page(graph, SEED)
    assert not has_run(code)
    with CrawlGraph.read(strange, trust=True) as graph:
        assert explain_page(graph, SEED).url == SEED
    Crawl.resume(strange, trust=True).close()
    Crawl.revisit(strange, trust=True).close()


def test_a_query_names_no_code_even_in_an_own_crawl(run: Run, own: Path, code: Path) -> None:
    for judge in (f"{code}:Mine", f"ssrm:measure={code}:M", "taxonomy:model=/etc/passwd"):
        text = f"SELECT (sc:similarity('asthma', '{judge}') AS ?s) {{}}"
        run("query", str(own), text).fails(2, "no file")
        assert not has_run(code)


def test_without_a_home_the_user_is_asked_to_say_trust(
    run: Run, own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "nothing"))
    run("explain", str(own), SEED).fails(2, "--trust")
    assert os.environ["XDG_STATE_HOME"]


@pytest.mark.parametrize(
    "words",
    [("resume", "--trust", "--pages", "9"), ("revisit", "--trust"), ("mark", SEED, "yes", "--trust"), ("distill",)],
)
def test_an_iri_that_ends_in_an_update_of_its_own_is_refused(run: Run, strange: Path, words: tuple[str, ...]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        load = f"LOAD <http://127.0.0.1:{listener.getsockname()[1]}/>"
        evil = f"http://a.test/> <urn:p> <urn:o> }} ; {load} ; INSERT DATA {{ <urn:x"
        named = "".join(char if char.isalnum() else f"\\u{ord(char):04x}" for char in evil)
        with CrawlGraph.open(strange) as graph:
            line = f'<{named}> <{SC}priority> "0.9"^^<{XSD}decimal> .'
            graph.store.raw.load(line, ox.RdfFormat.N_TRIPLES, lenient=True)
        run(words[0], str(strange), *words[1:]).fails(1, "no IRI can have")
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()


FORGED = [
    ("sc:settings", "1"),
    ("sc:topicFile", "<http://a.test/>"),
    ("sc:threshold", "'much'"),
    ("prov:startedAtTime", "1"),
    ("prov:startedAtTime", "'99999-01-01T00:00:00Z'^^xsd:dateTime"),
    ("sc:order", "'INF'^^xsd:double"),
    ("sc:depth", "'deep'"),
    ("sc:relevance", "'2026-01-01T00:00:00'^^xsd:dateTime"),
]


@pytest.mark.parametrize(("name", "value"), FORGED)
def test_values_that_no_crawl_writes_are_told(run: Run, strange: Path, name: str, value: str) -> None:
    with CrawlGraph.open(strange) as graph:
        graph.store.update(f"DELETE {{ ?s {name} ?o }} INSERT {{ ?s {name} {value} }} WHERE {{ ?s {name} ?o }}")
    run("resume", str(strange), "--trust", "--pages", "3").fails(1, "the graph of")
    done = run("status", str(strange))
    assert done.code in {0, 1}
    assert "Traceback" not in done.err
