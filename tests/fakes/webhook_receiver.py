"""A receiver of webhooks, with scripted answers."""

from __future__ import annotations

import json
import select
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from standardwebhooks.webhooks import Webhook

from tests.waiting import PATIENCE_S

Answer = Callable[[BaseHTTPRequestHandler], object]


@dataclass(frozen=True)
class Received:
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def event(self) -> Any:
        return json.loads(self.body)

    def verified(self, secret: str) -> Any:
        """The event; raises where the signature is not by this secret."""
        return Webhook(secret).verify(self.body, self.headers)


@dataclass
class Receiver:
    """`answers` are given in turn, the last one for ever."""

    url: str
    received: list[Received] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=lambda: [status(204)])

    def answer(self, *answers: Answer) -> None:
        self.answers = list(answers)

    @property
    def ids(self) -> list[str]:
        return [delivery.headers["webhook-id"] for delivery in self.received]


def status(code: int, **headers: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def silent() -> Answer:
    """Answers nothing until the client has given up."""
    return lambda handler: handler.connection.recv(1)


def drip(head: bytes, pause_s: float, times: int) -> Answer:
    """Sends `head` byte by byte, again and again."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        for byte in head * times:
            handler.wfile.write(bytes([byte]))
            handler.wfile.flush()
            if _is_gone_within(handler, pause_s):
                return

    return answer


def _is_gone_within(handler: BaseHTTPRequestHandler, seconds: float) -> bool:
    """Whether the client hangs up within this time."""
    return bool(select.select([handler.connection], [], [], seconds)[0])


def raw(answer_bytes: bytes) -> Answer:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(answer_bytes)

    return answer


def when(may: threading.Event, answer: Answer) -> Answer:
    """Gives the answer once it may."""

    def wait_and_answer(handler: BaseHTTPRequestHandler) -> None:
        may.wait(PATIENCE_S)
        answer(handler)

    return wait_and_answer


def blocking(began: threading.Event, release: threading.Event) -> Answer:
    """Answers once it is released."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        began.set()
        when(release, status(204))(handler)

    return answer


@contextmanager
def running_receiver(certificate: Path | None = None) -> Iterator[Receiver]:
    """With a certificate (and key, in one file) it speaks TLS."""
    receivers: list[Receiver] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            receiver = receivers[0]
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.received.append(Received(self.path, headers, body))
            answers = receiver.answers
            try:
                (answers.pop(0) if len(answers) > 1 else answers[0])(self)
            except OSError:
                self.close_connection = True  # the client has given up

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that breaks off is meant."""

    with Server(("127.0.0.1", 0), Handler) as server:
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            server.socket = context.wrap_socket(server.socket, server_side=True)
        scheme = "https" if certificate else "http"
        receivers.append(Receiver(f"{scheme}://127.0.0.1:{server.server_address[1]}/hook"))
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield receivers[0]
        finally:
            server.shutdown()
            thread.join()
