"""The command line on a network of its own: names of the hostile web, public addresses, a log.

Run as ``python network.py PLAN LOG semcrawl-words...``. Names are resolved as the plan says,
connections to public addresses lead to the hostile server on this machine, and every address
that a connection was tried to is logged. So the crawl runs with its own address checks on.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
import zlib
from pathlib import Path
from typing import Any

PUBLIC = "public"


class Network:
    """Resolves and connects for this process; ``plan`` has ``names`` and ``ports``."""

    def __init__(self, plan: dict[str, Any], log: Path) -> None:
        self._names: dict[str, list[list[str]]] = plan["names"]
        self._ports: dict[str, int] = plan["ports"]
        self._hosts: dict[str, str] = {}
        self._log = log
        self._resolve, self._connect = socket.getaddrinfo, socket.socket.connect

    def resolve(self, host: str, port: int, **_: Any) -> list[Any]:
        """Answer for ``socket.getaddrinfo``: names of the web only, and literal addresses."""
        if not host.endswith(".test"):
            kind = socket.SOCK_STREAM
            return self._resolve(host, port, type=kind, flags=socket.AI_NUMERICHOST)
        lookups = self._names.get(host, [[PUBLIC]])
        addresses = lookups.pop(0) if len(lookups) > 1 else lookups[0]
        if addresses == ["slow"]:
            time.sleep(30)
        if addresses in (["unknown"], ["again"], ["slow"]):
            code = socket.EAI_AGAIN if addresses == ["again"] else socket.EAI_NONAME
            raise socket.gaierror(code, "no such name")
        return [self._found(host, address, port) for address in addresses]

    def _found(self, host: str, address: str, port: int) -> tuple[Any, ...]:
        if address == PUBLIC:
            address = "11." + ".".join(map(str, zlib.crc32(host.encode()).to_bytes(4)[1:]))
            self._hosts[address] = host
        if ":" in address:
            return (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0))
        return (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))

    def connect(self, sock: socket.socket, address: tuple[Any, ...]) -> None:
        """Connect to the hostile server, or fail as the host's name says."""
        with self._log.open("a") as log:
            log.write(f"{address[0]} {address[1]}\n")
        host = self._hosts.get(address[0], "").removesuffix(".test")
        if host == "connect-silence":
            time.sleep(sock.gettimeout() or 0)
            raise TimeoutError("timed out")
        if host == "unreachable":
            raise OSError(101, "Network is unreachable")
        port = self._ports.get(host if address[1] == 443 else "http", self._ports["closed"])
        self._connect(sock, ("127.0.0.1", self._ports["closed"] if host == "refused" else port))


def main() -> None:
    """Divert the network, then be ``semcrawl``; the peak of memory is logged at the end."""
    plan, log = Path(sys.argv[1]), Path(sys.argv[2])
    network = Network(json.loads(plan.read_text()), log)

    def connect(sock: socket.socket, address: tuple[Any, ...]) -> None:
        network.connect(sock, address)

    socket.getaddrinfo = network.resolve  # type: ignore[assignment]
    socket.socket.connect = connect  # type: ignore[method-assign, assignment]
    sys.argv = ["semcrawl", *sys.argv[3:]]
    from semcrawl.cli.main import main as semcrawl

    try:
        semcrawl()
    finally:
        # Not ru_maxrss, which begins with the memory of the process that started this one.
        status = Path(f"/proc/{os.getpid()}/status").read_text()
        peak = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
        with log.open("a") as file:
            file.write(f"peak {peak}\n")


if __name__ == "__main__":
    main()
