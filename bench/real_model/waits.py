"""A relay before the model server, which tells how long replies wait there for other calls.

llama.cpp says with each answer how long it has read the prompt (`timings`). What the first word
took beyond that, the reply has waited until the server was free.
"""

from __future__ import annotations

import re
import socket
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

_FIRST_WORD = re.compile(rb'"content": ?"[^"]')
_READ_MS = re.compile(rb'"prompt_n": ?(\d+), ?"prompt_ms": ?([\d.]+)')
_TASK = b'"Task: '  # how memory's prompts begin


@dataclass(frozen=True, kw_only=True)
class Wait:
    """Of a reply at the server."""

    seconds: float
    tokens_read: int  #: of its prompt; the others were in the server's cache


class WaitRelay(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, api_base: str) -> None:
        parts = urlsplit(api_base)
        self.upstream = (parts.hostname or "127.0.0.1", parts.port or 80)
        self.waits: list[Wait] = []
        super().__init__(("127.0.0.1", 0), _Connection)
        self.api_base = f"http://127.0.0.1:{self.server_address[1]}{parts.path}"


@contextmanager
def running_relay(api_base: str) -> Iterator[WaitRelay]:
    with WaitRelay(api_base) as relay:
        threading.Thread(target=relay.serve_forever, daemon=True).start()
        yield relay
        relay.shutdown()


class _Connection(socketserver.BaseRequestHandler):
    server: WaitRelay

    def handle(self) -> None:
        call = _Call(waits=self.server.waits)
        with socket.create_connection(self.server.upstream) as upstream:
            pump = threading.Thread(target=_pump, args=(upstream, self.request, call.take_answer))
            pump.start()
            _pump(self.request, upstream, call.take_request)
            pump.join()


@dataclass
class _Call:
    """The newest call of a connection."""

    waits: list[Wait]
    request: bytes = b""
    answer: bytes = b""
    began: float = 0.0
    first_word_s: float = 0.0

    def take_request(self, data: bytes) -> None:
        if data.startswith(b"POST "):
            self.request, self.answer = b"", b""
            self.began, self.first_word_s = time.monotonic(), 0.0
        self.request += data

    def take_answer(self, data: bytes) -> None:
        self.answer += data
        if not self.first_word_s and _FIRST_WORD.search(self.answer):
            self.first_word_s = time.monotonic() - self.began
        timings = _READ_MS.search(self.answer)
        if timings and _TASK not in self.request:
            waited_s = max(0.0, self.first_word_s - float(timings[2]) / 1000)
            self.waits.append(Wait(seconds=waited_s, tokens_read=int(timings[1])))
            self.answer = b""


def _pump(source: socket.socket, target: socket.socket, note: Callable[[bytes], None]) -> None:
    """Until either side hangs up; then the other is hung up on."""
    with suppress(OSError):
        while data := source.recv(65536):
            note(data)
            target.sendall(data)
    for each in (source, target):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
