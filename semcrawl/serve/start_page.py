"""The start page: the crawls in a folder, and a form that starts one, by the ordinary commands.

What a browser can choose is bounded: names of files and crawls that stand in the folder, words,
public web addresses, a few settings. Code and private addresses are for the command line.
"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response

from semcrawl.companions.process import same_packages
from semcrawl.crawl.shards.layout import is_sharded
from semcrawl.errors import RequestError, refused_with
from semcrawl.graph.snapshots import is_locked
from semcrawl.redaction import without_folders
from semcrawl.serve import api_types as api
from semcrawl.serve import start_jobs as jobs
from semcrawl.serve.app import PAGE_FILES, job_route
from semcrawl.serve.control import Control
from semcrawl.serve.openapi import ApiRoute
from semcrawl.serve.pool import QueryPool, TimeLimit
from semcrawl.serve.replies import json_body, json_reply
from semcrawl.serve.security import RequestCheck
from semcrawl.serve.server import CrawlServer
from semcrawl.serve.settings import ServeSettings
from semcrawl.serve.snapshots import Snapshot, Snapshots
from semcrawl.web.urls import canonical

_LINK = re.compile(r"http://\S+:(\d+)/#token=")
_NAME = re.compile(r"\w[\w. -]{0,59}")
_HEAD = re.compile(r"^semcrawl: (?:error: )?")
_PATIENCE = 180.0  # seconds for a command to show its page
_MOST_PAGES = 8  # of crawls at once: each has processes that answer
_CONCEPTS = '{"concepts": ["wordnet:asthma.n.01"]}'
_Words = Annotated[str, Meta(max_length=1_000)]


class StartRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A crawl to start: its topic, the name of its folder, seeds, and the web or a recorded one."""

    topic: jobs.ChosenTopic
    name: _Words
    seeds: Annotated[list[_Words], Meta(max_length=200)]
    web: _Words = ""
    pages: Annotated[int, Meta(ge=1, le=1_000_000)] = 500
    minutes: Annotated[int, Meta(ge=0, le=100_000)] = 0
    stay: bool = False
    warc: bool = False
    contact: _Words = ""

    def words(self, spec: str, address: str) -> list[str]:
        """Return the command; each value is one word with its option, so that none is another."""
        seeds = list(dict.fromkeys(map(canonical, filter(None, map(str.strip, self.seeds)))))
        if not seeds:
            raise RequestError("give the address of a page to begin with")
        words = [f"--folder={self.name}", f"--pages={self.pages}", f"--seconds={60 * self.minutes}"]
        words += [f"--seed={seed}" for seed in seeds]
        if self.stay:
            words += [f"--include={'/'.join(seed.split('/')[:3])}/*" for seed in seeds]
        words += ["--warc"] if self.warc else []
        optional = {"language": self.topic.language, "contact": self.contact, "replay": self.web}
        words += [f"--{name}={value.strip()}" for name, value in optional.items() if value.strip()]
        return ["crawl", "--quiet", *words, address, "--", spec]


class OpenRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A crawl to show; with a number of pages above 0, to go on with until it has so many."""

    name: str
    pages: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class _Command:
    """A command that shows a crawl, in a process of its own; what it says is kept in a file."""

    def __init__(self, words: list[str], context: "StartContext") -> None:
        self.began = time.monotonic()
        self.crawls = words[0] != "serve"
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        code = "from semcrawl.cli.main import main; main()"
        # -P: files of the folder are not imported.
        self.process = subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, "-P", "-c", code, *words],
            cwd=context.folder,
            stdin=subprocess.DEVNULL,
            stdout=self._said,
            stderr=subprocess.STDOUT,
            env=same_packages() | {"SEMCRAWL_TOKEN": context.settings.token},
            process_group=0,
        )

    @property
    def said(self) -> list[str]:
        """Its lines, which are few: it is quiet."""
        text = os.pread(self._said.fileno(), 1 << 16, 0).decode(errors="replace")
        return [without_folders(_HEAD.sub("", line)) for line in text.splitlines() if line.strip()]

    def port(self) -> int:
        """The port of its page; 0 as long as it has none."""
        found = _LINK.search("\n".join(self.said))
        return int(found[1]) if found else 0

    async def until(self, look: Callable[[], int]) -> int:
        """Return what a look at it finds, as soon as that is not 0."""
        while time.monotonic() - self.began < _PATIENCE:
            if self.process.poll() is not None:
                raise RequestError(self.said[-1] if self.said else "it ended without a word", 422)
            if found := look():
                return found
            await asyncio.sleep(0.05)
        raise RequestError("it takes long to start: look at the list of crawls later", 504)

    async def end(self) -> None:
        """Let it stop as Ctrl-C does; what it has recorded can be resumed."""
        self.process.terminate()
        try:
            await asyncio.to_thread(self.process.wait, 30.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._said.close()


class _NoSnapshot(Snapshots):
    """For jobs that open no snapshot."""

    async def current(self, patience: float = 0.0) -> Snapshot:  # noqa: ARG002 - as the base says
        return Snapshot(Path(), 0, is_live=False, taken_at=0.0)


class StartContext:
    """The parts of the server of a start page."""

    front_page = "start"

    def __init__(self, folder: Path, settings: ServeSettings, _control: Control | None = None) -> None:
        self.folder, self.settings = folder.resolve(), settings
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        self.address = f"--serve={host}:0"
        self.trust = ["--trust"] if settings.trust else []
        self.request_check = RequestCheck(settings.host, settings.token)
        self.pool = QueryPool(_NoSnapshot(self.folder), TimeLimit(_PATIENCE), size=2, waiting=64, remembers=True)
        self.pools = {"folder": self.pool}
        self.routes = ROUTES
        self.commands: dict[str, _Command] = {}
        self.starting = asyncio.Lock()

    async def start(self, name: str, words: list[str]) -> _Command:
        """Start a command for a crawl, which replaces the one before."""
        shown = [one for one, command in self.commands.items() if not command.crawls]
        old = {*shown[: max(0, len(shown) - _MOST_PAGES + 1)], name} & self.commands.keys()
        await asyncio.gather(*(self.commands.pop(one).end() for one in old))
        started = self.commands[name] = await asyncio.to_thread(_Command, words, self)
        return started

    async def show(self, name: str, words: list[str]) -> Response:
        """Start a command for a crawl, and reply with the port of its page."""
        started = await self.start(name, words)
        return json_reply({"port": await asyncio.shield(started.until(started.port))})

    async def go_on(self, name: str, pages: int) -> Response:
        """Go on with a crawl, without other limits; reply with the port of its page, 0 for shards, which have none."""
        [kind] = [one["kind"] for one in await self.pool.ask(jobs.CrawlsHere(), fresh=True) if one["name"] == name]
        command = ["sites", "--sites=0", "--pprs-window=0"] if kind == "sites" else ["resume", "--relevant=0"]
        words = [*command, "--quiet", f"--pages={pages}", *self.trust]
        place = self.folder / name
        if not is_sharded(place):
            last = [f"--resume={name}"] if kind == "sites" else ["--", name]
            return await self.show(name, [*words, self.address, *last])
        started = await self.start(f"{name} (shards)", [*words, "--", name])
        await asyncio.shield(started.until(partial(is_locked, place)))
        return json_reply({"port": 0})

    async def end_streams(self) -> None:
        """End nothing: there are no streams here."""

    async def close(self) -> None:
        """End the worker, the pages of crawls, and the crawls that were started here."""
        await asyncio.gather(self.pool.close(), *(one.end() for one in self.commands.values()))


class StartServer(CrawlServer):
    """Serves the start page of a folder."""

    context_kind = StartContext


async def crawls(context: StartContext, request: Request) -> Response:
    """The crawls in the folder, those included that could not be started."""
    found = await context.pool.ask(jobs.CrawlsHere(), fresh=True)
    failed = [
        {"name": name, "state": "failed", "reason": " ".join(command.said[-1:])}
        for name, command in context.commands.items()
        if command.process.poll() and not any(one["name"] == name for one in found)
    ]
    can = context.request_check.knows_token(request.headers)
    return json_reply({"crawls": [*failed, *found], "can_start": can})


async def start(context: StartContext, request: Request) -> Response:
    """Start a crawl."""
    wanted = await json_body(request, StartRequest, '{"topic": …, "name": …, "seeds": [URL]}')
    if not _NAME.fullmatch(wanted.name):
        raise RequestError("a crawl's name has letters, digits, spaces, - and _, 60 at most")
    async with context.starting:
        if (context.folder / wanted.name).exists():
            raise RequestError(f"there is a folder {wanted.name} already: choose another name", 409)
        # Checked in a worker, which may take its time with a large file.
        looked = msgspec.json.decode(await context.pool.ask(wanted.topic, fresh=True))
        with refused_with(400):
            words = wanted.words(looked["spec"], context.address)
        if wanted.web and wanted.web not in await asyncio.to_thread(jobs.webs, context.folder):
            raise RequestError(f"there is no recorded web called {wanted.web[:80]!r} here", 404)
        if wanted.web == jobs.DEMO_WEB and not (context.folder / wanted.web).exists():
            writing = _Command(["demo", f"--web={wanted.web}"], context)
            await asyncio.to_thread(writing.process.wait)
            await writing.end()
        return await context.show(wanted.name, words)


async def show(context: StartContext, request: Request) -> Response:
    """Show a crawl, or go on with it."""
    wanted = await json_body(request, OpenRequest, '{"name": NAME}')
    name = wanted.name
    async with context.starting:
        if name not in await asyncio.to_thread(jobs.crawl_folders, context.folder):
            raise RequestError(f"there is no crawl {name[:80]!r} here", 404)
        command = context.commands.get(name)
        if not wanted.pages and command is not None and command.process.poll() is None:
            return json_reply({"port": await command.until(command.port)})
        if wanted.pages:
            return await context.go_on(name, wanted.pages)
        words = ["serve", f"--host={context.settings.host}", "--port=0", *context.trust, "--", name]
        return await context.show(name, words)


ROUTES = (
    ApiRoute("/api/crawls", crawls, api.CrawlsReply),
    job_route("/api/files", jobs.FilesHere, api.FilesReply, "folder", fresh=True),
    job_route("/api/concepts", jobs.Concepts, list[dict[str, Any]], "folder", fresh=True),
    job_route("/api/lens", jobs.ChosenTopic, api.LensReply, "folder", body=_CONCEPTS, fresh=True),
    ApiRoute("/api/start", start, api.PortReply, body=StartRequest),
    ApiRoute("/api/open", show, api.PortReply, body=OpenRequest),
    *PAGE_FILES,
)
