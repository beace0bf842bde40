"""Requests byte by byte, as no library would send them."""

from __future__ import annotations

import json
import select
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

ANSWER_S = 60


class RawAnswer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), ANSWER_S)


def request(method: str, path: str, *headers: str, user: str = "ann") -> bytes:
    """The head of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: site", f"X-Forwarded-User: {user}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def ask(port: int, *pieces: bytes) -> RawAnswer:
    """Send the pieces one after the other; the first answer to them."""
    with connect(port) as client:
        for piece in pieces:
            client.sendall(piece)
        return read_answer(client)


def read_answer(client: socket.socket) -> RawAnswer:
    """One answer whose length is told."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += _receive(client)
    head, body = received.split(b"\r\n\r\n", 1)
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += _receive(client)
    return RawAnswer(int(first.split()[1]), headers, body)


def read_to_end(client: socket.socket) -> bytes:
    """Everything until the other side ends the connection, in whatever way."""
    received = b""
    with suppress(ConnectionResetError):
        while piece := client.recv(65_536):
            received += piece
    return received


def drip(clients: Iterable[socket.socket], seconds: float) -> None:
    """One byte to each, several times a second; who was answered or cut off is left out."""
    until = time.monotonic() + seconds
    answered: list[socket.socket] = []
    while time.monotonic() < until:
        for client in (peer for peer in clients if peer not in answered):
            with suppress(OSError):
                client.sendall(b"x")
        answered, _, _ = select.select(clients, [], [], 0.2)


def _receive(client: socket.socket) -> bytes:
    piece = client.recv(65_536)
    if not piece:
        raise ConnectionError("The answer ends too early.")
    return piece
