"""Whether the page answers, asked without waiting for the answer."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

CONNECT_LIMIT_S = 0.5


class Probe:
    """One HTTP request at a time; any HTTP answer will do, a 404 too."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._address = (parts.hostname or "", parts.port or 80)
        self._asked: socket.socket | None = None

    def has_answer(self) -> bool:
        try:
            self._asked = self._asked or self._ask()
            answer = self._asked.recv(5)
        except BlockingIOError:
            return False  # asked, and no answer yet
        except OSError:
            answer = b""  # nobody listens
        self.close()
        return answer == b"HTTP/"

    def close(self) -> None:
        if self._asked is not None:
            self._asked.close()
            self._asked = None

    def _ask(self) -> socket.socket:
        asked = socket.create_connection(self._address, timeout=CONNECT_LIMIT_S)
        asked.sendall(f"GET /healthz HTTP/1.0\r\nHost: {self._address[0]}\r\n\r\n".encode())
        asked.setblocking(False)
        return asked
