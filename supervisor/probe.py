"""Whether the page answers, and is warm, asked without waiting for the answer."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

CONNECT_LIMIT_S = 0.5
NOT_YET = b"503"


class Probe:
    """One HTTP request at a time."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._address = (parts.hostname or "", parts.port or 80)
        self._host = parts.netloc
        self._asked: socket.socket | None = None

    def has_answer(self) -> bool:
        """Any HTTP answer will do, a 404 too."""
        return self._status("/healthz") is not None

    def is_warm(self) -> bool:
        """It has done what would make its first replies slow, or knows nothing of that."""
        return self._status("/healthz?warm") not in {None, NOT_YET}

    def _status(self, path: str) -> bytes | None:
        """None: no answer yet."""
        try:
            self._asked = self._asked or self._ask(path)
            answer = self._asked.recv(12)
        except BlockingIOError:
            return None  # asked, and no answer yet
        except OSError:
            answer = b""  # nobody listens
        self.close()
        return answer[9:12] if answer.startswith(b"HTTP/") else None

    def close(self) -> None:
        if self._asked is not None:
            self._asked.close()
            self._asked = None

    def _ask(self, path: str) -> socket.socket:
        asked = socket.create_connection(self._address, timeout=CONNECT_LIMIT_S)
        asked.sendall(f"GET {path} HTTP/1.0\r\nHost: {self._host}\r\n\r\n".encode())
        asked.setblocking(False)
        return asked
