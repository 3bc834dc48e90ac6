"""The server as a whole: its socket, its page and files, its errors."""

from __future__ import annotations

import shutil
import socket
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError
from semcrawl.serve import ServeSettings, listen
from semcrawl.serve.app import STATIC
from semcrawl.serve.settings import link_to
from tests.serve.conftest import running_server

if TYPE_CHECKING:
    from pathlib import Path

    from tests.serve.conftest import Served


def test_a_port_that_is_taken_is_told() -> None:
    with listen(ServeSettings(port=0)) as first:
        port = first.getsockname()[1]
        with pytest.raises(ConfigError, match=rf"port {port} of 127\.0\.0\.1 is taken.* 0 for any"):
            listen(ServeSettings(port=port))


def test_an_address_of_another_machine_is_told() -> None:
    with pytest.raises(ConfigError, match=r"cannot listen at 192\.0\.2\.1:0"):
        listen(ServeSettings("192.0.2.1", 0))


def test_the_link_has_the_token_where_no_server_sees_it() -> None:
    settings = ServeSettings(port=0, token="secret-token")
    with listen(settings) as listener:
        port = listener.getsockname()[1]
        assert link_to(listener, settings) == f"http://127.0.0.1:{port}/#token=secret-token"


def test_a_server_for_all_is_linked_by_the_name_of_this_machine() -> None:
    settings = ServeSettings("0.0.0.0", 0)
    with listen(settings) as listener:
        assert link_to(listener, settings).startswith(f"http://{socket.gethostname()}:")


def test_every_server_has_a_token_of_its_own() -> None:
    tokens = {ServeSettings().token for _ in range(20)}
    assert len(tokens) == 20
    assert min(map(len, tokens)) >= 20


def test_what_is_not_there_is_told_in_json(served: Served) -> None:
    answer = served.client.get("/api/nothing")
    assert answer.status_code == 404
    assert answer.json() == {"error": "there is nothing at /api/nothing"}
    assert served.client.delete("/api/crawl").status_code == 405


@pytest.mark.parametrize(
    "path", ["/static/../server.py", "/static/%2e%2e/server.py", "/static//etc/passwd", "/static/", "/x"]
)
def test_only_the_files_of_the_page_are_served(served: Served, path: str) -> None:
    assert served.client.get(path).status_code == 404


@pytest.mark.skipif(not (STATIC / "index.html").exists(), reason="the page is not there yet")
def test_the_page_is_served_and_asked_for_again_only_when_it_changed(served: Served) -> None:
    page = served.client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-cache"
    again = served.client.get("/", headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_server_for_other_machines_asks_all_for_the_token(reachable: Served) -> None:
    refused = reachable.client.get("/api/crawl")
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"
    assert reachable.client.get("/api/crawl", headers=reachable.authorised).status_code == 200


def test_a_server_leaves_nothing_behind(crawled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(crawled, folder, ignore=shutil.ignore_patterns("snapshots"))
    with running_server(folder) as served:
        assert served.client.get("/api/crawl").status_code == 200
        assert len(list((folder / "snapshots").iterdir())) == 1
    assert not list((folder / "snapshots").iterdir())


def test_a_folder_that_is_gone_is_told_as_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with running_server(tmp_path / "empty") as served:
        answer = served.client.get("/api/crawl")
        assert answer.status_code == 503
        assert "holds no crawl" in answer.json()["error"]
