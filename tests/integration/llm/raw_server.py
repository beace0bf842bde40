"""A server whose answers are written byte for byte."""

from __future__ import annotations

import json
import socket
import threading
from dataclasses import dataclass, field
from typing import Any

STREAM = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"


@dataclass
class RawServer:
    """Answers every request with `answer`, byte for byte, and counts connections."""

    listener: socket.socket
    answer: bytes = b""
    closes: bool = True
    connections: list[socket.socket] = field(default_factory=list)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}/v1"

    def run(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            while _read_request(connection):
                connection.sendall(self.answer)
                if self.closes:
                    connection.close()
                    return
        except OSError:
            return


def _read_request(connection: socket.socket) -> bool:
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65536)
        if not piece:
            return False
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length")
    )
    while len(body) < length:
        if not (piece := connection.recv(65536)):
            return False
        body += piece
    return True


def events(*chunks: object, last: str = "data: [DONE]\n\n") -> str:
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + last


def delta(**fields: object) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": None}]}


END = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}

USAGE = {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}

WHOLE = events(delta(content="It is "), delta(content="blue."), END, USAGE)


def chunked(text: str) -> str:
    return f"{len(text.encode()):x}\r\n{text}\r\n0\r\n\r\n"
