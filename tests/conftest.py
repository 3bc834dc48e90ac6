"""What holds for all tests."""

from __future__ import annotations

import gc
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import URLError

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from tests.installed import installed

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

__all__ = ["installed"]

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "scripts" / "wordnet_source.py"

# Hundreds of tests start a process of their own. Without compiled modules each of
# them spends more time on compiling the package than on all the rest.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Tests run side by side: threads of OpenBLAS would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Thousands of small stores are written, flushed and removed. On a disk that takes more time than
# the tests do, and nobody wants them after the machine is off.
_IN_MEMORY = "/dev/shm"
if "TMPDIR" not in os.environ and os.access(_IN_MEMORY, os.W_OK) and shutil.disk_usage(_IN_MEMORY).free > 2 << 30:
    os.environ["TMPDIR"] = tempfile.tempdir = _IN_MEMORY

# A script that runs tests in the background gives them a SIGINT that is ignored, and so would
# every process be that they start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Machines are shared: how long an example takes says nothing about the code. Each run has
# other examples, so that a few in each are many in all.
settings.register_profile(
    "semcrawl",
    deadline=None,
    max_examples=int(os.environ.get("SEMCRAWL_EXAMPLES", "40")),
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("semcrawl")

# Tests and modules stay until the end: nobody shall look for garbage among them again and again.
gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Examples in docstrings are tests in the package; here nobody needs to look for them."""
    found = yield
    return [one for one in found if not isinstance(one, DoctestModule)]


@pytest.fixture(scope="session", autouse=True)
def _state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Which crawls are the user's own is noted for the tests alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def reader() -> Iterator[Any]:
    """nltk's reader over WordNet's own files; skips where they are absent."""
    spec = importlib.util.spec_from_file_location("wordnet_source", SCRIPT)
    if not SCRIPT.exists() or spec is None or spec.loader is None:
        pytest.skip("the scripts folder is not there")
    source = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(source)
    if not (source.DEBIAN_FOLDER / "data.noun").exists():
        pytest.skip("WordNet's own files are not there (package wordnet-base)")
    with source.wordnet_reader(source.DEBIAN_FOLDER) as found:
        yield found


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo web as a recording; not to be written to."""
    from semcrawl.demo import demo_web

    folder = tmp_path_factory.mktemp("recorded") / "web"
    demo_web().write(folder)
    return folder


@pytest.fixture
def sparql_server(tmp_path: Path) -> Iterator[str]:
    """The address of Oxigraph's own server; skips where it is not installed."""
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which("oxigraph")
    if program is None:
        pytest.skip("the package oxigraph, which holds the server, is not installed")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [program, "serve", "-l", str(tmp_path / "server"), "-b", f"127.0.0.1:{port}"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        while process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60)
                break
            except URLError:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
