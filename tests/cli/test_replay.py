from __future__ import annotations

import json
import signal
import socket
from typing import TYPE_CHECKING

from tests.cli.conftest import PAGES, SEED, Ran
from tests.started import COMMAND, Started

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Ran]


def test_inspect_counts_urls_and_hosts(run: Run, web: Path) -> None:
    done = run("replay", "inspect", web)
    assert done.out.splitlines() == ["6 URLs on 2 hosts", "         5  a.test", "         1  b.test"]


def test_inspect_as_json_and_as_a_list(run: Run, web: Path) -> None:
    figures = json.loads(run("replay", "inspect", web, "--json").out)
    assert figures == {"urls": 6, "hosts": {"a.test": 5, "b.test": 1}, "problems": []}
    assert set(run("replay", "inspect", web, "--urls").out.split()) == set(PAGES)


def test_a_table_of_terms_serves_as_background(run: Run, web: Path) -> None:
    done = run("replay", "idf", web, "-o", "idf.tsv.gz")
    assert done.code == 0
    assert done.out.startswith("6 pages, ")
    words = ("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--quiet")
    assert run(*words, "--background", "idf.tsv.gz") == Ran(0, "", "")


def test_what_is_no_recorded_web_is_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "garbage.warc").write_text("garbage")
    (tmp_path / "empty").mkdir()
    for command in (["inspect"], ["serve"], ["idf", "-o", "x"]):
        run("replay", *command, "gone").fails(2, "there is no recorded web at gone")
        run("replay", *command, "garbage.warc").fails(2, "no WARC record in")
        run("replay", *command, "empty").fails(2, "empty holds no recorded web")
        run("replay", *command).fails(2, "Missing argument 'WEB...'")
    assert not (tmp_path / "x").exists()


def test_wrong_values_for_the_server_are_one_line(run: Run, web: Path) -> None:
    run("replay", "serve", web, "--port", 99999).fails(2, "99999 is not in the range")
    run("replay", "serve", web, "--latency", -1).fails(2, "-1.0 is not in the range")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run("replay", "serve", web, "--port", port).fails(2, f"port {port}", "leave --port out")


def test_a_served_web_is_crawled_over_http_through_its_address(run: Run, web: Path) -> None:
    with Started(COMMAND, "replay", "serve", web) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        assert said.startswith("6 URLs at http://127.0.0.1:")
        address = said.split()[3].rstrip(";")
        words = ("crawl", "wordnet:asthma", "--seed", SEED, "--delay", 0, "--proxy", address)
        done = run(*words)
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=60) == 0
    assert done.code == 0
    assert "6 pages, " in done.out
