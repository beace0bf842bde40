"""The page at its start: held back by a gate, asked whether it answers, opened in a browser.

The page is started together with the services, so that all load at once. It answers nobody until
the gate is open: until the services are ready and the schema is one that its code runs on.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from urllib.parse import urlsplit

from shared.settings.start_gate import START_GATE

CONNECT_LIMIT_S = 0.5
NOT_YET = b"503"
WELL = b"200"


class StartGate:
    """A file that is there while the gate is open. A variable tells the page its name."""

    def __init__(self, data_dir: Path) -> None:
        self._file = data_dir / "ready"

    @property
    def environment(self) -> dict[str, str]:
        return {START_GATE: str(self._file)}

    def close(self) -> None:
        """Before the page is started: an earlier start may have left the gate open."""
        self._file.unlink(missing_ok=True)

    def open(self) -> None:
        self._file.touch()


class Probe:
    """Asks the page, or another server, how it is: one HTTP request at a time, without waiting.

    A method sends it, or checks for its answer.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._address = (parts.hostname or "", parts.port or 80)
        self._host = parts.netloc
        self._connection: socket.socket | None = None

    def has_answer(self) -> bool:
        """Whether there was any HTTP answer, even a 404."""
        return self._status("/healthz") is not None

    def is_warm(self) -> bool:
        """Whether the page's first replies will be fast. Also true for a page without `?warm`."""
        return self._status("/healthz?warm") not in {None, NOT_YET}

    def is_well(self, path: str) -> bool:
        return self._status(path) == WELL

    def _status(self, path: str) -> bytes | None:
        """The status of the answer; None if there is none yet."""
        try:
            self._connection = self._connection or self._ask(path)
            answer = self._connection.recv(12)
        except BlockingIOError:
            return None
        except OSError:  # nobody listens
            answer = b""
        self.close()
        return answer[9:12] if answer.startswith(b"HTTP/") else None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _ask(self, path: str) -> socket.socket:
        connection = socket.create_connection(self._address, timeout=CONNECT_LIMIT_S)
        connection.sendall(f"GET {path} HTTP/1.0\r\nHost: {self._host}\r\n\r\n".encode())
        connection.setblocking(False)
        return connection


def open_page(url: str) -> None:
    """Open it if a person sits in front of this machine.

    Does nothing without a terminal and a screen, and nothing as root: browsers refuse root.
    """
    if sys.stdout.isatty() and _has_screen() and os.geteuid() != 0:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def _has_screen() -> bool:
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform == "darwin" or bool(display)
