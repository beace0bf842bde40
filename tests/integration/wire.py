"""Watches what goes to Postgres and Redis, on the wire, so that nothing is missed."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import redis

PORT = 5432  # in the name of Postgres's socket
HEAD = struct.Struct("!ci")  # of a message: its kind, and its length without the kind
START_HEAD = struct.Struct("!i")


@dataclass
class SentQueries:
    """The queries in the order of their coming, each as one text. Clients use `url`."""

    url: str
    queries: list[str] = field(default_factory=list)
    _connections: list[socket.socket] = field(default_factory=list)


@contextmanager
def watched_postgres(url: str, folder: Path) -> Iterator[SentQueries]:
    """A door in `folder` to the Postgres of `url`, which listens on a Unix socket."""
    [host] = parse_qs(urlsplit(url).query)["host"]
    watched = SentQueries(url=url.replace(f"host={host}", f"host={folder}"))
    name = f".s.PGSQL.{PORT}"
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(folder / name))
        door.listen()
        thread = threading.Thread(target=_let_in, args=(door, f"{host}/{name}", watched))
        thread.start()
        try:
            yield watched
        finally:
            door.shutdown(socket.SHUT_RDWR)
            thread.join()


@contextmanager
def watched_redis(url: str) -> Iterator[list[str]]:
    """Commands as they come, but for those that a script calls."""
    commands: list[str] = []
    with redis.Redis.from_url(url) as client, client.monitor() as monitor:
        thread = threading.Thread(target=_listen, args=(monitor, commands))
        thread.start()
        yield commands
        with redis.Redis.from_url(url) as other:
            other.echo("the end")
        thread.join()


def _listen(monitor: redis.client.Monitor, commands: list[str]) -> None:
    for command in monitor.listen():  # type: ignore[no-untyped-call]
        if command["command"].startswith("ECHO the end"):
            return
        if command["client_type"] != "lua":
            commands.append(command["command"])


def _let_in(door: socket.socket, behind: str, watched: SentQueries) -> None:
    threads = []
    while True:
        try:
            client, _ = door.accept()
        except OSError:
            break
        server = socket.socket(socket.AF_UNIX)
        server.connect(behind)
        watched._connections += [client, server]
        for target, args in ((_forward, (client, server, watched)), (_copy, (server, client))):
            threads.append(threading.Thread(target=target, args=args))
            threads[-1].start()
    for connection in watched._connections:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
    for thread in threads:
        thread.join()
    for connection in watched._connections:
        connection.close()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while piece := source.recv(65_536):
            target.sendall(piece)
    with suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)


def _forward(client: socket.socket, server: socket.socket, watched: SentQueries) -> None:
    """Forward message by message, and keep the text of the queries."""
    with suppress(OSError, EOFError):
        head = _read(client, START_HEAD.size)
        server.sendall(head + _read(client, START_HEAD.unpack(head)[0] - START_HEAD.size))
        while True:
            head = _read(client, HEAD.size)
            kind, length = HEAD.unpack(head)
            content = _read(client, length - START_HEAD.size)
            if kind == b"Q":
                watched.queries.append(content.rstrip(b"\0").decode())
            server.sendall(head + content)
    with suppress(OSError):
        server.shutdown(socket.SHUT_RDWR)


def _read(source: socket.socket, length: int) -> bytes:
    data = b""
    while len(data) < length:
        piece = source.recv(length - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data
