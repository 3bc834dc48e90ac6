from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def cache_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the cached indexes of tests to themselves."""
    home = tmp_path / "cache-home"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    return home


class WarcFile:
    """Builds a WARC file with warcio, record by record."""

    def __init__(self, *, packed: bool) -> None:
        self._out = io.BytesIO()
        self._writer = WARCWriter(self._out, gzip=packed)

    def add(
        self, url: str, body: bytes = b"<p>page", status: str = "200 OK", kind: str = "response", **fields: str
    ) -> WarcFile:
        headers = {"Content-Type": "text/html"} | {name.replace("_", "-"): value for name, value in fields.items()}
        head = StatusAndHeaders(status, list(headers.items()), protocol="HTTP/1.1")
        if kind == "request":
            head = StatusAndHeaders("GET / HTTP/1.1", [], is_http_request=True)
        record = self._writer.create_warc_record(
            url,
            kind,
            payload=io.BytesIO(body),
            length=len(body),
            http_headers=head,
            warc_headers_dict={"WARC-Date": "2007-05-01T00:00:00Z"},
        )
        self._writer.write_record(record)
        return self

    @property
    def data(self) -> bytes:
        return self._out.getvalue()


@pytest.fixture(params=[False, True], ids=["plain", "packed"])
def warc(request: pytest.FixtureRequest) -> WarcFile:
    """An empty WARC file in the making."""
    return WarcFile(packed=request.param)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, bytes | str], Path]:
    """Write a file below the test's own folder."""

    def to(name: str, data: bytes | str) -> Path:
        path = tmp_path / "web" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return to
