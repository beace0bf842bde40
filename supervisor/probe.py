"""Ask whether the page answers and is warm, without waiting for the answer."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

CONNECT_LIMIT_S = 0.5
NOT_YET = b"503"


class Probe:
    """Makes one HTTP request at a time. A method sends it, or checks for its answer."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._address = (parts.hostname or "", parts.port or 80)
        self._host = parts.netloc
        self._asked: socket.socket | None = None

    def has_answer(self) -> bool:
        """Whether there was any HTTP answer, even a 404."""
        return self._status("/healthz") is not None

    def is_warm(self) -> bool:
        """Whether the page's first replies will be fast. Also true for a page without `?warm`."""
        return self._status("/healthz?warm") not in {None, NOT_YET}

    def _status(self, path: str) -> bytes | None:
        """The status of the answer; None if there is none yet."""
        try:
            self._asked = self._asked or self._ask(path)
            answer = self._asked.recv(12)
        except BlockingIOError:
            return None
        except OSError:  # nobody listens
            answer = b""
        self.close()
        return answer[9:12] if answer.startswith(b"HTTP/") else None

    def close(self) -> None:
        if self._asked is not None:
            self._asked.close()
            self._asked = None

    def _ask(self, path: str) -> socket.socket:
        connection = socket.create_connection(self._address, timeout=CONNECT_LIMIT_S)
        connection.sendall(f"GET {path} HTTP/1.0\r\nHost: {self._host}\r\n\r\n".encode())
        connection.setblocking(False)
        return connection
