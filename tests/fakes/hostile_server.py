"""A server that answers every request with bytes of a test's choice, and counts what it sent."""

from __future__ import annotations

import socket
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from tests.waiting import PATIENCE_S

#: The pieces of an answer, from the status line on. They may have no end.
MakeAnswer = Callable[[], Iterator[bytes]]
MB = 1_000_000
GZIP_FORM = 31  # zlib's `wbits`
BUFFERS_BYTES = 8_000_000  # what the kernel takes on both sides before anybody reads


@dataclass
class HostileServer:
    port: int
    answer: MakeAnswer
    request_count: int = 0
    sent_bytes: int = 0
    #: An answer has ended: of one without an end, because the client has hung up.
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def serve(self, link: socket.socket) -> None:
        with link, suppress(OSError):
            if not _read_request(link):
                return
            self.request_count += 1
            try:
                for piece in self.answer():
                    link.sendall(piece)
                    self.sent_bytes += len(piece)
            finally:
                self.ended.set()


@contextmanager
def running_hostile_server(answer: MakeAnswer) -> Iterator[HostileServer]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = HostileServer(listener.getsockname()[1], answer)
        thread = threading.Thread(target=_accept, args=(listener, server), daemon=True)
        thread.start()
        yield server
        listener.shutdown(socket.SHUT_RDWR)
    thread.join(PATIENCE_S)


def head(mimetype: str = "application/json", *more: str) -> bytes:
    """Without a length: the answer ends with the connection."""
    lines = ["HTTP/1.1 200 OK", f"Content-Type: {mimetype}", "Connection: close", *more, "", ""]
    return "\r\n".join(lines).encode()


def endless(start: bytes, piece: bytes) -> MakeAnswer:
    def answer() -> Iterator[bytes]:
        yield start
        while True:
            yield piece

    return answer


def whole(*pieces: bytes) -> MakeAnswer:
    return lambda: iter(pieces)


def make_bomb(megabytes: int) -> bytes:
    """Blanks in gzip's form. They compress to the same bytes again and again."""
    packer = zlib.compressobj(wbits=GZIP_FORM)
    first, block = (packer.compress(b" " * MB) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + block * (megabytes - 1) + packer.flush()


def _accept(listener: socket.socket, server: HostileServer) -> None:
    with suppress(OSError):
        while True:
            link, _ = listener.accept()
            threading.Thread(target=server.serve, args=(link,), daemon=True).start()


def _read_request(link: socket.socket) -> bool:
    """False if the client only looked."""
    received = b""
    while b"\r\n\r\n" not in received:
        if not (piece := link.recv(65_536)):
            return False
        received += piece
    start, _, body = received.partition(b"\r\n\r\n")
    lengths = [
        int(line.partition(b":")[2])
        for line in start.split(b"\r\n")
        if line.lower().startswith(b"content-length:")
    ]
    while len(body) < sum(lengths):
        if not (piece := link.recv(65_536)):
            return False
        body += piece
    return True
